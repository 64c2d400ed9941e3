import { readFile, stat } from 'node:fs/promises';

/** Whether the file can be read to its end: a pipe without a writer never ends, and a folder cannot be read. */
export async function isRegularFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isFile() === true;
}

/** The text of a regular file; undefined where there is none, or it cannot be read. */
export async function regularText(file: string): Promise<string | undefined> {
  return (await isRegularFile(file)) ? await readFile(file, 'utf8').catch(() => undefined) : undefined;
}
