import {
  isPlaced,
  type NamedRecord,
  type Operation,
  operationNamed,
  operationOf,
} from '../../src/model/contract.ts';
import type { JsonPointer } from '../../src/model/json.ts';
import { drawnOf, referencesOf } from '../../src/model/named-records.ts';
import { bare } from '../../src/model/path.ts';
import type { Principal } from '../../src/model/principal.ts';
import type { Ref } from '../../src/model/ref.ts';
import {
  type BodyValue,
  type Deviation,
  type Scenario,
  type Step,
  stepsOf,
  type Wave,
} from '../../src/model/scenario.ts';
import { foreigner, standIn } from '../../src/suite-kit/cast.ts';
import { optionalReferences } from '../../src/suite-kit/optional-references.ts';
import {
  key,
  named,
  readStep,
  type Scene,
  scenario,
  sceneOf,
  send,
  skip,
  when,
} from '../../src/suite-kit/scene.ts';
import { withSecond } from '../../src/suite-kit/second-record.ts';
import { madeFor } from '../../src/suite-kit/setup.ts';
import { type Planning, type Proposal, probesOf } from '../../src/suite-kit/suite.ts';

/** A reference that a caller of another scope sends: to a record of the lead, or of its own. */
type Referred = {
  readonly at: JsonPointer;
  readonly name: string;
  readonly read: Operation;
  /** What the path of that read names. */
  readonly asked: Readonly<Record<string, Ref>>;
  readonly foreign: Ref;
  /** What makes the record of the lead, and the one of the caller's own where its plain body names none. */
  readonly waves: readonly Wave[];
  readonly bodies: Scenario['bodies'];
  readonly own: Step['target'];
  readonly body: BodyValue;
  /** What its caller sends of its own, where that is another body. */
  readonly mine?: BodyValue;
  /** The caller's own record that something moves to, from that of the lead. */
  readonly gains?: Ref;
};

/**
 * A caller of another scope sends its own command with one reference to a record that it cannot read; then with one to a record of
 * its own, and with one to none. Where the last is refused, the service looks for the record.
 */
function foreignReferences(planning: Planning, scene: Scene, other: Principal): readonly Scenario[] {
  const { lead, operation } = scene;
  if (operation.version !== undefined || operation.verification !== undefined) return [];
  const own = sceneOf(planning, operation, other, 'own-');
  if ('remedy' in own) return [];
  const refers = ({
    asked,
    at,
    bodies,
    body,
    foreign,
    gains,
    mine = body,
    name,
    own: ours,
    read,
    waves,
  }: Referred): Scenario | [] => {
    const near = standIn(planning, read, lead);
    const afar = standIn(planning, read, other);
    if (near === undefined || afar?.identity !== other.identity) return [];
    const look = (step: string, observes: 'before' | 'after'): Wave =>
      send({ ...readStep(planning, step, read, near, asked, 'readback'), observes });
    // What moves from one record to another one shows in both.
    const gain = (step: string): readonly Wave[] => {
      const [place] = read.pathFields;
      return gains === undefined || place === undefined
        ? []
        : [send(readStep(planning, step, read, afar, { [place.name]: gains }, 'readback'))];
    };
    const referring = (id: string, ref: Ref, deviation: Deviation): Step =>
      own.request(id, {
        role: 'test',
        key: key(id === 'test' ? 'key' : id),
        body: named(id === 'test' ? 'foreign' : id),
        target: { ...own.request(id).target, ...ours, [name]: ref },
        deviations: [deviation],
      });
    const unknown = 'step' in foreign && ('at' in foreign || 'header' in foreign);
    return scenario(
      own,
      `as ${other.name}, of another scope, with a body that refers to a record of ${lead.name} at ${at}`,
      [
        ...waves,
        { wait: 'settle' },
        look('before', 'before'),
        look('before-again', 'before'),
        send({
          ...readStep(planning, 'from-afar', read, afar, asked, 'readback'),
          deviations: [{ kind: 'scope' }],
        }),
        // What its caller reads is of its scope as well.
        when('from-afar', 'refused', [
          ...gain('gains-before'),
          send(referring('test', foreign, { kind: 'reference' })),
          { wait: 'settle' },
          look('after', 'after'),
          ...gain('gains-after'),
          send(own, 'control', {
            controls: 'test',
            key: key('fresh'),
            ...(ours === undefined ? {} : { target: ours, body: named('mine') }),
          }),
          ...(unknown && gains === undefined
            ? [
                when('test', 'accepted', [
                  send(referring('unknown', unlike(foreign), { kind: 'target', how: 'absent' })),
                ]),
              ]
            : []),
        ]),
      ],
      { ...bodies, body: own.body(), foreign: body, mine, unknown: body },
    );
  };
  return [...plainReferences(planning, scene, own), ...otherReferences(planning, scene, own, other)].flatMap(
    refers,
  );
}

