import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../src/cli/run.ts';
import { usualMeans } from '../src/run/means.ts';
import { capture } from '../src/testing/captured.ts';
import { virtualTime } from './virtual-time.ts';

/** How long runs take where work takes no time: waits, limits and latency alone. Prints one line for each. */
type Setting = {
  readonly name: string;
  readonly config: string;
  readonly budget: 'quick' | 'standard';
  readonly latency: number;
  readonly rateLimit?: number;
  readonly operations?: readonly string[];
};

const seven = [
  'createCase',
  'getCase',
  'listCases',
  'updateCase',
  'closeCase',
  'createContact',
  'getContact',
];
const extended = 'fixtures/contracts/extended.config.yaml';
const settings: readonly Setting[] = [
  { name: 'POST /cases', config: 'harness.config.yaml', budget: 'quick', latency: 2 },
  { name: 'POST /cases', config: 'harness.config.yaml', budget: 'standard', latency: 2 },
  { name: '7 operations', config: extended, budget: 'quick', latency: 4, rateLimit: 1e6, operations: seven },
  {
    name: '7 operations',
    config: extended,
    budget: 'standard',
    latency: 4,
    rateLimit: 1e6,
    operations: seven,
  },
  { name: 'extended', config: extended, budget: 'quick', latency: 2 },
  { name: 'extended', config: extended, budget: 'standard', latency: 2 },
  { name: 'extended, 2000 per 500 ms', config: extended, budget: 'standard', latency: 2, rateLimit: 2000 },
];

const wanted = process.argv[2];
for (const [index, setting] of settings.entries()) {
  if (wanted !== undefined && !wanted.split(',').includes(String(index))) continue;
  const time = virtualTime();
  const folder = await mkdtemp(join(tmpdir(), 'assay-waits-'));
  const from = performance.now();
  let requests = 0;
  const { exitCode, report } = await run(
    setting.config,
    {
      overrides: { output: folder, budget: setting.budget, seed: 1 },
      suites: undefined,
      operations: setting.operations,
      quiet: true,
      onEvent: (_, sent) => {
        requests = sent;
      },
      reference: {
        change: {},
        settings: setting.rateLimit === undefined ? {} : { rateLimit: setting.rateLimit },
      },
      means: {
        ...usualMeans,
        clock: time.clock,
        openWire: (target, clock) => time.slowed(usualMeans.openWire(target, clock), setting.latency),
      },
    },
    capture().output,
    new AbortController().signal,
  );
  const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1).padStart(6);
  console.log(
    `${`${setting.name}, ${setting.budget}`.padEnd(36)} ${seconds(time.clock.monotonic())} s, idle ${seconds(time.idle())} s, ${requests} requests, exit ${exitCode}, ${JSON.stringify(report?.counts ?? {}).slice(0, 200)}, took ${seconds(performance.now() - from)} s`,
  );
  if (process.argv[3] === undefined) await rm(folder, { recursive: true });
  else console.log(folder);
}
process.exit(0);
