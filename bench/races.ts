import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { conduct } from '../src/run/conduct.ts';
import { packageRoot } from '../src/run/place.ts';
import { openSession } from '../src/run/session.ts';
import { inTemporaryFolder } from '../src/run/temporary-folder.ts';
import type { Suite } from '../src/suite-kit/suite.ts';
import { optionsOf } from './options.ts';
import { type Condition, type Measured, racesPage } from './races-page.ts';
import { startService } from './service.ts';

/**
 * How often the races of one command find a service whose two processes look a key up and store it a moment later. Only
 * the probe of IDM-8 is run, on one operation: a whole run has more chances. What was measured is kept in docs/races.json
 * by condition, so that a part can be measured again on its own.
 *
 * node races.js [--runs 200] [--budget standard] [--window 1,0.2,none] [--latency 1,20,100] [--dry]
 */
const values = optionsOf('races', {
  runs: { type: 'string', default: '200' },
  budget: { type: 'string', default: 'standard' },
  window: { type: 'string', default: '1,0.2,none' },
  latency: { type: 'string', default: '1,20,100' },
  dry: { type: 'boolean', default: false },
});
const budget = values.budget === 'quick' || values.budget === 'thorough' ? values.budget : 'standard';
const runs = Number(values.runs);
const token = 'Race-Bench-Token-0001';
const kept = join(packageRoot(), 'docs/races.json');
const page = join(packageRoot(), 'docs/races.md');

for (const window of values.window.split(','))
  for (const latency of values.latency.split(',').map(Number)) {
    const measured = await inTemporaryFolder('races', (folder) =>
      measure(folder, { budget, window, latency }),
    );
    console.log(JSON.stringify(measured));
    if (values.dry) continue;
    const before = JSON.parse(await readFile(kept, 'utf8').catch(() => '[]')) as readonly Measured[];
    const same = (other: Condition): boolean =>
      other.budget === budget && other.window === window && other.latency === latency;
    const all = [...before.filter((other) => !same(other)), measured];
    await writeFile(kept, `${JSON.stringify(all, undefined, 2)}\n`);
    await writeFile(page, racesPage(all));
  }

async function measure(folder: string, condition: Condition): Promise<Measured> {
  const { latency, window } = condition;
  const store = await mkdtemp(join(folder, 'store-'));
  const options = { folder: store, token, window, latency: String(latency) };
  const service = await startService('race-service.js', options);
  let found = 0;
  let requests = 0;
  let others = 0;
  try {
    const config = await written(folder, service.origin);
    for (let seed = 1; seed <= runs; seed += 1) {
      const session = await openSession(config, { output: join(folder, 'runs'), budget, seed });
      const racingSuites = (await session.suites())
        .filter(({ name }) => name === 'duplicate-keys')
        .map(racing);
      const conducted = await conduct(
        { ...session, suites: async () => racingSuites },
        {},
        new AbortController().signal,
      );
      if (conducted.kind === 'void') throw new Error(conducted.because);
      const bad = conducted.cells.filter(
        ({ level, verdict }) => level !== 'advisory' && (verdict === 'fail' || verdict === 'unstable'),
      );
      if (bad.some(({ clause, verdict }) => clause === 'IDM-8' && verdict === 'fail')) found += 1;
      else requests += conducted.requests;
      others += bad.filter(({ clause }) => clause !== 'IDM-8').length;
    }
  } finally {
    service.stop();
  }
  return {
    ...condition,
    runs,
    found,
    others,
    requests: runs === found ? undefined : Math.round(requests / (runs - found)),
  };
}

function racing(suite: Suite): Suite {
  return {
    ...suite,
    *propose(planning) {
      for (const proposal of suite.propose(planning))
        if (proposal.kind === 'probe' && proposal.id === 'parallel') yield proposal;
    },
  };
}

async function written(folder: string, origin: string): Promise<string> {
  const file = join(folder, 'assay.yaml');
  await writeFile(
    file,
    [
      `target: { baseUrl: '${origin}', environment: test, exclusive: true }`,
      `contract: ${join(packageRoot(), 'fixtures/contracts/governed-command-1.27.0.yaml')}`,
      'principals:',
      `  full: { token: { env: RACE_TOKEN }, permissions: [case.create], scope: a }`,
      'declares: { G15: { seconds: 0 } }',
    ].join('\n'),
  );
  process.env['RACE_TOKEN'] = token;
  return file;
}
