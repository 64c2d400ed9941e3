import { describe, expect, test } from 'vitest';
import { contextOf } from '../clauses/cases/judged.ts';
import { lacking, missing, reuse } from '../clauses/cases/trace.ts';
import type { NamedRecord } from '../model/contract.ts';
import type { Declaration } from '../model/declaration.ts';
import type { Deviation, How, Step } from '../model/scenario.ts';
import { type Allowed, allowed, permits, provokesRefusal } from './allowed.ts';

function step(...deviations: readonly Deviation[]): Step {
  return {
    id: 'probe',
    operation: 'createCase',
    as: 'full',
    role: 'test',
    key: { use: 'named', name: 'key' },
    body: { use: 'named', name: 'body' },
    deviations,
  };
}

type Row = readonly [
  deviations: readonly Deviation[],
  success: boolean,
  refusals: Allowed['refusals'],
  tolerated?: readonly number[],
  declares?: Declaration,
];
const unauthenticated: Deviation = { kind: 'credential', how: 'expired' };
const scope: Deviation = { kind: 'scope' };
const syntax: Deviation = { kind: 'body-syntax' };
const media: Deviation = { kind: 'media-type' };
const root: Deviation = { kind: 'body', at: '', keyword: 'type' };
const withdrawn: Deviation = { kind: 'permission', how: 'withdrawn' };
const strange: Deviation = { kind: 'unknown-member', at: '/strange' };
const wrongQuery: Deviation = { kind: 'query', field: 'limit', keyword: 'type' };
const unknownField: Deviation = { kind: 'query', field: 'strange', keyword: 'unknown' };
const key = (how: How<'key'>): Deviation => ({ kind: 'key', how });
const version = (how: How<'version'>): Deviation => ({
  kind: 'version',
  how,
});
const unverified: Deviation = { kind: 'verification', how: 'absent' };
const fault = (how: How<'fault'>): Deviation => ({ kind: 'fault', how });
const stale = version('stale');
const parsers = [400, 415, 422];

