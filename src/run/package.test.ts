import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildDigest, selfTestDigest } from './package.ts';

const build = await buildDigest();

test.each<[string, string | undefined, boolean]>([
  ['one of this build that passed', JSON.stringify({ build, passed: true }), true],
  ['one that failed', JSON.stringify({ build, passed: false }), false],
  ['one of another build', JSON.stringify({ build: 'abc', passed: true }), false],
  ['no JSON', '{', false],
  ['none', undefined, false],
])('the baseline holds the digest of the self-test that came with the build: %s', async (_, text, known) => {
  const root = await mkdtemp(join(tmpdir(), 'assay-package-'));
  await mkdir(join(root, 'docs'));
  if (text !== undefined) await writeFile(join(root, 'docs/accuracy.json'), text);
  expect(await selfTestDigest(root)).toBe(
    known
      ? createHash('sha256')
          .update(text ?? '')
          .digest('hex')
      : undefined,
  );
});
