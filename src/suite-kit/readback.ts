import {
  actsOnOne,
  isSingleton,
  type Operation,
  operationNamed,
  operationOf,
  successesOf,
} from '../model/contract.ts';
import { settleMs } from '../model/declaration.ts';
import { namedTarget } from '../model/named-records.ts';
import { largestPage } from '../model/pages.ts';
import { bare } from '../model/path.ts';
import { isQueued } from '../model/response.ts';
import {
  type Observes,
  type Scenario,
  type Step,
  type StepId,
  stepsOf,
  type VersionSpec,
  type Wave,
} from '../model/scenario.ts';
import { standIn } from './cast.ts';
import { ownFilter } from './filters.ts';
import { type Around, bodyOf, key, named, readStep, type Scene, send, when } from './scene.ts';
import { byBudget, type Planning } from './suite.ts';
import { readOf } from './target-reads.ts';

/** Reads of the target of a targeted command, before and after what must not change it. */
export function readings(planning: Planning, scene: Scene, ahead = unlike(scene)): Around {
  const reads = reading(planning, scene, 'before');
  const before = reads.length > 0 ? [...ahead, ...reads] : reads;
  if (before.length > 0 || scene.operation.method !== 'DELETE')
    return { before, after: reading(planning, scene, 'after') };
  // Of a record that nothing reads, a list shows whether it is still there.
  const [first, last] = [listed(planning, scene, 'list-before'), listed(planning, scene)];
  const settled: readonly Wave[] = first.length === 0 ? [] : [{ wait: 'settle' }];
  return { before: [...settled, ...first], after: [...settled, ...last] };
}

/** Where a command can mark nothing, its record may have what it sends already, unless another one came before it. */
function unlike({ bodies, operation, request }: Scene): readonly Wave[] {
  const isSet = ['PUT', 'PATCH'].includes(operation.method) && operation.version === undefined;
  return isSet && bodies['unlike'] !== undefined
    ? [send(request('unlike', { key: key('unlike'), body: named('unlike') }))]
    : [];
}

/** The list that would show the target of a command, asked for it alone where it has a filter for that. */
export function listed(
  planning: Planning,
  scene: Scene,
  observes: 'list-before' | 'list-after' | 'item-before' | 'item' | 'item-again' = 'list-after',
): readonly Wave[] {
  const { effect, pathFields } = scene.operation;
  const { target = {} } = scene.request('listed');
  const ref = target[pathFields.at(-1)?.name ?? ''];
  const made =
    ref !== undefined && 'step' in ref ? stepsOf(scene.prelude).find(({ id }) => id === ref.step) : undefined;
  const maker = operationNamed(planning.contract, made?.operation);
  // What shows a record when it is made shows it until it is deleted.
  const list = operationNamed(planning.contract, effect?.list ?? maker?.effect?.list);
  if (list === undefined || ref === undefined) return [];
  if (!list.pathFields.every(({ name }) => Object.hasOwn(target, name))) return [];
  const reader = standIn(planning, list, scene.lead);
  if (reader === undefined) return [];
  const body = made === undefined ? undefined : scene.bodies[made.id];
  const filter =
    maker === undefined || made === undefined || body === undefined
      ? undefined
      : ownFilter(list, maker, body, made.id);
  return [
    send({
      ...readStep(
        planning,
        observes === 'list-after' ? 'listed' : observes,
        list,
        reader,
        target,
        'readback',
      ),
      observes,
      query: [...sizeOf(list), ...(filter === undefined ? [] : [filter])],
    }),
  ];
}

export function sizeOf(list: Operation): NonNullable<Step['query']> {
  const { pagination } = list;
  return pagination === undefined ? [] : [[pagination.limit, String(largestPage(list))]];
}

