import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { checkOf } from '../document/checks.ts';
import { readDocument } from '../document/document.ts';
import { schemaProblems } from '../document/schema-problems.ts';
import { utf8Text } from '../document/utf8.ts';
import { refuse, trouble } from '../model/input-error.ts';
import type { Json } from '../model/json.ts';
import { defaultExport } from './module.ts';
import { checkedSuite } from './proposed.ts';
import { suiteOfScript } from './script.ts';
import { scriptProblems, unknownNames } from './script-checks.ts';
import { type ScriptedSuite, scriptSchema } from './script-schema.ts';
import type { Suite } from './suite.ts';

/** A scripted suite from its YAML text. @throws InputError with file, line and column */
function parseScript(text: string, file: string): Suite {
  const document = readDocument(text, file);
  const check = checkOf('script', () =>
    new Ajv2020({ allErrors: true, verbose: true, strict: false }).compile<ScriptedSuite>(scriptSchema),
  );
  const value: Json = document.value;
  if (!check(value)) {
    refuse(schemaProblems(document, check.errors));
    throw trouble(file, 'it is not a scripted suite', 'compare it with docs/scripted-suites.md');
  }
  refuse(scriptProblems(document, value));
  return { ...suiteOfScript(value), unknownNames: (known) => unknownNames(document, value, known) };
}

/** Loads one suite: YAML data, or a module whose default export is a suite. @throws InputError */
export async function loadSuite(file: string): Promise<Suite> {
  if (['.yaml', '.yml', '.json'].includes(extname(file))) {
    const bytes = await bytesOf(file);
    if (bytes === undefined) throw trouble(file, 'the suite cannot be read', 'check the path under suites');
    return parseScript(utf8Text(bytes, file), file);
  }
  const suite = await defaultExport(file, (why, remedy = 'fix the module') =>
    trouble(file, `the suite ${why}`, remedy),
  );
  if (!isSuite(suite))
    throw trouble(
      file,
      'its default export is not a suite',
      'write `export default defineSuite({ name, title, *propose(planning) { ... } })`',
    );
  return suite;
}

/** Of a regular file: a pipe would never end. */
async function bytesOf(file: string): Promise<Uint8Array | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() === true ? await readFile(file).catch(() => undefined) : undefined;
}

function isSuite(value: unknown): value is Suite {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    value.name !== '' &&
    'title' in value &&
    typeof value.title === 'string' &&
    'propose' in value &&
    typeof value.propose === 'function'
  );
}

/** A folder of suites, and the endings of the files to take: `.js`, `.yaml`. */
export type SuiteFolder = { readonly folder: string; readonly endings: readonly string[] };

export type LoadedSuites = {
  /** Loads them when it is first called. */
  readonly suites: () => Promise<readonly Suite[]>;
  readonly names: readonly string[];
  /** SHA-256 (hexadecimal) over the names and bytes of their files. */
  readonly digest: string;
};

/**
 * Every suite of the given folders, in order of their names, one file each; then those of a user.
 * @throws InputError for a folder without any, and for a file that cannot be read
 */
export async function loadSuites(
  folders: readonly SuiteFolder[],
  files: readonly string[],
): Promise<LoadedSuites> {
  const found: string[] = [];
  for (const { folder, endings } of folders) {
    const names = (await readdir(folder).catch(() => [])).filter(
      (name) => endings.includes(extname(name)) && !/\.(test|d)\.ts$/.test(name),
    );
    // Without its suites every cell would be not tested, for no reason that a report could show.
    if (names.length === 0)
      throw trouble(
        folder,
        `there is no suite (${endings.join(', ')}) in this folder`,
        'install Assay again',
      );
    found.push(...names.map((name) => join(folder, name)));
  }
  const all = [...found.sort((one, other) => (basename(one) < basename(other) ? -1 : 1)), ...files];
  let loaded: Promise<readonly Suite[]> | undefined;
  const suites = (): Promise<readonly Suite[]> => {
    loaded ??= loadAll(all, found.length);
    return loaded;
  };
  // What is wrong with a suite of a user is said before anything else is done.
  const names =
    files.length > 0
      ? (await suites()).map(({ name }) => name)
      : // Those of Assay have the names of their files.
        found.map((file) => basename(file, extname(file)));
  const hash = createHash('sha256');
  for (const file of all)
    hash
      .update(`${basename(file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return { suites, names, digest: hash.digest('hex') };
}

/** @param own how many of the files are those of Assay; they come first */
async function loadAll(files: readonly string[], own: number): Promise<readonly Suite[]> {
  const names = new Map<string, Suite>();
  const loaded = await Promise.all(files.map(loadSuite));
  for (const [index, made] of loaded.entries()) {
    const suite = index < own ? made : checkedSuite(files[index] ?? made.name, made);
    if (names.has(suite.name))
      throw trouble(
        files[index] ?? suite.name,
        `there is already a suite '${suite.name}'`,
        'give it another name: a suite cannot replace another',
      );
    names.set(suite.name, suite);
  }
  return [...names.values()];
}