const rows: Readonly<Record<string, Row>> = {
  'a valid request': [[], true, []],

  'a credential fault': [[unauthenticated], false, [401]],
  'a credential fault before all others': [[unauthenticated, lacking, scope, missing, stale], false, [401]],
  'a credential fault and a body that no parser reads': [[unauthenticated, syntax], false, [401], parsers],
  'a credential fault with another media type': [[unauthenticated, media], false, [401], parsers],
  'a credential fault and a declared replay': [
    [unauthenticated, withdrawn],
    false,
    [401],
    [],
    { G10: 'replay' },
  ],

  'no permission': [[lacking], false, [403]],
  'no permission before all but the credential': [
    [lacking, scope, missing, stale, reuse('a')],
    false,
    [403],
    [422],
  ],
  'no permission and what a parser cannot read': [[lacking, syntax], false, [403], parsers],
  'no permission and another media type': [[media, lacking], false, [403], parsers],
  'no permission and a faulty body': [[lacking, missing], false, [403], [422]],
  'no permission, a faulty body, and a stale version': [[lacking, missing, stale], false, [403], [422]],
  'no permission, a faulty body, and a used key': [[lacking, missing, reuse('a')], false, [403], [422]],
  'no permission, a stale version, and a used key': [[lacking, stale, reuse('a')], false, [403]],
  'no permission and a faulty body, declared 422': [[lacking, missing], false, [422], [], { G11: 422 }],
  'no permission and a faulty body, declared lenient': [
    [lacking, missing],
    false,
    [403, 422],
    [],
    { G11: 'lenient' },
  ],
  'no permission and a faulty body, declared 403': [[lacking, missing], false, [403], [], { G11: 403 }],
  'lenient is for faulty bodies': [[lacking], false, [403], [], { G11: 'lenient' }],
  'lenient is for faulty bodies, whatever else is wrong': [
    [lacking, missing, stale],
    false,
    [403, 422],
    [],
    { G11: 'lenient' },
  ],
  'no permission and a wrong query field': [[lacking, wrongQuery], false, [403], [422]],
  'no permission and a wrong query field, declared lenient': [
    [lacking, wrongQuery],
    false,
    [403, 422],
    [],
    { G11: 'lenient' },
  ],
  'no permission, a faulty body and query, bodies declared 422': [
    [lacking, missing, wrongQuery],
    false,
    [403, 422],
    [],
    { G11: 422 },
  ],
  'no permission and a wrong query field, declared 403': [
    [lacking, wrongQuery],
    false,
    [403],
    [],
    { G11: 403 },
  ],
  'no permission and no key': [[lacking, key('absent')], false, [403], [422, 400, 409]],
  'no permission and no key, which is declared 400': [
    [lacking, key('absent')],
    false,
    [403, 422, 400],
    [],
    { G2: 400, G11: 'lenient' },
  ],
  'no permission and no key, declared 403': [[lacking, key('absent')], false, [403], [], { G11: 403 }],
  'no permission and a malformed version': [[lacking, version('garbage')], false, [403], [422]],
  'no permission and no version': [[lacking, version('absent'), missing], false, [403], [422]],
  'no permission and no version, bodies declared 422': [
    [lacking, version('absent')],
    false,
    [403, 422],
    [],
    { G11: 422 },
  ],
  'no permission and no version, declared 403': [
    [lacking, version('absent')],
    false,
    [403],
    [],
    { G11: 403 },
  ],
  'no permission and no verification': [[lacking, unverified], false, [403], [422]],
  "no permission and another caller's verification": [
    [lacking, { kind: 'verification', how: 'foreign' }],
    false,
    [403],
  ],
  'a withdrawn permission': [[withdrawn, reuse('a')], false, [403]],
  'a withdrawn permission, replays declared': [[withdrawn, reuse('a')], true, [403], [], { G10: 'replay' }],
  'a permission that never was, replays declared': [
    [lacking, reuse('a')],
    false,
    [403],
    [],
    { G10: 'replay' },
  ],

  'another scope': [[scope], false, [403, 404]],
  'another scope, declared 403': [[scope], false, [403], [], { G9: 403 }],
  'within a parent of its own, declared 403': [
    [{ ...scope, through: 'own' }],
    false,
    [403, 404],
    [],
    { G9: 403 },
  ],
  'another scope, declared 404': [[scope], false, [404], [], { G9: 404 }],
  'another scope before the body': [[missing, scope], false, [403, 404]],

  'no key': [[key('absent')], false, [422], [400, 409]],
  'a blank key': [[key('blank')], false, [422], [400, 409]],
  'no key, declared 400': [[key('absent')], false, [400], [], { G2: 400 }],
  'no key, declared 422': [[key('absent')], false, [422], [], { G2: 422 }],
  'two keys': [[key('doubled')], true, 'any 4xx'],
  'two keys, whatever a missing one is declared to give': [
    [key('doubled')],
    true,
    'any 4xx',
    [],
    { G2: 400 },
  ],
  'an odd key': [[key('odd')], true, 'any 4xx'],

  'a duplicate': [[reuse('a')], true, [409]],
  'a late duplicate': [[reuse('a', 'late')], true, [409]],
  'a duplicate in another form': [[reuse('a', 'form')], true, [409]],
  'a duplicate with a renewed token': [[reuse('a', 'token')], true, [409]],
  'a corrected body': [[reuse('a', 'correction')], true, [409]],
  'another request': [[reuse('a', 'request')], false, [409]],
  'a use in a history': [[reuse('a', 'history')], true, [409]],
  'the key of another caller': [[reuse('a', 'caller')], true, [409]],
  'the key of another scope': [[reuse('a', 'scope')], true, [409]],
  'the key of another operation': [[reuse('a', 'operation')], true, [409]],
  'a duplicate on an unusual path': [[reuse('a', 'query')], true, [400, 404, 409, 422]],

  'a faulty member': [[missing], false, [422]],
  'a root that is no object': [[root], false, [422]],
  'a root that is no object, malformed declared': [[root], false, [400, 422], [], { G14: 400 }],
  'a root that is no object, malformed declared by name': [
    [root],
    false,
    [400, 422],
    [],
    { G14: { malformed: 400 } },
  ],
  'a faulty member, malformed declared': [[missing], false, [422], [], { G14: 400 }],
  'a wrong type of a member, malformed declared': [
    [{ kind: 'body', at: '/subject', keyword: 'type' }],
    false,
    [422],
    [],
    { G14: 400 },
  ],
  'too few members at the root, malformed declared': [
    [{ kind: 'body', at: '', keyword: 'minProperties' }],
    false,
    [422],
    [],
    { G14: 400 },
  ],
  'malformed JSON': [[syntax], false, 'any 4xx'],
  'malformed JSON, declared': [[syntax], false, [400], [], { G14: 400 }],
  'malformed JSON, another media type declared': [
    [syntax],
    false,
    'any 4xx',
    [],
    { G14: { mediaType: 415 } },
  ],
  'another media type': [[media], true, 'any 4xx'],
  'the media type with a charset': [
    [{ kind: 'media-type', how: 'parameter' }],
    true,
    [],
    [400, 406, 415, 422],
  ],

  'an unknown member': [[strange], true, [422]],
  'an unknown member, declared ignored': [[strange], true, [], [], { G7: 'ignore' }],
  'an unknown member, declared refused': [[strange], false, [422], [], { G7: 'refuse' }],
  'a query field with an unusual text': [
    [{ kind: 'query', field: 'words', keyword: 'odd' }],
    true,
    'any 4xx',
  ],
  'an unknown query field': [[unknownField], true, [422]],
  'an unknown query field, declared refused': [[unknownField], false, [422], [], { G7: 'refuse' }],
  'a faulty query field': [[{ kind: 'query', field: 'limit', keyword: 'type' }], false, [422]],
  'a tampered cursor': [[{ kind: 'cursor', how: 'tampered' }], true, 'any 4xx'],

  'a stale version': [[stale], false, [409]],
  'the version of another record': [[version('foreign')], false, [409]],
  'no version at all': [[version('absent')], false, [409, 422], [428]],
  'what never was a version': [[version('garbage')], false, [409, 422]],
  'no stronger verification': [[unverified], false, [401, 403, 409, 422]],
  'no stronger verification, declared': [[unverified], false, [403], [], { G4: 403 }],
  'a conflict of state': [[{ kind: 'conflict' }], false, [409]],
  'no such target': [[{ kind: 'target', how: 'absent' }], false, [403, 404, 409, 410, 422]],

  'a noisy path': [[{ kind: 'path-noise' }], true, 'any 4xx', [301, 302, 307, 308]],
  'a caused failure before the commit': [[fault('before-commit')], true, [500, 502, 503, 504]],
  'a caused failure after the commit': [[fault('after-commit')], true, [500, 502, 503, 504]],
  'a slowed command': [[fault('slow')], true, []],
  'a quick command': [[{ kind: 'pace' }], true, []],
  'an odd header': [[{ kind: 'header-noise', header: 'X-Request-Id' }], true, []],
  'an odd text': [[{ kind: 'text-noise', at: '/subject' }], true, []],
  'an answer that was lost': [[{ kind: 'lost-response' }], true, []],
  'the scheme in lower case': [[{ kind: 'scheme-case' }], true, [401]],

  'two faults: either class': [[stale, missing], false, [409, 422]],
  'two faults of one class': [[missing, root], false, [422]],
  'a fault and something that may be accepted': [[missing, reuse('a')], false, [409, 422]],
  'a fault and something that any 4xx may refuse': [[missing, media], false, 'any 4xx'],
  'what is tolerated for one fault is for both': [[key('absent'), missing], false, [422], [400, 409]],
};

