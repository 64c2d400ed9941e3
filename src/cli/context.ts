import type { Output } from './terminal/output.ts';

/** What every command gets: where to write, when to stop, and how failures become exit codes. */
export type CommandContext = {
  readonly guarded: (work: () => Promise<number>) => Promise<void>;
  readonly output: Output;
  readonly signal: AbortSignal;
};
