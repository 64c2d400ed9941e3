import fc from 'fast-check';
import { bounded } from './bounded.ts';
import { commonStep, decimalOf, isMultiple, numberOf, unitsAt } from './decimals.ts';
import type { ValueShape } from './shape.ts';

/** Unbounded numbers stay within this of zero, or of the one bound that they have. */
const REACH = 1_000_000;
const STEPS = 1_000n;

export type Numbers = {
  readonly arbitrary: fc.Arbitrary<number>;
  readonly smallest: number;
  /** Where the smallest is 0, which services often refuse: a number above it. */
  readonly typical?: number;
};

/** Numbers within bounds (JSON Schema validation, section 6.2); undefined where there is none. */
export function numbersOf(bounds: ValueShape['numbers'], formats: readonly string[]): Numbers | undefined {
  const integer = bounds.integer || formats.includes('int32') || formats.includes('int64');
  const limit = formats.includes('int32') ? 2 ** 31 - 1 : Infinity;
  const low = Math.max(bounds.min, bounds.above, -limit - 1);
  const high = Math.min(bounds.max, bounds.below, limit);
  const inside = (value: number): boolean =>
    value >= low && value <= high && value !== bounds.above && value !== bounds.below;
  const steps = integer ? [...bounds.steps, 1] : bounds.steps;
  const made = steps.length > 0 ? multiples(steps, low, high, inside) : decimals(low, high, inside);
  if (made?.smallest !== 0) return made;
  const typical = [1, ...steps, high].find((value) => value > 0 && inside(value) && agreed(value, steps));
  return typical === undefined ? made : { ...made, typical };
}

function multiples(
  steps: readonly number[],
  low: number,
  high: number,
  inside: (value: number) => boolean,
): Numbers | undefined {
  const step = commonStep(steps);
  const at = (count: bigint): number => numberOf({ units: count * step.units, scale: step.scale });
  // Counts of steps within the bounds: rounded inwards, then moved off exclusive bounds.
  const lowest = Number.isFinite(low) ? ceilSteps(low, step) : undefined;
  const highest = Number.isFinite(high) ? -ceilSteps(-high, step) : undefined;
  const span = step.scale > 0 || step.units > 1n ? STEPS : BigInt(REACH);
  let from = lowest ?? (highest === undefined || highest > span ? -span : highest - span);
  let to = highest ?? (from > -span ? from + span : span);
  while (from <= to && !inside(at(from))) from++;
  while (from <= to && !inside(at(to))) to--;
  if (from > to || !inside(at(from))) return undefined;
  const smallest = nearestMultiple(steps, at, from, to);
  if (smallest === undefined) return undefined;
  const drawn =
    from >= BigInt(Number.MIN_SAFE_INTEGER) && to <= BigInt(Number.MAX_SAFE_INTEGER)
      ? fc.integer({ min: Number(from), max: Number(to) }).map((count) => positiveZero(at(BigInt(count))))
      : fc.bigInt({ min: from, max: to }).map((count) => positiveZero(at(count)));
  const arbitrary = plain(step, from, to) ?? bounded(drawn, (value) => agreed(value, steps), smallest);
  return { arbitrary, smallest };
}

/** Whether binary fractions agree, which many validators use: by them 19.99 is not a multiple of 0.01. */
function agreed(value: number, steps: readonly number[]): boolean {
  return steps.every((step) => isMultiple(value, step) && Number.isInteger(value / step));
}

/** The multiple nearest to zero, of those that all arithmetic agrees on where there is one. */
function nearestMultiple(
  steps: readonly number[],
  at: (count: bigint) => number,
  from: bigint,
  to: bigint,
): number | undefined {
  const nearest = from > 0n ? from : to < 0n ? to : 0n;
  const towards = to < 0n ? -1n : 1n;
  for (let offset = 0n; offset < STEPS; offset++) {
    const count = nearest + towards * offset;
    if (count < from || count > to) break;
    if (agreed(at(count), steps)) return positiveZero(at(count));
  }
  const only = at(nearest);
  return steps.every((step) => isMultiple(only, step)) ? positiveZero(only) : undefined;
}

/** Whole numbers need no decimals. */
function plain(
  step: { units: bigint; scale: number },
  from: bigint,
  to: bigint,
): fc.Arbitrary<number> | undefined {
  if (step.scale !== 0 || step.units !== 1n) return undefined;
  if (from < BigInt(Number.MIN_SAFE_INTEGER) || to > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return fc.integer({ min: Math.max(Number(from), -(2 ** 53) + 1), max: Number(to) });
}

function ceilSteps(value: number, step: { units: bigint; scale: number }): bigint {
  const decimal = decimalOf(value);
  const scale = Math.max(decimal.scale, step.scale);
  const units = unitsAt(decimal, scale);
  const divisor = unitsAt(step, scale);
  const whole = units / divisor;
  return units > whole * divisor ? whole + 1n : whole;
}

function decimals(low: number, high: number, inside: (value: number) => boolean): Numbers | undefined {
  const from = Number.isFinite(low) ? low : Math.min(-REACH, high - REACH);
  const to = Number.isFinite(high) ? high : Math.max(REACH, low + REACH);
  const between = from / 2 + to / 2;
  // The nearest to zero first: a bound that is excluded is no reason to be sent a million.
  const ends = [
    0,
    from,
    to,
    Math.ceil(from),
    Math.floor(to),
    Math.ceil(from) + 1,
    Math.floor(to) - 1,
    between,
  ]
    .map(positiveZero)
    .filter(inside)
    .sort((one, other) => Math.abs(one) - Math.abs(other));
  const smallest = ends[0];
  if (smallest === undefined) return undefined;
  const whole = {
    min: Math.max(Math.ceil(from), Number.MIN_SAFE_INTEGER),
    max: Math.min(Math.floor(to), Number.MAX_SAFE_INTEGER),
  };
  const wholes = whole.max - whole.min >= 3 ? [fc.integer({ min: whole.min + 1, max: whole.max - 1 })] : [];
  const hundredths =
    to - from >= 0.1 && Math.abs(from) < 1e12 && Math.abs(to) < 1e12
      ? [fc.integer({ min: Math.ceil(from * 100), max: Math.floor(to * 100) }).map((count) => count / 100)]
      : [fc.double({ min: from, max: to, noNaN: true, noDefaultInfinity: true })];
  const drawn = fc.oneof(fc.constantFrom(...ends), ...wholes, ...hundredths).map(positiveZero);
  return { arbitrary: drawn.map((value) => (inside(value) ? value : smallest)), smallest };
}

/** JSON has no negative zero worth sending. */
function positiveZero(value: number): number {
  return value === 0 ? 0 : value;
}
