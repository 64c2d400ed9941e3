import { choosesLast, type Operation, operationNamed } from '../../src/model/contract.ts';
import { makesWithin } from '../../src/model/listed.ts';
import { partsShown } from '../../src/model/parts.ts';
import { bare } from '../../src/model/path.ts';
import { type BodyValue, type Scenario, type Step, stepsOf, type Wave } from '../../src/model/scenario.ts';
import { schemasAt } from '../../src/model/schema-places.ts';
import { standIn } from '../../src/suite-kit/cast.ts';
import { madeAgain } from '../../src/suite-kit/made-again.ts';
import { twoWholeBodies } from '../../src/suite-kit/other-values.ts';
import { sizeOf } from '../../src/suite-kit/readback.ts';
import {
  bodyOf,
  key,
  readStep,
  type Scene,
  scenario,
  send,
  siblingOf,
  twinOf,
  when,
} from '../../src/suite-kit/scene.ts';
import { byBudget, type Planning } from '../../src/suite-kit/suite.ts';

type Target = NonNullable<Step['target']>;

/** So many members that may be left out are set at once. */
const mostSet = 12;

/**
 * A command on one of two records, where possible of one parent, and reads of both before it and after it: a condition that
 * names the parent alone takes them all. The other record is the older one, since what follows a record may go with it.
 */
export function onOneOfTwo(planning: Planning, scene: Scene): readonly Scenario[] {
  const { operation } = scene;
  if (operation.pathFields.length === 0 || operation.verification !== undefined) return [];
  if (choosesLast(operation)) return nextToAnother(planning, scene);
  // What makes a record of its own changes none.
  if (operation.method === 'POST' && !isAction(planning, scene)) return [];
  const second =
    operation.pathFields.length > 1
      ? siblingOf(planning, scene)
      : (madeAgain(planning, scene, 'sibling-') ?? twinOf(planning, scene));
  if (second === undefined || second === scene || !isMadeIn(second) || !isMadeIn(scene)) return [];
  const [mine, body] = apart(planning, second);
  if (body === undefined) return [];
  const [other = {}, target = {}] = [scene, second].map((each) => each.request('command').target);
  const before = looks(planning, scene, 'neighbour-before', [other, target]);
  const after = looks(planning, scene, 'neighbour', [other, target]);
  if (before.length === 0) return [];
  const first = send(scene, 'first', { role: 'setup', key: key('first'), body: bodyOf(scene, 'mine') });
  const command = send(second, 'command', { role: 'test' });
  const shows = [{ wait: 'settle' } as const, ...after];
  // A service may refuse other values than the plain ones.
  const plainly = send(second, 'plain-command', {
    ...{ role: 'test', key: key('plain'), body: bodyOf(second, 'plain') },
  });
  const isPlain = mine === undefined || second.body().marker === undefined;
  return [
    scenario(
      // What the first command changes too far, does not yet meet the second record.
      {
        ...second,
        prelude: [...scene.prelude, ...(mine === undefined ? [] : [first]), ...second.prelude],
      },
      'a valid command on one of two records',
      [
        { wait: 'settle' },
        ...before,
        command,
        when('command', 'accepted', shows),
        ...(isPlain ? [] : [when('command', 'refused', [plainly, when('plain-command', 'accepted', shows)])]),
      ],
      {
        ...{ ...scene.bodies, ...second.bodies, body },
        ...(mine === undefined ? {} : { mine }),
        ...(isPlain ? {} : { plain: second.body() }),
      },
    ),
  ];
}

/** A PUT of one part of a record, where another one is there: what keeps them as a whole may lose the other one. */
function nextToAnother(planning: Planning, scene: Scene): readonly Scenario[] {
  const { method, pathFields, version } = scene.operation;
  const last = pathFields.at(-1);
  if (method !== 'PUT' || pathFields.length < 2 || version !== undefined || last === undefined) return [];
  // Of few values, the second may be the first one.
  const isLimited = schemasAt(last.schema, '').some((one) => ['enum', 'const'].some((each) => each in one));
  const { target = {} } = scene.request('command');
  const other: Target = { ...target, [last.name]: { chosen: `near-${last.name}` } };
  const before = looks(planning, scene, 'neighbour-before', [other]);
  const after = looks(planning, scene, 'neighbour', [other]);
  if (before.length === 0 || isLimited) return [];
  const first = send(scene, 'near', {
    ...{ role: 'setup', key: key('near'), body: bodyOf(scene, 'near'), target: other },
  });
  const command = send(scene, 'command', { role: 'test' });
  return [
    scenario(
      scene,
      'a valid command next to another record',
      [
        ...[first, { wait: 'settle' } as const, ...before, command],
        when('command', 'accepted', [{ wait: 'settle' }, ...after]),
      ],
      { near: scene.body(), body: scene.body() },
    ),
  ];
}

