import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { harness, selfTestDigest } from './package.ts';

const { version } = harness();

test.each<[string, string | undefined, boolean]>([
  ['one of this version that passed', JSON.stringify({ harness: { version }, passed: true }), true],
  ['one that failed', JSON.stringify({ harness: { version }, passed: false }), false],
  ['one of another version', JSON.stringify({ harness: { version: '0.0.0' }, passed: true }), false],
  ['no JSON', '{', false],
  ['none', undefined, false],
])('the baseline holds the digest of the self-test that came with the build: %s', async (_, text, known) => {
  const root = await mkdtemp(join(tmpdir(), 'assay-package-'));
  await mkdir(join(root, 'docs'));
  if (text !== undefined) await writeFile(join(root, 'docs/accuracy.json'), text);
  expect(selfTestDigest(root)).toBe(
    known
      ? createHash('sha256')
          .update(text ?? '')
          .digest('hex')
      : undefined,
  );
});
