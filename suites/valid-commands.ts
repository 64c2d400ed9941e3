import { choosesLast } from '../src/model/contract.ts';
import { type Json, withValueAt } from '../src/model/json.ts';
import { type BodyValue, type Scenario, type Step, stepsOf, type Wave } from '../src/model/scenario.ts';
import { eachApart } from '../src/suite-kit/apart.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { drawn } from '../src/suite-kit/drawn-texts.ts';
import { edgeBodies } from '../src/suite-kit/edges.ts';
import { otherBranches } from '../src/suite-kit/kinds.ts';
import { otherMembers, twoWholeBodies } from '../src/suite-kit/other-values.ts';
import { leftAlone, listed, reading, readings, versionNow } from '../src/suite-kit/readback.ts';
import { clientRequestIds } from '../src/suite-kit/request-ids.ts';
import { bodyOf, key, named, type Scene, scenario, send, when } from '../src/suite-kit/scene.ts';
import { byBudget, type Planning, type Proposal, probesOf } from '../src/suite-kit/suite.ts';
import { cleared } from './valid-commands/cleared.ts';
import { inTurn, paired } from './valid-commands/controlled.ts';
import { onEachNamed } from './valid-commands/each-named.ts';
import { freeTexts } from './valid-commands/free-text.ts';
import { full } from './valid-commands/full.ts';
import { inItsList } from './valid-commands/in-its-list.ts';
import { lessOf, lessWithin } from './valid-commands/less.ts';
import { onOneOfTwo } from './valid-commands/neighbours.ts';
import { nextToElder } from './valid-commands/next-to-new.ts';
import { offBody } from './valid-commands/off.ts';
import { referring } from './valid-commands/referring.ts';
import { refusedWithRequestId } from './valid-commands/refused.ts';
import { onAllPages, removedPages } from './valid-commands/removed.ts';
import { onFullRecord } from './valid-commands/rich.ts';
import { severalRecords } from './valid-commands/several.ts';
import {
  listedWithin,
  otherChoice,
  replacing,
  sameIdWithin,
  shown,
  withNeighbours,
} from './valid-commands/shown.ts';
import { inOtherStates } from './valid-commands/states.ts';
import { together } from './valid-commands/together.ts';
import { zeros } from './valid-commands/zeros.ts';

/** None of them means anything to the contract; tracing takes its own from the last. */
const oddHeaders: readonly Header[] = [
  ['X-Assay-Noise', 'a'.repeat(200)],
  ['X-Forwarded-For', '127.0.0.1, 10.0.0.1'],
  ['Accept-Language', 'xx-invalid;q=7'],
  ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
];

type Header = readonly [string, string];

const request = 'RID-1 RID-2 RID-4 RID-6 RID-8';
const result = 'CMD-1 CMD-2 CMD-3 CMD-4 CMD-5 CMD-6';

