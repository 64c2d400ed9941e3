import type { Operation } from '../src/model/contract.ts';
import type { Principal } from '../src/model/principal.ts';
import type { Deviation, Scenario, Step, TokenVariant, Wave } from '../src/model/scenario.ts';
import { absentTarget } from '../src/suite-kit/absent.ts';
import { holders, inState, usable } from '../src/suite-kit/cast.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { optionalQuery, wrongQueries } from '../src/suite-kit/query.ts';
import { readings } from '../src/suite-kit/readback.ts';
import { key, negative, type Scene, scenario, sceneOf, send, skip } from '../src/suite-kit/scene.ts';
import { type Planning, type Proposal, probesOf } from '../src/suite-kit/suite.ts';

type CredentialDeviation = Extract<Deviation, { kind: 'credential' }>;

const deviation = (how: CredentialDeviation['how']): CredentialDeviation => ({ kind: 'credential', how });

/** Every way to get a credential wrong that needs no further principal. */
const variants: readonly {
  readonly token: TokenVariant;
  readonly how: CredentialDeviation['how'];
  readonly title: string;
}[] = [
  { token: 'absent', how: 'absent', title: 'no credential' },
  { token: 'unknown', how: 'unknown', title: 'a token that was never issued' },
  { token: 'basic', how: 'malformed', title: 'the token as a Basic user name' },
  { token: 'basic-raw', how: 'malformed', title: 'the token under the scheme Basic' },
  { token: 'other-scheme', how: 'malformed', title: 'the token under the scheme Token' },
  { token: 'bare', how: 'malformed', title: 'the token without a scheme' },
  { token: 'empty', how: 'malformed', title: 'Bearer and a blank' },
  { token: 'scheme-only', how: 'malformed', title: 'Bearer alone' },
  { token: 'two-words', how: 'malformed', title: 'the token and another word' },
  { token: 'flip-case', how: 'mutated', title: 'the token in the other letter case' },
  { token: 'truncated', how: 'mutated', title: 'a shortened token' },
  { token: 'extended', how: 'mutated', title: 'the token and two more characters' },
  { token: 'prefixed', how: 'mutated', title: 'the token after another character' },
  { token: 'middle-changed', how: 'mutated', title: 'a token with another character in the middle' },
  { token: 'start-changed', how: 'mutated', title: 'a token with another first character' },
  { token: 'end-changed', how: 'mutated', title: 'a token with another character at its end' },
  { token: 'in-query', how: 'elsewhere', title: 'the token in the query alone' },
  { token: 'in-cookie', how: 'elsewhere', title: 'the token in cookies alone' },
  { token: 'in-body', how: 'elsewhere', title: 'the token in the body alone' },
];

const watched: ReadonlySet<TokenVariant> = new Set(['absent', 'unknown']);

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
    for (const { token, how, title } of variants) {
      if (token === 'in-body' && operation.body === undefined) continue;
      if (token === 'flip-case' && !planning.caseMatters(scene.lead)) continue;
      yield probe(token, 'AUT-1 AUT-2 AUT-4 AUT-5 AUT-6 AUT-9 AUT-10', [
        negative(
          scene,
          title,
          { token, deviations: [deviation(how)] },
          // A refusal before anything is done, and one after it, look the same: some read the target. A token that is
          // there may be looked at later than none.
          {
            sameKey: true,
            cached: watched.has(token),
            ...(watched.has(token) ? { around: readings(planning, scene) } : {}),
          },
        ),
      ]);
    }
    yield probe('no-token', 'AUT-4 AUT-6', [withoutToken(scene)]);
    const optional = operation.kind === 'read' ? optionalQuery(operation) : [];
    if (optional.length > 0)
      yield probe('optional-fields', 'AUT-1 AUT-9', [
        negative(
          scene,
          'no credential, with every query field that may be left out',
          { token: 'absent', query: optional, deviations: [deviation('absent')] },
          { sameKey: false, control: { query: optional } },
        ),
      ]);
    yield* withState(planning, scene, 'expired', 'AUT-3');
    yield* withState(planning, scene, 'revoked', 'AUT-7');
    const forger = forgerOf(planning, operation);
    const own =
      forger === undefined || !holders(planning, operation).includes(forger)
        ? scene
        : sceneOf(planning, operation, forger);
    if (forger !== undefined && !('remedy' in own))
      for (const [token, title] of [
        ['unsigned', 'a JWT without a signature'],
        ['payload-altered', 'a JWT with an altered payload'],
      ] as const)
        yield probe(token, 'AUT-8', [
          negative(
            own,
            title,
            { as: forger.name, token, deviations: [deviation('forged')] },
            { sameKey: true },
          ),
        ]);
    else
      yield skip(operation, 'AUT-8', {
        kind: 'inapplicable',
        remedy: 'The tokens are not JWTs.',
      });
    yield probe('lower-case-scheme', 'AUT-13', [
      negative(
        scene,
        'bearer in lower case',
        { token: 'lower-case-scheme', deviations: [{ kind: 'scheme-case' }] },
        { sameKey: false },
      ),
    ]);
    yield probe('learns-nothing', 'AUT-11 PRE-1', [strangers(scene)]);
  },
});

