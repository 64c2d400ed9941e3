import { canonicalJson, type Json, withValueAt } from '../model/json.ts';
import { usualCode } from './codes.ts';
import { leavesOf, type Scalar } from './other-values.ts';

/** More bodies than this are not tried in place of one that is refused. */
const mostStandIns = 10;
const day = 86_400_000;

export type StandInsOf = {
  readonly examples: readonly Json[];
  /** A body that says more than the smallest one. */
  readonly typical: Json;
  readonly valid: (value: Json) => boolean;
  /** Milliseconds since 1970: services may want dates to come, or past ones. */
  readonly now: number;
};

/**
 * Valid bodies to try where a service refuses the plain one by a rule that the contract does not tell: the examples of the
 * document first, then bodies with numbers that are not 0, lists that are not empty, usual codes, and dates to come or
 * of late, each later than the one before it; at last bodies with larger numbers, which may be too low at their minimum.
 */
export function standInsFor({ examples, now, typical, valid }: StandInsOf): readonly Json[] {
  const coded = withCodes(typical, valid);
  const off = changed(coded, (value) => (value === true ? false : undefined));
  const made = [coded, off].flatMap((body) => [body, dated(body, now, 30), dated(body, now, -30)]);
  const larger = [
    raised(coded, [10, 20, 5, 2], valid),
    raised(dated(coded, now, 30), [100, 1000, 50], valid),
  ];
  const different = new Map(
    [...examples, ...made, ...larger].filter(valid).map((body) => [canonicalJson(body), body] as const),
  );
  return [...different.values()].slice(0, mostStandIns);
}

/** Texts that a generator makes of a length or a pattern: each letter and digit is the first one that is allowed. */
const madeUp = /^(?:[aA0]|[^\p{L}\p{N}])*$/u;

/** The body with usual codes in place of texts that were made up. */
export function withCodes(body: Json, valid: StandInsOf['valid']): Json {
  return leavesOf(body, []).reduce<Json>((rest, { at, value }) => {
    const code = typeof value === 'string' && madeUp.test(value) ? usualCode(at) : undefined;
    const coded = code === undefined ? rest : withValueAt(rest, at, code);
    return valid(coded) ? coded : rest;
  }, body);
}

/** The dates that were made up, so many days from now, and one day more for each. */
function dated(body: Json, now: number, days: number): Json {
  let count = 0;
  return changed(body, (value) => {
    const made = typeof value === 'string' ? /^2024-01-01(T00:00:00Z)?$/.exec(value) : null;
    if (made === null) return undefined;
    count += 1;
    const date = new Date(now + (days + count) * day).toISOString();
    return made[1] === undefined ? date.slice(0, 10) : `${date.slice(0, 19)}Z`;
  });
}

/** The body with the first larger number at each place that is valid there, also where decimals are texts. */
function raised(body: Json, numbers: readonly number[], valid: StandInsOf['valid']): Json {
  return leavesOf(body, []).reduce<Json>((rest, { at, value }) => {
    const digits = typeof value === 'string' ? /^\d+(?:\.(\d+))?$/.exec(value) : undefined;
    if (typeof value !== 'number' && !digits) return rest;
    const others = numbers
      .filter((number) => number > Number(value))
      .map((number) => withValueAt(rest, at, digits ? number.toFixed(digits[1]?.length ?? 0) : number));
    return others.find(valid) ?? rest;
  }, body);
}

function changed(body: Json, to: (value: Scalar) => Json | undefined): Json {
  return leavesOf(body, []).reduce<Json>((rest, { at, value }) => {
    const other = to(value);
    return other === undefined ? rest : withValueAt(rest, at, other);
  }, body);
}
