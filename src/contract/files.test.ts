import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import { filesOfContract, loadContract, parseContract } from './load.ts';

let base = '';
let folder = '';
const secret = 'nothing: of the contract\n';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'assay-files-'));
  folder = join(base, 'contract');
  await mkdir(join(folder, 'parts'), { recursive: true });
  await writeFile(join(base, 'outside.yaml'), secret);
  await writeFile(join(folder, 'parts', 'inside.yaml'), 'a: 1\n');
  await symlink('../outside.yaml', join(folder, 'link.yaml'));
  await symlink('parts/inside.yaml', join(folder, 'inner-link.yaml'));
  await symlink('/dev/zero', join(folder, 'zero.yaml'));
  execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
});
afterAll(() => rm(base, { recursive: true }));

async function filesOf(ref: string, limits = {}): Promise<readonly string[]> {
  const main = join(folder, 'main.yaml');
  await writeFile(main, `a: { $ref: '${ref}' }\n`);
  const [, ...others] = (await filesOfContract(main, limits)).files;
  return others.map(({ text }) => text);
}

test.each([
  '../outside.yaml',
  'link.yaml',
  '/etc/hostname',
  'parts',
  'pipe.yaml',
  'zero.yaml',
  '/dev/zero',
  '../contract/../outside.yaml',
])('a $ref to %s opens nothing', async (ref) => {
  expect(await filesOf(ref)).toEqual([]);
});

test.each(['parts/inside.yaml', 'inner-link.yaml', '../contract/parts/inside.yaml'])(
  'a $ref to %s is read',
  async (ref) => {
    expect(await filesOf(ref)).toEqual(['a: 1\n']);
  },
);

test('a $ref leads to an $anchor of another file', async () => {
  const files = {
    'parts/codes.yaml': "$defs: { Code: { $anchor: code, type: string, pattern: '^[A-Z]+$' } }",
    'parts/note.yaml': 'type: object\nproperties: { code: { $ref: "./codes.yaml#code" } }',
  };
  const contractWith = (ref: string) =>
    parseContract(
      `
openapi: 3.1.1
info: { title: Notes, version: 1.27.0 }
security: []
paths:
  /notes:
    get:
      operationId: list
      responses: { '200': { description: all, content: { application/json: { schema: { $ref: ${ref} } } } } }
`,
      'c.yaml',
      undefined,
      Object.entries(files).map(([file, text]) => ({ file, text })),
    );
  const { success } = operationOf(await contractWith('parts/note.yaml'), 'list');
  expect(JSON.stringify(success.schema)).toContain('^[A-Z]+$');
  await expect(contractWith("'parts/codes.yaml#other'")).rejects.toThrow(
    "the $ref 'parts/codes.yaml#other' is not a JSON Pointer",
  );
});

test('contractRoot allows files of another folder', async () => {
  expect(await filesOf('../outside.yaml', { root: base })).toEqual([secret]);
});

test('files beyond the limit are not read, each alone or together', async () => {
  expect(await filesOf('parts/inside.yaml', { maxBytes: 36 })).toEqual([]);
  const large = join(folder, 'large.yaml');
  await writeFile(large, '');
  await truncate(large, 33 * 1024 * 1024);
  await expect(loadContract(large)).rejects.toThrow(
    "large.yaml: the contract is larger than 32 MB; split off what the run does not need, or raise 'contractMegabytes'",
  );
  await expect(loadContract(join(folder, 'pipe.yaml'))).rejects.toThrow(
    'pipe.yaml: this is not a regular file; name a file',
  );
});
