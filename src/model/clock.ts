/** Time as a parameter: the edges pass the machine's clock, tests pass their own. */
export type Clock = {
  /** Milliseconds on a clock that never goes back. */
  readonly monotonic: () => number;
  /** Milliseconds since 1970 UTC. */
  readonly wall: () => number;
  /** Resolves after `milliseconds`, or at once when `signal` aborts. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};
