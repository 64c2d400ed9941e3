import { expect, test } from 'vitest';
import type { JsonObject } from '../src/model/json.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { linkTo, object, operation } from '../src/selftest/shapes/document.ts';
import { loadSuites } from '../src/suite-kit/load.ts';
import { contractOf, made } from '../src/testing/contracts.ts';
import { editedTo, holder, planned, principal } from '../src/testing/plans.ts';
import reads from './reads.ts';

const contract = await contractOf(
  operation('POST /notes', 'make', { body: object({ text: { type: 'string' } }), result: made }),
  operation('POST /notes/search', 'search', {
    governed: { read: true },
    body: object({ words: { type: 'string' } }),
    more: { parameters: [] },
  }),
);
const principals = [holder(contract, 'lead'), principal('nobody'), holder(contract, 'other', { scope: 'b' })];

test('a read with a body is always sent with it, unmarked and without a key of its own', async () => {
  const loaded = await loadSuites([{ folder: 'suites', endings: ['.ts', '.yaml'] }], []);
  const suites = await loaded.suites();
  const steps = suites
    .flatMap((suite) => planned(suite, contract, { principals, budget: 'standard' }).scenarios())
    .flatMap(({ bodies, title, waves }) =>
      stepsOf(waves)
        .filter(({ operation }) => operation === 'search')
        // What looks for one record names it.
        .filter(({ body }) => body.use !== 'text' && (body.use !== 'named' || body.name !== 'one'))
        .map(({ body }) => ({ title, body: body.use === 'named' ? bodies[body.name] : body.use })),
    );
  expect(steps.length).toBeGreaterThan(50);
  expect(
    steps.filter(({ body }) => JSON.stringify(body) !== '{"value":{"words":"Conformance probe"}}'),
  ).toEqual([]);
});

test('a read with a body is sent bodies that its schema refuses', () => {
  const edits = planned(reads, contract)
    .scenarios({ probe: 'wrong-body', operation: 'search' })
    .flatMap(({ waves }) => stepsOf(waves))
    .filter(({ deviations }) => deviations.length > 0)
    .map((step) => [editedTo(step.body), step.deviations]);
  expect(edits).toContainEqual([{}, [{ kind: 'body', at: '/words', keyword: 'required' }]]);
  const root = [{ kind: 'body', at: '', keyword: 'type' }];
  expect(edits).toEqual(
    expect.arrayContaining([
      [null, root],
      [[], root],
    ]),
  );
});

test.each(['quick', 'standard'] as const)(
  'each member of a search is wrong at least once: %s',
  async (budget) => {
    const members = ['words', 'author', 'kind', 'from', 'to', 'place', 'limit', 'cursor'];
    const text = { type: 'string', minLength: 1, maxLength: 9 };
    const body = object(Object.fromEntries(members.map((name) => [name, text])), []);
    const search = operation('POST /notes/search', 'search', {
      governed: { read: true },
      body,
      more: { parameters: [] },
    });
    const places = planned(reads, await contractOf(search), { budget })
      .steps({ probe: 'wrong-body', operation: 'search' })
      .flatMap(({ deviations }) => deviations.flatMap((one) => (one.kind === 'body' ? [one.at] : [])));
    expect(places).toEqual(expect.arrayContaining(members.map((name) => `/${name}`)));
  },
);

test.each(['/notes/search', '/notes:search'])(
  '%s is sent from another scope, after a record is made',
  async (path) => {
    const operations = contract.operations.map((one) => (one.id === 'search' ? { ...one, path } : one));
    const steps = planned(reads, { ...contract, operations }, { principals })
      .scenarios({ probe: 'sought-foreign', operation: 'search' })
      .flatMap(({ waves }) => stepsOf(waves));
    const sent = steps.map((step) => [step.operation, step.as, editedTo(step.body, '')]);
    const marker = '$' + '{marker}';
    const whole = { words: `Conformance probe ${marker}` };
    const alone = { words: marker };
    // Among many older records only its own marker finds the record on the first page.
    expect(sent).toEqual([
      ['make', 'lead', undefined],
      ['search', 'other', undefined],
      ['search', 'lead', undefined],
      ['search', 'other', whole],
      ['search', 'lead', whole],
      ['search', 'other', alone],
      ['search', 'lead', alone],
    ]);
    expect(new Set(steps.slice(3).map(({ body }) => body.use === 'named' && body.name))).toEqual(
      new Set(['one']),
    );
  },
);