test.each(Object.entries(rows))('%s', (_, [deviations, success, refusals, tolerated = [], declares = {}]) => {
  const { words, ...rule } = allowed(contextOf(declares), step(...deviations));
  expect(rule).toEqual({ success, refusals, tolerated });
  // The words begin with the classes that they stand for.
  expect(words).toMatch(
    new RegExp(
      `^${[...(success ? ['2xx'] : []), ...(refusals === 'any 4xx' ? ['4xx'] : refusals)].join(' or ')}( \\(.+\\))?$`,
    ),
  );
});

test('in a path that names the scope of its caller there is no record of another scope', () => {
  const context = contextOf({ G9: 403 });
  const operations = context.contract.operations.map((operation) =>
    operation.id === 'getCase'
      ? { ...operation, path: '/tenants/{tenantId}/cases/{caseId}', ownParameters: ['tenantId'] }
      : operation,
  );
  const refusals = (within?: string): Allowed['refusals'] =>
    allowed(
      { ...context, contract: { ...context.contract, operations } },
      { ...step(scope), operation: 'getCase', ...(within === undefined ? {} : { within }) },
    ).refusals;
  expect(refusals()).toEqual([403, 404]);
  expect(refusals('full')).toEqual([403]);
});

test('a version that the body may leave out need not be sent', () => {
  const context = contextOf();
  const operations = context.contract.operations.map((operation) => ({
    ...operation,
    version: {
      carrier: { in: 'body', at: '/version' } as const,
      source: { operation: 'getCase', in: 'body', at: '/version' } as const,
      neutral: false,
      optional: true as const,
    },
  }));
  const successes = (['absent', 'garbage', 'stale'] as const).map(
    (how) =>
      allowed({ ...context, contract: { ...context.contract, operations } }, step(version(how))).success,
  );
  expect(successes).toEqual([true, false, false]);
});

