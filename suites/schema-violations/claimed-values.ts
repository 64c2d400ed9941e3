import { validator } from '../../src/generate/index.ts';
import type { Operation } from '../../src/model/contract.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  pointerOf,
  pointerTokens,
  valueAt,
  withValueAt,
} from '../../src/model/json.ts';
import { schemasAt } from '../../src/model/schema-places.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { sureMembers } from '../../src/suite-kit/texts.ts';

/** A member of which the declared result has one value, and another one for a body to ask for. */
export type ClaimedValue = { readonly at: JsonPointer; readonly set: Json };

/** What only the service sets, such as a status, sent with another value: its result has the declared one anyway. */
export function claimedValues(
  { contract }: Planning,
  operation: Operation,
  base: Json,
): readonly ClaimedValue[] {
  const asked = operation.body?.schema;
  const result = operation.success.schema;
  if (asked === undefined || result === undefined || (operation.otherSuccesses ?? []).length > 0) return [];
  const check = validator(asked, { formats: 'assert' });
  if (check(base).length > 0) return [];
  return sureMembers(result).flatMap(({ at, schemas }): readonly ClaimedValue[] => {
    const [fixed, ...others] = schemas.flatMap(oneValueOf);
    if (fixed === undefined || others.some((other) => other !== fixed)) return [];
    const around = pointerTokens(at).slice(0, -1);
    const within = around.length === 0 ? base : valueAt(base, pointerOf(around));
    if (!isObject(within) || valueAt(base, at) !== undefined || schemasAt(asked, at).length > 0) return [];
    // Best a value that records have at other times: it fits wherever this one is kept.
    const known = contract.operations.flatMap(({ success }) =>
      schemasAt(success.schema ?? true, at).flatMap(valuesOf),
    );
    const set = [...known, ...unlike(fixed)].find(
      (value) => typeof value === typeof fixed && value !== fixed,
    );
    return set === undefined || check(withValueAt(base, at, set)).length > 0 ? [] : [{ at, set }];
  });
}

/** The one value that a schema allows, where it is neither an object nor a list. */
function oneValueOf(schema: Json): readonly Json[] {
  const values = valuesOf(schema);
  return values.length === 1 && ['string', 'number', 'boolean'].includes(typeof values[0]) ? values : [];
}

function valuesOf(schema: Json): readonly Json[] {
  if (!isObject(schema)) return [];
  if (schema['const'] !== undefined) return [schema['const']];
  return isArray(schema['enum']) ? schema['enum'] : [];
}

function unlike(value: Json): readonly Json[] {
  if (typeof value === 'boolean') return [!value];
  return typeof value === 'number' ? [value + 1] : ['closed', 'open'];
}
