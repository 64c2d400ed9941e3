import { validator } from '../src/generate/index.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  type JsonSchema,
  pointerOf,
  valueAt,
  withValueAt,
} from '../src/model/json.ts';
import { isPutIn } from '../src/model/named-records.ts';
import type { Scenario, Step } from '../src/model/scenario.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { type OtherEnd, otherEnds } from '../src/suite-kit/list-ends.ts';
import { type LongBody, longBody } from '../src/suite-kit/long-bodies.ts';
import { type NearValues, nearValues } from '../src/suite-kit/near-values.ts';
import { otherOrders } from '../src/suite-kit/other-orders.ts';
import { addedMembers, emptyMembers, type OtherMember, otherMembers } from '../src/suite-kit/other-values.ts';
import { currentVersion } from '../src/suite-kit/readback.ts';
import { hasTarget, key, reuse, type Scene, scenario, sceneOf, send, when } from '../src/suite-kit/scene.ts';
import { byBudget, type Proposal, probesOf } from '../src/suite-kit/suite.ts';
import { kept } from '../src/suite-kit/text-places.ts';
import { otherChoice, otherParameters, type Used } from './near-requests/parameters.ts';

/** Where the engine writes the marker of a body. */
const markerPlace = '$' + '{marker}';

/** Free text that differs in one detail. */
const details: readonly { readonly title: string; readonly turn: (text: string) => string }[] = [
  // Of the first two, and the last, only what is stored shows whether a service takes such texts for one. They need scenarios of
  // their own: behind others, in turn, they count for nothing.
  { title: 'the case of a letter', turn: turned },
  { title: 'blanks between words', turn: (text) => text.replace(' ', '  ') },
  { title: 'the order of words', turn: (text) => text.split(' ').reverse().join(' ') },
  { title: 'a punctuation mark', turn: (text) => text.replace(' ', '-') },
  { title: 'a letter outside ASCII', turn: (text) => text.replace(/[a-z](?= |$)/i, '$&\u5ba2') },
  { title: 'a blank at its beginning', turn: (text) => ` ${text}` },
];

/** Two texts that begin with the same characters: eighty, behind a marker, or more than a hundred. */
const long = (last: string, times = 3): string => `${'Conformance probe of texts. '.repeat(times)}${last}`;

export default defineSuite({
  name: 'near-requests',
  title: 'A used key with a request that differs from the first one in one detail',
  for: 'commands',
  // The suite of used keys says what is missing.
  clauses: [],
  *propose(scene, planning): Iterable<Proposal> {
    const { operation } = scene;
    const probe = probesOf(operation);
    const twin = hasTarget(scene) ? sceneOf(planning, operation, scene.lead, 'other-') : scene;
    if ('remedy' in twin) return;
    const used = { planning, scene, twin, now: currentVersion(planning, scene) };
    const parameters = [...otherParameters(used), ...otherChoice(used)];
    if (parameters.length > 0) yield probe('parameter', 'IDM-6', parameters);
    if (operation.body === undefined) return;
    const values = planning.values(operation);
    const atOnce = byBudget(planning, 1, 2, 4);
    const others = otherMembers(operation, values, mostInTurn);
    const members = others.filter(
      (one) => others.filter(({ depth }) => depth === one.depth).indexOf(one) < atOnce,
    );
    const further = others.filter((one) => !members.includes(one));
    if (members.length > 0)
      yield probe('member', 'IDM-6', [
        ...members.map(({ at, base, other }) => {
          const body = (name: string): Step['body'] => ({ use: 'named', name, edit: { at, set: other } });
          const title = `the key with a body that differs in ${at}`;
          return reused(used, title, undefined, body('body'), body('valid'), base);
        }),
        // At the first version each of them differs in nothing else.
        ...inTurn(used, used.now.before.length === 0 ? further : others),
      ]);
    const added = (['others', 'ids'] as const).flatMap((of) =>
      inTurn(used, addedMembers(operation, values, mostInTurn, of)),
    );
    if (added.length > 0) yield probe('added', 'IDM-6', added);
    const empty = inTurn(used, emptyMembers(operation, values, byBudget(planning, 3, 6, 12)));
    if (empty.length > 0) yield probe('empty', 'IDM-6', empty);
    const lists = otherOrders(
      operation,
      planning.values(operation),
      byBudget(planning, 1, 2, 4),
      markerPlace,
    ).filter(({ by }) => twin === scene || planning.budget !== 'quick' || by === 'order');
    const ends = otherEnds(operation, values, byBudget(planning, 1, 2, 4), markerPlace).map((one) =>
      atItsEnd(used, one),
    );
    if (lists.length + ends.length > 0)
      yield probe('list', 'IDM-6', [
        ...lists.map(({ at, base, by, other }) => {
          const body = (name: string): Step['body'] => ({ use: 'named', name, edit: { at, set: other } });
          const title =
            by === 'order'
              ? `the key with the items of ${at} in another order`
              : `the key with an item of ${at} repeated`;
          return reused(used, title, undefined, body('body'), body('valid'), base);
        }),
        ...ends,
      ]);
    const close = nearValues(operation, values, markerPlace);
    if (close.length > 0)
      yield probe(
        'near-values',
        'IDM-6',
        close.map((one) => withNearValues(used, one)),
      );
    const long = longBody(operation, values);
    if (long !== undefined) yield probe('long-body', 'IDM-6', [atEndOfLong(used, long)]);
    const all = [...near(used), ...late(used, operation.body.schema)];
    // Each takes two targets where the command has one.
    const most = twin === scene ? all.length : byBudget(planning, 1, 2, all.length);
    const rest = most < all.length ? restInTurn(used, operation.body.schema, most) : [];
    const scenarios = [...all.slice(0, most), ...rest];
    if (scenarios.length > 0) yield probe('text', 'IDM-6', scenarios);
  },
});