/** Of a command that makes a record within its target: reads of the list that shows it, before and after. */
export function listings(planning: Planning, scene: Scene): Around {
  // What a list shows of a deletion is that something is gone.
  if (scene.operation.method === 'DELETE') return { before: [], after: [] };
  const { before, after } = readings(planning, scene);
  const isListed = stepsOf(after).some(({ operation }) => operation === scene.operation.effect?.list);
  if (!isListed) return { before: [], after: [] };
  // The state before the command is not that after the first of two equal ones.
  return {
    before: renamed(before, 'listed-', 'list-before'),
    after: renamed(after, 'listed-', 'list-after'),
  };
}

/** The same reads again in one scenario, and what they are to show there. */
export function renamed(waves: readonly Wave[], prefix: string, observes: Observes): readonly Wave[] {
  return waves.map((wave) =>
    'steps' in wave
      ? { ...wave, steps: wave.steps.map((step) => ({ ...step, id: `${prefix}${step.id}`, observes })) }
      : wave,
  );
}

/** Reads by how much one command moves a count, before it and after it came under another key. */
export function counted(
  planning: Planning,
  scene: Scene,
  retry: StepId,
): Around & { readonly bodies: Scenario['bodies'] } {
  const { operation } = scene;
  const { before, after } = readings(planning, scene);
  const isOne = before.length > 0 && listings(planning, scene).before.length === 0;
  if (operation.method !== 'POST' || operation.conflict?.after === operation.id || !isOne)
    return { before: [], after: [], bodies: {} };
  const now = versionNow(planning, scene, 'version-next');
  const next = scene.request('next', {
    key: key('next'),
    body: bodyOf(scene, 'next'),
    ...(now === undefined ? {} : { version: now.version }),
  });
  const waves = [...(now?.waves ?? []), send(next), ...reading(planning, scene, 'later')];
  return {
    before,
    after: [...after, when(retry, 'accepted', waves)],
    bodies: { next: scene.body() },
  };
}

/**
 * Of a command that may be queued (202): what its target shows before it, and what one command more under another key moves
 * there, once it has stopped to move.
 */
export function queuedCount(
  planning: Planning,
  scene: Scene,
  first: StepId,
): Around & { readonly bodies: Scenario['bodies'] } {
  const { operation } = scene;
  const before = reading(planning, scene, 'initial');
  if (before.length === 0 || !successesOf(operation).some(isQueued))
    return { before: [], after: [], bodies: {} };
  if (operation.method !== 'POST' || operation.conflict?.after === operation.id)
    return { before, after: [], bodies: {} };
  const now = versionNow(planning, scene, 'version-next');
  const parts = now === undefined ? {} : { version: now.version };
  return {
    before,
    after: [
      when(first, 'accepted', [
        ...(now?.waves ?? []),
        send(scene, 'next', { key: key('next'), body: bodyOf(scene, 'next'), ...parts }),
        ...reading(planning, scene, 'later'),
        ...reading(planning, scene, 'settled'),
      ]),
    ],
    bodies: { next: scene.body() },
  };
}

export function reading(
  planning: Planning,
  scene: Scene,
  observes: 'before' | 'after' | 'later' | 'initial' | 'settled',
): readonly Wave[] {
  const target = targetOf(scene);
  if (target === undefined) return [];
  const { effect } = scene.operation;
  const single = isSingleton(scene.operation);
  // What is made within another record is not yet there to be read: the list of that record shows it.
  const list = operationNamed(planning.contract, effect?.list);
  // Of what is made within a record, the record itself need show nothing.
  const within = list !== undefined && bare(list.path) === bare(scene.operation.path) ? list.id : undefined;
  const declared = [within, effect?.read, effect?.list].flatMap(
    (id) => operationNamed(planning.contract, id) ?? [],
  );
  const read = [
    ...(declared.length > 0 ? declared : sameResource(planning, scene.operation)),
    ...recordsNamed(planning, scene.operation),
  ].find(
    ({ pathFields }) =>
      (single || pathFields.length > 0) && pathFields.every(({ name }) => Object.hasOwn(target, name)),
  );
  if (read === undefined) return [];
  const reader = standIn(planning, read, scene.lead);
  if (reader === undefined) return [];
  const step = (id: string): Wave =>
    send({ ...readStep(planning, id, read, reader, target, 'readback'), observes });
  // Read twice, it shows what differs from one response to the next though no command came between them.
  return [{ wait: 'settle' }, step(observes), ...(observes === 'before' ? [step('before-again')] : [])];
}

