import type { Operation } from '../src/model/contract.ts';
import { isNumbered } from '../src/model/pages.ts';
import type { Principal } from '../src/model/principal.ts';
import type { Deviation, Step, Wave } from '../src/model/scenario.ts';
import { oddForgeries, oddTokens, type TokenVariant } from '../src/model/token-variants.ts';
import { absentTarget } from '../src/suite-kit/absent.ts';
import { holders, inState, usable } from '../src/suite-kit/cast.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { optionalQuery, wrongQueries } from '../src/suite-kit/query.ts';
import { readings } from '../src/suite-kit/readback.ts';
import {
  key,
  negative,
  type Refusal,
  refusals,
  type Scene,
  scenario,
  sceneOf,
  send,
  skip,
} from '../src/suite-kit/scene.ts';
import { type Planning, type Proposal, probesOf } from '../src/suite-kit/suite.ts';
import { laterPage } from './reads/later-page.ts';

type CredentialDeviation = Extract<Deviation, { kind: 'credential' }>;

const deviation = (how: CredentialDeviation['how']): CredentialDeviation => ({ kind: 'credential', how });

type Wrong = {
  readonly how: CredentialDeviation['how'];
  readonly clauses: string;
  readonly title: string;
  readonly tokens: readonly TokenVariant[];
};

/** Every further way to get a credential wrong that needs no other principal. */
const inTurn: readonly Wrong[] = [
  {
    how: 'malformed',
    clauses: 'AUT-4 AUT-10',
    title: 'the token without its scheme, under another one, in quotes or with another word, and no token',
    tokens: [
      ...(['basic', 'basic-raw', 'other-scheme', 'equally-long-scheme', 'bare'] as const),
      ...(['empty', 'scheme-only', 'no-value', 'two-words', 'last-word', 'quoted'] as const),
      ...(['null', 'undefined'] as const),
    ],
  },
  {
    how: 'mutated',
    clauses: 'AUT-5 AUT-10',
    title: 'the token in the other letter case, shorter, longer, and with another character',
    tokens: [
      ...(['flip-case', 'truncated', 'extended', 'prefixed'] as const),
      ...(['middle-changed', 'start-changed', 'end-changed'] as const),
    ],
  },
  {
    how: 'elsewhere',
    clauses: 'AUT-6 AUT-10',
    title: 'the token in the query, in cookies, in other headers and in the body alone',
    tokens: ['in-query', 'in-cookie', 'in-header', 'in-body'],
  },
];

/** Headers that name the sender, as a proxy would: a service may take one that seems to be its own machine for its own. */
const senders = ['X-Forwarded-For', 'X-Real-IP'];
const nearby: Refusal = {
  id: 'absent-nearby',
  token: 'absent',
  headers: senders.map((header) => [header, '127.0.0.1'] as const),
  deviations: [
    deviation('absent'),
    ...senders.map((header): Deviation => ({ kind: 'header-noise', header })),
  ],
};

/** Best a principal that may run the operation: a service that believes a forged token does not return 401 for others. */
function forgerOf(planning: Planning, operation: Operation): Principal | undefined {
  return [...holders(planning, operation), ...usable(planning)].find((principal) =>
    planning.isJwt(principal),
  );
}

export default defineSuite({
  name: 'credentials',
  title: 'Missing, unknown, expired, malformed and misplaced credentials',
  for: ({ permissions }) => permissions !== undefined,
  clauses: 'AUT-1 AUT-2 AUT-3 AUT-4 AUT-5 AUT-6 AUT-7 AUT-8 AUT-9 AUT-10 AUT-11 AUT-12 AUT-13 PRE-1',
  *propose(scene, planning): Iterable<Proposal> {
    const { operation } = scene;
    const probe = probesOf(operation);
    yield probe('absent', 'AUT-1 AUT-2 AUT-9 AUT-10', [
      refusals(
        scene,
        'no credential, and a token that was never issued',
        [
          { id: 'absent', token: 'absent', deviations: [deviation('absent')] },
          nearby,
          { id: 'unknown', token: 'unknown', deviations: [deviation('unknown')] },
        ],
        // A refusal before anything is done, and one after it, look the same: these read the target. A token that is there
        // may be looked at later than none.
        { sameKey: true, cached: true, around: readings(planning, scene) },
      ),
    ]);
    for (const { clauses, how, title, tokens } of inTurn) {
      const all = how === 'malformed' ? [...tokens, ...inRotation(planning, operation, oddTokens)] : tokens;
      const tried = all.filter(
        (token) =>
          (token !== 'in-body' || operation.body !== undefined) &&
          (token !== 'flip-case' || planning.caseMatters(scene.lead)),
      );
      yield probe(how, clauses, [
        refusals(
          scene,
          title,
          tried.map((token) => ({ id: token, token, deviations: [deviation(how)] })),
          { sameKey: true },
        ),
      ]);
    }
    const optional = operation.kind === 'read' ? optionalQuery(operation) : [];
    if (optional.length > 0)
      yield probe('optional-fields', 'AUT-1 AUT-9', [
        negative(
          scene,
          'no credential, with every query field that may be left out',
          { token: 'absent', query: optional, deviations: [deviation('absent')] },
          { control: { query: optional } },
        ),
      ]);
    // A page that has a number is among those fields.
    const later = isNumbered(operation)
      ? []
      : laterPage(planning, scene, 'no credential', { token: 'absent', deviations: [deviation('absent')] });
    if (later.length > 0) yield probe('later-page', 'AUT-1 AUT-9', later);
    yield* ofOld(planning, scene);
    const forger = forgerOf(planning, operation);
    const own =
      forger === undefined || !holders(planning, operation).includes(forger)
        ? scene
        : sceneOf(planning, operation, forger);
    if (forger !== undefined && !('remedy' in own))
      yield probe('forged', 'AUT-8 AUT-10', [
        refusals(
          own,
          'a JWT without a signature, one with an altered payload, and other forgeries',
          [
            ...(['unsigned', 'payload-altered'] as const),
            ...inRotation(planning, operation, oddForgeries),
          ].map((token) => ({
            id: token,
            as: forger.name,
            token,
            deviations: [deviation('forged')],
          })),
          { sameKey: true },
        ),
      ]);
    else
      yield skip(operation, 'AUT-8', {
        kind: 'inapplicable',
        remedy: 'The tokens are not JWTs.',
      });
    yield probe('lower-case-scheme', 'AUT-13', [
      negative(scene, 'bearer in lower case', {
        token: 'lower-case-scheme',
        deviations: [{ kind: 'scheme-case' }],
      }),
    ]);
    const learning = strangers(scene);
    if (learning.waves.length > 1 || operation.queryFields.length === 0)
      yield probe('learns-nothing', 'AUT-11 PRE-1', [learning]);
    else
      yield skip(operation, 'AUT-11', {
        kind: 'inapplicable',
        remedy: 'The query fields of the read take any text, so no request can have another client error.',
      });
  },
});

