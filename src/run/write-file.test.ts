import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inTemporaryFolder } from './temporary-folder.ts';
import { writeOwnFile } from './write-file.ts';

const written = (file: string, then?: string) => writeOwnFile(file, Buffer.from('text'), then);

test('what a file that cannot be written needs depends on why', async () => {
  await inTemporaryFolder('write', async (folder) => {
    const [there, link] = ['there', 'link'].map((name) => join(folder, name)) as [string, string];
    await mkdir(there);
    await symlink(join(folder, 'target'), link);
    const absent = join(folder, 'absent', 'report.json');
    await expect(written(there, 'sign again')).rejects.toThrow(
      /there: it cannot be written \(EISDIR.*\); remove the folder of that name, then sign again$/,
    );
    await expect(written(link, 'sign again')).rejects.toThrow(
      /link: it is a symbolic link.*remove the link$/,
    );
    await expect(written(absent, 'sign again')).rejects.toThrow(/\); make it writable, then sign again$/);
    await expect(written(absent)).rejects.toThrow(/\); choose a folder that you may write$/);
  });
});

const full = existsSync('/dev/full');

test.skipIf(!full)(`a full disk needs space${full ? '' : ' (no /dev/full)'}`, async () => {
  await expect(written('/dev/full', 'sign again')).rejects.toThrow(
    /ENOSPC.*free some space, then sign again$/,
  );
  await expect(written('/dev/full')).rejects.toThrow(/ENOSPC.*; free some space$/);
});
