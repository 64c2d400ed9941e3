import { successesOf } from '../model/contract.ts';
import { isQueued } from '../model/response.ts';
import { chosenIdAt } from '../model/result-id.ts';
import type { BodySpec, BodyValue, Name, Step, StepId, Wave } from '../model/scenario.ts';
import { create } from './makers.ts';
import { lateMs } from './readback.ts';
import { key, named, type Scene } from './scene.ts';
import type { Planning } from './suite.ts';

type Apart = {
  readonly waves: readonly Wave[];
  readonly bodies: Readonly<Record<Name, BodyValue>>;
  readonly parts: Pick<Partial<Step>, 'target'>;
};

const shared: Apart = { waves: [], bodies: {}, parts: {} };

/**
 * Records of its own for what the body of one of several commands names: where a value may exist once (G19), the first
 * command that names a record may take it for as long as it lasts, as one booking takes a seat.
 * @param scene the scene of these commands, whose prelude makes what their bodies name
 */
export function apart({ declared }: Pick<Planning, 'declared'>, scene: Scene, id: StepId): Apart {
  const { named: records = [], pathFields } = scene.operation;
  const { target = {} } = scene.request(id);
  if (declared.G19 !== 'conflict') return shared;
  const makers = scene.prelude.flatMap((wave) => ('steps' in wave ? wave.steps : []));
  const made = records.flatMap(({ field: { name } }) => {
    const ref = target[name];
    if (ref === undefined || !('step' in ref) || pathFields.some((field) => field.name === name)) return [];
    const maker = makers.find((step) => step.id === ref.step);
    if (maker?.body.use !== 'named' || maker.key.use !== 'named') return [];
    const body = scene.bodies[maker.body.name];
    // A verification is for one command, and a version for one state of its record.
    if (body === undefined || maker.verification !== undefined || maker.version !== undefined) return [];
    const own = `${maker.id}-for-${id}`;
    const step: Step = { ...maker, id: own, key: key(own), body: named(own) };
    return [{ body, name, own, ref: { ...ref, step: own }, step }];
  });
  if (made.length === 0) return shared;
  return {
    // All are made at once.
    waves: [{ steps: made.map(({ step }) => step) }],
    bodies: Object.fromEntries(made.map(({ body, own }) => [own, body])),
    parts: { target: { ...target, ...Object.fromEntries(made.map(({ name, ref }) => [name, ref])) } },
  };
}

/** For each of several commands. The first takes what is there: what no command names would seem to be a record to list. */
export function eachApart(
  planning: Pick<Planning, 'declared'>,
  scene: Scene,
  ids: readonly StepId[],
): readonly Apart[] {
  return ids.map((id, index) => (index === 0 ? shared : apart(planning, scene, id)));
}

/** Several records, one after the other, each apart from the others. */
export function createEach(
  planning: Pick<Planning, 'budget' | 'declared'>,
  made: Scene,
  ids: readonly StepId[],
  body: (id: StepId) => BodySpec = named,
): Pick<Apart, 'waves' | 'bodies'> {
  const own = eachApart(planning, made, ids);
  // What is queued (202) is there later than a list shows what is made at once.
  const isLater = successesOf(made.operation).some(isQueued);
  return {
    waves: [
      ...ids.flatMap((id, index) => [
        ...(own[index]?.waves ?? []),
        create(made, id, body(id), own[index]?.parts),
      ]),
      ...(isLater ? [{ wait: lateMs(planning) }] : []),
    ],
    bodies: Object.assign({}, ...own.map(({ bodies }) => bodies)),
  };
}

/** Whether several records cannot have one body: a value may exist once (G19), or the body chooses the ID. */
export function isOnce({ declared }: Pick<Planning, 'declared'>, { operation }: Scene): boolean {
  return declared.G19 === 'conflict' || chosenIdAt(operation) !== undefined;
}

/** Several records with the body `many`, or with one of its own each where a value may exist once. */
export function createMany(
  planning: Pick<Planning, 'budget' | 'declared'>,
  made: Scene,
  ids: readonly StepId[],
): Pick<Apart, 'waves' | 'bodies'> {
  const nameOf = (id: StepId): Name => (isOnce(planning, made) ? id : 'many');
  const { bodies, waves } = createEach(planning, made, ids, (id) => named(nameOf(id)));
  return { waves, bodies: { ...bodies, ...Object.fromEntries(ids.map((id) => [nameOf(id), made.body()])) } };
}
