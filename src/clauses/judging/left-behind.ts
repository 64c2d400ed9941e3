import { responseClass } from '../../model/response.ts';
import type { DeviationKind, Step } from '../../model/scenario.ts';
import { ofAttempts } from './counted-effects.ts';
import { type EffectsJudge, noEffect } from './effects.ts';
import { faultsOf } from './reading.ts';
import { isBookkeeping } from './removal.ts';

/** Client errors whose effects no clause of their own looks for. */
const kinds: ReadonlySet<DeviationKind> = new Set(['target', 'query', 'unknown-member', 'media-type', 'key']);

function isOther({ deviations, ...step }: Step): boolean {
  const [fault, ...others] = faultsOf({ deviations, ...step });
  if (fault === undefined || others.length > 0 || deviations.length > 1) return false;
  return fault.kind === 'key' ? fault.how === 'odd' || fault.how === 'doubled' : kinds.has(fault.kind);
}

/** The request may still be carried out: the service gave up waiting for all of it. */
const requestTimeout = 408;

/** A command that is refused for a wrong reference, parameter, or form leaves no record, and changes none. */
export function leftBehind(isOf: (status: number) => boolean): EffectsJudge {
  const judge = noEffect(
    (step, { status }) =>
      isOther(step) &&
      responseClass({ status }) === 'refused' &&
      status >= 400 &&
      status !== requestTimeout &&
      isOf(status),
  );
  return {
    ...judge,
    *rule(context, trace) {
      // An attempt that got no response may have been carried out.
      const sentAgain = new Set(
        trace.exchanges.flatMap(({ earlier, id }) => (earlier.length > 0 ? [id] : [])),
      );
      for (const ruling of judge.rule(context, trace)) {
        if (ruling.verdict !== 'violated' || sentAgain.has(ruling.exchanges[0] ?? '')) continue;
        // A record may count what was tried on it.
        if (ruling.moved?.at.every((at) => isBookkeeping(at) || ofAttempts.test(at)) !== true) yield ruling;
      }
    },
  };
}
