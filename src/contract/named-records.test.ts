import { describe, expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import type { JsonObject } from '../model/json.ts';
import { operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';

const text = { type: 'string' };
const made = { type: 'object', required: ['id'], properties: { id: text } };

/** What the body of a command names, by the place in the body: the read, where such a record comes from, and whether it acts on it. */
async function named(
  members: JsonObject,
  {
    governed = {},
    links = {},
    path = '/refunds',
    read = 'GET /payments/{paymentId}',
    required = Object.keys(members),
  }: {
    readonly governed?: JsonObject;
    readonly links?: JsonObject;
    readonly path?: string;
    readonly read?: string;
    readonly required?: readonly string[];
  } = {},
) {
  const contract = await contractOf(
    operation('POST /payments', 'pay', { result: made, links }),
    operation(read, 'getPayment', { result: made }),
    operation(`POST ${path}`, 'refund', {
      body: { type: 'object', required: [...required], properties: members },
      result: made,
      governed,
    }),
  );
  return (operationOf(contract, 'refund').named ?? []).map(({ acts = false, at, field, read: by }) => [
    at,
    by,
    field.name,
    field.source?.operation,
    acts,
  ]);
}

const payment = ['getPayment', 'paymentId', 'pay'];

describe('a member of a body names a record', () => {
  test.each(['paymentId', 'payment_id', 'PaymentId', 'paymentID', 'payment-id', 'PaymentID'])(
    'under the name %s',
    async (name) => {
      expect(await named({ [name]: text })).toEqual([[`/${name}`, ...payment, false]]);
    },
  );

  test('where its read goes through the records that the path of the command goes through', async () => {
    const contract = await contractOf(
      operation('POST /shops/{shopId}/payments', 'pay', { result: made }),
      operation('GET /shops/{shopId}/payments/{paymentId}', 'getPayment', { result: made }),
      ...['/shops/{shopId}/refunds', '/users/{userId}/refunds'].map((path) =>
        operation(`POST ${path}`, path, {
          body: { type: 'object', required: ['paymentId'], properties: { paymentId: text } },
          result: made,
        }),
      ),
    );
    expect(operationOf(contract, '/shops/{shopId}/refunds').named).toMatchObject([
      { at: '/paymentId', field: { name: 'paymentId', source: { operation: 'pay' } } },
    ]);
    // Whether it is a tenant or a record, the configuration gives the shop.
    expect(operationOf(contract, '/users/{userId}/refunds').named).toMatchObject([
      { at: '/paymentId', read: 'getPayment', field: { name: 'paymentId', source: { operation: 'pay' } } },
    ]);
  });

  test('by a read through fewer other records, where there are several', async () => {
    const contract = await contractOf(
      ...['/shops/{shopId}', '/users/{userId}', '/tenants/{tenantId}/users/{userId}'].flatMap((within) => [
        operation(`POST ${within}/payments`, `pay ${within}`, { result: made }),
        operation(`GET ${within}/payments/{paymentId}`, `get ${within}`, { result: made }),
      ]),
      ...['/refunds', '/users/{userId}/refunds', '/tenants/{tenantId}/refunds'].map((path) =>
        operation(`POST ${path}`, path, {
          body: { type: 'object', required: ['paymentId'], properties: { paymentId: text } },
          result: made,
        }),
      ),
    );
    const source = (id: string) =>
      operationOf(contract, id).named?.map(({ field }) => field.source?.operation);
    expect(source('/refunds')).toEqual(['pay /shops/{shopId}']);
    expect(source('/users/{userId}/refunds')).toEqual(['pay /users/{userId}']);
  });

  test('where its read has another name for it', async () => {
    expect(await named({ paymentId: text }, { read: 'GET /payments/{id}' })).toEqual([
      ['/paymentId', 'getPayment', 'id', 'pay', false],
    ]);
  });

  test('where its read calls it by what it is', async () => {
    expect(await named({ payment: text }, { read: 'GET /payments/{payment}' })).toEqual([
      ['/payment', 'getPayment', 'payment', 'pay', false],
    ]);
    expect(await named({ number: text }, { read: 'GET /payments/{number}' })).toEqual([]);
  });

  test('where a link fills it, whatever its name, and each has a record of its own', async () => {
    const links = {
      refund: {
        operationId: 'refund',
        requestBody: { of: { first: '$response.body#/id' }, second: '$response.body#/id', note: 'text' },
      },
    };
    const members = { of: { type: 'object', properties: { first: text } }, second: text, note: text };
    expect(await named(members, { links })).toEqual([
      ['/of/first', ...payment, false],
      ['/second', 'getPayment', 'second', 'pay', false],
    ]);
  });

  test('where a link fills the first of a list', async () => {
    const links = { refund: { operationId: 'refund', requestBody: { ids: ['$response.body#/id'] } } };
    const members = { ids: { type: 'array', items: text } };
    const first = ['/ids/0', ...payment, false];
    const second = ['/ids/1', 'getPayment', 'ids/1', 'pay', false];
    // Two may be sent, one of them of another scope.
    expect(await named(members, { links })).toEqual([first, second]);
    const single = { ids: { type: 'array', items: text, maxItems: 1 } };
    expect(await named(single, { links })).toEqual([first]);
    expect(await named(members)).toEqual([]);
  });

  test('which the command acts on, where the record is read for the effect', async () => {
    const governed = { effect: { read: 'getPayment' } };
    expect(await named({ paymentId: text }, { governed })).toEqual([['/paymentId', ...payment, true]]);
    // Who may leave it out may act on another one.
    expect(await named({ paymentId: text }, { governed, required: [] })).toEqual([
      ['/paymentId', ...payment, false],
    ]);
  });
});

describe('a member whose name ends in what a read calls its records', () => {
  test.each<[string, JsonObject, string]>([
    ['at the root', { billingPaymentId: text }, '/billingPaymentId'],
    ['in snake case', { first_payment_id: text }, '/first_payment_id'],
    ['in a list', { relatedPaymentIds: { type: 'array', items: text, maxItems: 1 } }, '/relatedPaymentIds/0'],
    ['in an object', { terms: { type: 'object', properties: { paymentId: text } } }, '/terms/paymentId'],
    [
      'in the items of a list',
      { lines: { type: 'array', maxItems: 1, items: { type: 'object', properties: { paymentId: text } } } },
      '/lines/0/paymentId',
    ],
  ])('names one: %s', async (_, members, at) => {
    const found = [at, 'getPayment', at.slice(1), 'pay', false];
    expect(await named(members)).toEqual([found]);
    expect(await named(members, { required: [] })).toEqual([found]);
  });

  test('of the second item of a list as well, where there may be two', async () => {
    const lines = { type: 'array', items: { type: 'object', properties: { paymentId: text } } };
    const places = async (members: JsonObject) => (await named(members)).map(([at]) => at);
    expect(await places({ lines })).toEqual(['/lines/0/paymentId', '/lines/1/paymentId']);
    expect(await places({ lines: { ...lines, maxItems: 1 } })).toEqual(['/lines/0/paymentId']);
  });

  test('next to one with the very name', async () => {
    expect(await named({ paymentId: text, laterPaymentId: text })).toEqual([
      ['/paymentId', ...payment, false],
      ['/laterPaymentId', 'getPayment', 'laterPaymentId', 'pay', false],
    ]);
  });

  test.each<[string, JsonObject]>([
    ['the name that another system has for it', { externalPaymentId: text }],
    ['another form', { billingPaymentId: { type: 'string', pattern: '^P-' } }],
    ['another word', { prepaymentId: text, paymentsId: text }],
    ['no ID', { lastPayment: text }],
  ])('names none: %s', async (_, members) => {
    expect(await named(members)).toEqual([]);
  });

  test('or parent, where a record of the same kind may be left out', async () => {
    const own = { path: '/payments/{paymentId}' };
    const kin = async (members: JsonObject, required: readonly string[] = []) => {
      const contract = await contractOf(
        operation('POST /folders', 'add', {
          result: made,
          body: { type: 'object', required: [...required], properties: members },
        }),
        operation('GET /folders/{folderId}', 'getFolder', { result: made }),
      );
      return (operationOf(contract, 'add').named ?? []).map(({ at, field }) => [at, field.source?.operation]);
    };
    expect(await kin({ parentId: text })).toEqual([['/parentId', 'add']]);
    expect(await kin({ parent_folder_id: text })).toEqual([['/parent_folder_id', 'add']]);
    // The first folder can name none.
    expect(await kin({ parentId: text }, ['parentId'])).toEqual([]);
    expect(await kin({ folderId: text })).toEqual([]);
    expect(await named({ mergedPaymentId: text }, { ...own, required: [] })).toEqual([
      ['/mergedPaymentId', 'getPayment', 'mergedPaymentId', 'pay', false],
    ]);
  });

  test.each([
    ['POST /payments/{paymentId}:merge', 'toPaymentId', ['/toPaymentId']],
    ['POST /payments/{paymentId}/merge', 'other_payment_id', ['/other_payment_id']],
    ['PATCH /payments/{paymentId}', 'parentId', ['/parentId']],
    // The ID of the path is repeated, or a PUT makes the first record.
    ['POST /payments/{paymentId}/merge', 'paymentId', []],
    ['PUT /payments/{paymentId}', 'toPaymentId', []],
  ])('that a command on another one of its kind requires: %s with %s', async (command, member, places) => {
    const contract = await contractOf(
      operation('POST /payments', 'pay', { result: made }),
      operation('GET /payments/{paymentId}', 'getPayment', { result: made }),
      operation(command, 'merge', {
        body: { type: 'object', required: [member], properties: { [member]: text } },
        result: made,
      }),
    );
    expect((operationOf(contract, 'merge').named ?? []).map(({ at }) => at)).toEqual(places);
  });
});

describe('the IDs of a command on several records', () => {
  const several = async (command: string, members: JsonObject, read = 'GET /payments/{paymentId}') => {
    const contract = await contractOf(
      operation('POST /payments', 'pay', { result: made }),
      operation(read, 'getPayment', { result: made }),
      operation(command, 'settle', {
        body: { type: 'object', required: Object.keys(members), properties: members },
        result: { type: 'object', properties: { settled: { type: 'integer' } } },
      }),
    );
    return (operationOf(contract, 'settle').named ?? []).map(({ at, field }) => [
      at,
      field.source?.operation,
    ]);
  };
  const ids = { type: 'array', items: text };

  test.each(['POST /payments/bulk-settle', 'POST /payments:settle', 'PATCH /payments/batch/'])(
    'are those of the collection that its path is below: %s',
    async (command) =>
      expect(await several(command, { ids })).toEqual([
        ['/ids/0', 'pay'],
        ['/ids/1', 'pay'],
      ]),
  );

  test.each<[string, string, JsonObject]>([
    ['another collection', 'POST /refunds/bulk-settle', { ids }],
    ['a list within the body', 'POST /payments/bulk-settle', { of: { type: 'object', properties: { ids } } }],
    ['another name', 'POST /payments/bulk-settle', { externalIds: ids }],
    ['a command on one record', 'POST /payments/{paymentId}/settle', { ids }],
  ])('are not known: %s', async (_, command, members) =>
    expect((await several(command, members)).filter(([at]) => at?.includes('ds/') === true)).toEqual([]),
  );
});

describe('a member with the name of a record and the form of its ID', () => {
  const number = { type: 'integer' };
  const uuid = { type: 'string', format: 'uuid' };
  const prefixed = { type: 'string', pattern: '^pay_[0-9a-f]{8}$' };
  const refers = async (
    members: JsonObject,
    {
      id = number,
      command = 'POST /refunds',
      read = 'GET /payments/{id}',
    }: { readonly id?: JsonObject; readonly command?: string; readonly read?: string } = {},
  ) => {
    const contract = await contractOf(
      operation('POST /payments', 'pay', { result: { ...made, properties: { id } } }),
      operation(read, 'getPayment', {
        result: made,
        parameters: [{ name: 'id', in: 'path', required: true, schema: id }],
      }),
      operation('GET /refunds/{id}', 'getRefund', { result: made }),
      operation(command, 'refund', {
        body: { type: 'object', required: Object.keys(members), properties: members },
        result: made,
      }),
    );
    return (operationOf(contract, 'refund').named ?? []).map(({ at, field }) => [
      at,
      field.source?.operation,
    ]);
  };

  test.each<[string, JsonObject, Parameters<typeof refers>[1], string]>([
    ['a number', { payment: number }, {}, '/payment'],
    ['a number of 32 bits', { payment: { ...number, maximum: 2147483647 } }, {}, '/payment'],
    ['a number with a width', { payment: { ...number, format: 'int64' } }, {}, '/payment'],
    ['a UUID', { payment: uuid }, { id: uuid }, '/payment'],
    ['a text of the same form', { payment: prefixed }, { id: prefixed }, '/payment'],
    ['in Pascal case', { Payment: number }, {}, '/Payment'],
    ['a list of them', { payments: { type: 'array', items: number, maxItems: 1 } }, {}, '/payments/0'],
    [
      'within a list of objects',
      { lines: { type: 'array', maxItems: 1, items: { type: 'object', properties: { payment: number } } } },
      {},
      '/lines/0/payment',
    ],
    [
      'in a command on a record that is {id} as well',
      { payment: number },
      { command: 'PUT /refunds/{id}' },
      '/payment',
    ],
  ])('names one: %s', async (_, members, more, at) =>
    expect(await refers(members, more)).toEqual([[at, 'pay']]),
  );

  test.each<[string, JsonObject, Parameters<typeof refers>[1]]>([
    ['a count', { payment: { ...number, maximum: 10 } }, {}],
    ['a number of usual size', { payment: { ...number, default: 1 } }, {}],
    ['a text', { payment: text }, { id: text }],
    ['a text of another form', { payment: { type: 'string', pattern: '^P-' } }, { id: prefixed }],
    ['a number where IDs are texts', { payment: number }, { id: text }],
    ['words before it', { last_payment: number }, {}],
    [
      'a count within an object',
      { line: { type: 'object', properties: { payment: { ...number, maximum: 10 } } } },
      {},
    ],
    ['what the command makes', { refund: number }, {}],
  ])('names none: %s', async (_, members, more) => expect(await refers(members, more)).toEqual([]));
});

test('a member names one where the result shows the same form of ID, and the path none', async () => {
  const form = { type: 'string', format: 'uuid', pattern: '^[0-9a-f-]{36}$' };
  const refers = async (shown: JsonObject) => {
    const contract = await contractOf(
      operation('POST /payments', 'pay', { result: { ...made, properties: { id: shown } } }),
      operation('GET /payments/{paymentId}', 'getPayment', { result: made }),
      operation('POST /payments/cancel-many', 'cancelMany', {
        body: {
          type: 'object',
          required: ['paymentIds'],
          properties: { paymentIds: { type: 'array', items: form, maxItems: 1 } },
        },
        result: made,
      }),
    );
    return operationOf(contract, 'cancelMany').named?.map(({ at, field }) => [at, field.source?.operation]);
  };
  expect(await refers(form)).toEqual([['/paymentIds/0', 'pay']]);
  expect(await refers(text)).toBe(undefined);
});

describe('the key of a record', () => {
  const code = { type: 'string', pattern: '^[A-Z]{2,5}$' };
  const parameters = [{ name: 'code', in: 'path', required: true, schema: code }];
  const keyed = async (
    members: JsonObject,
    of: {
      readonly path?: string;
      readonly maker?: string;
      readonly result?: JsonObject;
      readonly schema?: JsonObject;
    } = {},
  ) => {
    const { path = '/wards/{code}', result = made, schema = code } = of;
    const { maker = `PUT ${path}` } = of;
    const name = /\{(\w+)\}$/.exec(path)?.[1] ?? '';
    const own = [{ ...parameters[0], name, schema }];
    const contract = await contractOf(
      operation(maker, 'make', { result, ...(maker.includes('{') ? { parameters: own } : {}) }),
      operation(`GET ${path}`, 'getWard', { result, parameters: own }),
      operation('POST /transfers', 'transfer', {
        body: { type: 'object', required: Object.keys(members), properties: members },
        result: made,
      }),
    );
    return (operationOf(contract, 'transfer').named ?? []).map(({ at, field }) => [at, field.source]);
  };
  const put = { operation: 'make', path: 'code' };

  test.each<[string, JsonObject, string]>([
    ['with the name of the record', { ward: code }, '/ward'],
    ['with the names of both', { wardCode: code }, '/wardCode'],
    ['in snake case', { to_ward_code: code }, '/to_ward_code'],
    ['without the form that it has in the path', { toWard: text }, '/toWard'],
    ['in a list', { wards: { type: 'array', items: code, maxItems: 1 } }, '/wards/0'],
    ['within an object', { route: { type: 'object', properties: { fromWard: code } } }, '/route/fromWard'],
  ])('is that of one which a PUT makes: %s', async (_, members, at) => {
    expect(await keyed(members)).toEqual([[at, put]]);
  });

  test('is each one of two', async () => {
    expect(await keyed({ fromWard: code, toWard: code })).toEqual([
      ['/fromWard', put],
      ['/toWard', put],
    ]);
  });

  test('has a name that says it all', async () => {
    const path = '/products/{sku}';
    expect(await keyed({ sku: text }, { path, schema: text })).toEqual([
      ['/sku', { operation: 'make', path: 'sku' }],
    ]);
    expect(await keyed({ code: text }, { schema: text })).toEqual([]);
  });

  test('is chosen in the body of a POST', async () => {
    const result = { type: 'object', required: ['code'], properties: { code: text } };
    expect(await keyed({ toWard: text }, { maker: 'POST /wards', result })).toEqual([
      ['/toWard', { operation: 'make', at: '/code' }],
    ]);
  });

  test.each<[string, JsonObject]>([
    ['another form', { ward: { type: 'string', pattern: '^[0-9]+$' } }],
    ['other words', { wardName: text, nextWard: text, reward: text, wardship: text }],
    ['a number', { ward: { type: 'integer', minimum: 1, maximum: 9 } }],
    ['fixed values', { ward: { enum: ['ICU', 'ER'] } }],
  ])('is not meant by %s', async (_, members) => expect(await keyed(members)).toEqual([]));

  test('is no text of an ID that the service chooses', async () => {
    expect(await named({ payment: text }, { read: 'GET /payments/{id}' })).toEqual([]);
  });
});

describe('a record that no read shows alone', () => {
  const uuid = { type: 'string', format: 'uuid' };
  const refers = async (
    members: JsonObject,
    maker = 'POST /doctors/{doctorId}/slots',
    more: string[] = [],
  ) => {
    const contract = await contractOf(
      operation('POST /doctors', 'addDoctor', { result: made }),
      operation('GET /doctors/{doctorId}', 'getDoctor', { result: made }),
      ...[maker, ...more].map((request, index) =>
        operation(request, `make${index}`, { result: { ...made, properties: { id: uuid } } }),
      ),
      operation('POST /appointments', 'book', {
        body: { type: 'object', required: Object.keys(members), properties: members },
        result: made,
      }),
    );
    return (operationOf(contract, 'book').named ?? []).map(({ at, field }) => [at, field.source?.operation]);
  };

  test('is named after the collection that a command adds to', async () => {
    expect(await refers({ slotId: uuid })).toEqual([['/slotId', 'make0']]);
    expect(await refers({ slot_ids: { type: 'array', items: uuid, maxItems: 1 } })).toEqual([
      ['/slot_ids/0', 'make0'],
    ]);
  });

  test.each<[string, Parameters<typeof refers>]>([
    ['a command on a record', [{ captureId: uuid }, 'POST /doctors/{doctorId}/capture']],
    ['one of two collections', [{ slotId: uuid }, 'POST /slots', ['POST /doctors/{doctorId}/slots']]],
    ['another form', [{ slotId: { type: 'string', pattern: '^S-' } }]],
    ['a longer name', [{ externalSlotId: uuid }]],
    ['a plain name', [{ slot: uuid }]],
    ['fixed values', [{ slotId: { enum: ['a', 'b'] } }]],
  ])('is not meant by %s', async (_, parts) => expect(await refers(...parts)).toEqual([]));
});

test('the items of a body that is a list name records', async () => {
  const item = { type: 'object', required: ['paymentId'], properties: { paymentId: text } };
  const contract = await contractOf(
    operation('POST /payments', 'pay', { result: made }),
    operation('GET /payments/{paymentId}', 'getPayment', { result: made }),
    operation('POST /refunds/bulk', 'refundAll', { body: { type: 'array', items: item }, result: made }),
  );
  const found = operationOf(contract, 'refundAll').named ?? [];
  expect(found.map(({ at, field }) => [at, field.source?.operation])).toContainEqual(['/0/paymentId', 'pay']);
});

describe('the linkage of JSON:API', () => {
  const linkage = { type: 'object', properties: { type: { const: 'payments' }, id: text } };
  const bodyOf = (relationships: JsonObject): JsonObject => ({
    data: { type: 'object', properties: { relationships: { type: 'object', properties: relationships } } },
  });
  const related = (data: JsonObject): JsonObject => ({ type: 'object', properties: { data } });

  test.each<[string, JsonObject, string]>([
    ['to one', { source: related(linkage) }, '/data/relationships/source/data/id'],
    [
      'to many',
      { parts: related({ type: 'array', items: linkage, maxItems: 1 }) },
      '/data/relationships/parts/data/0/id',
    ],
    [
      'under the name of the record',
      { payment: related({ type: 'object', properties: { id: text } }) },
      '/data/relationships/payment/data/id',
    ],
  ])('names a record: %s', async (_, relationships, at) => {
    expect(await named(bodyOf(relationships))).toEqual([[at, 'getPayment', at.slice(1), 'pay', false]]);
  });

  test('to another kind names none', async () => {
    const other = { type: 'object', properties: { type: { const: 'people' }, id: text } };
    expect(await named(bodyOf({ payment: related(other) }))).toEqual([]);
  });

  const path = '/refunds/{refundId}/relationships/source';

  test.each<[string, JsonObject, string]>([
    ['to one', linkage, '/data/id'],
    ['to one or none', { anyOf: [linkage, { type: 'null' }] }, '/data/id'],
    ['to many', { type: 'array', items: linkage, maxItems: 1 }, '/data/0/id'],
  ])('names a record where it is the whole body: %s', async (_, data, at) => {
    expect(await named({ data }, { path })).toEqual([[at, 'getPayment', at.slice(1), 'pay', false]]);
  });

  test.each<[string, JsonObject]>([
    ['another kind', { type: 'object', properties: { type: { const: 'people' }, id: text } }],
    ['any kind', { type: 'object', properties: { type: text, id: text } }],
    [
      'a record with its attributes',
      {
        type: 'object',
        properties: { type: { const: 'payments' }, id: text, attributes: { type: 'object' } },
      },
    ],
  ])('as the whole body is none with %s', async (_, data) => {
    expect(await named({ data }, { path })).toEqual([]);
  });
});

test.each<[string, JsonObject, Parameters<typeof named>[1]]>([
  ['one whose values the contract fixes', { paymentId: { enum: ['one', 'two'] } }, {}],
  ['an object', { paymentId: { type: 'object' } }, {}],
  ['one of another name', { payment: text, id: text }, {}],
  ['a name that its path has as well', { paymentId: text }, { path: '/payments/{paymentId}/refunds' }],
  ['the ID of what the command makes', { paymentId: text }, { read: 'GET /refunds/{paymentId}' }],
])('%s names no record', async (_, members, more) => {
  expect(await named(members, more)).toEqual([]);
});

describe('a record that a body names is made within other records', () => {
  const named = async (maker: string, read = 'GET /payments/{paymentId}', links: JsonObject = {}) => {
    const contract = await contractOf(
      operation('POST /shops', 'openShop', { result: made }),
      operation('GET /shops/{shopId}', 'getShop', { result: made }),
      operation(maker, 'pay', {
        result: made,
        governed: { effect: { read: 'getPayment' } },
        links,
      }),
      operation(read, 'getPayment', { result: made }),
      operation('POST /refunds', 'refund', {
        body: { type: 'object', required: ['paymentId'], properties: { paymentId: text } },
        result: made,
      }),
    );
    return (operationOf(contract, 'refund').named ?? []).map(({ field }) => field.source?.operation);
  };

  test('where the command that makes it has those in its path', async () => {
    expect(await named('POST /shops/{shopId}/payments')).toEqual(['pay']);
  });

  test('but not by a command that acts on one that is there', async () => {
    const links = { get: { operationId: 'getPayment', parameters: { paymentId: '$response.body#/id' } } };
    const get = { get: { operationId: 'getPayment', parameters: { id: '$response.body#/id' } } };
    expect(await named('POST /payments/{paymentId}/capture', undefined, links)).toEqual([]);
    expect(await named('POST /payments/{number}/capture', undefined, links)).toEqual([]);
    expect(await named('POST /shops/{shopId}/payments/{number}/capture', 'GET /payments/{id}', get)).toEqual(
      [],
    );
  });
});

const channel = { type: 'object', properties: { channel: made } };
const body = { type: 'object', required: ['channel'], properties: { channel: text } };
const link = (operationId: string): JsonObject => ({
  operationId,
  requestBody: { channel: '$response.body#/channel/id' },
});

describe('where all operations are POST, with the IDs of records in their bodies', async () => {
  const contract = await contractOf(
    operation('POST /channels.create', 'create', {
      result: channel,
      links: { archive: link('archive'), info: link('info') },
    }),
    operation('POST /channels.archive', 'archive', { body, result: { type: 'object' } }),
    operation('POST /channels.join', 'join', { body, result: { type: 'object' } }),
    operation('POST /channels.info', 'info', {
      body,
      result: channel,
      governed: { read: true },
      more: { parameters: [] },
    }),
  );

  test('a link says which record a command needs, which a read shows, and where its ID is', () => {
    const field = { name: 'channel', schema: text, source: { operation: 'create', at: '/channel/id' } };
    expect(operationOf(contract, 'archive').named).toEqual([{ at: '/channel', field }]);
    expect(operationOf(contract, 'info').pathFields).toEqual([{ ...field, at: '/channel' }]);
    expect(operationOf(contract, 'create').idAt).toBe('/channel/id');
  });

  test('without a link nothing does', () => {
    expect(operationOf(contract, 'join').named).toBeUndefined();
  });
});
