import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Variant } from '../src/reference/variants/variant.ts';
import { weatherVariants } from '../src/reference/variants/weather.ts';
import { fairWeather } from '../src/reference/weather.ts';
import { usualMeans } from '../src/run/means.ts';
import { packageRoot } from '../src/run/place.ts';
import { makeTrials } from '../src/selftest/trial.ts';
import { wilson } from './races-page.ts';

/**
 * Runs a conforming service in bad weather again and again, with the quick budget: none may be accused. Writes
 * docs/flaky.md, which is not in the repository.
 *
 * node flaky.js [--runs 200] [--jobs 4] [--only W41,all] [--dry]
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    jobs: { type: 'string', default: '4' },
    only: { type: 'string' },
    dry: { type: 'boolean', default: false },
  },
});
const all: Variant = {
  id: 'all',
  group: 'weather',
  describes: 'All of these but the lagging replicas at once.',
  change: {},
  settings: {
    weather: {
      ...fairWeather,
      badGateway: 0.01,
      reset: 0.01,
      slow: 0.01,
      slowMs: 2000,
      restart: { everyMs: 4000, downMs: 150 },
    },
  },
  operations: weatherVariants[0]?.operations ?? [],
};
const conditions = [...weatherVariants, all].filter(
  ({ id }) => values.only === undefined || values.only.split(',').includes(id),
);
const runs = Number(values.runs);
const each = Math.max(1, Math.floor(runs / conditions.length));
// The wire itself has to cope with what befalls it.
const trials = makeTrials(() => usualMeans);
const jobs = conditions.flatMap((condition) =>
  Array.from({ length: each }, (_, index) => ({ condition, seed: index + 1 })),
);
type ConditionTally = {
  runs: number;
  accused: number;
  void: number;
  requests: number;
  readonly clauses: Set<string>;
};
const tallies = new Map<string, ConditionTally>(
  conditions.map(({ id }) => [id, { runs: 0, accused: 0, void: 0, requests: 0, clauses: new Set() }]),
);
await Promise.all(
  Array.from({ length: Number(values.jobs) }, async () => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      const { condition, seed } = job;
      const result = await trials({ ...condition, seed, budget: 'quick' }, new AbortController().signal);
      const tally = tallies.get(condition.id);
      if (tally === undefined) continue;
      tally.runs += 1;
      tally.requests += result.requests;
      if (result.outcome.startsWith('no report')) tally.void += 1;
      if (result.fired.length > 0) tally.accused += 1;
      for (const code of result.fired) tally.clauses.add(code);
      console.log(`${condition.id} seed ${seed}: ${result.outcome} ${result.fired.join(' ')}`);
    }
  }),
);
const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;
const text = [
  '# Flaky targets',
  '',
  'Written by `npm run flaky`. The reference service conforms; the network and the deployment around it are not always in order. Each run sends the whole quick plan for seven operations of the extended catalogue. A run accuses where a stated or derived cell is `fail` or `unstable`.',
  '',
  '| condition | runs | accused | interval (95%, Wilson) | clauses | no report | requests of a run |',
  '|---|---|---|---|---|---|---|',
  ...conditions.flatMap(({ id, describes }) => {
    const tally = tallies.get(id);
    if (tally === undefined || tally.runs === 0) return [];
    const [low, high] = wilson(tally.accused, tally.runs);
    return [
      `| ${describes} | ${tally.runs} | ${tally.accused} | ${percent(low)} to ${percent(high)} | ${[...tally.clauses].join(' ') || '-'} | ${tally.void} | ${Math.round(tally.requests / tally.runs)} |`,
    ];
  }),
  '',
].join('\n');
console.log(text);
if (!values.dry) await writeFile(join(packageRoot(), 'docs/flaky.md'), text);
process.exitCode = [...tallies.values()].some(({ accused }) => accused > 0) ? 1 : 0;
