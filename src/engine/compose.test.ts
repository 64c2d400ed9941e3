import { describe, expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { type Carrier, type Operation, operationOf } from '../model/contract.ts';
import { type Json, type JsonSchema, parseJson } from '../model/json.ts';
import { ownValue, type Principal } from '../model/principal.ts';
import type { BodySpec, Step, VersionLikeness, VersionType } from '../model/scenario.ts';
import { compose } from './compose.ts';

const carrying = (carrier: Carrier): Operation => ({
  ...operationOf(contract, 'createCase'),
  version: { carrier, source: { operation: 'getCase', in: 'body', at: '/version' }, neutral: false },
});

/** A request with neither key nor body, and what it is composed in. */
const plainStep = {
  id: 'read',
  as: 'full',
  role: 'test',
  key: { use: 'none' },
  body: { use: 'none' },
  deviations: [],
} as const;
const plainSetting = {
  scenario: { title: '', bodies: {}, waves: [] },
  bound: { keys: {}, markers: {} },
  token: 'Token-of-the-test',
  basePath: '',
  extraHeaders: [],
  random: '',
  resolve: () => undefined,
} as const;

/** The body of a request that carries a version at `at`. */
function sent(
  at: string,
  plain: Json,
  version: string,
  spec: Partial<Extract<BodySpec, { use: 'named' }>> = {},
  operation = carrying({ in: 'body', at }),
  more: { readonly like?: VersionLikeness; readonly writtenAs?: VersionType } = {},
): Json | undefined {
  const request = compose(
    {
      id: 'probe',
      operation: 'createCase',
      as: 'full',
      role: 'test',
      key: { use: 'named', name: 'key' },
      body: { use: 'named', name: 'body', ...spec },
      version: { use: 'of', ref: { literal: version }, ...more },
      deviations: [],
    },
    {
      operation,
      scenario: { title: '', bodies: { body: { value: plain, marker: undefined } }, waves: [] },
      bound: { keys: {}, markers: {} },
      token: 'Token-of-the-test',
      basePath: '',
      extraHeaders: [],
      random: '',
      resolve: (ref) => ('literal' in ref ? ref.literal : undefined),
    },
  );
  return 'missing' in request ? undefined : parseJson(Buffer.from(request.body ?? '').toString());
}

test('each body has values of its own, the same whenever it is sent', () => {
  const operation = operationOf(contract, 'createCase');
  const form = { kind: 'characters', sets: [['ABCDEFGH', 12]] } as const;
  const mail = { kind: 'text', before: '', after: '@example.com' } as const;
  const own = [
    { at: '/code', form },
    { at: '/mail', form: mail },
  ];
  const bodies = { body: { value: { subject: 'x', code: 'A', mail: 'm' }, marker: '/subject', own } };
  const sentAs = (marker: string): Json | undefined => {
    const request = compose(
      { ...plainStep, operation: operation.id, body: { use: 'named', name: 'body' } },
      {
        ...plainSetting,
        operation,
        scenario: { ...plainSetting.scenario, bodies },
        bound: { keys: {}, markers: { body: marker } },
      },
    );
    return 'missing' in request ? undefined : parseJson(Buffer.from(request.body ?? '').toString());
  };
  const one = sentAs('asy-1');
  expect(one).toEqual({
    subject: 'x asy-1',
    code: expect.stringMatching(/^[A-H]{12}$/),
    mail: 'asy-1@example.com',
  });
  expect(sentAs('asy-1')).toEqual(one);
  expect(sentAs('asy-2')).not.toMatchObject({ code: (one as { code: string }).code });
});

test('a body that is null is sent as null', () => {
  expect(sent('', null, '1', {}, operationOf(contract, 'createCase'))).toBeNull();
});

test.each([
  ['12', '12x', '120', '112', '1', '0', '4294967308'],
  ['7', '7x', '70', '17', '7x', '0', '4294967303'],
  ['0', '0x', '0x', '10', '0x', '0x', '4294967296'],
  ['"a1"', '"a1x"', '"a10"', '"1a1"', '"a"', '""', '"a1x"'],
  ['W/"a1"', 'W/"a1x"', 'W/"a10"', 'W/"1a1"', 'W/"a"', 'W/""', 'W/"a1x"'],
  ['', 'x', '0', '1', 'x', '0', 'x'],
])('versions that resemble %s are %s, %s, %s, %s, %s and %s', (version, ...expectations) => {
  const likenesses = ['followed', 'continued', 'preceded', 'cut', 'nothing', 'wrapped'] as const;
  for (const [index, expected] of expectations.entries()) {
    const like = likenesses[index];
    expect(
      sent('/of', {}, version, {}, carrying({ in: 'body', at: '/of' }), like === undefined ? {} : { like }),
    ).toEqual({
      of: expected,
    });
  }
});

describe('a version in the body', () => {
  test('is a number where the plain body has one, and text elsewhere', () => {
    expect(sent('/revision', { revision: 1 }, '12')).toEqual({ revision: 12 });
    expect(sent('/revision', { revision: 1 }, 'v12')).toEqual({ revision: 'v12' });
    expect(sent('/revision', { revision: '1' }, '12')).toEqual({ revision: '12' });
    expect(sent('/revision', {}, '12')).toEqual({ revision: '12' });
    // It has more digits than JSON.parse keeps.
    const [long, text] = [1, '1'].map((revision) => sent('/revision', { revision }, '1795421720188483370'));
    expect(long).toEqual({ revision: Number('1795421720188483370') });
    expect(text).toEqual({ revision: '1795421720188483370' });
  });

  test.each<[JsonSchema, Json]>([
    [{ type: 'integer' }, 12],
    [{ type: ['number', 'null'] }, 12],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 12],
    [{ type: ['integer', 'string'] }, '12'],
    [{ type: 'string' }, '12'],
    [{}, '12'],
  ])('is as its schema has it where the plain body has none: %j', (schema, expected) => {
    const operation = carrying({ in: 'body', at: '/revision' });
    const body = { schema: { properties: { revision: schema } }, required: true, mediaType: '' };
    for (const plain of [{}, { revision: null }])
      expect(sent('/revision', plain, '12', {}, { ...operation, body })).toEqual({ revision: expected });
  });

  test.each([
    ['12', 'text', '12'],
    ['12', 'number', 12],
    ['v12', 'number', 1],
    ['12', 'true', true],
    ['12', 'null', null],
  ] as const)('%s can be written as %s', (version, writtenAs, expected) => {
    for (const revision of [1, '1'])
      expect(sent('/revision', { revision }, version, {}, undefined, { writtenAs })).toEqual({
        revision: expected,
      });
  });

  test('stands within an object, which is made where the plain body has none', () => {
    expect(sent('/of/version', { of: { version: 'a', by: 'b' } }, 'c')).toEqual({
      of: { version: 'c', by: 'b' },
    });
    expect(sent('/of/version', {}, 'c')).toEqual({ of: { version: 'c' } });
  });

  test('does not repair an edit that took its object away', () => {
    const plain = { of: { version: 'a' }, text: 'x' };
    expect(sent('/of/version', plain, 'c', { edit: { at: '/of', remove: true } })).toEqual({ text: 'x' });
    expect(sent('/of/version', plain, 'c', { edit: { at: '/of', set: 5 } })).toEqual({ of: 5, text: 'x' });
    expect(sent('/version', { version: 'a' }, 'c', { edit: { at: '', set: 'text' } })).toBe('text');
    expect(sent('/of/version', plain, 'c', { edit: { at: '/text', set: 5 } })).toEqual({
      of: { version: 'c' },
      text: 5,
    });
  });
});

