import { creates } from '../src/model/contract.ts';
import { isObject, type Json, pointerOf } from '../src/model/json.ts';
import { addsWithin } from '../src/model/listed.ts';
import type { BodyForm, BodyValue, Scenario, Step, Wave } from '../src/model/scenario.ts';
import { foreigner, sameIdentity, secondCaller } from '../src/suite-kit/cast.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { hasFixedBody } from '../src/suite-kit/fixed-body.ts';
import { holderReadings } from '../src/suite-kit/holder-readings.ts';
import { otherBranches } from '../src/suite-kit/kinds.ts';
import { currentVersion, queuedCount, reading, readings } from '../src/suite-kit/readback.ts';
import { sampled } from '../src/suite-kit/samples.ts';
import {
  hasTarget,
  key,
  named,
  reuse,
  type Scene,
  scenario,
  sceneOf,
  send,
  skip,
  twinOf,
  when,
} from '../src/suite-kit/scene.ts';
import { byBudget, type Planning, type Proposal, probesOf } from '../src/suite-kit/suite.ts';
import { isIdName } from '../src/suite-kit/texts.ts';
import { traced } from '../src/suite-kit/traced.ts';
import { ofAmount } from './duplicate-keys/amounts.ts';
import { late, outdated, sets } from './duplicate-keys/late.ts';
import { ofSeveral } from './duplicate-keys/of-several.ts';
import { overtaken } from './duplicate-keys/overtaken.ts';
import { held, inFlight, parallel, races } from './duplicate-keys/races.ts';

const forms = ['spaced', 'escaped', 'reordered'] as const satisfies readonly BodyForm[];

export default defineSuite({
  name: 'duplicate-keys',
  title: 'A used key again: with the same request, with another one, in parallel, and late',
  for: 'commands',
  clauses: 'IDM-4 IDM-5 IDM-6 IDM-7 IDM-8 IDM-10 IDM-17 IDM-18 IDM-19 IDM-20 IDM-24 IDM-25 VER-7',
  *propose(scene, planning): Iterable<Proposal> {
    const { operation } = scene;
    const probe = probesOf(operation);
    yield probe('sequential', 'IDM-4 IDM-5 IDM-20 IDM-25 VER-7', [
      sequential(planning, scene),
      ...ofAmount(planning, scene),
      ...ofSeveral(scene),
      ...ofOtherBranches(planning, scene),
    ]);
    const theirs = ofAnother(planning, scene);
    if (theirs !== undefined)
      yield probe('by-another', 'IDM-4 IDM-5', [sequential(planning, theirs, () => [])]);
    yield probe(
      'parallel',
      'IDM-8',
      races(planning.budget, scene).map((width, index) => parallel(planning, scene, width, index === 0)),
      {
        concurrent: true,
      },
    );
    if (planning.hooks.has('slow')) yield probe('held', 'IDM-8', [held(scene)]);
    yield probe(
      'noisy-retry',
      'IDM-24',
      again(planning, scene, 'query', [
        ['the same key with a query string', { query: [['x', '1']] }],
        ['the same key on an unusual path', { path: 'trailing-slash' }],
        ['the same key from another client', { headers }],
        ...withEncoding(scene),
      ]),
    );
    const another = sameIdentity(planning, operation, scene.lead);
    if (another === undefined && planning.hooks.has('refresh'))
      yield probe('refreshed-token', 'IDM-18', refreshed(planning, scene));
    else if (another === undefined)
      yield skip(operation, 'IDM-18', {
        kind: 'principal',
        remedy: `Give a second token of the same caller (\`identity: ${scene.lead.identity}\`), or configure the hook \`refresh\`, which issues one.`,
      });
    else
      yield probe(
        'refreshed-token',
        'IDM-18',
        again(planning, scene, 'token', [
          ['the same key with another token of the same caller', { as: another.name }],
        ]),
      );
    yield probe('late', 'IDM-19', [
      late(planning, scene),
      ...outdated(planning, scene),
      ...overtaken(planning, scene),
    ]);
    if (operation.body === undefined) return;
    const { different } = scene;
    if (different === undefined) {
      // With the ID of another record, a body is another one: a suite of its own sends it.
      const isAimed = operation.pathFields.length === 0 && hasTarget(scene);
      yield skip(
        operation,
        isAimed ? 'IDM-9' : 'IDM-6 IDM-7 IDM-9',
        hasFixedBody(operation)
          ? { kind: 'inapplicable', remedy: 'Its schema allows only one body.' }
          : {
              kind: 'value',
              remedy: `Give two different bodies under operations.${operation.id}.examples.`,
            },
      );
    } else if (planning.hooks.has('slow'))
      yield probe('in-flight', 'IDM-9', [
        ...Array.from({ length: byBudget(planning, 2, 4, 6) }, () => inFlight(planning, scene, different)),
        // On another target, a second command under the key may be right (open point G18).
        ...(operation.pathFields.length === 0 || operation.version !== undefined
          ? []
          : [inFlight(planning, scene, different, true)]),
      ]);
    else
      yield skip(operation, 'IDM-9', {
        kind: 'hook',
        remedy:
          'Configure the hook `slow`, which holds a command, so that another request can use its key meanwhile.',
      });
    if (different !== undefined)
      yield probe('mismatch', 'IDM-6 IDM-7 CNF-2 ERR-2', [mismatch(planning, scene, different)]);
    yield probe(
      're-serialised',
      'IDM-17',
      [scene, ...richer(planning, scene)].flatMap((each) =>
        again(
          planning,
          each,
          'form',
          forms.map((form) => [`the same body, ${form}`, { body: { use: 'named', name: 'body', form } }]),
        ),
      ),
    );
    if (operation.pathFields.length === 0 || addsWithin(planning.contract, operation))
      yield probe('separate', 'IDM-10', [separate(planning, scene)]);
  },
});

