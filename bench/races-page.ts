export type Condition = {
  readonly budget: string;
  /** Milliseconds between look-up and insert; `none` where the key is claimed atomically. */
  readonly window: string;
  readonly latency: number;
};
export type Measured = Condition & {
  readonly runs: number;
  /** Runs in which IDM-8 failed. */
  readonly found: number;
  readonly others: number;
  /** Requests of a run that found nothing; undefined where every run found it. */
  readonly requests: number | undefined;
};

/** The 95% interval of Wilson for `hits` of `trials`. */
export function wilson(hits: number, trials: number): readonly [number, number] {
  const z = 1.96;
  const share = hits / trials;
  const centre = share + z ** 2 / (2 * trials);
  const spread = z * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2));
  const scale = 1 + z ** 2 / trials;
  return [Math.max(0, (centre - spread) / scale), Math.min(1, (centre + spread) / scale)];
}

export function racesPage(all: readonly Measured[]): string {
  const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;
  const size = (window: string): number => (window === 'none' ? 0 : Number(window));
  const rows = [...all]
    .sort(
      (one, other) =>
        one.budget.localeCompare(other.budget) ||
        size(other.window) - size(one.window) ||
        one.latency - other.latency,
    )
    .map(({ budget, found, latency, others, requests, runs, window }) => {
      const [low, high] = wilson(found, runs);
      return `| ${budget} | ${window === 'none' ? 'none: the key is claimed atomically' : `${window} ms`} | ${latency} ms | ${found} of ${runs} | ${percent(low)} to ${percent(high)} | ${requests ?? '-'} | ${others} |`;
    });
  return [
    '# Narrow races',
    '',
    '`npm run races` writes this page. A service runs in two processes. Each looks a key up and stores it a moment later; the window is the time between the two. Look-up, wait and insert block the process, so a single process never races with itself. Half of the latency passes before the look-up, half after the insert.',
    '',
    'Each run sends only the races of one command (the probe `parallel` of `duplicate-keys`). A whole run has more chances: other commands, random histories and races on versions.',
    '',
    'The column "found" counts the runs in which IDM-8 fails, with the 95% Wilson interval. The column "requests" is for a run that finds nothing, preflight included.',
    '',
    '| budget | window | latency | found | interval | requests | accused of other clauses |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
