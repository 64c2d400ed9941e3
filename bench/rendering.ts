import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formats } from '../src/report/formats.ts';
import { evidenceFile } from '../src/run/bundle.ts';
import { faultyRun, faultyServices } from './faulty-run.ts';
import { lengthen } from './long-log.ts';

/** What rendering a run of 100,000 exchanges may take. */
const limits = { exchanges: 100_000, seconds: 10, megabytes: 300 };

const main = fileURLToPath(new URL('../src/cli/main.js', import.meta.url));
const peak =
  "data:text/javascript,process.on('exit',()=>process.stderr.write('peak='+process.resourceUsage().maxRSS))";

async function measured(
  args: readonly string[],
): Promise<{ readonly seconds: number; readonly megabytes: number }> {
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', peak, main, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (part) => {
    text += String(part);
  });
  await new Promise((resolve) => child.on('close', resolve));
  const kilobytes = Number(/peak=(\d+)/.exec(text)?.[1] ?? Number.NaN);
  return { seconds: (performance.now() - start) / 1000, megabytes: kilobytes / 1024 };
}

const folder = join(await mkdtemp(join(tmpdir(), 'assay-bench-')), 'run');
await mkdir(folder);
const base = await faultyRun(faultyServices['wrong status and no ids at all'] ?? {});
const exchanges = await lengthen(
  join(base.folder, evidenceFile),
  join(folder, evidenceFile),
  limits.exchanges,
);
const { size } = await stat(join(folder, evidenceFile));
process.stdout.write(`${exchanges} exchanges, ${(size / 1024 / 1024).toFixed(0)} MiB of evidence\n`);
const rows: readonly (readonly [string, readonly string[], boolean])[] = [
  ['judge, and render all', ['judge', folder], false],
  ['verify', ['verify', folder], false],
  ['report, all formats', ['report', folder], true],
  ...formats.map(({ name }) => [`report, ${name}`, ['report', folder, '--format', name], true] as const),
];
let over = false;
for (const [name, args, limited] of rows) {
  const { seconds, megabytes } = await measured(args);
  const bad = limited && !(seconds < limits.seconds && megabytes < limits.megabytes);
  over ||= bad;
  process.stdout.write(
    `${name.padEnd(24)} ${seconds.toFixed(1).padStart(6)} s ${megabytes.toFixed(0).padStart(6)} MB${bad ? '  OVER' : ''}\n`,
  );
}
await rm(join(folder, '..'), { recursive: true });
process.exitCode = over ? 1 : 0;
