import { validator } from '../generate/index.ts';
import { idText, type NamedRecord, type Operation } from '../model/contract.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  pointerOf,
  pointerTokens,
  valueAt,
  withValueAt,
} from '../model/json.ts';
import { sampled } from './samples.ts';
import type { Planning } from './suite.ts';

/** A record that the plain body leaves out, and the plain body with an ID in its place. */
export type OptionalReference = { readonly record: NamedRecord; readonly value: Json };

/** So many are looked at: each takes several requests. */
const most = 8;

/** The records that a body may name, and the plain one does not. */
export function optionalReferences(planning: Planning, operation: Operation): readonly OptionalReference[] {
  const { plain, valid } = planning.values(operation);
  if (!isObject(plain) || operation.kind !== 'command') return [];
  const fits = validator(operation.body?.schema ?? true, { formats: 'assert' });
  const found: OptionalReference[] = [];
  for (const record of operation.named ?? []) {
    const { at, field, second } = record;
    if (found.length === most) break;
    if (second === true || field.source === undefined || idText(valueAt(plain, at)) !== undefined) continue;
    const values = sampled(valid).flatMap((sample) => withMember(plain, sample, at) ?? []);
    const value = values.find((each) => fits(each).length === 0);
    if (value !== undefined) found.push({ record, value });
  }
  return found;
}

/** The plain body with the member of a sample around a place; a list has one item. */
function withMember(plain: Json, sample: Json, at: JsonPointer): Json | undefined {
  const [name = '', ...within] = pointerTokens(at);
  const given = isObject(sample) ? sample[name] : undefined;
  const member = isArray(given) && within[0] === '0' ? given.slice(0, 1) : given;
  if (member === undefined) return undefined;
  const value = withValueAt(plain, pointerOf([name]), member);
  return idText(valueAt(value, at)) === undefined ? undefined : value;
}
