import { operationNamed } from '../model/contract.ts';
import { type Observes, type Step, stepsOf, type Wave } from '../model/scenario.ts';
import { standIn } from './cast.ts';
import { readings } from './readback.ts';
import { readStep, type Scene, send } from './scene.ts';
import type { Planning } from './suite.ts';

/** Reads of the target of a command and of all records that its body names, before and after what must change none of them. */
export function readingsOfAll(planning: Planning, scene: Scene): ReturnType<typeof readings> {
  const own = readings(planning, scene);
  const asked = ({ operation, target: all = {} }: Step): string => {
    const read = operationNamed(planning.contract, operation);
    return JSON.stringify([operation, read?.pathFields.map(({ name }) => all[name])]);
  };
  const known = new Set(stepsOf(own.before).map(asked));
  const { target = {} } = scene.request('named');
  const reads = (scene.operation.named ?? []).flatMap(({ field, read: id }): readonly Step[] => {
    const ref = target[field.name];
    const read = id === undefined ? undefined : operationNamed(planning.contract, id);
    const [place, ...others] = read?.pathFields ?? [];
    if (ref === undefined || 'literal' in ref || read === undefined) return [];
    if (place === undefined || others.length > 0) return [];
    const reader = standIn(planning, read, scene.lead);
    if (reader === undefined) return [];
    const step = readStep(planning, `named-${field.name}`, read, reader, { [place.name]: ref }, 'readback');
    return known.has(asked(step)) ? [] : [step];
  });
  if (reads.length === 0) return own;
  const settled = (waves: readonly Wave[]): readonly Wave[] =>
    waves.length > 0 ? waves : [{ wait: 'settle' }];
  const named = (step: Step, suffix: string, observes: Observes): Wave =>
    send({ ...step, id: `${step.id}-${suffix}`, observes });
  return {
    before: [
      ...settled(own.before),
      // Read twice, it shows what differs from one response to the next.
      ...reads.flatMap((step) => [named(step, 'before', 'before'), named(step, 'again', 'before')]),
    ],
    after: [...settled(own.after), ...reads.map((step) => named(step, 'after', 'after'))],
  };
}
