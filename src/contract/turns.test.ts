import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StoppedPlanning } from '../model/stopped-planning.ts';
import { documentOf, operation } from '../selftest/shapes/document.ts';
import { readContract } from './load.ts';

test('a document is read operation by operation, and reading it can be ended between them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-turns-'));
  const file = join(folder, 'api.json');
  const names = ['ada', 'bea', 'cleo'];
  const operations = names.map((name) => operation(`POST /${name}`, name, { body: { type: 'object' } }));
  await writeFile(file, JSON.stringify(documentOf(operations)));
  let turns = 0;
  const turn = async (): Promise<void> => {
    turns += 1;
    if (turns === 3) throw new StoppedPlanning('enough');
  };
  await expect(readContract(file, { turn })).rejects.toThrow('enough');
  turns = -10;
  const { contract } = await readContract(file, { turn });
  expect([contract.operations.map(({ id }) => id), turns]).toEqual([names, -7]);
  await rm(folder, { recursive: true });
});
