import { actsOnOne, choosesLast, type Operation, operationNamed } from '../model/contract.ts';
import { makesWithin } from '../model/listed.ts';
import { type Step, type StepId, stepsOf, type Wave } from '../model/scenario.ts';
import { standIn } from './cast.ts';
import { reading } from './readback.ts';
import { type Around, readStep, type Scene, send } from './scene.ts';
import type { Planning } from './suite.ts';

/**
 * Reads of the record that a command makes something within, or that holds its target, if the scenario made it. What makes a
 * record of a list may move a total in the first one that its body names, as a transfer does.
 */
export function holderReadings(
  planning: Planning,
  scene: Scene,
  which: 'first' | 'last' = 'first',
): (...ids: readonly StepId[]) => readonly Wave[] {
  const step = holderRead(planning, scene, which);
  return (...ids) =>
    step === undefined
      ? []
      : [{ wait: 'settle' }, ...ids.map((id) => send({ ...step, id: `holder-${id}`, observes: 'holder' }))];
}

/** The same right before what is to change nothing and right after it, along with other reads. */
export function withHolder(planning: Planning, scene: Scene, { before, after }: Around): Around {
  const holder = holderReadings(planning, scene);
  const joined = (waves: readonly Wave[], reads: readonly Wave[]): readonly Wave[] => [
    ...waves,
    ...(waves.length === 0 ? reads : reads.slice(1)),
  ];
  return { before: joined(before, holder('before', 'again')), after: joined(after, holder('after')) };
}

function holderRead(planning: Planning, scene: Scene, which: 'first' | 'last' = 'first'): Step | undefined {
  const { lead, operation, prelude, request } = scene;
  const prior = stepsOf(prelude);
  const makerOf = (field: string | undefined, target: Step['target']) => {
    const ref = target?.[field ?? ''];
    const step = ref !== undefined && 'step' in ref ? prior.find(({ id }) => id === ref.step) : undefined;
    const maker = operationNamed(planning.contract, step?.operation);
    return ref === undefined || step === undefined || maker === undefined ? undefined : { maker, ref, step };
  };
  const { target } = request('holder');
  // What is put under an ID of the caller's choice need not be there yet.
  const own = makerOf(
    operation.pathFields.length === 0
      ? recordNamed(operation, target, which)
      : operation.pathFields.at(choosesLast(operation) ? -2 : -1)?.name,
    target,
  );
  // Of what was made in a list, it is the record that the body of its maker names.
  const above = (maker: Operation, of: Step['target']) =>
    makerOf(maker.pathFields.at(-1)?.name ?? recordNamed(maker, of, which), of);
  const holder =
    own === undefined ||
    operation.pathFields.length === 0 ||
    choosesLast(operation) ||
    makesWithin(planning.contract, operation)
      ? own
      : above(own.maker, own.step.target);
  const read = operationNamed(planning.contract, holder?.maker.effect?.read);
  const place = read?.pathFields.at(-1)?.name;
  if (holder === undefined || read === undefined || place === undefined) return undefined;
  if (holder.maker.method !== 'POST' || actsOnOne(holder.maker)) return undefined;
  // What is within another record is read there; the record itself comes last.
  const known = { ...holder.step.target, [place]: holder.ref };
  const refs = read.pathFields.flatMap(({ name }) => {
    const ref = known[name];
    return ref === undefined ? [] : [[name, ref] as const];
  });
  if (refs.length < read.pathFields.length) return undefined;
  const reader = standIn(planning, read, lead);
  // What is read as the target anyway needs no second read.
  return reader === undefined ||
    stepsOf(reading(planning, scene, 'after')).some((one) => one.operation === read.id)
    ? undefined
    : readStep(planning, 'holder', read, reader, Object.fromEntries(refs), 'readback');
}

/** The first or the last record that the body of a command names and the scenario makes, by its place in the target of a step. */
function recordNamed(
  { named }: Operation,
  target: Step['target'],
  which: 'first' | 'last',
): string | undefined {
  const made = Object.entries(target ?? {}).filter(([, ref]) => 'step' in ref);
  return named === undefined ? undefined : made.at(which === 'first' ? 0 : -1)?.[0];
}
