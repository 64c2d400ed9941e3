import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { inTemporaryFolder } from '../../src/run/temporary-folder.ts';
import { type Cost, costOf, costOfCommand } from './child.ts';
import { median, type Section } from './section.ts';

const rounds = 15;

type Time = Pick<Cost, 'seconds' | 'cpuMs'>;

/** Start-up: interleaved runs, the least and the median of each. */
export function start(): Promise<Section> {
  return inTemporaryFolder('start', async (folder) => {
    const first = await firstRequest(folder);
    const kinds: readonly (readonly [string, () => Promise<Time>])[] = [
      ['node -e 0', () => costOf(['-e', '0'])],
      ['assay --help', () => costOfCommand(['--help'])],
      ['assay plan', () => costOfCommand(['plan'])],
      ['assay run, until its first request arrives', first.measure],
    ];
    const seen = kinds.map(() => [] as Time[]);
    for (let round = 0; round < rounds; round += 1)
      for (const [index, [, measure]] of kinds.entries()) seen[index]?.push(await measure());
    first.close();
    const ms = (value: number): string => (Number.isNaN(value) ? '-' : `${value.toFixed(0)} ms`);
    return {
      title: 'Start-up',
      method: `Each command is started ${rounds} times, in turns with the others.`,
      columns: ['command', 'least', 'median', 'least CPU'],
      rows: kinds.map(([name], index) => {
        const times = seen[index]?.map(({ seconds }) => seconds * 1000) ?? [];
        const cpu = seen[index]?.map(({ cpuMs }) => cpuMs) ?? [];
        return [name, ms(Math.min(...times)), ms(median(times)), ms(Math.min(...cpu))];
      }),
    };
  });
}

/** A target that ends the run with the first request, and says when it came. */
async function firstRequest(folder: string): Promise<{
  readonly measure: () => Promise<Time>;
  readonly close: () => void;
}> {
  let arrived: (() => void) | undefined;
  const server = createServer((_, response) => {
    arrived?.();
    response.writeHead(503).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the target has no port');
  const config = join(folder, 'assay.yaml');
  const text = await readFile('harness.config.yaml', 'utf8');
  await writeFile(
    config,
    text
      .replace(/baseUrl: reference/, `baseUrl: http://127.0.0.1:${address.port}`)
      .replaceAll('reference:/', `http://127.0.0.1:${address.port}/__reference/`)
      .replace(/contract: \.\//, `contract: ${resolve('.')}/`)
      .replace(/^output:.*$/m, ''),
  );
  return {
    measure: async () => {
      const from = performance.now();
      const child = spawn(
        process.execPath,
        ['dist/src/cli/main.js', 'run', '--config', config, '--output', join(folder, 'reports'), '--quiet'],
        { stdio: 'ignore' },
      );
      const ended = new Promise<number>((resolve) => child.on('exit', () => resolve(Number.NaN)));
      const seconds = await Promise.race([
        ended,
        new Promise<number>((resolve) => {
          arrived = () => resolve((performance.now() - from) / 1000);
        }),
      ]);
      child.kill('SIGKILL');
      await ended;
      return { seconds, cpuMs: Number.NaN };
    },
    close: () => server.close(),
  };
}