/** A text that differs from that of the plain body in a detail. */
type Turned = { readonly title: string; readonly at: JsonPointer; readonly other: string };

function turnedTexts({ scene }: Used): readonly Turned[] {
  const { marker: at, value } = scene.body();
  const text = at === undefined ? undefined : valueAt(value, at);
  if (at === undefined || typeof text !== 'string') return [];
  return turns(text).map(({ title, other }) => ({ title, at, other: `${other} ${markerPlace}` }));
}

function turns(text: string): readonly Omit<Turned, 'at'>[] {
  return details
    .map(({ title, turn }) => ({ title, other: turn(text) }))
    .filter(({ other }) => other !== text);
}

function near(used: Used): readonly Scenario[] {
  return turnedTexts(used).map(({ at, other, title }): Scenario => {
    const body = (name: string): Step['body'] => ({ use: 'named', name, edit: { at, set: other } });
    const one = reused(used, differing(title), undefined, body('body'), body('valid'));
    // A service may make case and blanks equal before it compares: what it stores shows whether it does.
    const look = kept(used.planning, used.twin, 'control', true);
    return look.length === 0 ? one : { ...one, waves: [...one.waves, when('mismatch', 'accepted', look)] };
  });
}

/** The details behind the first ones, each under the one key: a target for each would cost too much. */
function restInTurn(used: Used, schema: JsonSchema, first: number): readonly Scenario[] {
  const body = used.scene.body();
  const title = (of: readonly Omit<Turned, 'at'>[]): string =>
    `the key with a text that differs, in turn, in ${of.map((one) => one.title).join(', ')}`;
  const at = placeOfLong(used, schema);
  if (at === undefined) {
    const rest = turnedTexts(used).slice(first);
    return rest.length === 0 ? [] : [takenInTurn(used, title(rest), body, rest)];
  }
  const marked = (text: string): string => `${markerPlace} ${text}`;
  const rest = [...turns(long('a')).slice(first), { title: atItsEndOnly, other: long('b') }];
  const others = rest.map(({ other }) => ({ at, other: marked(other) }));
  return [takenInTurn(used, title(rest), body, others, { at, set: marked(long('a')) })];
}

const atItsEndOnly = 'what follows a hundred equal characters';

const differing = (detail: string): string => `the key with a text that differs in ${detail}`;

/** One key, first with one body and then with another; where the command has a target, the control has its own. */
function reused(
  { now, scene, twin }: Used,
  title: string,
  first: Step['body'] | undefined,
  other: Step['body'],
  valid: Step['body'],
  base?: Json,
): Scenario {
  return scenario(
    scene,
    title,
    [
      send(scene, 'first', { key: key('key'), ...(first === undefined ? {} : { body: first }) }),
      ...now.before,
      send(scene, 'mismatch', { ...reuse('first', 'request'), body: other, ...now.parts }),
      ...(twin === scene ? [] : twin.prelude),
      send(twin, 'control', { controls: 'mismatch', key: key('fresh'), body: valid }),
    ],
    { ...twin.bodies, body: scene.body(base), valid: scene.body(base) },
  );
}

/** So many members of each depth are tried in turn. */
const mostInTurn = 6;

/** Without a control for each only a success proves anything: a service may have its reason to refuse a value. */
function inTurn(used: Used, members: readonly OtherMember[]): readonly Scenario[] {
  const [lead] = members;
  if (lead === undefined) return [];
  const alike = members.filter(({ base }) => canonicalJson(base) === canonicalJson(lead.base));
  const title = `the key with bodies that differ in ${alike.map(({ at }) => at).join(', ')}`;
  return [takenInTurn(used, title, used.scene.body(lead.base), alike)];
}