test('required query fields, headers and cookies are sent unless a step names or omits them', () => {
  const field = { required: true, schema: { type: 'string' }, examples: ['x'] } as const;
  const operation: Operation = {
    ...operationOf(contract, 'listCases'),
    queryFields: [
      { ...field, name: 'a', filters: undefined },
      { ...field, name: 'b', filters: undefined },
    ],
    headerFields: [
      { ...field, in: 'header', name: 'X-A', style: 'simple', explode: false },
      { ...field, in: 'cookie', name: 'c', style: 'form', explode: true },
    ],
  };
  const request = (step: Partial<Step>): string => {
    const composed = compose(
      { ...plainStep, operation: operation.id, ...step },
      {
        ...plainSetting,
        operation,
      },
    );
    if ('missing' in composed) return composed.missing;
    const lines = composed.headers.filter(([name, value]) =>
      name === 'Accept' ? value !== 'application/json' : ['X-A', 'Cookie'].includes(name),
    );
    expect(composed.headers.filter(([name]) => name === 'Accept')).toHaveLength(1);
    return [composed.path, ...lines.map((line) => line.join('='))].join(' ');
  };
  expect(request({})).toBe('/cases?a=x&b=x Cookie=c=x X-A=x');
  expect(request({ query: [['b', 'y']] })).toBe('/cases?a=x&b=y Cookie=c=x X-A=x');
  expect(request({ headers: [['x-a', 'y']] })).toBe('/cases?a=x&b=x Cookie=c=x');
  expect(request({ headers: [['Accept', '*/*']] })).toBe('/cases?a=x&b=x Cookie=c=x X-A=x Accept=*/*');
  expect(request({ omits: ['a', 'c'] })).toBe('/cases?b=x X-A=x');
});

