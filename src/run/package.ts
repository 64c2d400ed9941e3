import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isObject, type JsonObject, parseJson } from '../model/json.ts';
import { moduleRoot, packageRoot } from './place.ts';

/** Name and version of this harness, from its package.json. */
export function harness(): { readonly name: string; readonly version: string } {
  const { name, version } = manifest();
  return {
    name: typeof name === 'string' ? name : 'assay',
    version: typeof version === 'string' ? version : '0.0.0',
  };
}

/** Where the sources of this version can be browsed; undefined where package.json names no repository. */
export function sourcePage(): string | undefined {
  const { repository, version } = manifest();
  const address = isObject(repository) ? repository['url'] : repository;
  const page = typeof address === 'string' ? browsable(address) : undefined;
  return page === undefined ? undefined : `${page}/blob/v${String(version)}`;
}

function manifest(): JsonObject {
  const value = parseJson(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return isObject(value) ? value : {};
}

/** `git+https://host/owner/name.git`, `git@host:owner/name` and `owner/name` as a page to open. */
export function browsable(address: string): string | undefined {
  const plain = address
    .replace(/^git\+/, '')
    .replace(/^(ssh:\/\/)?git@([^:/]+)[:/]/, 'https://$2/')
    .replace(/^(git|http):\/\//, 'https://')
    .replace(/^(github:)?(?=\w[\w.-]*\/[\w.-]+$)/, 'https://github.com/')
    .replace(/(\.git)?\/?$/, '');
  return plain.startsWith('https://') ? plain : undefined;
}

/** The folders on which verdicts depend: all that proposes, sends, records and judges. */
const judging = ['suites', 'src'];
const elsewhere = ['cli', 'report', 'reference', 'selftest'].map((folder) => join('src', folder));

/** Builds with the same digest judge alike. Where modules were put into few files, the build has written it down. */
export function buildDigest(): string {
  const root = moduleRoot();
  const file = join(root, 'build.json');
  const written = existsSync(file) ? parseJson(readFileSync(file, 'utf8')) : undefined;
  if (isObject(written) && typeof written['digest'] === 'string') return written['digest'];
  const hash = createHash('sha256');
  for (const folder of judging) {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => /(?<!\.d|\.test)\.[jt]s$/.test(file))
      .filter((file) => !elsewhere.some((place) => file.startsWith(place + sep)))
      .sort();
    for (const file of files) hash.update(file.replaceAll(sep, '/')).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/** Undefined where the package has no self-test, it did not pass, or it is of a build that judges differently. */
export async function selfTestDigest(root = packageRoot()): Promise<string | undefined> {
  const text = await readFile(join(root, 'dist/self-test.json'), 'utf8').catch(() => undefined);
  const value = text === undefined ? undefined : parseJson(text);
  if (!isObject(value) || value['passed'] !== true || value['build'] !== buildDigest()) return undefined;
  return typeof value['sha256'] === 'string' ? value['sha256'] : undefined;
}

/** Whether a project at or above a folder has installed this package: then no `assay` is on the path. */
export function isInstalledLocally(folder: string, root: string = packageRoot()): boolean {
  const [home, inside] = root.split(`${sep}node_modules${sep}`);
  return (
    inside !== undefined && home !== undefined && (folder === home || folder.startsWith(`${home}${sep}`))
  );
}