/** All under one key, which a 401 leaves free: so they need one target and one control. */
function withoutToken(scene: Scene): Scenario {
  const of: Partial<Step> = scene.operation.kind === 'command' ? { key: key('key') } : {};
  const tried = [
    ['null', 'malformed'],
    ['undefined', 'malformed'],
    ['in-header', 'elsewhere'],
    ['equally-long-scheme', 'malformed'],
  ] as const;
  return scenario(
    scene,
    'the words null and undefined as tokens, and the token in other headers and under the scheme ApiKey',
    [
      ...tried.map(([token, how]) =>
        send(scene, token, { role: 'test', ...of, token, deviations: [deviation(how)] }),
      ),
      send(scene, 'control', { controls: '*', ...of }),
    ],
  );
}

function* withState(
  planning: Planning,
  scene: Scene,
  state: 'expired' | 'revoked',
  clause: string,
): Iterable<Proposal> {
  const principal = inState(planning, state);
  if (principal === undefined)
    yield skip(scene.operation, [clause], {
      kind: 'principal',
      remedy: `Give a principal whose token is ${state}, with \`state: ${state}\`.`,
    });
  else
    yield probesOf(scene.operation)(state, `${clause} AUT-10`, [
      negative(
        scene,
        state === 'expired' ? 'an expired token' : 'a revoked token',
        { as: principal.name, deviations: [deviation(state)] },
        { sameKey: true, around: readings(planning, scene) },
      ),
    ]);
}

/** A stranger tries a used key, a bad body and an absent target after an accepted command: all is 401. */
function strangers(scene: Scene): ReturnType<typeof negative> {
  const command = scene.operation.kind === 'command';
  const first: Wave = send(scene, 'first', { controls: '*', ...(command ? { key: key('used') } : {}) });
  const stranger = (id: string, deviations: readonly Deviation[], parts: Partial<Step>): Step =>
    scene.request(id, {
      role: 'test',
      token: 'unknown',
      ...parts,
      deviations: [deviation('unknown'), ...deviations],
    });
  const steps: Step[] = [];
  if (command)
    steps.push(
      stranger('used-key', [{ kind: 'key-reuse', of: 'first', difference: 'caller' }], {
        key: key('used'),
      }),
    );
  if (command && scene.operation.body !== undefined)
    steps.push(
      stranger('bad-body', [{ kind: 'body', at: '', keyword: 'type' }], {
        body: { use: 'text', text: '[]', name: 'body' },
      }),
    );
  if (scene.operation.pathFields.length > 0)
    steps.push(
      stranger('absent-target', [{ kind: 'target', how: 'absent' }], {
        target: absentTarget(scene),
      }),
    );
  for (const field of scene.operation.queryFields)
    for (const wrong of wrongQueries(field).slice(0, 1))
      steps.push(
        stranger(`bad-${field.name}`, [{ kind: 'query', field: field.name, keyword: wrong.keyword }], {
          query: [[field.name, wrong.value]],
        }),
      );
  const absentKey: Step[] = command
    ? [stranger('no-key', [{ kind: 'key', how: 'absent' }], { key: { use: 'none' } })]
    : [];
  const all = [...steps, ...absentKey].map((step): Wave => send(step));
  return scenario(scene, 'a stranger learns nothing', [first, ...all]);
}
