import { expect, test } from 'vitest';
import { run } from '../cli/run.ts';
import { capture } from '../testing/captured.ts';
import { inProcess } from './in-process.ts';
import { inTemporaryFolder } from './temporary-folder.ts';

const extended = 'fixtures/contracts/extended.config.yaml';

test.each([
  ['harness.config.yaml', 'quick', 20, 1e6],
  ['harness.config.yaml', 'standard', 4, 1e6],
  [extended, 'quick', 20, 1e6],
  ['harness.config.yaml', 'standard', 2, 10],
  ['harness.config.yaml', 'quick', 2, 3],
] as const)(
  'after a tenth of %s at %s, %d ms for each response, a limit of %d per second, the time left is right within a fifth',
  async (config, budget, latencyMs, rateLimit) => {
    const means = inProcess(latencyMs / 2);
    const seen: { readonly at: number; readonly leftMs: number }[] = [];
    let begun = 0;
    await inTemporaryFolder('left', (folder) =>
      run(
        config,
        {
          overrides: { output: folder, budget, seed: 1 },
          quiet: true,
          onEvent: (event) => {
            begun ||= means.clock.monotonic();
            if (event.kind === 'advanced') seen.push({ at: means.clock.monotonic(), leftMs: event.leftMs });
          },
          reference: { change: {}, settings: { rateLimit, rateWindowMs: 1000 } },
          means,
        },
        capture().output,
        new AbortController().signal,
      ),
    );
    const end = means.clock.monotonic();
    const tenth = begun + (end - begun) / 10;
    const last = seen.findLast(({ at }) => at <= tenth);
    if (last === undefined) throw new Error('nothing was done in the first tenth');
    const said = last.leftMs - (tenth - last.at);
    expect(Math.abs(said / (end - tenth) - 1), `${said} of ${end - tenth} ms`).toBeLessThan(0.2);
  },
);