/** One parser mostly serves all operations, so each is sent a few of the odder forms, and together they are sent all. */
function inRotation(
  { budget, contract }: Planning,
  operation: Operation,
  odd: readonly TokenVariant[],
): readonly TokenVariant[] {
  const each = { quick: 2, standard: 4, thorough: odd.length }[budget];
  const guarded = contract.operations.filter(({ permissions }) => permissions !== undefined);
  const count = Math.min(odd.length, Math.max(each, Math.ceil(odd.length / Math.max(1, guarded.length))));
  const from = guarded.findIndex(({ id }) => id === operation.id) * count;
  return Array.from({ length: count }, (_, index) => odd[(from + index) % odd.length]).flatMap(
    (token) => token ?? [],
  );
}

/** Tokens that were good once. */
function* ofOld(planning: Planning, scene: Scene): Iterable<Proposal> {
  const tests: Refusal[] = [];
  const clauses: string[] = [];
  for (const [state, clause] of [
    ['expired', 'AUT-3'],
    ['revoked', 'AUT-7'],
  ] as const) {
    const principal = inState(planning, state);
    if (principal === undefined)
      yield skip(scene.operation, clause, {
        kind: 'principal',
        remedy: `Give a principal whose token is ${state}, with \`state: ${state}\`.`,
      });
    else {
      tests.push({ id: state, as: principal.name, deviations: [deviation(state)] });
      clauses.push(clause);
    }
  }
  if (tests.length > 0)
    yield probesOf(scene.operation)('old', `${clauses.join(' ')} AUT-10`, [
      refusals(scene, `a token that is ${tests.map(({ id }) => id).join(', and one that is ')}`, tests, {
        sameKey: true,
        around: readings(planning, scene),
      }),
    ]);
}

/** A stranger with an unknown token or none tries a bad body and the like after an accepted command: all is 401. */
function strangers(scene: Scene): ReturnType<typeof negative> {
  const command = scene.operation.kind === 'command';
  const first: Wave = send(scene, 'first', { controls: '*', ...(command ? { key: key('used') } : {}) });
  const stranger = (
    id: string,
    deviations: readonly Deviation[],
    parts: Partial<Step>,
    token: 'unknown' | 'absent' = 'unknown',
  ): Step =>
    scene.request(id, { role: 'test', token, ...parts, deviations: [deviation(token), ...deviations] });
  const steps: Step[] = [];
  if (command) {
    const parts: Partial<Step> = { key: key('used') };
    const deviations: readonly Deviation[] = [{ kind: 'key-reuse', of: 'first', difference: 'caller' }];
    steps.push(
      stranger('used-key', deviations, parts),
      stranger('no-token-used-key', deviations, parts, 'absent'),
    );
  }
  if (command && scene.operation.body !== undefined) {
    const parts: Partial<Step> = { body: { use: 'text', text: '[]', name: 'body' } };
    const deviations: readonly Deviation[] = [{ kind: 'body', at: '', keyword: 'type' }];
    steps.push(
      stranger('bad-body', deviations, parts),
      stranger('no-token-bad-body', deviations, parts, 'absent'),
    );
  }
  if (scene.operation.pathFields.length > 0) {
    const parts: Partial<Step> = { target: absentTarget(scene) };
    const deviations: readonly Deviation[] = [{ kind: 'target', how: 'absent' }];
    steps.push(
      stranger('absent-target', deviations, parts),
      stranger('no-token-absent-target', deviations, parts, 'absent'),
    );
  }
  for (const [at, field] of scene.operation.queryFields.entries())
    for (const wrong of wrongQueries(field).slice(0, 1)) {
      const parts: Partial<Step> = { query: [[field.name, wrong.value]] };
      const deviations: readonly Deviation[] = [{ kind: 'query', field: field.name, keyword: wrong.keyword }];
      steps.push(stranger(`bad-${field.name}`, deviations, parts));
      if (at === 0) steps.push(stranger(`no-token-bad-${field.name}`, deviations, parts, 'absent'));
    }
  const absentKey: Step[] = command
    ? (['unknown', 'absent'] as const).map((token) =>
        stranger(
          token === 'unknown' ? 'no-key' : 'no-token-no-key',
          [{ kind: 'key', how: 'absent' }],
          { key: { use: 'none' } },
          token,
        ),
      )
    : [];
  const all = [...steps, ...absentKey].map((step): Wave => send(step));
  return scenario(scene, 'an unauthenticated caller learns nothing', [first, ...all]);
}