function unlike(ref: Ref): Ref {
  return 'step' in ref && ('header' in ref || ('at' in ref && !('cursor' in ref)))
    ? { ...ref, unlike: true }
    : ref;
}

/** What shows a record of the lead: its read, or the list of the record within which it was made, where nothing else does. */
function lookOf(
  { contract }: Planning,
  { field, read }: NamedRecord,
  foreign: Ref,
  waves: readonly Wave[],
): Pick<Referred, 'read' | 'asked'> | undefined {
  if (read !== undefined) {
    const found = operationOf(contract, read);
    const [place, ...more] = found.pathFields;
    return place === undefined || more.length > 0
      ? undefined
      : { read: found, asked: { [place.name]: foreign } };
  }
  const made = 'step' in foreign ? stepsOf(waves).find(({ id }) => id === foreign.step) : undefined;
  const list = operationNamed(contract, operationNamed(contract, field.source?.operation)?.effect?.list);
  if (list === undefined || list.shared === true || list.pathFields.length === 0) return undefined;
  // Another list of such records may be for callers of all scopes.
  const kind = bare(list.path).split('/').at(-1);
  const others = contract.operations.filter((one) => one.kind === 'read' && one.id !== list.id);
  if (others.some(({ path }) => bare(path).split('/').at(-1) === kind)) return undefined;
  const asked = list.pathFields.flatMap(({ name }) => {
    const ref = made?.target?.[name];
    return ref !== undefined && 'step' in ref ? [[name, ref] as const] : [];
  });
  return asked.length < list.pathFields.length ? undefined : { read: list, asked: Object.fromEntries(asked) };
}

/** The references that the plain body has. */
function plainReferences(planning: Planning, scene: Scene, own: Scene): readonly Referred[] {
  const { operation } = scene;
  const known = referencesOf(planning.contract, operation);
  const drawn = drawnOf(planning.contract, operation);
  const isDrawn = drawn !== undefined && !known.includes(drawn.from);
  return [...known, ...(isDrawn ? [drawn.from] : [])].flatMap((record): readonly Referred[] => {
    const { at, field } = record;
    const foreign = scene.request('test').target?.[field.name];
    if (foreign === undefined || !('step' in foreign)) return [];
    const look = lookOf(planning, record, foreign, scene.prelude);
    if (look === undefined) return [];
    const all = { ...look, foreign, waves: scene.prelude, bodies: scene.bodies, own: undefined };
    if (isDrawn && record === drawn.from) {
      const gains = own.request('test').target?.[drawn.to.field.name];
      return gains === undefined ? [] : [{ ...all, at, name: field.name, body: own.body(), gains }];
    }
    const second = withSecond(operation, at, own.body());
    return [
      { ...all, at, name: field.name, body: own.body() },
      // Of several records, a service may look at the first alone.
      ...(second === undefined ? [] : [{ ...all, ...second }]),
    ];
  });
}

/** The references that the plain body leaves out: code that looks at them is often forgotten. */
function otherReferences(
  planning: Planning,
  { lead, operation }: Scene,
  own: Scene,
  other: Principal,
): readonly Referred[] {
  const known = referencesOf(planning.contract, operation);
  return optionalReferences(planning, operation)
    .filter(({ record }) => known.includes(record))
    .flatMap(({ record, value }): readonly Referred[] => {
      const { at, field } = record;
      const alone = { own: [], above: new Map(), operation };
      const theirs = madeFor(planning, field, lead, 'foreign-', alone);
      const mine = madeFor(planning, field, other, 'mine-', alone);
      const foreign = theirs?.target[field.name];
      if (theirs === undefined || mine === undefined || foreign === undefined) return [];
      const look = lookOf(planning, record, foreign, theirs.waves);
      if (look === undefined) return [];
      const first = {
        ...{ ...look, at, name: field.name, foreign },
        waves: [...theirs.waves, ...mine.waves],
        bodies: { ...theirs.bodies, ...mine.bodies },
        own: { ...own.request('test').target, ...mine.target },
        body: own.body(value),
      };
      const second = withSecond(operation, at, first.body);
      return [first, ...(second === undefined ? [] : [{ ...first, ...second, mine: first.body }])];
    });
}

/** References to records of another scope; where a command has no other part in a scope, there need be none to send. */
export function* referring(planning: Planning, scene: Scene, isAll: boolean): Iterable<Proposal> {
  const { lead, operation } = scene;
  const { contract } = planning;
  if (referencesOf(contract, operation).length === 0 && drawnOf(contract, operation) === undefined) return;
  const other = foreigner(planning, operation, lead);
  const found = other === undefined ? [] : foreignReferences(planning, scene, other);
  if (found.length > 0) yield probesOf(operation)('reference', 'PRM-5', found);
  if (isAll && !isPlaced(operation))
    yield skip(operation, 'PRM-5', {
      kind: 'inapplicable',
      remedy:
        'Its body refers to records, but no record of another scope was hidden from a caller that could send it.',
    });
}
