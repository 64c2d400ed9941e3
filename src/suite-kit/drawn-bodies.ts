import type { Operation } from '../model/contract.ts';
import { isArray, type Json, type JsonPointer, valueAt } from '../model/json.ts';
import { sampled } from './samples.ts';
import type { Planning } from './suite.ts';

/** So many values of a body are drawn in search of two that differ in a member. */
const draws = 60;

/** Values that valid bodies have at a place, or in the list there, those of the plain one first. */
export function drawn(
  planning: Planning,
  operation: Operation,
  at: JsonPointer,
): readonly (string | number | boolean)[] {
  const { plain } = planning.values(operation);
  const found = [plain, ...drawnBodies(planning, operation)].flatMap((body) => {
    const value = valueAt(body, at);
    const each: readonly (Json | undefined)[] = isArray(value) ? value : [value];
    return each.flatMap((one) =>
      (typeof one === 'string' && one.trim() !== '') || typeof one === 'number' || typeof one === 'boolean'
        ? [one]
        : [],
    );
  });
  return [...new Set(found)];
}

/** Valid bodies, those of other branches last: a value may choose another one, as the type of a payment method does. */
export function bodiesOfAll(planning: Planning, operation: Operation): readonly Json[] {
  const { others } = planning.values(operation);
  return [...drawnBodies(planning, operation), ...(others === undefined ? [] : sampled(others, draws))];
}

function drawnBodies(planning: Planning, operation: Operation): readonly Json[] {
  const { valid } = planning.values(operation);
  return sampled(valid, draws);
}
