import fc from 'fast-check';
import { bounded } from '../src/generate/index.ts';
import type { BodyValue, Deviation, Scenario, Step } from '../src/model/scenario.ts';
import { absentParent, absentTarget } from '../src/suite-kit/absent.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { wrongBody } from '../src/suite-kit/likely-faults.ts';
import { wrongQueries } from '../src/suite-kit/query.ts';
import { key, type Refusal, refusals, type Scene, send, skip } from '../src/suite-kit/scene.ts';
import { strangersOf } from '../src/suite-kit/strangers.ts';
import { byBudget, inParts, type Planning, type Proposal, probesOf } from '../src/suite-kit/suite.ts';

/** One fault as a change of a step; faults of one kind exclude each other. */
type ClientError = {
  readonly name: string;
  readonly touches: 'token' | 'caller' | 'target' | 'key' | 'body' | 'query' | 'version';
  readonly change: Partial<Step>;
  readonly deviation: Deviation;
};

export default defineSuite({
  name: 'combined-faults',
  title: 'Several client errors in one request: which one is reported, and that nothing happens',
  for: 'operations',
  clauses: 'PRE-1 PRE-2 PRE-3 PRE-4',
  *propose(scene, planning): Iterable<Proposal> {
    const { operation } = scene;
    const probe = probesOf(operation);
    const faults = faultsFor(planning, scene);
    if (operation.queryFields.length > 0 && !faults.some((fault) => fault.touches === 'query'))
      yield skip(operation, 'PRE-2', {
        kind: 'inapplicable',
        remedy: 'No value of its query fields is wrong.',
      });
    if (operation.kind === 'command' && operation.body !== undefined && !faults.some(isBadBody))
      yield skip(operation, 'PRE-3', {
        kind: 'inapplicable',
        remedy: 'Its schema allows every kind of JSON value as the body.',
      });
    const sets = pairsOf(faults).filter((set) => isCombinable(scene, set));
    // With another fault than of the caller another media type may be read as JSON all the same.
    const strangers = faults.filter(({ touches }) => touches === 'token' || touches === 'caller');
    const media = operation.kind === 'command' && operation.body !== undefined ? strangers : [];
    const pairs = [...sets, ...media.map((fault) => [fault, otherMedia])];
    for (const { clauses, id, touches } of kinds)
      for (const used of [false, true]) {
        const alike = pairs.filter((pair) => kindOf(pair) === touches && isReused(pair) === used);
        if (alike.length > 0)
          yield probe(
            used ? `${id}-with-used-key` : id,
            clauses,
            inParts(alike, mostInTurn).map((part) => combined(scene, part)),
          );
      }
    const together = compatible(faults);
    if (together.length >= 3 && isCombinable(scene, together))
      yield probe('any-set', 'PRE-1 PRE-2 PRE-4', [], {
        random: {
          runs: byBudget(planning, 1, 3, 12),
          arbitrary: fc
            .array(
              bounded(
                fc.subarray([...faults], { minLength: 3 }).map(compatible),
                (set) => set.length >= 3 && isCombinable(scene, set),
                together,
              ),
              { minLength: 1, maxLength: anySets, size: 'max' },
            )
            .map((all) => combined(scene, [...new Map(all.map((set) => [idOf(set), set])).values()])),
        },
      });
  },
});

/** So many larger sets are drawn at a time. */
const anySets = 5;
/** So many pairs share a valid request. */
const mostInTurn = 8;

/** Pairs by what is to be reported. */
const kinds = [
  { id: 'bad-token', touches: 'token', clauses: 'PRE-1 PRE-4' },
  { id: 'bad-caller', touches: 'caller', clauses: 'PRE-2 PRE-4' },
  { id: 'bad-request', touches: undefined, clauses: 'PRE-3 PRE-4' },
] as const;

function kindOf(faults: readonly ClientError[]): (typeof kinds)[number]['touches'] {
  const touched = faults.map(({ touches }) => touches);
  return (['token', 'caller'] as const).find((one) => touched.includes(one));
}

const isBadBody = ({ deviation }: ClientError): boolean => deviation.kind === 'body';

const otherMedia: ClientError = {
  name: 'other-media',
  touches: 'body',
  change: { body: { use: 'named', name: 'faulty', form: { media: 'text/plain' } } },
  deviation: { kind: 'media-type' },
};