/** The key with the same list until its end: only the first items may count to a service. */
function atItsEnd(used: Used, { at, base, others }: OtherEnd): Scenario {
  const title = `the key with ${at} changed, in turn, at its end`;
  return takenInTurn(
    used,
    title,
    used.scene.body(base),
    others.map((other) => ({ at, other })),
  );
}

/** A service may compare only the beginning of a body: of a column, or of what fits a hash. */
function atEndOfLong(used: Used, { base, others }: LongBody): Scenario {
  const places = others.map(({ at }) => at).join(', ');
  return takenInTurn(
    used,
    `the key with a long body that differs at the end of ${places}`,
    used.scene.body(base),
    others,
  );
}

/** What the service makes of numbers and texts before it compares them, only what it stores shows. */
function withNearValues(used: Used, { base, others }: NearValues): Scenario {
  const places = [...new Set(others.map(({ at }) => at))].join(', ');
  const one = takenInTurn(
    used,
    `the key with values of ${places} that differ in a detail`,
    used.scene.body(base),
    others,
  );
  return { ...one, waves: [...one.waves, ...kept(used.planning, used.scene, 'first')] };
}

function takenInTurn(
  { now, scene }: Used,
  title: string,
  body: ReturnType<Scene['body']>,
  others: readonly Pick<OtherMember, 'at' | 'other'>[],
  edit?: { readonly at: JsonPointer; readonly set: Json },
): Scenario {
  const first = edit === undefined ? {} : { body: { use: 'named' as const, name: 'body', edit } };
  // Where the version counts as a part of the request, only a request with the first version has nothing else that differs.
  const rounds =
    now.before.length === 0
      ? [['', {}] as const]
      : ([
          ['', now.parts],
          ['-at-first', {}],
        ] as const);
  return scenario(
    scene,
    title,
    [
      send(scene, 'first', { key: key('key'), ...first }),
      when('first', 'accepted', [
        ...now.before,
        ...rounds.flatMap(([tag, parts]) =>
          others.map(({ at, other }, index) =>
            send(scene, `mismatch-${index + 1}${tag}`, {
              ...reuse('first', 'request'),
              body: { use: 'named', name: 'body', edit: { at, set: other } },
              ...parts,
            }),
          ),
        ),
      ]),
    ],
    { body },
  );
}

/** Where the plain body has room for a long text and a marker. */
function placeOfLong({ scene }: Used, schema: JsonSchema): JsonPointer | undefined {
  const { marker: at, value } = scene.body();
  if (at === undefined) return undefined;
  const body = withValueAt(value, at, `${long('a')} asy-0123456789abcdef`);
  return validator(schema)(body).length === 0 ? at : undefined;
}

function late(used: Used, schema: JsonSchema): readonly Scenario[] {
  const check = validator(schema);
  if (used.scene.body().marker === undefined) return unmarked(used, (body) => check(body).length === 0);
  const at = placeOfLong(used, schema);
  if (at === undefined) return [];
  const body = (name: string, last: string): Step['body'] => ({
    use: 'named',
    name,
    edit: { at, set: `${markerPlace} ${long(last)}` },
  });
  return [reused(used, differing(atItsEndOnly), body('body', 'a'), body('body', 'b'), body('valid', 'b'))];
}

/** The same where no member of every body has room for a marker: in a text of the plain body, or in a body of one long text. */
function unmarked(used: Used, isValid: (body: Json) => boolean): readonly Scenario[] {
  const plain = used.scene.body().value;
  const bodies = (text: string): readonly Json[] => [
    ...textsIn(plain, '')
      .filter((at) => !isPutIn(used.scene.operation, at))
      .map((at) => withValueAt(plain, at, text)),
    text,
    [text],
    { assay: text },
  ];
  const ones = bodies(long('a', 4));
  const others = bodies(long('b', 4));
  const found = ones.findIndex((body, index) => isValid(body) && isValid(others[index] ?? null));
  const [one, other] = [ones[found], others[found]];
  if (one === undefined || other === undefined) return [];
  const body = (name: string, set: Json): Step['body'] => ({ use: 'named', name, edit: { at: '', set } });
  return [
    reused(used, differing(atItsEndOnly), body('body', one), body('body', other), body('valid', other)),
  ];
}

/** Where a body has texts, itself one perhaps. */
function textsIn(value: Json, at: JsonPointer): readonly JsonPointer[] {
  if (typeof value === 'string') return [at];
  const members = isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return members.flatMap(([name, member]) => textsIn(member, `${at}${pointerOf([String(name)])}`));
}

/** The second letter in the other case, so that no service shows the text so which has but one case. */
function turned(text: string): string {
  return text.replace(/(?<=[a-z])[a-z]|[a-z](?![a-z])/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
