import type { Judge, Trait } from '../../model/clause.ts';
import { noEffect } from './effects.ts';
import { eachAnswer, leavesKeyFree, refusal } from './rules.ts';

/** Judges that have nothing to say about a trace without one of these traits, and so need not be asked about it. */
export function about(...needs: readonly Trait[]) {
  const needing = <Kind extends Judge, Given extends readonly unknown[]>(
    make: (...given: Given) => Kind,
  ): ((...given: Given) => Kind) => {
    return (...given) => ({ ...make(...given), needs });
  };
  return {
    eachAnswer: needing(eachAnswer),
    refusal: needing(refusal),
    leavesKeyFree: needing(leavesKeyFree),
    noEffect: needing(noEffect),
  };
}