test.each([
  ['/liegeplätze/x y', '/liegepl%C3%A4tze/x%20y'],
  ['/港/%7Ea:close', '/%E6%B8%AF/%7Ea:close'],
  ['/😀.json', '/%F0%9F%98%80.json'],
])('the path %s of a contract is sent as %s', (path, sentAs) => {
  const operation: Operation = { ...operationOf(contract, 'listCases'), path };
  expect(compose({ ...plainStep, operation: operation.id }, { ...plainSetting, operation })).toMatchObject({
    path: sentAs,
  });
});

describe('what each caller fills in for itself', () => {
  const principals: readonly Principal[] = [
    principal('lead', 'a', { tenantId: 't a', 'X-Tenant': 7 }),
    principal('second', 'a', {}),
    principal('other', 'b', { tenantId: 't-b', 'X-Tenant': 8 }),
    principal('stray', undefined, undefined),
  ];
  const operation: Operation = {
    ...operationOf(contract, 'listCases'),
    path: '/tenants/{tenantId}/cases',
    headerFields: [header('X-Tenant')],
    ownParameters: ['tenantId', 'X-Tenant'],
  };

  test.each([
    ['lead', undefined, '/base/tenants/t%20a/cases', '7'],
    ['second', undefined, '/base/tenants/t%20a/cases', '7'],
    ['other', undefined, '/base/tenants/t-b/cases', '8'],
    ['other', 'lead', '/base/tenants/t%20a/cases', '7'],
    ['stray', undefined, '/base/tenants/t%20a/cases', '7'],
  ])('%s within %s', (as, within, path, tenant) => {
    const request = compose(
      {
        ...{ id: 'probe', operation: 'listCases', as, role: 'test', deviations: [] },
        ...{ key: { use: 'none' }, body: { use: 'none' } },
        ...(within === undefined ? {} : { within }),
      },
      {
        ...{ operation, token: 'Token-of-the-test', basePath: '/base', extraHeaders: [], random: '' },
        ...{ scenario: { title: '', bodies: {}, waves: [] }, bound: { keys: {}, markers: {} } },
        resolve: () => undefined,
        own: (parameter) => ownValue(principals, within ?? as, parameter),
      },
    );
    if ('missing' in request) throw new Error(request.missing);
    expect(request.path).toBe(path);
    expect(request.headers.find(([name]) => name === 'X-Tenant')).toEqual(['X-Tenant', tenant]);
  });
});

