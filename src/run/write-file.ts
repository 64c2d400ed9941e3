import { constants } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Clean } from '../model/clean.ts';
import { InputError, trouble } from '../model/input-error.ts';

/** Windows has no such flag, and needs special rights to make links. */
const notThroughLinks = constants.O_NOFOLLOW ?? 0;

/** Never writes through a symbolic link: a folder of runs may hold files that others put there. @throws InputError */
export function writeOwnFile(file: string, text: Clean<string>, remedy: string): Promise<void> {
  return writeOwn(file, text, remedy);
}

export function writeOwnBytes(file: string, bytes: Uint8Array, remedy: string): Promise<void> {
  return writeOwn(file, bytes, remedy);
}

async function writeOwn(file: string, text: string | Uint8Array, remedy: string): Promise<void> {
  try {
    const handle = await open(
      file,
      constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | notThroughLinks,
      0o666,
    );
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw new InputError({
      file,
      problem:
        code === 'ELOOP'
          ? 'it is a symbolic link, and is not written through'
          : `it cannot be written (${error instanceof Error ? error.message : String(error)})`,
      remedy: code === 'ELOOP' ? 'remove the link' : remedy,
    });
  }
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
    throw trouble(
      folder,
      `the folder cannot be made (${error instanceof Error ? error.message : String(error)})`,
      'choose another --output',
    );
  }
}

async function made(folder: string, isParentThere = false): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || isParentThere) throw error;
    await made(dirname(folder));
    await made(folder, true);
  }
}