export default defineSuite({
  name: 'valid-commands',
  title: 'Commands that meet the contract, in all the variety that it allows',
  for: 'commands',
  clauses: `${request} ${result} VAL-15 ERR-1`,
  *propose(scene, planning): Iterable<Proposal> {
    const { operation } = scene;
    const probe = probesOf(operation);
    // What was deleted must not read as before, nor what was changed.
    const deletes = operation.method === 'DELETE';
    const around =
      deletes || operation.effect?.read !== undefined
        ? onAllPages(planning, readings(planning, scene))
        : { before: [], after: [] };
    const within = listedWithin(planning, scene);
    const item = around.before.length === 0 ? { before: [], after: [] } : inItsList(planning, scene);
    // What its first command makes, no list shows before.
    const isNew = choosesLast(operation);
    const others = around.before.length === 0 ? [] : anotherBody(planning, scene);
    const near = deletes ? withNeighbours(planning, scene) : { scene, before: [], after: [] };
    const made = shown(planning, scene, true);
    const pages = near.before.length === 0 ? [] : removedPages(planning, scene);
    yield probe('plain', `${request} ${result}`, [
      scenario(near.scene, 'a plain valid command', [
        ...around.before,
        ...near.before,
        ...within.before,
        ...(isNew ? [] : item.before),
        send(scene, 'command', { role: 'test' }),
        ...around.after,
        ...near.after,
        ...within.after,
        ...(isNew ? [] : item.after),
        ...(deletes ? [...listed(planning, scene), ...pages] : shown(planning, scene)),
      ]),
      ...others.map((body) =>
        scenario(
          scene,
          'another valid command',
          [...around.before, send(scene, 'command', { role: 'test' }), ...around.after],
          // What sets the record otherwise before is not the same again.
          { ...(scene.bodies['unlike'] === undefined ? {} : { unlike: scene.body() }), body },
        ),
      ),
      ...onFullRecord(planning, scene, around),
      ...inOtherStates(planning, scene, around),
      ...(around.before.length === 0 ? [] : setTwice(planning, scene)),
      ...cleared(planning, scene),
      ...referring(planning, scene, around, made),
      ...zeros(planning, scene),
      ...replacing(planning, scene, around, item, others),
      ...sameIdWithin(planning, scene),
      ...otherChoice(planning, scene),
      ...(near.before.length > 0 ? [] : onOneOfTwo(planning, scene)),
      ...nextToElder(planning, scene),
      ...onEachNamed(planning, scene),
    ]);
    const filled = full(planning, scene, around, made);
    if (filled.length > 0) yield probe('full', result, filled);
    const several = severalRecords(planning, scene, within);
    if (several.length > 0) yield probe('several-records', result, several);
    const alone = leftAlone(planning, scene);
    if (alone.length > 0) yield probe('left-alone', 'CMD-1', leftAloneAround(scene, alone, deletes));
    yield probe('foreign-request-id', 'RID-7', [
      ...noises(
        planning,
        scene,
        (scene.prelude.length === 0
          ? clientRequestIds
          : byBudget(planning, clientRequestIds.slice(0, 2), clientRequestIds, clientRequestIds)
        ).map((value) => ['X-Request-Id', value]),
      ),
      ...refusedWithRequestId(planning, scene),
    ]);
    yield probe('odd-headers', 'ERR-1', noises(planning, scene, oddHeaders));
    yield probe(
      'burst',
      'RID-5 CMD-5',
      Array.from({ length: byBudget(planning, 1, 2, 4) }, () => burst(planning, scene, within.after)),
      {
        concurrent: true,
      },
    );
    const atOnce = Array.from({ length: byBudget(planning, 1, 2, 4) }, () => together(planning, scene));
    if (atOnce.flat().length > 0) yield probe('on-one-record', result, atOnce.flat(), { concurrent: true });
    yield* freeTexts(planning, scene);
    const values = planning.values(operation);
    const { valid } = values;
    // Drawn bodies have members that others lack: whether these are kept, only a read of the record shows.
    const isChange = operation.method === 'PUT' || operation.method === 'PATCH';
    const kept =
      made.length === 0 && isChange && around.after.length > 0
        ? [when('command', 'accepted', around.after)]
        : made;
    const branches = made.length === 0 ? [] : otherBranches(operation, values);
    if (branches.length > 0)
      yield probe(
        'other-branch',
        result,
        branches.map((value) => anyBody(scene, drawn(scene, values, value), value, kept)),
      );
    if (valid !== undefined) {
      const any = (value: Json): Scenario => anyBody(scene, drawn(scene, values, value), value, kept);
      const runs = byBudget(planning, 3, 15, 60);
      // They take the place of drawn ones.
      const little = values.plain === undefined ? undefined : lessOf(operation, values.plain, values.marker);
      const behind = (value: Json, body: Json | undefined): Scenario => {
        const less = lessBehind(planning, scene, around, body);
        return anyBody(scene, drawn(scene, values, value), value, [...kept, ...less.waves], less.bodies);
      };
      const whole = edgeBodies(operation, values, byBudget(planning, 2, 5, 12));
      const inner = whole.slice(0, 1).flatMap((value) => {
        const body = little === undefined ? undefined : lessWithin(operation, little, value, values.marker);
        return body === undefined ? [] : [behind(value, body)];
      });
      // At the quick budget it follows the full bodies, and one of these.
      const followed = byBudget(planning, 1, whole.length, whole.length);
      const edges = [
        ...whole.map((value, index) => (index < followed ? behind(value, little) : any(value))),
        ...inner,
      ];
      const off = made.length === 0 ? undefined : offBody(operation, values);
      yield probe(
        'any-valid-body',
        `${result} VAL-15`,
        [...edges, ...(off === undefined ? [] : [any(off)])],
        {
          random: { runs: runs - whole.length, arbitrary: valid.map(any) },
        },
      );
    }
  },
});

/** Before the command, and after it. On a shared record others ran commands before, and each wait keeps them all off. */
function leftAloneAround(scene: Scene, alone: readonly Wave[], deletes: boolean): readonly Scenario[] {
  const command = send(scene, 'command', { role: 'test' });
  const before = scenario(scene, 'a record that is left alone, and the command', [...alone, command]);
  const after = scenario(scene, 'the command, and the record left alone', [command, ...alone]);
  if (deletes) return [before];
  const isOwn = stepsOf(alone).some(({ target = {} }) => Object.values(target).some((ref) => 'step' in ref));
  return isOwn ? [before, after] : [after];
}

