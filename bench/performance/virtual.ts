import { run } from '../../src/cli/run.ts';
import { inProcess } from '../../src/run/in-process.ts';
import type { Means } from '../../src/run/means.ts';
import { inTemporaryFolder } from '../../src/run/temporary-folder.ts';
import { capture } from '../../src/testing/captured.ts';
import { syntheticConfig } from '../../src/testing/synthetic-config.ts';
import type { Section } from './section.ts';

type Setting = {
  readonly name: string;
  /** A configuration, or how many synthetic operations it is for. */
  readonly config: string | number;
  readonly budget: 'quick' | 'standard';
  readonly latency: number;
  readonly rateLimit?: number;
  readonly operations?: readonly string[];
};

const extended = 'fixtures/contracts/extended.config.yaml';
const small = { name: 'POST /cases', config: 'harness.config.yaml', latency: 2 };
const whole = { name: 'extended', config: extended, latency: 2 };
const seven = {
  name: '7 operations',
  config: extended,
  latency: 4,
  rateLimit: 1e6,
  operations: [
    ...['createCase', 'getCase', 'listCases', 'updateCase', 'closeCase'],
    ...['createContact', 'getContact'],
  ],
};
const settings: readonly Setting[] = [
  ...[small, seven, whole].flatMap((one) => [
    { ...one, budget: 'quick' as const },
    { ...one, budget: 'standard' as const },
  ]),
  { ...whole, name: 'extended, 2000 per 500 ms', budget: 'standard', rateLimit: 2000 },
  { name: '40 synthetic operations', config: 40, budget: 'quick', latency: 4, rateLimit: 1e6 },
];

/** Runs in time in which work takes none: the figures do not depend on the machine. */
export async function virtual(): Promise<Section> {
  const rows: string[][] = [];
  for (const setting of settings) rows.push(await rowOf(setting));
  return {
    title: 'Waits, limits and latency alone',
    method:
      'Runs against the reference service in virtual time: only waits and latency pass, and computation takes no time. A response takes 2 ms, or 4 ms with 7 and 40 operations. The limit is 60 requests per 500 ms and caller, unless the row names another. Nothing is declared. Idle is the time without a request in flight.',
    columns: ['run', 'time', 'idle', 'requests'],
    rows,
  };
}

async function rowOf({ name, config, budget, latency, rateLimit, operations }: Setting): Promise<string[]> {
  const { idle, means } = watched(inProcess(latency / 2));
  let requests = 0;
  await inTemporaryFolder('virtual', async (folder) =>
    run(
      typeof config === 'string' ? config : await syntheticConfig(folder, config, '{}'),
      {
        overrides: { output: folder, budget, seed: 1 },
        operations,
        quiet: true,
        onEvent: (_, sent) => {
          requests = sent;
        },
        reference: { change: {}, settings: rateLimit === undefined ? {} : { rateLimit } },
        means,
      },
      capture().output,
      new AbortController().signal,
    ),
  );
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
  return [
    `${name}, ${budget}`,
    seconds(means.clock.monotonic()),
    seconds(idle()),
    requests.toLocaleString('en'),
  ];
}

/** Counts the milliseconds in which nothing is on the wire, from the first request to the last. */
function watched(means: Means): { readonly means: Means; readonly idle: () => number } {
  const { monotonic } = means.clock;
  let idle = 0;
  let sent = 0;
  let since: number | undefined;
  const during = async <Result>(work: Promise<Result>): Promise<Result> => {
    if (sent === 0) idle += monotonic() - (since ?? monotonic());
    sent += 1;
    const result = await work;
    sent -= 1;
    since = monotonic();
    return result;
  };
  const openWire: Means['openWire'] = (...given) => {
    const wire = means.openWire(...given);
    return {
      send: (request, signal) => during(wire.send(request, signal)),
      sendTogether: (requests, signal) => during(wire.sendTogether(requests, signal)),
      close: wire.close,
    };
  };
  return { means: { ...means, openWire }, idle: () => idle };
}
