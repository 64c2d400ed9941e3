import { expect, test } from 'vitest';
import { rulingsOf } from '../../judge.ts';
import type { Operation } from '../../model/contract.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { clauseOf } from '../catalogue.ts';

/** The verdicts of a clause, where one operation of the literal contract is another one. */
function verdicts(code: string, lines: readonly Line[], id: string, change: Partial<Operation>) {
  const operations = contract.operations.map((one) => (one.id === id ? { ...one, ...change } : one));
  const context = makeContext({
    contract: { ...contract, operations },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const clause = clauseOf(code);
  if (clause === undefined) throw new Error(`no clause ${code}`);
  return rulingsOf(clause, context, trace(lines)).map(({ verdict }) => verdict);
}

const fields = (...names: readonly string[]): Json => ({ errors: names.map((field) => ({ field })) });

test.each([
  ['status', 'holds'],
  // The document calls the parameter so.
  ['filter', 'inconclusive'],
  ['page', 'violated'],
] as const)(
  "'%s' is named, where the query has a member of the parameter 'filter' alone: %s",
  (name, verdict) => {
    const fault = { kind: 'query', field: 'status', keyword: 'enum' } as const;
    const lines: readonly Line[] = [
      {
        ...{ id: 'probe', role: 'test', operation: 'listCases', status: 422, query: 'status=x' },
        ...{ deviations: [fault], body: fields(name) },
      },
      { id: 'control', operation: 'listCases', controls: 'probe', status: 200, body: { items: [] } },
    ];
    const status = { name: 'status', required: false, schema: {}, filters: undefined, within: 'filter' };
    expect(verdicts('VAL-3', lines, 'listCases', { queryFields: [status] })).toEqual([verdict]);
  },
);

const heir = (name: string, more: JsonObject): JsonObject => ({
  type: 'object',
  required: ['amount', ...Object.keys(more)],
  properties: { kind: { type: 'string' }, amount: { type: 'integer' }, ...more },
  title: name,
});
const chosen = (name: string, more: JsonObject): JsonObject => ({
  allOf: [heir(name, more), { properties: { kind: { const: name } }, required: ['kind'] }],
});
const [card, bill] = [{ pan: { type: 'string' } }, { iban: { type: 'string' } }];

test.each([
  ['kind', { chosenSchema: { oneOf: [chosen('card', card), chosen('bill', bill)] } }, 'holds'],
  ['kind', {}, 'violated'],
  ['amount', { chosenSchema: { oneOf: [chosen('card', card), chosen('bill', bill)] } }, 'violated'],
] as const)('%s is named as well, which %j: %s', (name, choice, verdict) => {
  const body = {
    mediaType: 'application/json',
    required: true,
    schema: { oneOf: [heir('card', card), heir('bill', bill)] },
    ...choice,
  };
  const lines: readonly Line[] = [
    {
      ...{ id: 'probe', role: 'test', operation: 'keepCase', status: 422, body: fields('pan', name) },
      deviations: [{ kind: 'body', at: '/pan', keyword: 'required' }],
      sent: '{"kind":"card","amount":1}',
    },
    {
      ...{ id: 'control', operation: 'keepCase', controls: 'probe', status: 200 },
      sent: '{"kind":"card","amount":1,"pan":"4"}',
    },
  ];
  expect(verdicts('VAL-5', lines, 'keepCase', { body })).toEqual([verdict]);
});

test.each([
  [{ unevaluatedProperties: false }, '/amount', 'inconclusive'],
  [{ unevaluatedProperties: false }, '/pan/number', 'inconclusive'],
  [{}, '/amount', 'violated'],
])('kind is named as well where %j is next to what refuses %s: %s', (closing, at, verdict) => {
  const known = heir('card', { pan: { type: 'object', properties: { number: { type: 'string' } } } });
  const body = {
    mediaType: 'application/json',
    required: true,
    schema: { allOf: [known], ...closing },
  };
  const lines: readonly Line[] = [
    {
      ...{ id: 'probe', role: 'test', operation: 'keepCase', status: 422, body: fields(at.slice(1), 'kind') },
      deviations: [{ kind: 'body', at, keyword: 'type' }],
      sent:
        at === '/amount'
          ? '{"kind":"card","amount":"1","pan":{}}'
          : '{"kind":"card","amount":1,"pan":{"number":1}}',
    },
    {
      ...{ id: 'control', operation: 'keepCase', controls: 'probe', status: 200 },
      sent: '{"kind":"card","amount":1,"pan":{}}',
    },
  ];
  expect(verdicts('VAL-5', lines, 'keepCase', { body })).toEqual([verdict]);
});
