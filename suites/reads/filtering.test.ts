import { expect, test } from 'vitest';
import type { JsonObject, JsonSchema } from '../../src/model/json.ts';
import { type Scenario, stepsOf } from '../../src/model/scenario.ts';
import { linkTo, object, operation } from '../../src/selftest/shapes/document.ts';
import { contractOf, extendedContract, made, paged, withOperation } from '../../src/testing/contracts.ts';
import { holder, planned } from '../../src/testing/plans.ts';
import reads from '../reads.ts';

/** A query field that filters by the member of its name. */
const filterBy = (name: string, schema: JsonSchema) => ({
  ...{ name, in: 'query', schema },
  'x-governed': { filters: `/${name}` },
});

test('a list is asked for each member that a filter enumerates, with a record that it must exclude', async () => {
  const filter = { probe: 'filter-status', operation: 'listCases' };
  const scenarios = planned(reads, await extendedContract()).scenarios(filter);
  const asked = (id: string): readonly unknown[] =>
    scenarios.flatMap(({ waves }) =>
      stepsOf(waves).flatMap((step) =>
        step.id === id ? (step.query?.find(([name]) => name === 'status')?.[1] ?? []) : [],
      ),
    );
  expect(asked('filtered')).toEqual(['open', 'closed']);
  // And page by page, with records right behind the first page that a command has moved to another status.
  expect(asked('filtered-0')).toEqual(['open', 'closed']);
  expect(asked('filtered-1')).toMatchObject([
    { followed: 'status', address: '/nextCursor', otherwise: 'open' },
    { followed: 'status', address: '/nextCursor', otherwise: 'closed' },
  ]);
  expect(stepsOf(scenarios[2]?.waves ?? []).map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(['closeCase']),
  );
  // What the pages lack, the list without the filter shows.
  const last = stepsOf(scenarios[2]?.waves ?? []).at(-1);
  expect([last?.id, last?.query?.some(([name]) => name === 'status')]).toEqual(['unfiltered', false]);
});

test('the record that a filter lets pass is read by its ID, where the contract declares such a read', async () => {
  const shown = (contract: Parameters<typeof planned>[1]) =>
    planned(reads, contract)
      .steps({ probe: 'filter-status', operation: 'listCases' })
      .filter(({ id }) => id === 'match-shown')
      .map(({ observes, operation: of, target }) => [of, target, observes]);
  const one = ['getCase', { caseId: { step: 'match', at: '/id' } }, 'made'];
  expect(shown(await extendedContract())).toEqual([one, one]);
  const unread = withOperation(await extendedContract(), 'createCase', () => ({
    effect: { read: undefined, list: 'listCases', id: '/id' },
  }));
  expect(shown(unread)).toEqual([]);
});

test('a list is asked without and with the value that a command gave a record', async () => {
  const filter = { probe: 'filter-status', operation: 'listCases' };
  // The list shows the record of a command that declares a read alone.
  const contract = withOperation(await extendedContract(), 'closeCase', () => ({
    effect: { read: 'getCase', list: undefined, id: '/id' },
  }));
  const found = planned(reads, contract)
    .scenarios(filter)
    .find(({ title }) => title === 'a record after closeCase, with the status that it has then');
  const steps = stepsOf(found?.waves ?? []);
  expect(steps.map(({ operation }) => operation)).toEqual([
    'createCase',
    'closeCase',
    'listCases',
    'listCases',
    'listCases',
  ]);
  const [, close, wide, narrow, again] = steps;
  expect(again?.query).toEqual(wide?.query);
  expect(narrow?.query).toEqual([...(wide?.query ?? []), ['status', { step: close?.id, at: '/status' }]]);
  expect(wide?.query?.map(([name]) => name)).toEqual(['limit', 'subject']);
  // It also puts records behind the first small page that the filter excludes.
  const paged = planned(reads, contract)
    .steps(filter)
    .filter(({ id }) => id.includes('last-1-'));
  expect(paged.map((step) => step.operation)).toContain('closeCase');
});

