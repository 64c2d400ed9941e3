import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import type { Step, Wave } from '../../model/scenario.ts';
import { isOneCaller } from './readers.ts';
import { inconclusive, only, seen } from './reading.ts';

/** A caller of another scope that was refused with 403 may have been so for a stronger verification that is not its own. */
export function* refusedForVerification(context: Context, trace: Trace): Iterable<Ruling> {
  for (const one of seen(context, trace))
    if (
      one.step.role === 'test' &&
      only(one.step, 'scope') !== undefined &&
      isForVerification(context, trace, one.step)
    )
      yield inconclusive(
        [one],
        'The stronger verification was issued to another caller. That may be the reason for the 403, so the scope is untested.',
      );
}

export function isForVerification(context: Context, trace: Trace, step: Step): boolean {
  const { verification } = step;
  if (verification?.use !== 'hook' || ![undefined, 403].includes(context.declared.G4)) return false;
  const issuedTo = hookOf(trace.scenario.waves, verification.step)?.input['principal'];
  return (
    typeof issuedTo === 'string' &&
    !isOneCaller(context, issuedTo, step.as) &&
    seen(context, trace).some(
      ({ exchange, step: { id } }) => id === step.id && exchange.answer?.status === 403,
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
