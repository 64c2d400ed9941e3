import { affordable } from '../generate/index.ts';
import type { Operation } from '../model/contract.ts';
import { isObject, type Json, valueAt, withValueAt } from '../model/json.ts';
import { bodyCheck } from './body-schema.ts';
import { basesOf, scalarsOf } from './likely-faults.ts';
import { sampled } from './samples.ts';
import type { OperationValues } from './values.ts';

/** So many drawn bodies are looked at, and so many of them taken. */
const draws = 60;
const fewDraws = 12;
const mostKinds = 5;

/**
 * A drawn body of each kind that neither the plain one nor another is of: the plain one cannot have the value of a member
 * that chooses the other members, even if these are only more.
 */
export function otherKinds(
  operation: Operation,
  { others, plain = null, valid }: Pick<OperationValues, 'others' | 'plain' | 'valid'>,
  had: readonly Json[] = [],
): readonly Json[] {
  const check = bodyCheck(operation, plain);
  const samples = check === undefined ? [] : sampled(others ?? valid, draws);
  const kinds = new Map<string, Json>();
  const scalars = scalarsOf(plain, []);
  const places = affordable(scalars);
  // A large body costs as much as many small ones.
  const looked = places === scalars ? samples : samples.slice(0, fewDraws);
  for (const { at, value } of places) {
    if (typeof value !== 'string') continue;
    for (const body of looked) {
      const other = valueAt(body, at);
      const kind = JSON.stringify([at, other]);
      const isKnown = kinds.has(kind) || had.some((one) => valueAt(one, at) === other);
      if (typeof other !== 'string' || other === value || isKnown) continue;
      if (check?.(withValueAt(plain, at, other)).length !== 0) kinds.set(kind, body);
    }
  }
  return [...new Set(kinds.values())].slice(0, mostKinds);
}

/** A body of each branch of a choice: it has members that none before has and lacks some of the plain one, or is of another kind. */
export function otherBranches(operation: Operation, values: OperationValues): readonly Json[] {
  const { others, plain, valid } = values;
  if (!isObject(plain)) return [];
  const lacking = basesOf(plain, others ?? valid)
    .slice(1)
    .filter((body) => isObject(body) && Object.keys(plain).some((name) => !Object.hasOwn(body, name)));
  return [...lacking, ...otherKinds(operation, values, lacking)];
}
