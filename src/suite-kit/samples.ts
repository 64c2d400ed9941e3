import fc from 'fast-check';
import type { Json } from '../model/json.ts';

/** What was drawn of each arbitrary: many suites look at the same bodies, and so do all runs of one contract. */
const kept = new WeakMap<object, Map<number, readonly Json[]>>();

/** Values of an arbitrary, the same ones each time; none where there is none. */
export function sampled(values: fc.Arbitrary<Json> | undefined, runs = 30): readonly Json[] {
  if (values === undefined) return [];
  const known = kept.get(values) ?? new Map<number, readonly Json[]>();
  kept.set(values, known);
  const samples = known.get(runs) ?? fc.sample(values, { seed: 1, numRuns: runs });
  known.set(runs, samples);
  return samples;
}
