import { createHash } from 'node:crypto';
import { normalize } from 'node:path';
import { readDocument, type SourceDocument } from '../document/document.ts';
import type { Contract } from '../model/contract.ts';
import { type ContractLimits, contractReader } from './files.ts';
import { fileOfRef } from './identifiers.ts';
import type { Library } from './library.ts';
import { linesOf, tagsOf } from './lines.ts';
import { contractOf } from './openapi.ts';
import { isRemote, refsWithin } from './place.ts';
import { contractValidators, type Validators } from './validators.ts';

/** Reads an OpenAPI document, YAML or JSON, and the files that it refers to. @throws InputError */
export async function loadContract(file: string, limits: ContractLimits = {}): Promise<Contract> {
  return (await readContract(file, limits)).contract;
}

export type ContractFile = { readonly file: string; readonly text: string };

/** The document and the files that it refers to, the document first: all that {@link parseContract} needs. */
export type ContractFiles = readonly [ContractFile, ...ContractFile[]];

/** {@link loadContract}, and what was read. @throws InputError */
export async function readContract(
  file: string,
  limits: ContractLimits = {},
): Promise<{ readonly contract: Contract; readonly files: ContractFiles }> {
  const { document, files, library } = await filesOfContract(file, limits);
  return { contract: await contractIn(document, library, contractValidators(), limits.turn), files };
}

/** @throws InputError where the document cannot be read */
export async function filesOfContract(
  file: string,
  limits: ContractLimits = {},
): Promise<{ readonly document: SourceDocument; readonly files: ContractFiles; readonly library: Library }> {
  const reader = contractReader(limits);
  const text = await reader.document(file);
  const main = readDocument(text, file);
  const library = new Map<string, SourceDocument>([[normalize(file), main]]);
  const others: ContractFile[] = [];
  for (const document of library.values()) {
    for (const other of referredBy(document)) {
      if (library.has(other)) continue;
      // A file that cannot be read is left out: following the reference reports it, with its position.
      const text = await reader.other(other);
      if (text === undefined) continue;
      library.set(other, readDocument(text, other));
      others.push({ file: other, text });
    }
  }
  return { document: main, files: [{ file, text }, ...others], library };
}

/** Reads a contract without touching any file: `referenced` has those that {@link readContract} named. @throws InputError */
export async function parseContract(
  text: string,
  file: string,
  validators: Validators = contractValidators(),
  referenced: readonly ContractFile[] = [],
): Promise<Contract> {
  const document = readDocument(text, file);
  const library = new Map<string, SourceDocument>([[normalize(file), document]]);
  for (const other of referenced) library.set(other.file, readDocument(other.text, other.file));
  return await contractIn(document, library, validators);
}

async function contractIn(
  document: SourceDocument,
  library: Library,
  validators: Validators,
  turn?: ContractLimits['turn'],
): Promise<Contract> {
  const digest = digestOf(library, document);
  const contract = await contractOf(document, library, validators, { digest, turn });
  return { ...contract, lines: linesOf(document), tags: tagsOf(document) };
}

function referredBy(document: SourceDocument): readonly string[] {
  return refsWithin(document.value).flatMap((ref) =>
    isRemote(ref) ? [] : (fileOfRef(document.file, ref) ?? []),
  );
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
