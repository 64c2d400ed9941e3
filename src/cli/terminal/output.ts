import pc from 'picocolors';

/** Where a command writes, and how: the edge that tests replace. */
export type Output = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether standard error is a terminal on which a line can be drawn again. */
  readonly live: boolean;
  readonly columns: number;
  readonly colours: ReturnType<typeof pc.createColors>;
};

/** Standard output and error; colour only on a terminal, and never with NO_COLOR. */
export function processOutput(env: Readonly<Record<string, string | undefined>>): Output {
  const terminal = process.stdout.isTTY === true;
  const colour =
    (terminal && env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb') ||
    (env['FORCE_COLOR'] !== undefined && env['NO_COLOR'] === undefined);
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    live: process.stderr.isTTY === true && env['CI'] === undefined,
    columns: process.stderr.columns ?? 100,
    colours: pc.createColors(colour),
  };
}
