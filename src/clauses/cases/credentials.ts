import type { Deviation, How } from '../../model/scenario.ts';
import { apart, says } from './says.ts';
import { absent, type Case, type Line, lacking, missing, negative, reuse } from './trace.ts';

const credential = (how: How<'credential'>): Deviation => ({ kind: 'credential', how });
const unknown = credential('unknown');
const list = { operation: 'listCases', key: 'none' } as const;

/** The clause of each way in which a credential is bad. */
const hows: readonly (readonly [string, How<'credential'>])[] = [
  ['AUT-1', 'absent'],
  ['AUT-2', 'unknown'],
  ['AUT-3', 'expired'],
  ['AUT-4', 'malformed'],
  ['AUT-5', 'mutated'],
  ['AUT-6', 'elsewhere'],
  ['AUT-7', 'revoked'],
  ['AUT-8', 'forged'],
];
const byHow = hows.flatMap(([clause, how]): readonly Case[] => [
  says(clause, `${how}: it is refused`, negative(credential(how), 401), 'holds probe'),
  says(clause, `${how}: it is served`, negative(credential(how), 201), 'violated probe (conclusive)'),
  says(clause, `${how}: it is said to be forbidden`, negative(credential(how), 403), 'violated probe'),
  says(
    clause,
    `not ${how}, for other clauses`,
    apart(...hows.flatMap(([, other]) => (other === how ? [] : [negative(credential(other), 201)]))),
  ),
]);

/** What any refusal says, by the example of one. */
const anyRefusal: readonly Case[] = [
  says(
    'AUT-1',
    'the control is refused as well',
    negative(absent, 403, {}, { status: 422 }),
    'inconclusive probe',
  ),
  says('AUT-1', 'there is no control', negative(absent, 403).slice(0, 1), 'inconclusive probe'),
  says(
    'AUT-1',
    'the control is that of another probe',
    negative(absent, 403, {}, { controls: 'other' }),
    'inconclusive probe',
  ),
  says('AUT-1', 'one control for all probes', negative(absent, 403, {}, { controls: '*' }), 'violated probe'),
  says(
    'AUT-1',
    'one of two controls is accepted',
    [...negative(absent, 403, {}, { status: 422 }), { id: 'second', controls: 'probe', status: 201 }],
    'violated probe',
  ),
  says('AUT-1', 'it is throttled', negative(absent, 429), 'inconclusive probe'),
  says('AUT-1', 'there is no response', negative(absent, undefined), 'inconclusive probe'),
  says(
    'AUT-1',
    'there is no response to the control',
    negative(absent, 403, {}, { status: undefined }),
    'inconclusive probe',
  ),
  says('AUT-1', 'it redirects', negative(absent, 302), 'violated probe'),
  says('AUT-1', 'any 2xx is success', negative(absent, 299), 'violated probe (conclusive)'),
  says('AUT-1', '300 is none', negative(absent, 300, {}, { status: 422 }), 'inconclusive probe'),
  says('AUT-1', 'no probe', negative(absent, 201, { role: 'control' })),
  says('AUT-1', 'another fault as well, for PRE-1', negative([absent, missing], 201)),
  says(
    'AUT-1',
    'noise is no fault',
    negative([absent, { kind: 'header-noise', header: 'X' }], 401),
    'holds probe',
  ),
  says('AUT-9', 'it is refused', negative(absent, 401, list), 'holds probe'),
  says('AUT-9', 'it is served', negative(absent, 200, list), 'violated probe (conclusive)'),
  says('AUT-9', 'another credential', negative(unknown, 200, list)),
];

