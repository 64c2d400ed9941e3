import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browsable, buildDigest, isInstalledLocally, selfTestDigest } from './package.ts';

const build: string = buildDigest();

test.each<[string, string | undefined, boolean]>([
  ['one of this build that passed', JSON.stringify({ build, passed: true, sha256: 'abc' }), true],
  ['one that failed', JSON.stringify({ build, passed: false }), false],
  ['one of another build', JSON.stringify({ build: 'abc', passed: true, sha256: 'abc' }), false],
  ['no JSON', '{', false],
  ['none', undefined, false],
])('the baseline holds the digest of the self-test that came with the build: %s', async (_, text, known) => {
  const root = await mkdtemp(join(tmpdir(), 'assay-package-'));
  await mkdir(join(root, 'dist'));
  if (text !== undefined) await writeFile(join(root, 'dist/self-test.json'), text);
  expect(await selfTestDigest(root)).toBe(known ? 'abc' : undefined);
});

test.each([
  ['git+https://example.org/owner/name.git', 'https://example.org/owner/name'],
  ['git@example.org:owner/name.git', 'https://example.org/owner/name'],
  ['git+ssh://git@example.org/owner/name.git', 'https://example.org/owner/name'],
  ['owner/name', 'https://github.com/owner/name'],
  ['./somewhere', undefined],
])('the repository %s is browsed at %s', (address, page) => {
  expect(browsable(address)).toBe(page);
});

test('a project that has installed the package calls it with npx', () => {
  const root = '/home/me/project/node_modules/@governed-command/assay';
  expect(isInstalledLocally('/home/me/project', root)).toBe(true);
  expect(isInstalledLocally('/home/me/project/api', root)).toBe(true);
  expect(isInstalledLocally('/home/me/project-2', root)).toBe(false);
  expect(isInstalledLocally('/home/me', '/usr/lib/node_modules/@governed-command/assay')).toBe(false);
  expect(isInstalledLocally('/work/assay', '/work/assay')).toBe(false);
});
