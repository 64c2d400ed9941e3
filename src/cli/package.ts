import { readFileSync } from 'node:fs';
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