const fresh = (status: number | undefined): Line => ({ id: 'fresh', controls: 'probe', status });
const idsOnly = 'holds probe (ids only)';
/** No control shows that the key is free. */
const unproven = 'inconclusive probe';
/** Several refusals under one key, and one control for all. */
const inTurn = (
  statuses: readonly (number | undefined)[],
  ...controls: readonly Partial<Line>[]
): Case['trace'] => [
  ...statuses.map((status, index) => ({
    id: `probe${index}`,
    role: 'test' as const,
    key: 'key',
    status,
    deviations: [absent],
  })),
  ...controls.map((line) => ({ id: 'control', controls: '*', key: 'key', status: 201, ...line })),
];
const occupied = { status: 409 };
const renewed = { id: 'fresh', controls: 'control', key: 'fresh' };
const keys: readonly Case[] = [
  says(
    'AUT-10',
    'two refusals leave one key free',
    inTurn([401, 401], {}),
    'holds control probe0 (ids only)',
    'holds control probe1 (ids only)',
    'holds probe0 (ids only)',
    'holds probe1 (ids only)',
  ),
  says(
    'AUT-10',
    'one of two has used it up',
    inTurn([401, 401], occupied, renewed),
    'violated control probe0 fresh',
    'violated control probe1 fresh',
    'inconclusive probe0',
    'inconclusive probe1',
  ),
  says(
    'AUT-10',
    'no key helps after the two',
    inTurn([401, 401], occupied, { ...renewed, status: 409 }),
    'inconclusive control probe0',
    'inconclusive control probe1',
    'inconclusive probe0',
    'inconclusive probe1',
  ),
  says('AUT-10', 'the control came first', [...inTurn([], {}), ...inTurn([401])], 'holds probe0 (ids only)'),
  says(
    'AUT-10',
    'one of the two was accepted, and has the key',
    inTurn([401, 201], occupied, renewed),
    'inconclusive probe0',
  ),
  says(
    'AUT-10',
    'one of the two may have been accepted',
    inTurn([undefined, 401], occupied, renewed),
    'inconclusive probe1',
  ),

  says('AUT-10', 'the key is free', negative(absent, 401), 'holds control probe (ids only)', idsOnly),
  says(
    'AUT-10',
    'the key is spent',
    [...negative(absent, 401, {}, { status: 409 }), fresh(201)],
    'violated control probe fresh',
    unproven,
  ),
  says(
    'AUT-10',
    'the fresh key is refused as well',
    [...negative(absent, 401, {}, { status: 409 }), fresh(409)],
    'inconclusive control probe',
    unproven,
  ),
  says(
    'AUT-10',
    'the fresh key is not answered',
    [...negative(absent, 401, {}, { status: 409 }), fresh(undefined)],
    'inconclusive control probe',
    unproven,
  ),
  says(
    'AUT-10',
    'no fresh key was tried',
    negative(absent, 401, {}, { status: 409 }),
    'inconclusive control probe',
    unproven,
  ),
  says(
    'AUT-10',
    'the fresh control is that of another probe',
    [...negative(absent, 401, {}, { status: 409 }), { ...fresh(201), controls: 'other' }],
    'inconclusive control probe',
    unproven,
  ),
  says(
    'AUT-10',
    'the fresh control sent no key',
    [...negative(absent, 401, {}, { status: 409 }), { ...fresh(201), key: 'none' }],
    'inconclusive control probe',
    unproven,
  ),
  ...[429, undefined].map((status) =>
    says(
      'AUT-10',
      `the control gets ${status}`,
      [...negative(absent, 401, {}, { status }), fresh(201)],
      'inconclusive control probe',
      unproven,
    ),
  ),
  says(
    'AUT-10',
    'the control was tried before, so that its own try may hold the key',
    [...negative(absent, 401, {}, { status: 409, earlier: [429] }), fresh(201)],
    'inconclusive control probe',
    unproven,
  ),
  says(
    'AUT-10',
    'the control is accepted at the second try',
    negative(absent, 401, {}, { earlier: [429] }),
    'holds control probe (ids only)',
    idsOnly,
  ),
  says('AUT-10', 'the control has another key', negative(absent, 401, {}, { key: 'other' }), unproven),
  says('AUT-10', 'the control has no key', negative(absent, 401, {}, { key: 'none' }), unproven),
  says(
    'AUT-10',
    'the control is that of another probe',
    negative(absent, 401, {}, { controls: 'other' }),
    unproven,
  ),
  says(
    'AUT-10',
    'the key is no plain one',
    negative(absent, 401, { key: { use: 'literal', value: 'x' } }),
    unproven,
  ),
  says('AUT-10', 'no response', negative(absent, undefined)),
  says('AUT-10', 'it is accepted, which is for AUT-1', negative(absent, 201)),
  says('AUT-10', 'no probe', negative(absent, 401, { role: 'control' })),
  says('AUT-10', 'another fault', negative(lacking, 403)),
];