function principal(name: string, scope: string | undefined, parameters: Principal['parameters']): Principal {
  const valid = { permissions: [], state: 'valid', use: 'any' } as const;
  return { ...valid, name, identity: name, scope, ...(parameters === undefined ? {} : { parameters }) };
}

function header(name: string): NonNullable<Operation['headerFields']>[number] {
  const plain = { style: 'simple', explode: false, schema: true, examples: [] } as const;
  return { ...plain, in: 'header', name, required: true };
}

test('the token goes into no header that the configuration gives', () => {
  const operation = operationOf(contract, 'listCases');
  const composed = compose(
    { ...plainStep, operation: operation.id, token: 'in-header' },
    {
      ...plainSetting,
      operation,
      extraHeaders: [['x-api-key', 'of the gateway']],
    },
  );
  expect('missing' in composed ? [] : composed.headers).toEqual([
    ['Accept', 'application/json'],
    ['x-api-key', 'of the gateway'],
    ['X-Auth-Token', 'Token-of-the-test'],
    ['X-Access-Token', 'Token-of-the-test'],
  ]);
});

test('a path may have another of its values', () => {
  const operation = {
    ...operationOf(contract, 'createCase'),
    path: '/signs/desk',
    otherPath: '/signs/door',
    strangePath: { path: '/signs/assay-none-of-these', field: 'sign' },
  };
  const pathOf = (path?: Step['path']): string => {
    const step = { ...plainStep, operation: 'createCase', ...(path === undefined ? {} : { path }) };
    const made = compose(step, { ...plainSetting, operation });
    return 'missing' in made ? made.missing : made.path;
  };
  expect([pathOf(), pathOf('other-choice'), pathOf('no-choice')]).toEqual([
    '/signs/desk',
    '/signs/door',
    '/signs/assay-none-of-these',
  ]);
});

test.each<[plain: Json, at: string, sent: Json]>([
  [
    { data: { type: 'cases', id: 'x', attributes: {} } },
    '/data/id',
    { data: { type: 'cases', id: '17', attributes: {} } },
  ],
  [{ caseId: 1, subject: 'a' }, '/caseId', { caseId: 17, subject: 'a' }],
  [{ subject: 'a' }, '/caseId', { subject: 'a' }],
  [{ id: 'x' }, '/id', { id: { not: 'an ID' } }],
])('a body repeats the ID of its path, unless it is edited: %j', (plain, at, sentAs) => {
  const operation: Operation = {
    ...operationOf(contract, 'getCase'),
    method: 'PUT',
    ownId: { at, field: 'caseId' },
  };
  const edit = { at: '/id', set: { not: 'an ID' } };
  const composed = compose(
    {
      ...plainStep,
      operation: operation.id,
      target: { caseId: { literal: '17' } },
      body: { use: 'named', name: 'body', ...(at === '/id' ? { edit } : {}) },
    },
    {
      ...plainSetting,
      operation,
      scenario: { title: '', bodies: { body: { value: plain, marker: undefined } }, waves: [] },
      resolve: (ref) => ('literal' in ref ? ref.literal : undefined),
    },
  );
  expect('missing' in composed ? composed.missing : JSON.parse(String(composed.body))).toEqual(sentAs);
});

test('a wrong body that repeats the ID of its path names the same record', () => {
  const operation: Operation = {
    ...operationOf(contract, 'getCase'),
    method: 'PATCH',
    ownId: { at: '/data/id', field: 'caseId' },
  };
  const sent = (id: string): unknown => {
    const composed = compose(
      {
        ...plainStep,
        operation: operation.id,
        target: { caseId: { literal: '17' } },
        body: { use: 'named', name: 'body', edit: { at: '', set: { data: { id, subject: '' } } } },
      },
      {
        ...plainSetting,
        operation,
        scenario: {
          title: '',
          bodies: { body: { value: { data: { id: 'a', subject: 'x' } }, marker: undefined } },
          waves: [],
        },
        resolve: (ref) => ('literal' in ref ? ref.literal : undefined),
      },
    );
    return 'missing' in composed ? composed.missing : JSON.parse(String(composed.body));
  };
  expect(sent('a')).toEqual({ data: { id: '17', subject: '' } });
  expect(sent('other')).toEqual({ data: { id: 'other', subject: '' } });
});

