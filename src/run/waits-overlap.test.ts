import { expect, test } from 'vitest';
import { run } from '../cli/run.ts';
import { capture } from '../testing/captured.ts';
import { syntheticConfig } from '../testing/synthetic-config.ts';
import { verdictsOn } from '../testing/verdicts-on.ts';
import { inProcess } from './in-process.ts';
import { inTemporaryFolder } from './temporary-folder.ts';

/** Seconds of virtual time that a run takes with so many lists, each with its own records, and reads that settle in 5 s. */
const secondsWith = (lists: number, suites: readonly string[]): Promise<number> =>
  inTemporaryFolder('overlap', async (folder) => {
    const means = inProcess(1);
    const { report } = await run(
      await syntheticConfig(folder, 4 * lists, '{ G15: { seconds: 5 } }'),
      {
        overrides: { output: folder, budget: 'quick', seed: 1 },
        suites,
        quiet: true,
        reference: { change: {}, settings: { rateLimit: 1e6 } },
        means,
      },
      capture().output,
      new AbortController().signal,
    );
    expect(report?.counts.fail).toBe(0);
    return means.clock.monotonic() / 1000;
  });

test.each([[['reads']], [['wrong-permissions']]])(
  'more lists make no longer chain of waits (%s)',
  async (suites) => {
    const few = await secondsWith(1, suites);
    expect((await secondsWith(4, suites)) - few).toBeLessThan(5);
  },
);

test('a record that others use as well does not wait for them until its permission is withdrawn', async () => {
  expect(await verdictsOn('singleton-version', 'putSettings', ['PRM-10'])).toEqual(['PRM-10 pass']);
});
