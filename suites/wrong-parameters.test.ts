import { expect, test } from 'vitest';
import { type HeaderField, operationOf, type QueryField } from '../src/model/contract.ts';
import type { JsonSchema } from '../src/model/json.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { extendedContract, withOperation } from '../src/testing/contracts.ts';
import { planned } from '../src/testing/plans.ts';
import wrongParameters from './wrong-parameters.ts';

const channel: QueryField = {
  name: 'channel',
  required: true,
  schema: { type: 'string', enum: ['web', 'mail'] },
  filters: undefined,
};
const site: HeaderField = {
  in: 'header',
  name: 'X-Site',
  required: true,
  schema: { type: 'string', enum: ['berlin'] },
  examples: [],
  style: 'simple',
  explode: false,
};

test('a cookie is left out, and sent alone with a wrong value', async () => {
  const fields = { headerFields: [{ ...site, in: 'cookie', name: 'desk', style: 'form' }] } as const;
  const contract = withOperation(await extendedContract(), 'createCase', fields);
  const sent = planned(wrongParameters, contract)
    .scenarios()
    .map(({ waves }) => stepsOf(waves)[0]);
  expect(sent).toMatchObject([
    { omits: ['desk'], deviations: [{ kind: 'query', field: 'desk', keyword: 'required', in: 'cookie' }] },
    {
      omits: ['desk'],
      headers: [['Cookie', 'desk=assay-none-of-these']],
      deviations: [{ kind: 'query', field: 'desk', keyword: 'enum', in: 'cookie' }],
    },
  ]);
});

test('a command is sent without each required field, and with a wrong value of each, next to a valid one', async () => {
  const fields = { queryFields: [channel], headerFields: [site] };
  const contract = withOperation(await extendedContract(), 'createCase', fields);
  const steps = planned(wrongParameters, contract)
    .scenarios()
    .map(({ waves }) => stepsOf(waves));
  expect(
    steps.map(([probe, control]) => [
      probe?.omits,
      probe?.query,
      probe?.headers,
      probe?.deviations.length,
      control?.deviations.length,
    ]),
  ).toEqual([
    [['channel'], undefined, undefined, 1, 0],
    [['X-Site'], undefined, undefined, 1, 0],
    [undefined, [['channel', 'assay-none-of-these']], undefined, 1, 0],
    [undefined, undefined, [['X-Site', 'assay-none-of-these']], 1, 0],
    [undefined, [['channel', 'WEB']], undefined, 1, 0],
  ]);
});

test('further wrong values and lists share one valid request', async () => {
  const limits = { type: 'integer', minimum: 1, maximum: 5 };
  const fields = {
    queryFields: [
      {
        ...{ name: 'sizes', required: false, filters: undefined, examples: [] },
        schema: { type: 'array', maxItems: 2, uniqueItems: true, items: { enum: ['s', 'm', 'l'] } },
      },
    ],
    headerFields: [{ ...site, name: 'X-Priority', required: false, schema: limits }],
  };
  const contract = withOperation(await extendedContract(), 'createCase', fields);
  const [, , further] = planned(wrongParameters, contract)
    .scenarios()
    .map(({ waves }) => stepsOf(waves));
  const all = further?.map(({ headers, query, role }) => [role, query ?? headers]);
  expect(all).toEqual([
    ['test', [['sizes', 'S']]],
    ['test', [['X-Priority', '0']]],
    ['test', [['X-Priority', '6']]],
    ['test', [['X-Priority', '-1']]],
    ['test', [['X-Priority', '1abc']]],
    ['test', [['X-Priority', '1.5']]],
    [
      'test',
      [
        ['sizes', 's'],
        ['sizes', 'm'],
        ['sizes', 'l'],
      ],
    ],
    [
      'test',
      [
        ['sizes', 's'],
        ['sizes', 's'],
      ],
    ],
    [
      'test',
      [
        ['sizes', 's'],
        ['sizes', 'assay-none-of-these'],
      ],
    ],
    ['control', undefined],
  ]);
});