function sequential(planning: Planning, scene: Scene, holder = holderReadings(planning, scene)): Scenario {
  const duplicate = (id: string): Wave => send(scene, id, reuse('first', 'none'));
  const changed = changeOf(scene);
  const queued = queuedCount(planning, scene, 'first');
  return scenario(
    scene,
    'one command, sent four times in sequence',
    [
      ...holder('before'),
      ...queued.before,
      send(scene, 'first', { key: key('key') }),
      // What sets other values may move what the record that holds the target shows.
      ...(changed === undefined
        ? []
        : [...holder('between'), send(scene, 'changed', { key: key('changed'), body: named('changed') })]),
      ...reading(planning, scene, 'before'),
      ...(changed === undefined ? holder('between', 'again') : holder('again')),
      duplicate('second'),
      duplicate('third'),
      duplicate('fourth'),
      ...reading(planning, scene, 'after'),
      ...holder('after'),
      ...queued.after,
    ],
    { ...queued.bodies, body: scene.body(), ...(changed === undefined ? {} : { changed }) },
  );
}

/** What makes records of several kinds may have a way of its own for each. */
function ofOtherBranches(planning: Planning, scene: Scene): readonly Scenario[] {
  const { operation } = scene;
  if (!creates(operation)) return [];
  return otherBranches(operation, planning.values(operation))
    .slice(0, byBudget(planning, 2, 4, 8))
    .map((body) =>
      scenario(
        scene,
        'one command with a body of another branch, sent twice in sequence',
        [send(scene, 'first', { key: key('key') }), send(scene, 'second', reuse('first', 'none'))],
        { body: scene.body(body) },
      ),
    );
}

/** What sets the record otherwise than the first command did: a duplicate that runs again would set it back. */
function changeOf({ bodies, different, operation }: Scene): BodyValue | undefined {
  if (!['PUT', 'PATCH'].includes(operation.method) || operation.version !== undefined) return undefined;
  return bodies['unlike'] ?? (different?.marker === undefined ? undefined : different);
}

/** The scene of another caller, whose keys may be kept elsewhere, or not at all. */
function ofAnother(planning: Planning, { lead, operation }: Scene): Scene | undefined {
  if (planning.budget === 'quick' && !creates(operation)) return undefined;
  const afar = operation.pathFields.length === 0 ? foreigner(planning, operation, lead) : undefined;
  const caller = secondCaller(planning, operation, lead) ?? afar;
  const scene = caller === undefined ? undefined : sceneOf(planning, operation, caller);
  return scene === undefined || 'remedy' in scene ? undefined : scene;
}

/** A body of one member has no other order: a drawn one with a few more, none of which may name a record. */
function richer(planning: Planning, scene: Scene): readonly Scene[] {
  const { plain, valid } = planning.values(scene.operation);
  const names = (value: Json | undefined): readonly string[] => (isObject(value) ? Object.keys(value) : []);
  if (!isObject(plain) || names(plain).length !== 1) return [];
  const body = sampled(valid)
    .filter((value) => names(value).length > 1 && !names(value).some((name) => isIdName(pointerOf([name]))))
    .toSorted((one, other) => names(one).length - names(other).length)[0];
  return body === undefined ? [] : [{ ...scene, body: (value) => scene.body(value ?? body) }];
}

/** A client may name the encoding that JSON has anyway (RFC 8259, 8.1). */
function withEncoding({ operation }: Scene): readonly (readonly [string, Partial<Step>])[] {
  if (operation.body === undefined) return [];
  const media = `${operation.body.mediaType}; charset=utf-8`;
  return [
    ['the same key with the encoding named', { body: { use: 'named', name: 'body', form: { media } } }],
  ];
}

