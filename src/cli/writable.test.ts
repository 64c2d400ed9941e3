import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requireFolder, requireWritable } from './writable.ts';

test('a file that cannot be written is refused before the work begins', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-writable-'));
  const file = join(folder, 'results.json');
  await writeFile(file, 'earlier');
  await requireWritable('--json', undefined);
  await requireWritable('--json', file);
  expect(await readFile(file, 'utf8')).toBe('earlier');
  for (const wrong of [folder, join(folder, 'nowhere', 'a.json'), join(file, 'a.json')])
    await expect(requireWritable('--json', wrong)).rejects.toThrow(
      /^--json: '.*' cannot be written \(E.*\); choose a file that you may write$/s,
    );
  await requireFolder('--keep', join(folder, 'new', 'folder'));
  await expect(requireFolder('--keep', join(file, 'folder'))).rejects.toThrow(
    /^--keep: the folder '.*' cannot be made \(E.*\); choose another$/s,
  );
});