test('a search without a text is asked for records like one that a command within another record made', async () => {
  const within = { name: 'shelf', in: 'path', required: true, schema: { type: 'string' } };
  const shelves = await contractOf(
    operation('POST /shelves', 'build', { result: made, links: linkTo('add', 'shelf', '/id') }),
    operation('POST /shelves/{shelf}/notes', 'add', {
      governed: { effect: { list: 'notes', id: '/id' } },
      parameters: [within],
      body: object({ text: { type: 'string' }, tone: { enum: ['low', 'high'] } }, ['text', 'tone']),
      result: made,
    }),
    operation('GET /shelves/{shelf}/notes', 'notes', { parameters: [within], result: true }),
    operation('POST /notes/search', 'search', {
      governed: { read: true },
      body: object({ tone: { enum: ['low', 'high'] }, max: { type: 'integer', maximum: 100 } }, []),
      more: { parameters: [] },
    }),
  );
  const sent = planned(reads, shelves, {
    principals: [holder(shelves, 'lead'), holder(shelves, 'other', { scope: 'b' })],
  })
    .scenarios({ probe: 'sought-foreign', operation: 'search' })
    .flatMap(({ waves }) => stepsOf(waves))
    .map((step) => [step.operation, step.as, editedTo(step.body, '')]);
  const like = { tone: 'low', max: 100 };
  expect(sent).toEqual([
    ['build', 'lead', undefined],
    ['add', 'lead', undefined],
    ['search', 'other', undefined],
    ['search', 'lead', undefined],
    ['search', 'other', like],
    ['search', 'lead', like],
  ]);
});

test('a read is sent texts with quotes, a field given twice, and bodies that are not JSON, each with a control', async () => {
  const words = { name: 'words', in: 'query', schema: { type: 'string' } };
  const state = { name: 'state', in: 'query', schema: { enum: ['open', 'closed'] } };
  const asked = await contractOf(operation('GET /notes', 'list', { more: { parameters: [state, words] } }));
  const odd = (of: typeof contract, id: string) =>
    planned(reads, of)
      .scenarios({ probe: 'odd', operation: id })
      .flatMap(({ waves }) => stepsOf(waves));
  expect(odd(asked, 'list').map(({ deviations, query }) => [deviations.length, query])).toEqual([
    [1, [['words', "assay' OR '1'='1"]]],
    [1, [['words', expect.stringContaining('<script>')]]],
    [
      1,
      [
        ['words', 'assay'],
        ['words', 'assay'],
      ],
    ],
    [0, [['words', 'assay']]],
  ]);
  const listOfTwo = { type: 'array', items: { enum: ['a', 'b'] }, minItems: 2 };
  const fields = { name: 'fields', in: 'query', schema: listOfTwo };
  const queries = async (more: JsonObject): Promise<unknown> => {
    const of = await contractOf(operation('GET /notes', 'list', { parameters: [{ ...fields, ...more }] }));
    return odd(of, 'list').map(({ query }) => query?.length);
  };
  expect(await queries({ explode: false })).toEqual([2, 1]);
  expect(await queries({})).toEqual([]);
  expect(odd(contract, 'search').map(({ deviations }) => deviations[0]?.kind)).toEqual([
    ...['body-syntax', 'body-syntax', 'body-syntax', 'body-syntax', 'media-type', 'media-type', undefined],
  ]);
});