test('which commands set a value does not depend on the order of the document', async () => {
  const contract = await contractOf(
    operation('POST /notes', 'createNote', {
      governed: { effect: { list: 'listNotes', id: '/id' } },
      body: object({ text: { type: 'string' } }),
      result: object({ id: { type: 'string' }, state: { type: 'string' } }),
      links: Object.assign({}, ...['open', 'lock', 'wipe'].map((name) => linkTo(name, 'noteId'))),
    }),
    operation('GET /notes', 'listNotes', {
      ...paged,
      parameters: [
        ...paged.parameters,
        { name: 'state', in: 'query', schema: { type: 'string' }, 'x-governed': { filters: '/state' } },
      ],
    }),
    ...['open', 'lock', 'wipe'].map((name) =>
      operation(`POST /notes/{noteId}/${name}`, name, {
        result: object({ id: { type: 'string' }, state: { type: 'string' } }),
      }),
    ),
  );
  const titles = (of: typeof contract): readonly string[] =>
    planned(reads, of)
      .scenarios({ operation: 'listNotes' })
      .map(({ title }) => title)
      .filter((title) => title.startsWith('a record after'));
  expect(titles(contract)).toEqual([
    'a record after lock, with the state that it has then',
    'a record after open, with the state that it has then',
  ]);
  expect(titles({ ...contract, operations: contract.operations.toReversed() })).toEqual(titles(contract));
});

test('filters of a list without pages are tried as well', async () => {
  const contract = withOperation(await extendedContract(), 'listCases', () => ({ pagination: undefined }));
  const principals = [holder(contract, 'all'), holder(contract, 'stranger', { scope: 'b' })];
  const plan = planned(reads, contract, { principals });
  const asked = (probe: string, id: string): readonly unknown[] =>
    plan
      .steps({ probe, operation: 'listCases' })
      .filter((step) => step.id === id)
      .map(({ query }) => query?.map(([name]) => name));
  expect(asked('filter-status', 'filtered')).toEqual([['status'], ['status']]);
  expect(asked('filter-subject', 'filtered')).toEqual([['subject']]);
  expect(asked('foreign', 'afar')).toContainEqual(['status']);
});

test('a list with two filters is asked by both at once, and holds what passes only one of them', async () => {
  const [tone, size] = [{ enum: ['low', 'high'] }, { enum: ['small', 'large'] }];
  const contract = await contractOf(
    operation('POST /notes', 'createNote', {
      body: object({ tone, size }),
      result: made,
      governed: { effect: { list: 'listNotes' } },
    }),
    operation('GET /notes', 'listNotes', {
      ...paged,
      parameters: [...paged.parameters, filterBy('tone', tone), filterBy('size', size)],
    }),
  );
  const [both] = planned(reads, contract).scenarios({ probe: 'two-filters' });
  expect(Object.values(both?.bodies ?? {}).map(({ value }) => value)).toEqual([
    { tone: 'low', size: 'small' },
    { tone: 'low', size: 'large' },
    { tone: 'high', size: 'small' },
  ]);
  expect(stepsOf(both?.waves ?? []).map(({ query }) => query?.slice(1))).toEqual([
    ...[undefined, undefined, undefined],
    [['tone', 'low']],
    [
      ['tone', 'low'],
      ['size', 'small'],
    ],
  ]);
});

test('a list with a filter by the record that bodies name, and one by a member, is asked by both at once', async () => {
  const kind = { enum: ['plain', 'printed'] };
  const orderId = { type: 'string' };
  const contract = await contractOf(
    operation('POST /orders', 'createOrder', { result: made }),
    operation('GET /orders/{orderId}', 'getOrder', { result: made }),
    operation('POST /cards', 'createCard', {
      body: object({ orderId, kind }),
      result: made,
      governed: { effect: { list: 'listCards' } },
    }),
    operation('GET /cards', 'listCards', {
      ...paged,
      parameters: [...paged.parameters, filterBy('orderId', orderId), filterBy('kind', kind)],
    }),
  );
  const [both] = planned(reads, contract).scenarios({ probe: 'two-filters' });
  const cards = stepsOf(both?.waves ?? []).filter(({ operation: id }) => id === 'createCard');
  const kinds = ['both', 'first', 'second'].map((name) => both?.bodies[name]?.value);
  expect(kinds).toMatchObject([{ kind: 'plain' }, { kind: 'printed' }, { kind: 'plain' }]);
  const [own, again, other] = cards.map(({ target }) => JSON.stringify(target));
  expect(again).toBe(own);
  expect(other).not.toBe(own);
  expect(
    stepsOf(both?.waves ?? [])
      .at(-1)
      ?.query?.slice(1),
  ).toMatchObject([
    ['orderId', { at: '/id' }],
    ['kind', 'plain'],
  ]);
});

