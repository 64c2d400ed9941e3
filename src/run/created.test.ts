import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createdFile, writeCreated } from './created.ts';

test('what a run gathered is written without reading its log again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-created-'));
  const record = {
    operation: 'createCase',
    id: 'case_1',
    time: '2026-01-01T00:00:00.000Z',
    principal: 'full',
  };
  await writeCreated(folder, undefined, [record]);
  expect(await readFile(join(folder, createdFile), 'utf8')).toBe(`${JSON.stringify(record)}\n`);
});