function mismatch(planning: Planning, scene: Scene, different: BodyValue): Scenario {
  const twin = sceneOf(planning, scene.operation, scene.lead, 'other-');
  const other = 'remedy' in twin ? scene : twin;
  const now = currentVersion(planning, scene);
  // What came first has set what would hide the same of another command.
  const around = readings(planning, scene, []);
  const mismatched = (id: string): Wave =>
    send(scene, id, { ...reuse('first', 'request'), body: named('different'), ...now.parts });
  return scenario(
    scene,
    'the key with another body, and with the first one again',
    [
      send(scene, 'first', { key: key('key') }),
      ...now.before,
      ...around.before,
      mismatched('mismatch'),
      ...around.after,
      // A refusal must not bind the key to what it refused, nor set it free; a replay must not forget what it compares.
      mismatched('mismatch-again'),
      send(scene, 'original', reuse('first', 'none')),
      mismatched('mismatch-after-replay'),
      send(
        scene,
        'mismatch-traced',
        traced({ ...reuse('first', 'request'), body: named('different'), ...now.parts }),
      ),
      ...(other === scene ? [] : other.prelude),
      send(other, 'control', { controls: 'mismatch', key: key('fresh'), body: named('valid') }),
    ],
    { ...other.bodies, body: scene.body(), different, valid: different },
  );
}

/**
 * The accepted command with one thing changed that must not matter: between two reads, as equal responses show no effect. What sets
 * values would set the same ones again, so that another command sets others before the first read.
 */
function again(
  planning: Planning,
  scene: Scene,
  difference: 'form' | 'query' | 'token',
  changes: readonly (readonly [title: string, change: Partial<Step>])[],
  ahead: readonly Wave[] = [],
): readonly Scenario[] {
  const first = send(scene, 'first', { key: key('key') });
  const parts = reuse('first', difference);
  const before = creates(scene.operation) ? [] : reading(planning, scene, 'before');
  if (before.length === 0)
    return changes
      .filter(([, { headers: own }]) => own === undefined || creates(scene.operation))
      .map(([title, change]) =>
        scenario(scene, title, [first, ...ahead, send(scene, 'again', { ...parts, ...change })]),
      );
  const resets = sets(scene.operation);
  const latest = send(scene, 'latest', { role: 'setup', key: key('latest'), body: named('latest') });
  return [
    scenario(
      scene,
      [...new Set(changes.map(([title]) => title))].join('; '),
      [
        first,
        ...(resets ? [latest] : []),
        ...before,
        ...ahead,
        ...changes.map(([, change], index) => send(scene, `again-${index + 1}`, { ...parts, ...change })),
        ...reading(planning, scene, 'after'),
      ],
      { body: scene.body(), ...(resets ? { latest: scene.body() } : {}) },
    ),
  ];
}

/** The hook issues another token of the same identity; the accepted command is sent again with it. */
function refreshed(planning: Planning, scene: Scene): readonly Scenario[] {
  const refresh: Wave = {
    hook: 'refresh',
    input: { principal: scene.lead.name, identity: scene.lead.identity },
    as: 'refreshed',
  };
  const change = { bearer: { hook: 'refreshed' } };
  return again(planning, scene, 'token', [['the same key with a refreshed token', change]], [refresh]);
}

/** What a retry through another client or proxy has otherwise; it says nothing of the command. */
const headers: NonNullable<Step['headers']> = [
  ['User-Agent', 'assay-retry/2'],
  ['Accept', 'application/json, */*;q=0.5'],
  ['Accept-Language', 'de'],
  ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
];

function separate(planning: Planning, scene: Scene): Scenario {
  const { different, operation } = scene;
  const twin = operation.named === undefined ? scene : twinOf(planning, scene);
  // Where the record that a body names allows one such command, the same body goes to another record.
  const elsewhere: readonly Wave[] =
    twin === scene ? [] : [...twin.prelude, send(twin, 'elsewhere', { role: 'test', key: key('four') })];
  // Another body shows whether the body is the reason.
  const other: readonly Wave[] =
    different === undefined
      ? [when('second', 'refused', elsewhere)]
      : [
          when('second', 'refused', [
            send(scene, 'third', { key: key('three'), body: named('different') }),
            when('third', 'refused', elsewhere),
          ]),
        ];
  return scenario(
    scene,
    'one body under two keys',
    [
      send(scene, 'first', { key: key('one') }),
      send(scene, 'second', { role: 'test', key: key('two') }),
      ...other,
    ],
    {
      ...(twin === scene ? {} : twin.bodies),
      body: scene.body(),
      ...(different === undefined ? {} : { different }),
    },
  );
}