test('more than two filters are asked at once, also what the service sets', async () => {
  const [tone, size, kind] = [{ enum: ['low', 'high'] }, { enum: ['small', 'large'] }, { enum: ['x', 'y'] }];
  const status = { enum: ['open', 'closed'] };
  const listOf = async (
    body: Readonly<Record<string, JsonObject>>,
    result: Readonly<Record<string, JsonObject>> = {},
  ): Promise<Scenario | undefined> => {
    const filters = Object.entries({ ...body, ...result }).map(([name, schema]) => filterBy(name, schema));
    const contract = await contractOf(
      operation('POST /notes', 'createNote', {
        body: object(body),
        result: object({ id: { type: 'string' }, ...body, ...result }),
        governed: { effect: { list: 'listNotes' } },
      }),
      operation('GET /notes', 'listNotes', { ...paged, parameters: [...paged.parameters, ...filters] }),
    );
    return planned(reads, contract).scenarios({ probe: 'all-filters' })[0];
  };
  const askedOf = (of: Scenario | undefined) =>
    stepsOf(of?.waves ?? [])
      .at(-1)
      ?.query?.slice(1);
  const three = await listOf({ tone, size, kind });
  expect(Object.values(three?.bodies ?? {}).map(({ value }) => value)).toEqual([
    { tone: 'low', size: 'small', kind: 'x' },
    { tone: 'high', size: 'small', kind: 'x' },
    { tone: 'low', size: 'large', kind: 'x' },
    { tone: 'low', size: 'small', kind: 'y' },
  ]);
  expect(askedOf(three)).toEqual([
    ['tone', 'low'],
    ['size', 'small'],
    ['kind', 'x'],
  ]);
  // The service alone sets the status: it is asked for as the record has it.
  expect(askedOf(await listOf({ tone, size }, { status }))).toEqual([
    ['tone', 'low'],
    ['size', 'small'],
    ['status', { step: 'all', at: '/status' }],
  ]);
  // Two by themselves are asked for elsewhere.
  expect(await listOf({ tone, size })).toBeUndefined();
});

test.each<[string, JsonSchema, JsonSchema, readonly string[]]>([
  ['texts', { type: 'array', items: { type: 'string' } }, { type: 'string' }, ['assay-none']],
  ['texts in capitals', { type: 'array', items: { type: 'string' } }, { pattern: '^[A-Z]+$' }, ['ASSAYNONE']],
  ['named values', { type: 'array', items: { enum: ['a', 'b'] } }, { type: 'string' }, []],
  ['one text', { type: 'string' }, { type: 'string' }, []],
])('a filter by a member of %s that no body sets', async (_, shown, schema, expected) => {
  const result = object({ id: { type: 'string' }, tags: shown }, ['id']);
  const contract = await contractOf(
    operation('POST /notes', 'make', {
      body: object({ text: { type: 'string' } }),
      result,
      governed: { effect: { list: 'list', id: '/id' } },
    }),
    operation('GET /notes', 'list', {
      parameters: [{ ...filterBy('tag', schema), 'x-governed': { filters: '/tags' } }],
      result: { type: 'array', items: result },
    }),
  );
  const asked = planned(reads, contract)
    .scenarios({ operation: 'list', probe: 'filter-tag' })
    .flatMap(({ waves }) => stepsOf(waves))
    .flatMap(({ query = [], role }) => (role === 'test' ? query : []))
    .flatMap(([name, value]) => (name === 'tag' && typeof value === 'string' ? [value] : []));
  expect(asked).toEqual(expected);
});