/** Whether a POST acts on the record of its path, and the declared read shows what it says. */
function isAction(planning: Planning, scene: Scene): boolean {
  const { body, operation } = scene;
  const read = operationNamed(planning.contract, operation.effect?.read);
  return (
    read !== undefined &&
    [`${bare(read.path)}/`, `${bare(read.path)}:`].some((start) => bare(operation.path).startsWith(start)) &&
    !makesWithin(planning.contract, operation) &&
    (operation.body === undefined
      ? byBudget(planning, false, true, true)
      : body().marker !== undefined || apart(planning, scene)[0] !== undefined)
  );
}

/** Whether a scene makes the record of its target itself, and its version, if it needs one, is not older than that. */
function isMadeIn({ operation, prelude, request }: Scene): boolean {
  const { target = {}, version } = request('command');
  const ids = new Set(stepsOf(prelude).map(({ id }) => id));
  const ref = target[operation.pathFields.at(-1)?.name ?? ''];
  if (ref === undefined) return false;
  const isMade =
    'step' in ref
      ? ids.has(ref.step)
      : 'chosen' in ref && stepsOf(prelude).some(({ target: of = {} }) => isChosenIn(of, ref.chosen));
  if (!isMade) return false;
  return version?.use !== 'of' || ('step' in version.ref && ids.has(version.ref.step));
}

function isChosenIn(target: Target, chosen: string): boolean {
  return Object.values(target).some((ref) => 'chosen' in ref && ref.chosen === chosen);
}

/**
 * A body by which it shows which records took it, and before it one of other values for the other record, so that the two have
 * nothing of that in common; no such body where the plain one could be that of any record.
 */
function apart(
  planning: Planning,
  scene: Scene,
): readonly [mine: BodyValue | undefined, body: BodyValue | undefined] {
  const { method } = scene.operation;
  const plain = scene.body();
  const isMarked = plain.marker !== undefined;
  // An action with a text may be one that a record allows once.
  if (method === 'DELETE' || scene.operation.body === undefined || (method === 'POST' && isMarked))
    return [undefined, plain];
  const [one, other] = twoWholeBodies(scene.operation, planning.values(scene.operation), mostSet) ?? [];
  const telling = Object.entries(Object(other)).some(
    ([name, value]) => ['number', 'string'].includes(typeof value) && value !== Object(one)[name],
  );
  if (one !== undefined && other !== undefined && telling) return [scene.body(one), scene.body(other)];
  return [undefined, isMarked ? plain : undefined];
}

/** Reads of both records by their IDs, or of the list of their parent, or of the parent that shows them. */
function looks(
  planning: Planning,
  { lead, operation }: Scene,
  observes: 'neighbour-before' | 'neighbour',
  targets: readonly Target[],
): readonly Wave[] {
  const { contract } = planning;
  const isAddressed = ({ pathFields }: Operation): boolean =>
    pathFields.length > 0 &&
    pathFields.every(({ name }) => operation.pathFields.some((own) => own.name === name));
  const last = operation.pathFields.at(-1)?.name;
  const declared = operationNamed(contract, operation.effect?.read);
  const ofSamePath = contract.operations.find(
    (other) => other.method === 'GET' && bare(other.path) === bare(operation.path),
  );
  const read = [declared, ofSamePath].find(
    (one) => one?.kind === 'read' && isAddressed(one) && one.pathFields.at(-1)?.name === last,
  );
  const list = operationNamed(contract, operation.effect?.list);
  const all = [list, partsShown(contract, operation)?.read];
  const look = read ?? all.find((one) => one !== undefined && isAddressed(one));
  const reader = look === undefined ? undefined : standIn(planning, look, lead);
  if (look === undefined || reader === undefined) return [];
  return targets.slice(read === undefined ? -1 : 0).map((target, at) =>
    send({
      ...readStep(planning, `${observes}-${at}`, look, reader, target, 'readback'),
      observes,
      ...(read === undefined ? { query: sizeOf(look) } : {}),
    }),
  );
}
