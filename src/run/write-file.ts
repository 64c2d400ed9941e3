import { constants } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Clean } from '../model/clean.ts';
import { trouble } from '../model/input-error.ts';
import { codeOf, messageOf } from '../model/thrown.ts';

/** Windows has no such flag, and needs special rights to make links. */
const notThroughLinks = constants.O_NOFOLLOW ?? 0;

/**
 * Never writes through a symbolic link: a folder of runs may hold files that others put there. `then` says what to do once it can
 * be written; without it the folder is the caller's choice. @throws InputError
 */
export async function writeOwnFile(
  file: string,
  content: Clean<string> | Uint8Array,
  then?: string,
): Promise<void> {
  try {
    const handle = await open(
      file,
      constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | notThroughLinks,
      0o666,
    );
    try {
      await handle.writeFile(content);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (codeOf(error) === 'ELOOP')
      throw trouble(file, 'it is a symbolic link, and is not written through', 'remove the link');
    const remedy = remedyOf(codeOf(error));
    throw trouble(
      file,
      `it cannot be written (${messageOf(error)})`,
      then === undefined
        ? (remedy ?? 'choose a folder that you may write')
        : `${remedy ?? 'make it writable'}, then ${then}`,
    );
  }
}

/** What helps where the file itself is not the problem, or has another kind; undefined where rights are missing. */
function remedyOf(code: string | undefined): string | undefined {
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code ?? '')) return 'free some space';
  return code === 'EISDIR' ? 'remove the folder of that name' : undefined;
}

/**
 * A folder, and those above it that are not there. `mkdir` with `recursive` never ends where a file system takes no folders,
 * such as below /proc.
 * @throws InputError where there can be none
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await made(resolve(folder));
  } catch (error) {
    throw trouble(folder, `the folder cannot be made (${messageOf(error)})`, 'choose another --output');
  }
}

async function made(folder: string, isParentThere = false): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || isParentThere) throw error;
    await made(dirname(folder));
    await made(folder, true);
  }
}