test.each([
  ['If-Match: *, where the version is optional', { in: 'header', name: 'If-Match' }, '*', true, true],
  ['If-Match: *, where it is required', { in: 'header', name: 'If-Match' }, '*', undefined, false],
  ['* in quotes, where the version is optional', { in: 'header', name: 'If-Match' }, '"*"', true, true],
  ['* in quotes, where it is required', { in: 'header', name: 'If-Match' }, '"*"', undefined, false],
  ['-1, where the version is optional', { in: 'header', name: 'X-Version' }, '-1', true, true],
  ['-1, where it is required', { in: 'header', name: 'X-Version' }, '-1', undefined, false],
  ['another text', { in: 'header', name: 'If-Match' }, 'abc', true, false],
  ['* in the body', { in: 'body', at: '/version' }, '*', true, false],
] as const)('no version is asked for: %s', (_, carrier, value, optional, success) => {
  const context = contextOf();
  const source = { operation: 'getCase', in: 'body', at: '/version' } as const;
  const version = { carrier, source, neutral: false, ...(optional === true ? { optional } : {}) };
  const operations = context.contract.operations.map((operation) => ({ ...operation, version }));
  const sent = { ...step({ kind: 'version', how: 'garbage' }), version: { use: 'literal', value } as const };
  expect(allowed({ ...context, contract: { ...context.contract, operations } }, sent).success).toBe(success);
});

test('zero, or an empty tag, may be taken for no version', () => {
  const like = (likeness: 'nothing' | 'cut'): readonly number[] =>
    allowed(contextOf(), {
      ...step(version('garbage')),
      version: { use: 'of', ref: { step: 'look', at: '/version' }, like: likeness },
    }).tolerated;
  expect(like('nothing')).toEqual([428]);
  expect(like('cut')).toEqual([]);
});

test('a valid request needs no reason; several faults give each of theirs once', () => {
  const context = contextOf();
  expect(allowed(context, step()).words).toBe('2xx');
  expect(
    allowed(context, step(missing, { kind: 'body', at: '/priority', keyword: 'enum' }, stale)).words,
  ).toBe(
    "409 or 422 (the body breaks 'required' at /subject; the body breaks 'enum' at /priority; not the current version)",
  );
});

