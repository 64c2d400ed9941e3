import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { InputError } from '../model/input-error.ts';
import { loadSuite, loadSuites } from './load.ts';
import { scriptSchema } from './script-schema.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-suites-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function written(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

async function refused(file: string): Promise<string> {
  const error: unknown = await loadSuite(file).catch((thrown: unknown) => thrown);
  return error instanceof InputError ? error.message : `not refused: ${String(error)}`;
}

const plain = (name: string): string => `export default { name: '${name}', title: 't', *propose() {} };`;

test('a suite in JavaScript loads', async () => {
  expect(await loadSuite(await written('one.mjs', plain('one')))).toMatchObject({ name: 'one' });
});

test('the example of the documentation loads with the package, and proposes', async () => {
  const text = await readFile('docs/own-suites.md', 'utf8');
  const code = /<!-- example: legal-hold\.js -->\n```js\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  await mkdir(join(folder, 'node_modules/@governed-command'), { recursive: true });
  await symlink(process.cwd(), join(folder, 'node_modules/@governed-command/assay'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const suite = await loadSuite(await written('legal-hold.js', code));
  expect(suite).toMatchObject({ name: 'legal-hold', title: 'Cases that are put on legal hold' });
});

test.each([
  [
    'a module that throws',
    'bad.mjs',
    "throw new Error('no luck')",
    /bad\.mjs.*the suite cannot be loaded \(no luck\)/,
  ],
  [
    'another default export',
    'odd.mjs',
    'export default 5;',
    /its default export is not a suite; write `export default defineSuite/,
  ],
  ['no default export', 'none.mjs', 'export const suite = 1;', /its default export is not a suite/],
  ['YAML of another shape', 'odd.yaml', 'suite: x\nprobes: 5\n', /odd\.yaml:2:/],
])('%s is one clear error', async (_, name, text, message) => {
  expect(await refused(await written(name, text))).toMatch(message);
});

test('an unknown word in a scripted suite is answered with those that are known', async () => {
  const text = await readFile('suites/missing-keys.yaml', 'utf8');
  const file = await written('wrong.yaml', text.replace('role: test', 'role: tset'));
  const line = text.slice(0, text.indexOf('role: test')).split('\n').length;
  expect(await refused(file)).toMatch(
    new RegExp(`:${line}:\\d+: 'role' must be one of test, control, readback, setup; did you mean 'test'\\?`),
  );
});

test('a file that is not there', async () => {
  await writeFile(join(folder, 'wide.yaml'), Buffer.from('suite: a', 'utf16le'));
  await writeFile(join(folder, 'latin.yaml'), Buffer.from('suite: \xe4', 'latin1'));
  expect(await refused(join(folder, 'wide.yaml'))).toMatch(
    /wide\.yaml:1:2: this is not text: there is a NUL/,
  );
  expect(await refused(join(folder, 'latin.yaml'))).toMatch(/latin\.yaml: the file is not UTF-8; save it as/);
  expect(await refused(join(folder, 'nowhere.yaml'))).toMatch(/nowhere\.yaml.*cannot be read/);
  expect(await refused(join(folder, 'nowhere.mjs'))).toMatch(/nowhere\.mjs.*cannot be loaded/);
});

test('a folder without suites is one clear error, whether it is empty or missing', async () => {
  await written('notes.txt', 'none');
  const missing = join(folder, 'suites');
  for (const without of [folder, missing])
    await expect(loadSuites([{ folder: without, endings: ['.yaml'] }], [])).rejects.toThrow(
      `${without}: there is no suite (.yaml) in this folder; install Assay again`,
    );
});

test('suites of a folder are named as their files, and loaded when they are asked for', async () => {
  const { names, suites } = await loadSuites([{ folder: 'suites', endings: ['.ts', '.yaml'] }], []);
  expect(names).toContain('missing-keys');
  expect((await suites()).map(({ name }) => name)).toEqual(names);
  const own = await written('later.mjs', 'throw new Error("not yet")');
  const lazy = await loadSuites([{ folder, endings: ['.mjs'] }], []);
  expect(lazy.names).toEqual(['later']);
  await expect(lazy.suites()).rejects.toThrow(`${own}: the suite cannot be loaded`);
});

test('no suite replaces another', async () => {
  const one = await written('one.mjs', plain('same'));
  const two = await written('two.mjs', plain('same'));
  await expect(loadSuites([], [one, two])).rejects.toThrow(/two\.mjs.*there is already a suite 'same'/);
});

test('the published schema of scripted suites is the one in use', async () => {
  expect(JSON.parse(await readFile('docs/suite.schema.json', 'utf8'))).toEqual(scriptSchema);
});
