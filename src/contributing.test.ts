import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const longest = 500_000;

type Example = { readonly file: string; readonly where: string | undefined; readonly code: string };

/** The blocks of CONTRIBUTING.md whose first line says where they go. */
function examplesIn(page: string): readonly Example[] {
  return [
    ...page.matchAll(/```(?:ts|yaml)\n(?:\/\/|#) (\S+\.\w+)(?:, (at the top|in \w+))?\n([\s\S]*?)```/g),
  ].map(([, file = '', where, code = '']) => ({ file, where, code }));
}

/** The text with an example in its place; the end of a list or a mapping is the first line that closes it. */
function applied(text: string, { file, where, code }: Example): string {
  if (where === undefined) return code;
  if (where === 'at the top') return code + text;
  const name = where.replace('in ', '');
  const start = file.endsWith('.yaml')
    ? new RegExp(`^${name}:\\n`, 'm').exec(text)
    : new RegExp(`^export const ${name}\\b[^=]*= [[{]`, 'm').exec(text);
  if (start === null) throw new Error(`${file} has no ${name}`);
  const at = start.index + start[0].length;
  return `${text.slice(0, at)}${file.endsWith('.yaml') ? '' : '\n'}${code}${text.slice(at)}`;
}

test('the worked examples of CONTRIBUTING.md build and do what they say', { timeout: longest }, async () => {
  const copy = await mkdtemp(join(tmpdir(), 'assay-contributing-'));
  const files = ['package.json', 'harness.config.yaml', 'tsconfig.json'];
  // Other tests make folders in fixtures meanwhile, and remove them.
  for (const name of ['src', 'suites', 'fixtures/contracts', ...files])
    await cp(name, join(copy, name), { recursive: true });
  await symlink(resolve('node_modules'), join(copy, 'node_modules'));
  const examples = examplesIn(await readFile('CONTRIBUTING.md', 'utf8'));
  expect(examples).toHaveLength(9);
  for (const example of examples) {
    const path = join(copy, example.file);
    const text = example.where === undefined ? '' : await readFile(path, 'utf8');
    await writeFile(path, applied(text, example));
  }
  await writeFile(
    join(copy, 'tsconfig.build.json'),
    (await readFile('tsconfig.build.json', 'utf8')).replace('"src/clauses/cases",', ''),
  );
  await writeFile(join(copy, 'src/judged.ts'), judged);
  const node = async (...args: readonly string[]): Promise<string> =>
    (await run(process.execPath, args, { cwd: copy, timeout: longest })).stdout;
  await node(resolve('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json');

  // The clause judges its two literal traces as the example says, and the fault does what the clause forbids.
  expect(JSON.parse(await node('dist/src/judged.js'))).toEqual([['holds'], ['violated'], [401, '']]);
  // The suite, the operation and the format take part in a run.
  const assay = 'dist/src/cli/main.js';
  await node(
    ...[assay, 'run', '--quiet', '--budget', 'quick', '--base-url', 'reference'],
    ...['--suite', 'unknown-tokens', '--output', 'reports', '--run-name', 'example'],
  );
  const cells = await readFile(join(copy, 'reports/example/cells.csv'), 'utf8');
  expect(cells).toContain('ERR-9,createCase,pass\n');
  expect(cells).toContain('ERR-9,createNote,pass\n');
});

const judged = `
import { rulingsOf } from './judge.ts';
import { bothWays } from './clauses/cases/both-ways.ts';
import { contract, principals } from './clauses/cases/contract.ts';
import { trace } from './clauses/cases/trace.ts';
import { clauseOf } from './clauses/catalogue.ts';
import { makeContext } from './oracle/context.ts';
import { parsedDeclaration } from './oracle/open-points/declared.ts';
import { faults } from './reference/faults/catalogue.ts';
import { startReference } from './reference/server.ts';
import { machineClock } from './run/clock.ts';

const context = makeContext({ contract, declared: parsedDeclaration({}), principals, proven: new Set(['full']) });
const clause = clauseOf('ERR-9');
const [, holds = [], violates = []] = bothWays.find(([code]) => code === 'ERR-9') ?? [];
const verdicts = [holds, violates].map((parts) =>
  clause === undefined ? [] : [...new Set(rulingsOf(clause, context, trace(parts)).map(({ verdict }) => verdict))],
);
const change = faults.find(({ id }) => id === 'E99')?.change ?? {};
const service = await startReference({ contract, principals: [], clock: machineClock, behaviour: change });
const response = await fetch(service.url + '/cases', { method: 'POST' });
console.log(JSON.stringify([...verdicts, [response.status, await response.text()]]));
await service.close();
`;
