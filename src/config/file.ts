import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { utf8Text } from '../document/utf8.ts';
import { InputError } from '../model/input-error.ts';
import { codeOf } from '../model/thrown.ts';

/** More than any configuration needs; a mistaken path must not fill the memory. */
const mostBytes = 32 * 1024 * 1024;

/** The text of a configuration: only regular files, since a pipe or a device would never end. @throws InputError */
export async function configText(file: string): Promise<string> {
  const trouble = (problem: string, remedy = 'name a configuration with --config'): InputError =>
    new InputError({ file, problem, remedy });
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw trouble('this is not a regular file', 'name a file');
      if (found.size > mostBytes) throw trouble('the configuration is larger than 32 MB');
      return utf8Text(await handle.readFile(), file);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    const code = codeOf(error) || 'unknown error';
    throw trouble(code === 'ENOENT' ? 'there is no such file' : `the file cannot be read (${code})`);
  }
}
