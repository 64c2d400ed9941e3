import { isObject } from '../model/json.ts';
import type { Step, StepId, Wave } from '../model/scenario.ts';
import { refText } from './issued.ts';

type HookWave = Extract<Wave, { readonly hook: string }>;

/** A verification may be used up when it was presented; a duplicate keeps that of its original. */
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
      const input = hook === undefined || step.role !== 'setup' ? hook?.input : aimedAt(step, hook.input);
      if (hook === undefined || (input === hook.input && !presented.has(verification.step))) {
        presented.add(verification.step);
        return step;
      }
      const as = `${verification.step}-for-${step.id}`;
      before.push({ ...hook, ...(input === undefined ? {} : { input }), as });
      return { ...step, verification: { use: 'hook' as const, step: as } };
    });
    return [...before, { ...wave, steps }];
  });
}

/** The fields of the path come first in a target. What follows are records that the body names: no verification is for these. */
function aimedAt({ target = {} }: Step, input: HookWave['input']): HookWave['input'] {
  if (input['target'] === '') return input;
  const several = isObject(input['targets']) ? Object.keys(input['targets']) : undefined;
  const names = several ?? Object.keys(target).slice(0, 1);
  // The hook knows the fields as the document names them, in the order of the path.
  const inOrder = Object.values(target);
  const refs = names.map((name, index) => [name, target[name] ?? inOrder[index]] as const);
  const [last] = refs.slice(-1);
  if (last?.[1] === undefined || refs.some(([, ref]) => ref === undefined)) return input;
  const targets = Object.fromEntries(refs.flatMap(([name, ref]) => (ref ? [[name, refText(ref)]] : [])));
  const aimed = { ...input, target: refText(last[1]), ...(several === undefined ? {} : { targets }) };
  return JSON.stringify(aimed) === JSON.stringify(input) ? input : aimed;
}

const repeated: ReadonlySet<string> = new Set(['none', 'form', 'token', 'late', 'query', 'history']);

function sharesOnPurpose({ deviations }: Step): boolean {
  return deviations.some(
    (deviation) =>
      (deviation.kind === 'verification' && ['used', 'shared'].includes(deviation.how)) ||
      (deviation.kind === 'key-reuse' && repeated.has(deviation.difference)),
  );
}