export function lateMs(planning: Pick<Planning, 'budget'>): number {
  return byBudget(planning, 6000, 10_000, 60_000);
}

/** Reads of a record that nobody changes, as far apart as scenarios read: what differs, no command changed. */
export function leftAlone(planning: Planning, scene: Scene): readonly Wave[] {
  const [settled, read, again] = reading(planning, scene, 'before');
  if (settled === undefined || read === undefined || again === undefined) return [];
  return [settled, read, { wait: Math.max(lateMs(planning), settleMs(planning.declared)) + 2000 }, again];
}

/** What PUT and PATCH change is what GET of the same path shows, declared or not (RFC 9110, 9.3.4; RFC 5789). */
function sameResource({ contract }: Planning, { method, path }: Operation): readonly Operation[] {
  return ['PUT', 'PATCH'].includes(method)
    ? contract.operations.filter((other) => other.method === 'GET' && bare(other.path) === bare(path))
    : [];
}

/** The reads of the records that a body names, best of the one that the command acts on. */
function recordsNamed({ contract }: Planning, { named = [], pathFields }: Operation): readonly Operation[] {
  if (pathFields.length > 0) return [];
  return named
    .toSorted((one, other) => Number(other.acts ?? false) - Number(one.acts ?? false))
    .flatMap(({ read }) => (read === undefined ? [] : (operationNamed(contract, read) ?? [])));
}

function targetOf({ operation, request }: Scene): Step['target'] {
  if (isSingleton(operation)) return {};
  const { target } = request('test');
  // What makes a record of a list need not change one that its body names.
  const isRead =
    operation.pathFields.length > 0 ||
    namedTarget(operation) !== undefined ||
    (operation.effect?.list === undefined && operation.named !== undefined);
  return isRead ? target : undefined;
}

/** A read that shows which version the target has now: what came before may have moved it on. */
export function versionNow(
  planning: Planning,
  scene: Scene,
  id: string,
  operation: Operation = scene.operation,
): { readonly waves: readonly Wave[]; readonly version: VersionSpec } | undefined {
  // The record that a body names was made for it, where anybody can make one.
  const own = targetOf(scene) ?? (actsOnOne(operation) ? {} : undefined);
  const source = operation.version?.source;
  if (source === undefined || own === undefined) return undefined;
  const read = operationOf(planning.contract, source.operation);
  const target = readOf(planning, operation, read, own);
  const by = standIn(planning, read, scene.lead);
  if (by === undefined || read.kind !== 'read') return undefined;
  if (!read.pathFields.every(({ name }) => Object.hasOwn(target, name))) return undefined;
  const step = readStep(planning, id, read, by, target, 'setup');
  return {
    // Of a singleton it is known which versions are used up, so a read that is behind is made again.
    waves: actsOnOne(operation) ? [{ poll: step, until: 'found', max: 5 }] : [{ wait: 'settle' }, send(step)],
    version: {
      use: 'of',
      ref: source.in === 'body' ? { step: id, at: source.at } : { step: id, header: source.name },
    },
  };
}

/** With the old version, a used key could be refused for the version alone, which proves nothing of the key. */
export function currentVersion(
  planning: Planning,
  scene: Scene,
): { readonly before: readonly Wave[]; readonly parts: Partial<Step> } {
  const now = versionNow(planning, scene, 'version-now');
  return now === undefined
    ? { before: [], parts: {} }
    : { before: now.waves, parts: { version: now.version } };
}
