import { choosesLast, creates, isReadById, operationNamed, successesOf } from '../../src/model/contract.ts';
import { listShowing, listWithin } from '../../src/model/listed.ts';
import { narrowingField } from '../../src/model/narrowing-field.ts';
import { isQueued } from '../../src/model/response.ts';
import { chosenIdAt } from '../../src/model/result-id.ts';
import { type BodyValue, type Scenario, type StepId, stepsOf, type Wave } from '../../src/model/scenario.ts';
import { standIn } from '../../src/suite-kit/cast.ts';
import { targetMadeBy } from '../../src/suite-kit/issued.ts';
import { lateMs, readings, sizeOf } from '../../src/suite-kit/readback.ts';
import {
  type Around,
  bodyOf,
  key,
  readStep,
  type Scene,
  scenario,
  send,
  twinOf,
  when,
} from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

/** A read of what a step made. A list need not show all of it: `whole` asks for the read in any case. */
export function shown(planning: Planning, scene: Scene, whole = false, step = 'command'): readonly Wave[] {
  const { contract } = planning;
  const { effect } = scene.operation;
  const read = operationNamed(contract, effect?.read);
  if (read === undefined && whole) return shownInList(planning, scene, step);
  // An independent read finds all records of a run in their list.
  if (read === undefined || !isReadById(contract, scene.operation)) return [];
  const list = operationNamed(contract, effect?.list);
  const isListed = list !== undefined && narrowingField(list) === undefined;
  if (!whole && creates(scene.operation) && isListed) return [];
  const target = targetMadeBy(scene.operation, read, step, scene.request(step).target ?? {});
  const reader = standIn(planning, read, scene.lead);
  if (target === undefined || reader === undefined) return [];
  const look = (id: string): Wave =>
    send({ ...readStep(planning, id, read, reader, target, 'readback'), observes: 'made' });
  // What is queued (202) may be made later.
  const again = successesOf(scene.operation).some(isQueued)
    ? [when('made', 'refused', [{ wait: lateMs(planning) }, look('made-later')])]
    : [];
  return [when(step, 'accepted', [{ wait: 'settle' }, look('made'), ...again])];
}

/** The list within a record, after a command that made or put something there which no read shows alone. */
function shownInList(planning: Planning, scene: Scene, step: StepId): readonly Wave[] {
  const list = listShowing(planning.contract, scene.operation);
  const reader = list === undefined ? undefined : standIn(planning, list, scene.lead);
  const { target = {} } = scene.request(step);
  if (list === undefined || reader === undefined || narrowingField(list) !== undefined) return [];
  if (!list.pathFields.every(({ name }) => Object.hasOwn(target, name))) return [];
  const within = Object.fromEntries(
    Object.entries(target).filter(([name]) => list.pathFields.some((field) => field.name === name)),
  );
  return [
    when(step, 'accepted', [
      { wait: 'settle' },
      send({
        ...readStep(planning, 'made', list, reader, within, 'readback'),
        observes: 'made',
        query: sizeOf(list),
      }),
    ]),
  ];
}

/** The same PUT again, with another body: code that replaces a record is often other code than what makes it. */
export function replacing(
  planning: Planning,
  scene: Scene,
  { after, before }: ReturnType<typeof readings>,
  item: Around,
  others: readonly BodyValue[],
): readonly Scenario[] {
  const { effect, id, method, verification, version } = scene.operation;
  const read = operationNamed(planning.contract, effect?.read);
  const makes =
    choosesLast(scene.operation) || read?.pathFields.some(({ source }) => source?.operation === id);
  const body = others[0] ?? scene.body();
  const isAnother = others.length > 0 || body.marker !== undefined;
  if (method !== 'PUT' || before.length === 0 || makes !== true || !isAnother) return [];
  if (version !== undefined || verification !== undefined) return [];
  return [
    scenario(
      scene,
      'a valid command that replaces the record of an earlier one',
      [
        send(scene, 'first', { role: 'setup', key: key('first'), body: bodyOf(scene, 'first') }),
        { wait: 'settle' },
        ...before,
        ...item.before,
        send(scene, 'command', { role: 'test' }),
        ...after,
        ...item.after,
      ],
      { first: scene.body(), body },
    ),
  ];
}

