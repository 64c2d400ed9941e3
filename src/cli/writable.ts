import { mkdir, open } from 'node:fs/promises';
import { trouble } from '../model/input-error.ts';
import { messageOf } from '../model/thrown.ts';

/** Results that take long to make are not lost because their file cannot be written. @throws InputError */
export async function requireWritable(flag: string, file: string | undefined): Promise<void> {
  if (file === undefined) return;
  const handle = await open(file, 'a').catch((error: unknown) => {
    throw trouble(
      flag,
      `'${file}' cannot be written (${messageOf(error)})`,
      'choose a file that you may write',
    );
  });
  await handle.close();
}

/** @throws InputError */
export async function requireFolder(flag: string, folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw trouble(flag, `the folder '${folder}' cannot be made (${messageOf(error)})`, 'choose another');
  });
}
