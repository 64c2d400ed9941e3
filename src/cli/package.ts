import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, parseJson } from '../model/json.ts';
import { packageRoot } from './place.ts';

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

/**
 * SHA-256 of the self-test that came with this version, `docs/accuracy.json` of the package; undefined where none did,
 * or where it is that of another version or did not pass.
 */
export function selfTestDigest(root = packageRoot()): string | undefined {
  const file = join(root, 'docs/accuracy.json');
  if (!existsSync(file)) return undefined;
  const bytes = readFileSync(file);
  const value = parseJson(bytes.toString('utf8'));
  if (!isObject(value) || value['passed'] !== true || !isObject(value['harness'])) return undefined;
  if (value['harness']['version'] !== harness().version) return undefined;
  return createHash('sha256').update(bytes).digest('hex');
}
