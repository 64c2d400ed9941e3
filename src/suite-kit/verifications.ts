import type { Step, StepId, Wave } from '../model/scenario.ts';

type HookWave = Extract<Wave, { readonly hook: string }>;

/**
 * Gives each command a verification of its own: one that was presented may be used up, even where the command was
 * refused. A duplicate is the request that it repeats, and a used one is sent on purpose.
 */
export function verifiedEach(waves: readonly Wave[]): readonly Wave[] {
  return renewed(waves, new Map(), new Set());
}

function renewed(
  waves: readonly Wave[],
  issued: Map<StepId, HookWave>,
  presented: Set<StepId>,
): readonly Wave[] {
  return waves.flatMap((wave): readonly Wave[] => {
    if ('hook' in wave) {
      issued.set(wave.as, wave);
      return [wave];
    }
    if ('when' in wave)
      // What one branch presents the next may come after.
      return [{ ...wave, waves: renewed(wave.waves, new Map(issued), presented) }];
    if (!('steps' in wave)) return [wave];
    const before: Wave[] = [];
    const steps = wave.steps.map((step) => {
      const { verification } = step;
      if (verification?.use !== 'hook' || sharesOnPurpose(step)) return step;
      const hook = issued.get(verification.step);
      if (hook === undefined || !presented.has(verification.step)) {
        presented.add(verification.step);
        return step;
      }
      const as = `${verification.step}-for-${step.id}`;
      before.push({ ...hook, as });
      return { ...step, verification: { use: 'hook' as const, step: as } };
    });
    return [...before, { steps }];
  });
}

const repeated: ReadonlySet<string> = new Set(['none', 'form', 'token', 'late', 'query', 'history']);

function sharesOnPurpose({ deviations }: Step): boolean {
  return deviations.some(
    (deviation) =>
      (deviation.kind === 'verification' && deviation.how === 'used') ||
      (deviation.kind === 'key-reuse' && repeated.has(deviation.difference)),
  );
}
