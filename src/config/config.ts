import type { Budget, TargetRecords } from '../model/configured.ts';
import type { OperationId } from '../model/contract.ts';
import type { Declared } from '../model/declaration.ts';
import type { Position } from '../model/input-error.ts';
import type { Json, JsonPointer } from '../model/json.ts';
import type { Principal, PrincipalName, SignerOrigin } from '../model/principal.ts';
import type { Waiver } from '../model/waiver.ts';

/** A configuration, checked, with its defaults filled in. It holds no token that is not written in the file itself. */
export type Config = {
  /** As the user named it. */
  readonly file: string;
  /** SHA-256 of the file's text, hexadecimal. */
  readonly digest: string;
  readonly target: Target;
  /** Path of the contract. This and every other path is absolute, or relative to the working directory. */
  readonly contract: string;
  /** Folder that `$ref` may name files in. */
  readonly contractRoot: string | undefined;
  /** Most MB of the contract with all its files. */
  readonly contractMegabytes: number | undefined;
  readonly principals: readonly Principal[];
  readonly tokens: ReadonlyMap<PrincipalName, TokenSource>;
  readonly principalHeaders: ReadonlyMap<PrincipalName, Readonly<Record<string, string>>>;
  readonly examples: ReadonlyMap<OperationId, readonly Json[]>;
  readonly parameters: ReadonlyMap<OperationId, Readonly<Record<string, Json>>>;
  /** Records that only the vendor can make, by operation: their path fields, or a hook that makes one. */
  readonly targets: ReadonlyMap<OperationId, TargetRecords>;
  readonly excluded: readonly OperationId[];
  /** What the vendor declared at open points, the limit under `throttling` among them. */
  readonly declared: Declared;
  readonly throttling: Throttling;
  readonly hooks: ReadonlyMap<string, Hook>;
  readonly suites: readonly string[];
  readonly waivers: readonly Waiver[];
  /** Undefined where the run is to draw one. */
  readonly seed: number | undefined;
  readonly budget: Budget;
  /** Most requests of the run; undefined where the budget alone decides. */
  readonly maxRequests: number | undefined;
  readonly maxSeconds: number | undefined;
  readonly concurrency: number;
  readonly ranBy: string | undefined;
  /** Folder in which each run writes a folder of its own. */
  readonly output: string;
  /** Where each value of the file stands, by pointer, for problems that only show later. */
  readonly positions: ReadonlyMap<JsonPointer, Position>;
};

export type Target = {
  /** Undefined for the embedded reference service. It has no slash at its end. */
  readonly baseUrl: string | undefined;
  readonly environment: 'test' | 'staging' | 'production';
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** How long the return of a target is waited for that stops responding. */
  readonly returnSeconds: number;
  /** Nobody else creates records in the harness's scope while it runs. */
  readonly exclusive: boolean;
  /** File with certificates of authorities to trust in addition to the usual ones (PEM). */
  readonly ca: string | undefined;
  /** What the harness shows of itself in TLS. */
  readonly clientCertificate:
    | { readonly cert: TextSource; readonly key: TextSource; readonly passphrase: TextSource | undefined }
    | undefined;
  /** URL of an HTTP proxy, or `none`; undefined where the environment decides. */
  readonly proxy: string | undefined;
  /** Speaks HTTP/2 where the target offers it; otherwise only where it offers nothing else. */
  readonly http2?: boolean;
  /** What adds headers, such as a signature, to each request. */
  readonly sign?: Signing | undefined;
  /** Shell command that deletes one record; it is given ASSAY_OPERATION, ASSAY_ID and ASSAY_PATH. */
  readonly cleanup?: string | undefined;
  readonly product: string | undefined;
  readonly vendor: string | undefined;
  readonly version: string | undefined;
  /** What the vendor is approved to offer or the caller to use, as asserted. */
  readonly approvedScope: string | undefined;
};

export type Signing = SignerOrigin & { readonly timeoutSeconds: number };

export type TextSource = { readonly file: string } | { readonly env: string };

export type TokenSource =
  | { readonly env: string }
  | { readonly file: string }
  | { readonly command: string }
  | { readonly value: string };

export type Throttling = {
  /** Budget of the search for a 429. */
  readonly maxRequests: number;
  readonly maxSeconds: number;
  readonly maxWaitSeconds: number;
  /** The limit that the vendor declares: reaching it must be throttled, and a rate under it must not. */
  readonly limit: { readonly requests: number; readonly perSeconds: number } | undefined;
};

export type Hook =
  | {
      readonly kind: 'http';
      /** Absolute, or `reference:/name` for a hook of the embedded reference service. */
      readonly url: string;
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly timeoutSeconds: number;
    }
  | { readonly kind: 'command'; readonly command: string; readonly timeoutSeconds: number };

/** What the command line says instead of the file. */
export type Overrides = {
  readonly baseUrl?: string | undefined;
  readonly seed?: number | undefined;
  readonly budget?: Budget | undefined;
  readonly maxRequests?: number | undefined;
  readonly maxSeconds?: number | undefined;
  readonly concurrency?: number | undefined;
  /** Relative to the working directory. */
  readonly output?: string | undefined;
  readonly allowProduction?: boolean | undefined;
};
