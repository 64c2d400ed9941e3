import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pc from 'picocolors';
import { run } from '../src/cli/run.ts';
import { parseContract } from '../src/contract/load.ts';
import { shapes } from '../src/selftest/shapes/catalogue.ts';
import { configurationFor } from '../src/selftest/shapes/configuration.ts';

/**
 * Runs the suites on each shape of contract, served by the reference service, which conforms: no violation, no cell that
 * is unstable, no hang and no error is expected. Each shape has a process of its own, which is ended after `seconds`.
 *
 * node shapes.js [--at-once 4] [--seconds 150] [name ...]
 */
const [command, ...rest] = process.argv.slice(2);
if (command === '--one') await one(rest[0] ?? '');
else await all(process.argv.slice(2));

async function one(name: string): Promise<void> {
  const shape = shapes.find((each) => each.name === name);
  if (shape === undefined) throw new Error(`there is no shape '${name}'`);
  const folder = await mkdtemp(join(tmpdir(), 'assay-shape-'));
  await writeFile(join(folder, 'contract.yaml'), shape.text);
  try {
    const contract = await parseContract(shape.text, 'contract.yaml');
    await writeFile(join(folder, 'assay.json'), configurationFor(contract, shape.operations));
    const { exitCode, report } = await run(
      join(folder, 'assay.json'),
      { overrides: { budget: 'quick', seed: 1 }, suites: undefined, operations: undefined, quiet: true },
      {
        out: () => undefined,
        err: (said) => void process.stderr.write(said),
        live: false,
        columns: 100,
        colours: pc.createColors(false),
      },
      new AbortController().signal,
    );
    const of = (verdict: string): readonly string[] =>
      (report?.cells ?? [])
        .filter((cell) => cell.verdict === verdict)
        .map((cell) => `${cell.clause}/${cell.operation ?? ''}`);
    process.stdout.write(
      `${JSON.stringify({
        exitCode,
        outcome: report?.verdict.outcome,
        requests: report?.run.exchanges,
        operations: contract.operations.length,
        accused: [...of('fail'), ...of('unstable')],
        inconclusive: of('inconclusive'),
        pass: of('pass').length,
        notTested: of('not-tested').length,
        untested: contract.operations
          .filter(
            ({ id }) =>
              !(report?.cells ?? []).some((cell) => cell.verdict === 'pass' && cell.operation === id),
          )
          .map(({ id }) => id),
        why: [
          ...new Set(
            (report?.cells ?? [])
              .filter(
                (cell) =>
                  cell.verdict === 'fail' || cell.verdict === 'unstable' || cell.verdict === 'inconclusive',
              )
              .map((cell) => `${cell.clause}/${cell.operation}: ${cell.because}`),
          ),
        ],
      })}\n`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function all(flags: readonly string[]): Promise<void> {
  const number = (flag: string, usual: number): number => {
    const at = flags.indexOf(flag);
    return at < 0 ? usual : Number(flags[at + 1]);
  };
  const names = flags.filter((flag, at) => !flag.startsWith('--') && !flags[at - 1]?.startsWith('--'));
  const wanted = shapes.filter(({ name }) => names.length === 0 || names.includes(name));
  const queue = [...wanted];
  const counts = { good: 0, bad: 0 };
  const lane = async (): Promise<void> => {
    for (let shape = queue.shift(); shape !== undefined; shape = queue.shift()) {
      const started = performance.now();
      const { said, failed, hung } = await apart(shape.name, number('--seconds', 150));
      const seconds = ((performance.now() - started) / 1000).toFixed(0);
      const found = said === '' ? undefined : JSON.parse(said);
      const good = found !== undefined && found.accused.length === 0 && found.exitCode !== 2;
      counts[good ? 'good' : 'bad'] += 1;
      console.log(
        `${good ? 'ok ' : 'BAD'} ${shape.name} (${seconds} s): ${
          found === undefined
            ? `${hung ? 'HANGS' : 'no result'} ${failed.trim()}`
            : `exit ${found.exitCode} ${found.outcome}, ${found.pass} pass, ${found.notTested} not tested, ${found.inconclusive.length} inconclusive${
                found.untested.length > 0 ? `, UNTESTED ${found.untested.join(' ')}` : ''
              }${found.accused.length > 0 ? `, ACCUSED ${found.accused.join(' ')}` : ''}${found.why.map((why: string) => `\n      ${why}`).join('')}`
        }`,
      );
    }
  };
  await Promise.all(Array.from({ length: number('--at-once', 4) }, lane));
  console.log(`${counts.good} of ${wanted.length} shapes are right`);
  process.exitCode = counts.bad === 0 ? 0 : 1;
}

function apart(
  name: string,
  seconds: number,
): Promise<{ readonly said: string; readonly failed: string; readonly hung: boolean }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--one', name], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    let failed = '';
    let hung = false;
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    child.stderr.on('data', (chunk) => {
      failed += chunk;
    });
    const timer = setTimeout(() => {
      hung = true;
      child.kill('SIGKILL');
    }, seconds * 1000);
    child.on('close', () => {
      clearTimeout(timer);
      resolve({ said, failed: failed.slice(0, 600), hung });
    });
  });
}
