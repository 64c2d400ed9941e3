import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesOfContract, loadContract } from './load.ts';

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