describe('a status', () => {
  const rule = (success: boolean, refusals: Allowed['refusals']): Allowed => ({
    success,
    refusals,
    tolerated: [301, 400, 503],
    words: '',
  });
  test.each<readonly [string, Allowed, readonly number[], 'yes' | 'tolerated' | 'no']>([
    ['success where it may be', rule(true, []), [200, 201, 299], 'yes'],
    ['success where it may not', rule(false, 'any 4xx'), [200, 201, 299], 'no'],
    ['a class that is named', rule(false, [409, 422]), [409, 422], 'yes'],
    ['a class that is not', rule(true, [409]), [199, 300, 404, 410, 500], 'no'],
    ['any 4xx', rule(false, 'any 4xx'), [400, 404, 499], 'yes'],
    ['no 4xx', rule(false, 'any 4xx'), [300, 399, 500], 'no'],
    ['tolerated in addition to a list', rule(false, [409]), [301, 400, 503], 'tolerated'],
    ['tolerated in addition to any 4xx', rule(false, 'any 4xx'), [301, 503], 'tolerated'],
  ])('%s', (_, one, statuses, says) => {
    expect(statuses.map((status) => permits(one, status))).toEqual(statuses.map(() => says));
  });
});

test('which deviations make a request one that must not succeed', () => {
  const context = contextOf({ G7: 'refuse' });
  const refused = [unauthenticated, lacking, scope, missing, syntax, stale, strange];
  expect(refused.filter((one) => !provokesRefusal(context, step(one), one))).toEqual([]);
  const accepted = [media, reuse('a'), key('odd'), fault('slow')];
  expect(accepted.filter((one) => provokesRefusal(context, step(one), one))).toEqual([]);
});

test.each<Deviation>([
  { kind: 'body', at: '/since', keyword: 'format' },
  { kind: 'query', field: 'since', keyword: 'format' },
])('what breaks a format alone is refused, or accepted with a note: $kind', (deviation) => {
  const rule = allowed(contextOf(), step(deviation));
  expect([422, 201, 400].map((status) => permits(rule, status))).toEqual(['yes', 'tolerated', 'no']);
  expect(provokesRefusal(contextOf(), step(deviation), deviation)).toBe(false);
});

test.each<[Deviation, 'tolerated' | 'no']>([
  [{ kind: 'body', at: '/lines/0/orderId', keyword: 'format' }, 'tolerated'],
  [{ kind: 'body', at: '/order_id', keyword: 'format' }, 'tolerated'],
  [{ kind: 'query', field: 'order-id', keyword: 'format' }, 'tolerated'],
  [{ kind: 'body', at: '/since', keyword: 'format' }, 'no'],
  [{ kind: 'body', at: '/paid', keyword: 'format' }, 'no'],
  [{ kind: 'body', at: '/orderId', keyword: 'type' }, 'no'],
])('what breaks a format may be the ID of a record that does not exist: $0', (deviation, expected) => {
  const rule = allowed(contextOf(), step(deviation));
  expect([404, 409].map((status) => permits(rule, status))).toEqual([expected, expected]);
});

test('a body of a record of its own may name a record that its scope does not have', () => {
  const at = (named: boolean) => {
    const context = contextOf();
    const record: NamedRecord = {
      at: '/caseId',
      field: { name: 'caseId', schema: { type: 'string' }, source: undefined },
    };
    const operations = context.contract.operations.map((one) =>
      one.id === 'keepCase' && named ? { ...one, named: [record] } : one,
    );
    const rule = allowed(
      { ...context, contract: { ...context.contract, operations } },
      { ...step(scope), operation: 'keepCase' },
    );
    return [201, 403, 409, 422, 400].map((status) => permits(rule, status));
  };
  expect(at(true)).toEqual(['yes', 'yes', 'yes', 'yes', 'no']);
  expect(at(false)).toEqual(['yes', 'yes', 'yes', 'no', 'no']);
});

test('a body whose version has another type may be refused as one without a current version', () => {
  const context = contextOf();
  const contract = {
    ...context.contract,
    operations: context.contract.operations.map((one) =>
      one.id === 'createCase'
        ? {
            ...one,
            version: {
              carrier: { in: 'body' as const, at: '/version' },
              source: { operation: 'getCase', in: 'body' as const, at: '/version' },
              neutral: false,
            },
          }
        : one,
    ),
  };
  const refusals = (at: string): Allowed['refusals'] =>
    allowed({ ...context, contract }, step({ kind: 'body', at, keyword: 'type' })).refusals;
  expect(refusals('/version')).toEqual([409, 422]);
  expect(refusals('/subject')).toEqual([422]);
});
