import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isObject, parseJson } from '../model/json.ts';
import { moduleRoot, packageRoot } from './place.ts';

/** Name and version of this harness, from its package.json. */
export function harness(): { readonly name: string; readonly version: string } {
  const value = parseJson(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  const name = isObject(value) ? value['name'] : undefined;
  const version = isObject(value) ? value['version'] : undefined;
  return {
    name: typeof name === 'string' ? name : 'assay',
    version: typeof version === 'string' ? version : '0.0.0',
  };
}

/** Where what the verdicts depend on stands: all that proposes, sends, records and judges. */
const judging = ['suites', 'src'];
const elsewhere = ['cli', 'report', 'reference', 'selftest'].map((folder) => join('src', folder));

/** SHA-256 over the modules on which verdicts depend, hexadecimal: two builds with the same digest judge alike. */
export async function buildDigest(): Promise<string> {
  const root = moduleRoot();
  const hash = createHash('sha256');
  for (const folder of judging) {
    const files = (await readdir(join(root, folder), { recursive: true }))
      .map((file) => join(folder, file))
      .filter((file) => /(?<!\.d|\.test)\.[jt]s$/.test(file))
      .filter((file) => !elsewhere.some((place) => file.startsWith(place + sep)))
      .sort();
    for (const file of files) hash.update(file.replaceAll(sep, '/')).update(await readFile(join(root, file)));
  }
  return hash.digest('hex');
}

/**
 * SHA-256 of the self-test that came with this package, its `docs/accuracy.json`; undefined where none did, where it did
 * not pass, or where a build made it that judges otherwise.
 */
export async function selfTestDigest(root = packageRoot()): Promise<string | undefined> {
  const bytes = await readFile(join(root, 'docs/accuracy.json')).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const value = parseJson(bytes.toString('utf8'));
  if (!isObject(value) || value['passed'] !== true || value['build'] !== (await buildDigest()))
    return undefined;
  return createHash('sha256').update(bytes).digest('hex');
}
