import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clauses } from '../src/clauses/catalogue.ts';
import { run } from '../src/cli/run.ts';
import { tuneEngine } from '../src/cli/terminal/tuning.ts';
import type { Budget } from '../src/model/configured.ts';
import { capture } from '../src/testing/captured.ts';
import { syntheticConfig } from '../src/testing/synthetic-config.ts';
import { optionsOf } from './options.ts';
import { served } from './performance/served.ts';

/** As many operations as the full contract governs: within its limits, and a verdict in every cell. */
const values = optionsOf('scale', {
  operations: { type: 'string', default: '293' },
  budget: { type: 'string', default: 'quick' },
});
const budgets: readonly Budget[] = ['quick', 'standard', 'thorough'];
const budget = budgets.find((name) => name === values.budget);
const count = Number(values.operations);
if (budget === undefined || !Number.isInteger(count) || count < 1) {
  process.stderr.write('scale: --budget is quick, standard or thorough; --operations is a whole number\n');
  process.exit(2);
}
tuneEngine();
const folder = await mkdtemp(join(tmpdir(), 'assay-scale-'));
const config = await syntheticConfig(folder, count, '{ G15: { seconds: 0.2 } }');
const output = { ...capture().output, err: (said: string) => void process.stderr.write(said) };
await served(config, { rateLimit: 100_000 }, async (copy) => {
  const start = performance.now();
  const cpu = process.cpuUsage();
  const { exitCode, report } = await run(
    copy,
    { overrides: { budget, seed: 1 }, quiet: true },
    output,
    new AbortController().signal,
  );
  const { user, system } = process.cpuUsage(cpu);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const cells = report?.cells.length ?? 0;
  const exchanges = report?.run.exchanges ?? 0;
  const ended = report?.run.ended ?? '-';
  const peak = (process.resourceUsage().maxRSS / 1024).toFixed(0);
  const each = ((user + system) / 1000 / exchanges).toFixed(2);
  console.log(
    `${count} synthetic operations, ${budget}: exit ${exitCode}, ${report?.verdict.outcome ?? 'no report'}`,
  );
  console.log(
    `${exchanges} requests in ${seconds} s, ended: ${ended}, peak ${peak} MB, ${each} ms of CPU per request; the reference service has a process of its own`,
  );
  console.log(`matrix: ${cells} of ${clauses.length * count} cells; ${JSON.stringify(report?.counts)}`);
  process.exitCode = cells === clauses.length * count && ended === 'complete' ? 0 : 1;
});
await rm(folder, { recursive: true, force: true });