describe('a body that names a record', () => {
  const createCase = operationOf(contract, 'createCase');
  const operation: Operation = {
    ...createCase,
    named: [
      {
        at: '/paymentId',
        read: 'getCase',
        field: { name: 'id', schema: {}, source: { operation: 'createCase', at: '/id' } },
      },
    ],
  };
  const plain = { paymentId: 'a', amount: 1 };
  const body = (
    spec: Partial<Extract<BodySpec, { use: 'named' }>>,
    deviations: Step['deviations'] = [],
    ref: NonNullable<Step['target']>[string] = { step: 'made', at: '/id' },
  ): Json | undefined => {
    const request = compose(
      {
        ...plainStep,
        operation: 'createCase',
        target: { id: ref },
        body: { use: 'named', name: 'body', ...spec },
        deviations,
      },
      {
        ...plainSetting,
        operation,
        scenario: { title: '', bodies: { body: { value: plain, marker: undefined } }, waves: [] },
        resolve: (one) => ('step' in one ? (one.step === 'made' ? 'pay_7' : undefined) : 'other'),
      },
    );
    return 'missing' in request ? undefined : parseJson(new TextDecoder().decode(request.body));
  };
  const fault = (at: string) => [{ kind: 'body', at, keyword: 'type' } as const];

  test('has the ID of the one that was made for it', () => {
    expect(body({})).toEqual({ paymentId: 'pay_7', amount: 1 });
  });

  test('is not sent where that one was not made: its placeholder would be refused', () => {
    expect(body({}, [], { step: 'unanswered', at: '/id' })).toBeUndefined();
  });

  test('has it where another member is wrong', () => {
    const wrong = { at: '', set: { paymentId: 'drawn', amount: 'x' } };
    expect(body({ edit: wrong }, fault('/amount'))).toEqual({ paymentId: 'pay_7', amount: 'x' });
    expect(body({ edit: { at: '', set: { amount: 1 } } }, fault('/paymentId'))).toEqual({ amount: 1 });
  });

  test('keeps another value that it is about', () => {
    expect(body({ edit: { at: '', set: { paymentId: '', amount: 1 } } }, fault('/paymentId'))).toEqual({
      paymentId: '',
      amount: 1,
    });
    expect(body({ edit: { at: '/paymentId', set: 'b' } })).toEqual({ paymentId: 'b', amount: 1 });
    expect(body({ edit: { at: '', set: { paymentId: 'b', amount: 2 } } })).toEqual({
      paymentId: 'b',
      amount: 2,
    });
  });

  test('has it in each of the items that are to be the same', () => {
    const [record] = operation.named ?? [];
    const twice = (at: string, value: Json, keyword = 'uniqueItems'): Json | undefined => {
      const request = compose(
        {
          ...plainStep,
          operation: 'createCase',
          target: { id: { step: 'made', at: '/id' } },
          body: { use: 'named', name: 'body', edit: { at: '/ids', set: value } },
          deviations: [{ kind: 'body', at: '/ids', keyword }],
        },
        {
          ...plainSetting,
          operation: { ...operation, named: record === undefined ? [] : [{ ...record, at }] },
          scenario: { title: '', bodies: { body: { value: { ids: value }, marker: undefined } }, waves: [] },
          resolve: () => 'pay_7',
        },
      );
      return 'missing' in request ? undefined : parseJson(new TextDecoder().decode(request.body));
    };
    expect(twice('/ids/0', ['a', 'b', 'a'])).toEqual({ ids: ['pay_7', 'b', 'pay_7'] });
    expect(twice('/ids/0/id', [{ id: 'a' }, { id: 'a' }])).toEqual({
      ids: [{ id: 'pay_7' }, { id: 'pay_7' }],
    });
    expect(twice('/ids/0', ['a', 'a'], 'maxItems')).toEqual({ ids: ['pay_7', 'a'] });
  });

  test('keeps a value that the configuration gives', () => {
    expect(body({}, [], { literal: 'pay_1' })).toEqual(plain);
  });
});