const bodySyntax: Deviation = { kind: 'body-syntax' };
const order: readonly Case[] = [
  ...[reuse('first'), missing, { kind: 'target', how: 'absent' } as const].flatMap(
    (fault): readonly Case[] => [
      says('AUT-11', `${fault.kind} is not reported`, negative([unknown, fault], 401), 'holds probe'),
      says('AUT-11', `${fault.kind} is reported`, negative([unknown, fault], 409), 'violated probe'),
    ],
  ),
  says(
    'AUT-11',
    'query is reported',
    negative([unknown, { kind: 'query', field: 'limit', keyword: 'type' }], 422, list),
    'violated probe',
  ),
  says(
    'AUT-11',
    'other faults, or no credential at fault',
    apart(
      negative([unknown, bodySyntax], 422),
      negative([missing, reuse('first')], 409),
      negative(unknown, 409),
    ),
  ),
  says('PRE-1', '401 all the same', negative([absent, missing], 401), 'holds probe'),
  says('PRE-1', 'the other fault is reported', negative([absent, missing], 422), 'violated probe'),
  says('PRE-1', 'it is served', negative([absent, lacking], 201), 'violated probe (conclusive)'),
  says('PRE-1', 'the parser comes first', negative([absent, bodySyntax], 400), 'holds probe (advisory)'),
  says(
    'PRE-1',
    'one fault, or no credential at fault',
    apart(negative(absent, 422), negative([lacking, missing], 422)),
  ),
];

/** What a refusal shows, and what its request sent. */
const stored = { error: 'who are you?', record: { subject: 'asy-00000000000000aa' } };
const shown: readonly Case[] = [
  says(
    'AUT-11',
    'a 401 shows a record',
    negative(unknown, 401, { body: stored }),
    'violated probe (conclusive)',
  ),
  says(
    'AUT-11',
    'a 401 to a read shows a record',
    negative(absent, 401, { ...list, body: stored }),
    'violated probe (conclusive)',
  ),
  says(
    'AUT-11',
    'a 401 repeats the request',
    negative(unknown, 401, { body: stored, sent: '{"subject":"asy-00000000000000aa"}' }),
  ),
  says('AUT-11', 'a 401 shows no record', negative(unknown, 401, { body: { error: 'who are you?' } })),
  says(
    'PRM-1',
    'a 403 shows a record',
    negative(lacking, 403, { as: 'nobody', body: stored }),
    'holds probe',
    'violated probe (conclusive)',
  ),
  says(
    'PRM-1',
    'a 403 shows a record to a caller who may read it',
    negative(lacking, 403, { as: 'reader', body: stored }),
    'holds probe',
  ),
];

const lower: Deviation = { kind: 'scheme-case' };
const advice: readonly Case[] = [
  says(
    'AUT-12',
    'a challenge',
    negative(absent, 401, { headers: [['www-authenticate', 'Bearer']] }),
    'holds probe',
  ),
  says('AUT-12', 'no challenge', negative(absent, 401), 'violated probe'),
  says('AUT-12', 'every 401 counts', [{ id: 'a', status: 401 }], 'violated a'),
  says('AUT-12', 'other answers', [
    { id: 'a', status: 403 },
    { id: 'b', status: 201 },
  ]),
  says('AUT-13', 'it is accepted', negative(lower, 201), 'holds probe'),
  says('AUT-13', 'it is refused', negative(lower, 401), 'violated probe'),
  says('AUT-13', 'it is throttled', negative(lower, 429)),
  says('AUT-13', 'the record is not to be read yet', negative(lower, 404)),
  says('AUT-13', 'another fault is refused', negative([lower, missing], 422)),
  says('AUT-13', 'a plain request', [{ id: 'a', status: 401 }]),
];

export const credentialCases: readonly Case[] = [
  ...byHow,
  ...anyRefusal,
  ...keys,
  ...order,
  ...shown,
  ...advice,
];
