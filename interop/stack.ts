/** A program with its arguments and the environment that it adds to ours. */
export type Command = {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
};

export type Setting = {
  readonly port: number;
  /** An empty folder of this run, for databases and temporary files. */
  readonly folder: string;
  /** A JSON file with every caller and its token. */
  readonly callers: string;
  readonly jwtSecret: string;
  /** The port of the upstream, where the stack is in front of another. */
  readonly upstream: number | undefined;
};

/** One service: a stack in one configuration. */
export type Stack = {
  /** Its folder and its configuration, such as fiber/plain. */
  readonly name: string;
  /** The contract that it publishes: a file of the folder interop, or a path of the service itself. */
  readonly contract: { readonly file: string } | { readonly path: string };
  readonly tokens: 'opaque' | 'jwt';
  /** What it declares at the open points; nothing where a vendor would not know of them. */
  readonly declares: Readonly<Record<string, unknown>>;
  readonly needs: readonly string[];
  /** Files that the installation depends on: it is repeated when one of them changes. */
  readonly installedFrom: readonly string[];
  /** Commands that install or build it below the cache folder, which is their working directory. */
  readonly install: (source: string, cache: string) => readonly Command[];
  readonly start: (source: string, cache: string, setting: Setting) => Command;
  readonly upstream?: string;
};
