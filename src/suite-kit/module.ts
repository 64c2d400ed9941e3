import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../model/thrown.ts';

/** The default export of a user's module, if it has one; `failed` makes the error of a module that cannot be loaded. */
export async function defaultExport(
  file: string,
  failed: (why: string, remedy: string | undefined) => Error,
): Promise<unknown> {
  let loaded: unknown;
  try {
    loaded = await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    const isTyped = /ts$/.test(extname(file));
    throw failed(
      `cannot be loaded (${messageOf(error).split('\n')[0]})`,
      isTyped ? 'compile it to JavaScript, or use a Node that strips types' : undefined,
    );
  }
  return typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : undefined;
}
