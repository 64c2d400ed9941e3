import type { Output } from './terminal/output.ts';

export type CommandContext = {
  readonly guarded: (work: () => Promise<number>) => Promise<void>;
  readonly output: Output;
  readonly signal: AbortSignal;
};
