import { isCarried, type Operation } from '../model/contract.ts';
import { type Json, type JsonPointer, withValueAt } from '../model/json.ts';
import { leavesOf, type Scalar } from './other-values.ts';
import { isIdName, sendable } from './texts.ts';

/** The plain body with the first of these amounts that fits where it has zero or one; undefined where it has none, or may have no other. */
export function withAmounts(
  operation: Operation,
  plain: Json,
  marker: JsonPointer | undefined,
  amounts: readonly number[],
): Json | undefined {
  const fits = sendable(operation.body?.schema ?? true, marker);
  const grown = leavesOf(plain, []).reduce<Json>((body, { at, value }) => {
    if (at === marker || isIdName(at) || isCarried(operation, at)) return body;
    return (
      amountsLike(value, amounts)
        .map((other) => withValueAt(body, at, other))
        .find(fits) ?? body
    );
  }, plain);
  return grown === plain ? undefined : grown;
}

/** Of zero and one, as a number or a decimal in a text. */
function amountsLike(value: Scalar, amounts: readonly number[]): readonly Json[] {
  if (value === 0 || value === 1) return amounts;
  const decimals = typeof value === 'string' ? /^[01](\.\d+)$/.exec(value)?.[1] : undefined;
  return decimals === undefined ? [] : amounts.map((amount) => `${amount}${decimals}`);
}
