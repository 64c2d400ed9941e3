import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { normalize } from 'node:path';
import { readDocument, type SourceDocument } from '../document/document.ts';
import type { Contract } from '../model/contract.ts';
import { InputError } from '../model/input-error.ts';
import { contractOf } from './openapi.ts';
import { fileOfRef, isRemote, type Library, refsWithin } from './place.ts';
import { contractValidators, type Validators } from './validators.ts';

/**
 * Reads a contract from an OpenAPI 3.1 file, YAML or JSON, and from the files beside it that it refers to.
 * @throws InputError where the file cannot be read, or is not such a contract
 */
export async function loadContract(file: string): Promise<Contract> {
  const document = readDocument(await textOf(file), file);
  const library = new Map<string, SourceDocument>([[normalize(file), document]]);
  await addReferred(document, library);
  return await contractOf(document, library, contractValidators(), digestOf(library, document));
}

/**
 * Reads a contract from the text of one OpenAPI 3.1 document, without touching any file.
 * @param file what its errors call the text
 * @throws InputError where the text is not such a contract
 */
export async function parseContract(
  text: string,
  file: string,
  validators: Validators = contractValidators(),
): Promise<Contract> {
  const document = readDocument(text, file);
  return await contractOf(document, new Map([[file, document]]), validators);
}

async function textOf(file: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    const problem = code === 'ENOENT' ? 'there is no such file' : `the file cannot be read (${code})`;
    throw new InputError({ file, position: undefined, problem, remedy: 'check the path of the contract' });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new InputError({
      file,
      position: undefined,
      problem: 'the file is not UTF-8',
      remedy: 'save it as UTF-8',
    });
  }
}

/** A file that cannot be read stays out: whoever follows the reference tells of it, with its place. */
async function addReferred(document: SourceDocument, library: Map<string, SourceDocument>): Promise<void> {
  for (const ref of refsWithin(document.value)) {
    const file = isRemote(ref) ? undefined : fileOfRef(document.file, ref);
    if (file === undefined || library.has(file)) continue;
    const text = await textOf(file).catch(() => undefined);
    if (text === undefined) continue;
    const other = readDocument(text, file);
    library.set(file, other);
    await addReferred(other, library);
  }
}

/** Of one file its own digest; of several one over all of them, the contract's first. */
function digestOf(library: Library, document: SourceDocument): string {
  if (library.size === 1) return document.digest;
  const others = [...library.values()]
    .filter((other) => other !== document)
    .sort((a, b) => (a.file < b.file ? -1 : 1));
  const lines = [document, ...others].map(({ digest }) => `${digest}\n`).join('');
  return createHash('sha256').update(lines).digest('hex');
}
