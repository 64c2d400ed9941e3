import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { isAccepted } from '../../model/response.ts';
import type { Step, Wave } from '../../model/scenario.ts';
import { allowed, permits } from '../../oracle/allowed.ts';
import { isOneCaller } from './readers.ts';
import { inconclusive, only, seen } from './reading.ts';

/** A caller of another scope may have been refused for a stronger verification that is not its own (G4). */
export function* refusedForVerification(context: Context, trace: Trace): Iterable<Ruling> {
  for (const one of seen(context, trace))
    if (
      one.step.role === 'test' &&
      only(one.step, 'scope') !== undefined &&
      isForVerification(context, trace, one.step)
    )
      yield inconclusive(
        [one],
        'The stronger verification was issued to another caller. That may be the reason for the refusal, so the scope is untested.',
      );
}

export function isForVerification(context: Context, trace: Trace, step: Step): boolean {
  const { verification } = step;
  if (verification?.use !== 'hook') return false;
  const wrong = allowed(context, { ...step, deviations: [{ kind: 'verification', how: 'foreign' }] });
  const issuedTo = hookOf(trace.scenario.waves, verification.step)?.input['principal'];
  return (
    typeof issuedTo === 'string' &&
    !isOneCaller(context, issuedTo, step.as) &&
    seen(context, trace).some(
      ({ exchange: { answer }, step: { id } }) =>
        id === step.id &&
        answer !== undefined &&
        !isAccepted(answer) &&
        permits(wrong, answer.status) === 'yes',
    )
  );
}

type HookWave = Extract<Wave, { hook: string }>;

function hookOf(waves: readonly Wave[], as: string): HookWave | undefined {
  for (const wave of waves) {
    if ('hook' in wave && wave.as === as) return wave;
    const within = 'when' in wave ? hookOf(wave.waves, as) : undefined;
    if (within !== undefined) return within;
  }
  return undefined;
}