/** What the plain body asks for the record may have already; it need not show the text that carries the marker. */
function anotherBody(planning: Planning, scene: Scene): readonly BodyValue[] {
  if (scene.body().marker === undefined) return scene.different === undefined ? [] : [scene.different];
  const values = planning.values(scene.operation);
  return otherMembers(scene.operation, values, 1)
    .filter(({ base }) => base === values.plain)
    .slice(0, 1)
    .map(({ at, base, other }) => scene.body(withValueAt(base, at, other)));
}

/** Where nothing marks what is written, every member is set, and then set otherwise: the record cannot have both already. */
function setTwice(planning: Planning, scene: Scene): readonly Scenario[] {
  const { method, verification, version } = scene.operation;
  if (!['PUT', 'PATCH'].includes(method) || scene.body().marker !== undefined) return [];
  const [one, other] = twoWholeBodies(scene.operation, planning.values(scene.operation), mostSet) ?? [];
  if (one === undefined || other === undefined || version !== undefined || verification !== undefined)
    return [];
  return [
    scenario(
      scene,
      'two valid commands that set every member otherwise',
      [
        send(scene, 'first', { key: key('first'), body: bodyOf(scene, 'first') }),
        when('first', 'accepted', [
          ...reading(planning, scene, 'before'),
          send(scene, 'command', { role: 'test' }),
          ...reading(planning, scene, 'after'),
        ]),
      ],
      { first: scene.body(one), body: scene.body(other) },
    ),
  ];
}

/** So many members that may be left out are set at once. */
const mostSet = 12;

/** A PATCH of little behind one of much, which it leaves as it is. */
function lessBehind(
  planning: Planning,
  scene: Scene,
  { after }: ReturnType<typeof readings>,
  less: Json | undefined,
): Pick<Scenario, 'bodies'> & { readonly waves: readonly Wave[] } {
  const none = { waves: [], bodies: {} };
  const { method, verification, version } = scene.operation;
  const now = versionNow(planning, scene, 'version-now');
  if (method !== 'PATCH' || after.length === 0 || verification !== undefined) return none;
  if (version !== undefined && !version.neutral && now === undefined) return none;
  const parts = now === undefined ? {} : { version: now.version };
  const waves = [
    when('command', 'accepted', [
      ...(now?.waves ?? []),
      send(scene, 'less', { role: 'test', key: key('less'), body: named('less'), ...parts }),
      ...reading(planning, scene, 'later'),
      // A service may want more than the schema does.
      when('less', 'refused', [
        send(scene, 'enough', { controls: 'less', key: key('enough'), body: named('plain'), ...parts }),
      ]),
    ]),
  ];
  return { waves, bodies: { less: scene.body(less) } };
}

/** A drawn body, and what shows why it is refused, if it is. */
function anyBody(
  scene: Scene,
  { after, bodies, deviations }: ReturnType<typeof drawn>,
  value: Json,
  kept: readonly Wave[],
  more: Scenario['bodies'] = {},
): Scenario {
  return scenario(
    scene,
    'a valid body',
    [send(scene, 'command', { role: 'test', deviations }), ...kept, ...after('command')],
    { body: scene.body(value), ...bodies, ...more },
  );
}

/** One request for each header: on targets of their own, or one after the other with one plain control for all. */
function noises(planning: Planning, scene: Scene, headers: readonly Header[]): readonly Scenario[] {
  const parts = ([header, value]: Header): Pick<Step, 'headers' | 'deviations'> => ({
    headers: [[header, value]],
    deviations: [{ kind: 'header-noise', header }],
  });
  const titled = `with ${[...new Set(headers.map(([header]) => header))].join(', ')}`;
  return scene.prelude.length === 0
    ? [
        inTurn(
          scene,
          titled,
          headers.map((header) => ({ parts: parts(header), value: undefined })),
        ),
      ]
    : headers.map((header) => paired(planning, scene, `with ${header[0]}`, parts(header), scene.body()));
}

/** What refuses a request may not be what gives the others their IDs. */

/** Several of one moment may get one number: then the list that they are made in has two of it. */
function burst(planning: Planning, scene: Scene, after: readonly Wave[]): Scenario {
  const names = ['one', 'two', 'three', 'four', 'five'];
  const own = eachApart(planning, scene, names);
  const steps = names.map((name, index) =>
    scene.request(name, {
      role: 'test',
      key: key(name),
      body: bodyOf(scene, name),
      ...own[index]?.parts,
    }),
  );
  return scenario(
    scene,
    'five distinct commands at once',
    [...own.flatMap(({ waves }) => waves), { steps }, ...after],
    Object.assign({}, ...own.map(({ bodies }) => bodies), ...names.map((name) => ({ [name]: scene.body() }))),
  );
}