/** A record under another of the values to which a field of its path is limited, which its read has in its path as well. */
export function otherChoice(planning: Planning, scene: Scene): readonly Scenario[] {
  const { effect, method, otherPath, verification, version } = scene.operation;
  const read = operationNamed(planning.contract, effect?.read);
  if (method !== 'PUT' || otherPath === undefined || read?.otherPath !== otherPath) return [];
  if (version !== undefined || verification !== undefined) return [];
  const there = (waves: readonly Wave[]): readonly Wave[] =>
    waves.map((wave) =>
      'steps' in wave
        ? { steps: wave.steps.map((step) => ({ ...step, path: 'other-choice' as const })) }
        : wave,
    );
  const { after, before } = readings(planning, scene);
  return [
    scenario(scene, 'a valid command with another value that its path allows', [
      ...there([...before, send(scene, 'command', { role: 'test' }), ...after]),
    ]),
  ];
}

/** A record under an ID that one within another record has already: each record has its own, or the second is refused. */
export function sameIdWithin(planning: Planning, scene: Scene): readonly Scenario[] {
  const { pathFields, verification, version } = scene.operation;
  const last = pathFields.at(-1)?.name ?? '';
  const id = scene.request('first').target?.[last];
  const other = twinOf(planning, scene);
  if (!choosesLast(scene.operation) || pathFields.length < 2 || id === undefined || other === scene)
    return [];
  if (version !== undefined || verification !== undefined) return [];
  const twin: Scene = {
    ...other,
    request: (step, parts) =>
      other.request(step, { target: { ...other.request(step).target, [last]: id }, ...parts }),
  };
  const { after, before } = readings(planning, twin);
  if (before.length === 0) return [];
  return [
    scenario(
      scene,
      'a valid command under an ID that is used within another record',
      [
        send(scene, 'first', { role: 'setup', key: key('first'), body: bodyOf(scene, 'first') }),
        ...twin.prelude,
        ...before,
        send(twin, 'command', { role: 'test' }),
        ...after,
      ],
      { ...twin.bodies, first: scene.body(), body: scene.body() },
    ),
  ];
}

/**
 * A scene with a record of the same body before its target and behind it, and reads of both: a deletion by what records have
 * in common, or by their place, takes one of them as well.
 */
export function withNeighbours(planning: Planning, scene: Scene): Around & { readonly scene: Scene } {
  const { effect, pathFields } = scene.operation;
  const last = pathFields.at(-1)?.name ?? '';
  const { target = {} } = scene.request('twin');
  const ref = target[last];
  const step = ref !== undefined && 'step' in ref ? ref.step : undefined;
  const at = scene.prelude.findIndex((wave) => stepsOf([wave]).some(({ id }) => id === step));
  const made = stepsOf(scene.prelude).find(({ id }) => id === step);
  const maker = operationNamed(planning.contract, made?.operation);
  const read = operationNamed(planning.contract, effect?.read);
  const reader = read === undefined ? undefined : standIn(planning, read, scene.lead);
  if (made === undefined || maker === undefined || made.key.use !== 'named' || ref === undefined)
    return { scene, before: [], after: [] };
  // Where a value may exist once, the target would be refused after the first.
  if (!creates(maker) || planning.declared.G19 === 'conflict' || chosenIdAt(maker) !== undefined)
    return { scene, before: [], after: [] };
  const like = (id: string): Wave => send({ ...made, id, key: key(id) });
  const looks = (observes: 'elsewhere-before' | 'elsewhere'): readonly Wave[] =>
    read === undefined || reader === undefined
      ? []
      : ['elder', 'twin'].map((id) =>
          send({
            ...readStep(
              planning,
              `${id}-${observes}`,
              read,
              reader,
              { ...target, [last]: { ...ref, step: id } },
              'readback',
            ),
            observes,
          }),
        );
  return {
    scene: {
      ...scene,
      prelude: [...scene.prelude.slice(0, at), like('elder'), ...scene.prelude.slice(at), like('twin')],
    },
    before: looks('elsewhere-before'),
    after: looks('elsewhere'),
  };
}

/** The list that a record is made in, before and after: a read of the record itself does not show that it is there, too. */
export function listedWithin(planning: Planning, scene: Scene): Around {
  const list = listWithin(planning.contract, scene.operation);
  const reader = list === undefined ? undefined : standIn(planning, list, scene.lead);
  if (list === undefined || reader === undefined) return { before: [], after: [] };
  // What a list must be asked for may exclude the record.
  if (list.queryFields.some(({ name, required }) => required && name !== list.pagination?.limit))
    return { before: [], after: [] };
  const { target = {} } = scene.request('listed');
  const read = (observes: 'list-before' | 'list-after'): Wave =>
    send({
      ...readStep(planning, observes, list, reader, target, 'readback'),
      observes,
      query: sizeOf(list),
    });
  return { before: [read('list-before')], after: [{ wait: 'settle' }, read('list-after')] };
}