function faultsFor(planning: Planning, scene: Scene): readonly ClientError[] {
  const { operation } = scene;
  const faults: ClientError[] = [...strangersOf(planning, scene)];
  if (operation.pathFields.length > 0)
    faults.push({
      name: 'absent-target',
      touches: 'target',
      change: { target: absentTarget(scene) },
      deviation: { kind: 'target', how: 'absent' },
    });
  const orphan = absentParent(scene);
  if (orphan !== undefined)
    faults.push({
      name: 'absent-parent',
      touches: 'target',
      change: { target: orphan },
      deviation: { kind: 'target', how: 'absent' },
    });
  if (operation.kind === 'command')
    faults.push({
      name: 'no-key',
      touches: 'key',
      change: { key: { use: 'none' } },
      deviation: { kind: 'key', how: 'absent' },
    });
  if (operation.body !== undefined && operation.kind === 'command') {
    const fault = wrongBody(operation, planning.values(operation));
    if (fault !== undefined)
      faults.push({
        name: 'bad-body',
        touches: 'body',
        change: { body: { use: 'named', name: 'faulty', edit: { at: '', set: fault.value } } },
        deviation: { kind: 'body', at: fault.pointer, keyword: fault.keyword },
      });
    faults.push({
      name: 'not-json',
      touches: 'body',
      change: { body: { use: 'text', text: '{"x":', name: 'faulty' } },
      deviation: { kind: 'body-syntax' },
    });
    faults.push({
      name: 'used-key',
      touches: 'key',
      change: { key: key('used') },
      deviation: { kind: 'key-reuse', of: 'first', difference: 'request' },
    });
  }
  const wrong = operation.queryFields.flatMap((field) =>
    wrongQueries(field).map((each) => ({ ...each, field: field.name })),
  )[0];
  if (wrong !== undefined)
    faults.push({
      name: 'bad-query',
      touches: 'query',
      change: { query: [[wrong.field, wrong.value]] },
      deviation: { kind: 'query', field: wrong.field, keyword: wrong.keyword },
    });
  if (operation.version !== undefined && operation.version.carrier.in === 'header')
    faults.push({
      name: 'bad-version',
      touches: 'version',
      change: { version: { use: 'literal', value: 'assay-0000' } },
      deviation: { kind: 'version', how: 'garbage' },
    });
  return faults;
}

function pairsOf(faults: readonly ClientError[]): readonly (readonly ClientError[])[] {
  return faults.flatMap((one, index) =>
    faults.slice(index + 1).flatMap((other) => (clash(one, other) ? [] : [[one, other]])),
  );
}

/** Two tokens, keys or bodies do not go into one request, and a bad token hides who calls. */
function clash(one: ClientError, other: ClientError): boolean {
  const touched = [one.touches, other.touches];
  if (touched.includes('target') && !touched.some((each) => each === 'token' || each === 'caller'))
    return true;
  return one.touches === other.touches || (one.change.as !== undefined && other.change.as !== undefined);
}

/** A used key must come with another request, or be refused early: the same one may be answered as before. */
function isCombinable(scene: Scene, faults: readonly ClientError[]): boolean {
  return (
    faults.every(({ name }) => name !== 'used-key') ||
    faults.some(({ touches }) => ['body', 'token', 'caller'].includes(touches)) ||
    otherBody(scene) !== undefined
  );
}

/** A valid body that makes another request than the first one. */
function otherBody(scene: Scene): BodyValue | undefined {
  const plain = scene.body();
  return plain.marker === undefined ? scene.different : plain;
}

function compatible(faults: readonly ClientError[]): readonly ClientError[] {
  const kept: ClientError[] = [];
  for (const fault of faults) if (!kept.some((other) => clash(other, fault))) kept.push(fault);
  return kept;
}

/** Each set in a request of its own, and one valid request for all. */
function combined(scene: Scene, sets: readonly (readonly ClientError[])[]): Scenario {
  const reused = sets.some(isReused);
  return refusals(
    scene,
    sets.map((faults) => faults.map(({ name }) => name.replaceAll('-', ' ')).join(' and ')).join('; '),
    sets.map((faults) => refusalOf(scene, faults)),
    {
      before: reused
        ? [send(scene, 'first', { key: key('used'), body: { use: 'named', name: 'first' } })]
        : [],
      bodies: { faulty: otherBody(scene) ?? scene.body(), first: scene.body() },
    },
  );
}

const idOf = (faults: readonly ClientError[]): string => faults.map(({ name }) => name).join('+');

const isReused = (faults: readonly ClientError[]): boolean => faults.some(({ name }) => name === 'used-key');

function refusalOf(scene: Scene, faults: readonly ClientError[]): Refusal {
  const change = Object.assign({}, ...faults.map((fault) => fault.change)) as Partial<Step>;
  // A used key with a valid body would be another request only by its body: the faulty one is.
  const body: Partial<Step> =
    isReused(faults) && change.body === undefined && scene.operation.body !== undefined
      ? { body: { use: 'named', name: 'faulty' } }
      : {};
  return {
    id: idOf(faults),
    ...change,
    ...body,
    deviations: faults.map((fault) => fault.deviation),
  };
}