test('an object in the query is sent with a wrong member, and alone', async () => {
  const box: QueryField = {
    name: 'box',
    required: false,
    filters: undefined,
    style: 'deepObject',
    examples: [{ width: 3, unit: 'm' }],
    schema: {
      type: 'object',
      required: ['width'],
      properties: { width: { type: 'integer', minimum: 1 }, unit: { type: 'string' } },
    },
  };
  const contract = withOperation(await extendedContract(), 'createCase', { queryFields: [box] });
  const sent = planned(wrongParameters, contract)
    .scenarios()
    .flatMap(({ waves }) => stepsOf(waves))
    .filter(({ role }) => role === 'test');
  expect(sent[0]).toMatchObject({
    omits: ['box'],
    query: [['box[unit]', 'm']],
    deviations: [{ kind: 'query', field: 'box[width]', keyword: 'required' }],
  });
  expect(sent.map(({ query }) => query?.map((pair) => pair.join('=')).join('&'))).toEqual([
    'box[unit]=m',
    'box[width]=text&box[unit]=m',
    'box[width]=0&box[unit]=m',
  ]);
});

test('of a header and a cookie with a pattern, texts of which a part matches are sent as well', async () => {
  const schema: JsonSchema = { type: 'string', pattern: '^b[0-9]$' };
  const headerFields = [
    { ...site, name: 'X-Batch', schema },
    { ...site, in: 'cookie' as const, name: 'desk', style: 'form' as const, schema },
  ];
  const contract = withOperation(await extendedContract(), 'createCase', { headerFields });
  const sent = planned(wrongParameters, contract)
    .scenarios()
    .flatMap(({ waves }) => stepsOf(waves))
    .flatMap(({ headers = [], omits = [] }) => headers.map((pair) => [...pair, ...omits]));
  expect(sent).toEqual([
    ['X-Batch', 'assay-none-of-these'],
    ['Cookie', 'desk=assay-none-of-these', 'desk'],
    ['X-Batch', 'b0x'],
    ['Cookie', 'desk=b0x', 'desk'],
    ['X-Batch', 'xb0'],
    ['Cookie', 'desk=xb0', 'desk'],
  ]);
});

test('a chosen ID of a form that its schema refuses is sent, one of a format alone is not', async () => {
  const contract = await extendedContract();
  const [field] = operationOf(contract, 'updateCase').pathFields;
  if (field === undefined) throw new Error('updateCase has a path field');
  const sent = (schema: JsonSchema): readonly unknown[] => {
    const pathFields = [{ ...field, schema, source: undefined, chosen: true as const }];
    return planned(wrongParameters, withOperation(contract, 'updateCase', { pathFields }))
      .scenarios()
      .flatMap(({ waves }) => stepsOf(waves))
      .filter(({ role }) => role === 'test')
      .map(({ deviations, operation, target }) => [operation, target?.[field.name], deviations]);
  };
  expect(sent({ type: 'string', pattern: '^[a-z][a-z-]*$' })).toEqual([
    [
      'updateCase',
      { literal: '9~none_of~these' },
      [{ kind: 'query', field: 'caseId', keyword: 'pattern', in: 'path' }],
    ],
    ['updateCase', { literal: 'a0' }, [{ kind: 'query', field: 'caseId', keyword: 'pattern', in: 'path' }]],
  ]);
  expect(sent({ type: 'string', format: 'uuid' })).toEqual([]);
  expect(sent({ type: 'string' })).toEqual([]);
});

test('a command whose path is limited to some values is sent with none of them; a read is not', async () => {
  const contract = await extendedContract();
  const strangePath = { path: '/cases/{caseId}/assay-none-of-these', field: 'action' };
  const sent = (id: string): readonly unknown[] =>
    planned(wrongParameters, withOperation(contract, id, { strangePath }))
      .scenarios()
      .flatMap(({ waves }) => stepsOf(waves))
      .filter(({ operation, role }) => operation === id && role === 'test')
      .map(({ deviations, path }) => [path, deviations]);
  expect(sent('closeCase')).toEqual([
    ['no-choice', [{ kind: 'query', field: 'action', keyword: 'enum', in: 'path' }]],
  ]);
  expect(sent('getCase')).toEqual([]);
});