test.each([
  ['case_1', '/cases/%63ase_1'],
  ['7f', '/cases/%37f'],
  ['_a b', '/cases/_a%20b'],
])('the value %s of a path with a letter or digit encoded', (literal, expected) => {
  const request = compose(
    { ...plainStep, operation: 'getCase', path: 'encoded-value', target: { caseId: { literal } } },
    { ...plainSetting, operation: operationOf(contract, 'getCase'), resolve: () => literal },
  );
  expect('missing' in request ? request.missing : request.path).toBe(expected);
});

test('a read by POST has the ID of its target, its limit and its cursor in its body', () => {
  const text = { type: 'string' };
  const schema = { type: 'object', properties: { id: text, limit: { type: 'integer' }, cursor: text } };
  const operation: Operation = {
    ...operationOf(contract, 'fetchCase'),
    body: { mediaType: 'application/json', required: true, schema },
    pathFields: [{ name: 'id', schema: text, source: undefined, at: '/id' }],
    queryFields: ['limit', 'cursor'].map((name) => ({
      ...{ name, required: false, filters: undefined, at: `/${name}` },
      schema: schema.properties[name === 'limit' ? 'limit' : 'cursor'],
    })),
  };
  const requested = (parts: Partial<Step>, value: Json = { id: 'plain' }) => {
    const request = compose(
      {
        ...plainStep,
        operation: operation.id,
        body: { use: 'asked', value },
        target: { id: { step: 'made', at: '/id' } },
        ...parts,
      },
      { ...plainSetting, operation, resolve: (ref) => ('literal' in ref ? ref.literal : 'case_7') },
    );
    if ('missing' in request) throw new Error(request.missing);
    return [request.path, parseJson(Buffer.from(request.body ?? '').toString())];
  };
  expect(requested({})).toEqual(['/cases.fetch', { id: 'case_7' }]);
  expect(requested({ target: { id: { literal: "o'x" } } })).toEqual(['/cases.fetch', { id: "o'x" }]);
  expect(
    requested({
      query: [
        ['limit', '5'],
        ['cursor', '7'],
        ['other', '1'],
      ],
    }),
  ).toEqual(['/cases.fetch?other=1', { id: 'case_7', limit: 5, cursor: '7' }]);
  // What is no number is sent as it is, to be refused.
  expect(requested({ query: [['limit', 'abc']] })[1]).toEqual({ id: 'case_7', limit: 'abc' });
  // An edit of the member is not undone.
  const edited = { use: 'named', name: 'body', edit: { at: '/id', set: 5 } } as const;
  expect(requested({ body: edited, deviations: [{ kind: 'body', at: '/id', keyword: 'type' }] })[1]).toEqual({
    id: 5,
  });
});

test('a token in the other letter case is sent on a connection that has not had the right one', () => {
  const sentBy = (more: Partial<Step>) => {
    const operation = operationOf(contract, 'listCases');
    const step = { ...plainStep, operation: 'listCases', ...more };
    const composed = compose(step, { ...plainSetting, operation });
    return 'missing' in composed ? composed.missing : composed.transport;
  };
  expect(sentBy({ token: 'flip-case' })).toBe('fresh');
  expect(sentBy({ token: 'flip-case', transport: 'raw' })).toBe('raw');
  expect([sentBy({ token: 'truncated' }), sentBy({})]).toEqual(['pooled', 'pooled']);
});
