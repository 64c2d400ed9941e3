import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { problemText } from '../model/input-error.ts';
import { loadSuite } from './load.ts';

const known = {
  clauses: ['IDM-1', 'IDM-6'],
  operations: ['createCase', 'closeCase'],
  principals: ['full', 'peer'],
};

async function written(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'assay-script-')), 'a.yaml');
  await writeFile(file, text);
  return file;
}

const head = 'suite: a\nfor: commands\nprobes:\n';

test.each<[what: string, text: string, message: string]>([
  [
    'a probe that is there twice',
    `${head}  - { id: x, faulty: { key: none } }\n  - { id: x, faulty: { key: none } }\n`,
    "5:11: there is already a probe 'x'; give it another name",
  ],
  [
    'a probe without steps',
    `${head}  - { id: x }\n`,
    "4:5: a probe has either 'faulty' or 'steps'; write one of the two",
  ],
  [
    'a probe with both',
    `${head}  - { id: x, faulty: { key: none }, steps: [{ id: a }] }\n`,
    "4:5: a probe has either 'faulty' or 'steps'",
  ],
  [
    'a control of no step',
    `${head}  - id: x\n    steps:\n      - { id: first, role: test }\n      - [{ id: control, controls: frist }]\n`,
    "7:35: this probe has no step 'frist'; did you mean 'first'?",
  ],
  [
    'a member to remove without a slash',
    `${head}  - { id: x, faulty: { body: { remove: [subject] } } }\n`,
    "4:41: 'subject' is not a JSON Pointer; write '/subject'",
  ],
  [
    'a member to set as a fragment',
    `${head}  - { id: x, faulty: { body: { set: { '#/subject': 1 } } } }\n`,
    "4:39: '#/subject' is not a JSON Pointer; write '/subject'",
  ],
])('%s is refused', async (_, text, message) => {
  const file = await written(text);
  await expect(loadSuite(file)).rejects.toThrow(`${file}:${message}`);
});

test.each<[what: string, text: string, problems: readonly string[]]>([
  [
    'an operation, a clause and a principal that are not there',
    'suite: a\nfor: [createCase, openCase]\nprobes:\n  - { id: x, clauses: [IDM-66], steps: [{ operation: closeCas, as: pier }] }\n',
    [
      "2:19: there is no operation 'openCase'; known are: createCase, closeCase",
      "4:24: there is no clause 'IDM-66'; did you mean 'IDM-6'?",
      "4:54: there is no operation 'closeCas'; did you mean 'closeCase'?",
      "4:68: there is no principal 'pier'; did you mean 'peer'?",
    ],
  ],
  [
    'no name that is not there',
    'suite: a\nfor: [createCase]\nprobes:\n  - { id: x, clauses: [IDM-6], faulty: { operation: closeCase, as: peer } }\n',
    [],
  ],
])('of names, a run reports %s', async (_, text, problems) => {
  const file = await written(text);
  const suite = await loadSuite(file);
  expect((suite.unknownNames?.(known) ?? []).map(problemText)).toEqual(
    problems.map((one) => `${file}:${one}`),
  );
});

test('the example of the documentation is accepted', async () => {
  const example =
    /```yaml\n(suite: [\s\S]*?)```/.exec(readFileSync('docs/scripted-suites.md', 'utf8'))?.[1] ?? '';
  const suite = await loadSuite(await written(example));
  expect(suite.unknownNames?.({ ...known, clauses: ['IDM-1', 'IDM-2', 'IDM-6'] })).toEqual([]);
});
