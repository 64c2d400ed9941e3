import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { utf8Text } from '../document/utf8.ts';
import { InputError, trouble } from '../model/input-error.ts';
import { codeOf } from '../model/thrown.ts';

export type ContractLimits = {
  /** Folder that `$ref` may name files in; the contract's own by default. */
  readonly root?: string | undefined;
  /** Most bytes of all its files; 32 MB by default. */
  readonly maxBytes?: number | undefined;
  /** Called between operations, of which a large one takes long: lets signals get their turn, and throws to end the reading. */
  readonly turn?: (() => Promise<void>) | undefined;
};

const usualContractBytes = 32 * 1024 * 1024;

/** Reads the files of one contract, and nothing else of the machine. */
export type ContractReader = {
  /** @throws InputError where the document itself cannot be read */
  readonly document: (file: string) => Promise<string>;
  /** The text of a file that the document refers to; undefined where it may not or cannot be read. */
  readonly other: (file: string) => Promise<string | undefined>;
};

export function contractReader({ root, maxBytes = usualContractBytes }: ContractLimits): ContractReader {
  let left = maxBytes;
  let folder: string | undefined;
  const read = async (file: string): Promise<string> => {
    const bytes = await bytesOf(file, left);
    left -= bytes.length;
    return utf8Text(bytes, file);
  };
  return {
    document: async (file) => {
      const text = await read(file);
      folder = await realpath(root ?? dirname(file)).catch(() => undefined);
      return text;
    },
    other: async (file) => {
      const place = await realpath(file).catch(() => undefined);
      if (place === undefined || folder === undefined) return undefined;
      if (!place.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)) return undefined;
      return await read(place).catch(() => undefined);
    },
  };
}

/** A pipe or a device would never end, or act when it is opened: only regular files are. */
async function bytesOf(file: string, most: number): Promise<Uint8Array> {
  const tooLarge = (): InputError =>
    trouble(
      file,
      `the contract is larger than ${Math.floor(most / 1024 / 1024)} MB`,
      "split off what the run does not need, or raise 'contractMegabytes'",
    );
  try {
    const before = await stat(file);
    if (!before.isFile()) throw trouble(file, 'this is not a regular file', 'name a file');
    if (before.size > most) throw tooLarge();
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      // It may have been replaced since.
      if (!(await handle.stat()).isFile()) throw trouble(file, 'this is not a regular file', 'name a file');
      const chunks: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of handle.createReadStream({ autoClose: false })) {
        size += chunk.length;
        if (size > most) throw tooLarge();
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    const code = codeOf(error) || 'unknown error';
    // Joined to the folder of a configuration, an address has lost a slash.
    if (/(^|\/)https?:\//i.test(file))
      throw trouble(file, 'this is an address, not a file', 'download the document, and name the file');
    const problem = code === 'ENOENT' ? 'there is no such file' : `the file cannot be read (${code})`;
    throw trouble(file, problem, 'check the path of the contract');
  }
}
