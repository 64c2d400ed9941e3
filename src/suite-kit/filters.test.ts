import { expect, test } from 'vitest';
import { type Contract, operationOf } from '../model/contract.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { linkTo, object, operation } from '../selftest/shapes/document.ts';
import { contractOf, made, paged } from '../testing/contracts.ts';
import { planningOf, present } from '../testing/plans.ts';
import { filtersOf, ownFilter } from './filters.ts';
import { makerOf, makingOf } from './makers.ts';
import { sceneOf } from './scene.ts';
import { operationValues } from './values.ts';

const text = { type: 'string' };
/** A query field that filters by a member of the records. */
const filter = (name: string, at: string, schema: Json = text): Json => ({
  ...{ name, in: 'query', schema, 'x-governed': { filters: at } },
});

/** Papers of an owner: an envelope around the body, and records under a parent that the list does not name. */
const contract = await contractOf(
  operation('PUT /owners/{ownerId}', 'putOwner', { result: made, links: linkTo('addPaper', 'ownerId') }),
  operation('POST /owners/{ownerId}/papers', 'addPaper', {
    governed: { effect: { list: ['listPapers', 'papersOf'], read: 'getPaper', id: '/data/id' } },
    parameters: [{ name: 'ownerId', in: 'path', required: true, schema: { ...text, format: 'uuid' } }],
    body: object({
      data: object({
        of: object(
          {
            title: text,
            tone: { enum: ['low', 'high'] },
            pages: { type: 'integer', minimum: 3, maximum: 9 },
          },
          ['title'],
        ),
      }),
    }),
    result: { properties: { data: made } },
    links: { ...linkTo('getPaper', 'paperId', '/data/id'), ...linkTo('signPaper', 'paperId', '/data/id') },
  }),
  operation('GET /papers', 'listPapers', {
    ...paged,
    parameters: [
      ...paged.parameters,
      filter('title', '/of/title'),
      filter('tone', '/of/tone'),
      filter('pages', '/of/pages', { type: 'integer' }),
      filter('state', '/state', { enum: ['new', 'signed'] }),
      filter('shelf', '/shelf'),
    ],
  }),
  operation('GET /owners/{ownerId}/papers', 'papersOf', paged),
  operation('GET /papers/{paperId}', 'getPaper', { result: true }),
  operation('POST /papers/{paperId}/sign', 'signPaper', {
    governed: { effect: { list: 'listPapers', read: 'getPaper', id: '/id' } },
    result: made,
  }),
);

/** A list, what makes its records, and the filters that are tried there. */
function tried(of: Contract, list: string, maker: string, examples: readonly Json[] = []) {
  const planning = planningOf(of, { examples });
  const scene = present(sceneOf(planning, operationOf(of, list)));
  const making = present(makingOf(planning, scene, operationOf(of, maker)));
  return { making, ...filtersOf(planning, scene.operation, making) };
}

test('the maker of what a list shows may work within a record that the list does not name', () => {
  const planning = planningOf(contract);
  expect(makerOf(planning, operationOf(contract, 'listPapers'))?.id).toBe('addPaper');
  for (const list of ['getPaper', 'papersOf'])
    expect(makerOf(planning, operationOf(contract, list))?.id).toBe('addPaper');
  const { making } = tried(contract, 'listPapers', 'addPaper');
  expect(making.prelude).toHaveLength(1);
  expect(making.request('one').target).toEqual({ ownerId: { step: 'made-make-ownerId', at: '/id' } });
});

test('a list is asked for the record that its records are made in, where only the path of the command names it', () => {
  const results = async (path: string, name: string, member: string) =>
    contractOf(
      operation('POST /orders', 'addOrder', { result: made, links: linkTo('addResult', name) }),
      operation(`POST ${path}`, 'addResult', {
        governed: { effect: { list: 'results', id: '/id' } },
        parameters: [{ name, in: 'path', required: true, schema: text }],
        body: object({ value: text }),
        result: object({ id: text }),
      }),
      operation('GET /results', 'results', {
        ...paged,
        parameters: [...paged.parameters, filter(member, `/${member}`)],
      }),
    );
  const ref = { step: 'made-make-orderId', at: '/id' };
  const values = async (path: string, name: string, member: string) =>
    tried(await results(path, name, member), 'results', 'addResult').trials.map(({ value }) => value);
  return Promise.all([
    expect(values('/orders/{orderId}/results', 'orderId', 'orderId')).resolves.toEqual([ref]),
    expect(values('/orders/{orderId}/results', 'orderId', 'order_id')).resolves.toEqual([ref]),
    expect(values('/orders/{id}/results', 'id', 'orderId')).resolves.toEqual([
      { ...ref, step: 'made-make-id' },
    ]),
    expect(values('/orders/{orderId}/results', 'orderId', 'patientId')).resolves.toEqual([]),
  ]);
});

test('a filter by a record that the body names is tried with two such records, not with made-up IDs', async () => {
  const holds = (parameters: readonly Json[] = []) =>
    contractOf(
      operation('POST /cases', 'addCase', { body: object({ subject: text }), result: made }),
      operation('GET /cases/{caseId}', 'getCase', { result: made }),
      operation('POST /holds', 'addHold', {
        governed: { effect: { list: 'holds', id: '/id' } },
        body: object({ caseId: text, reason: text }),
        result: object({ id: text }),
      }),
      operation('GET /holds', 'holds', { ...paged, parameters: [...paged.parameters, ...parameters] }),
    );
  const contract = await holds([filter('caseId', '/caseId'), filter('reason', '/reason')]);
  const { trials } = tried(contract, 'holds', 'addHold');
  const [one, two] = trials;
  expect(one?.value).toEqual({ step: 'made-make-caseId', at: '/id' });
  expect(one?.elsewhere?.target).toEqual({ caseId: { step: 'unlike-make-caseId', at: '/id' } });
  expect(one?.elsewhere?.waves).toHaveLength(1);
  expect(Object.keys(one?.elsewhere?.bodies ?? {})).toEqual(['unlike-make-caseId']);
  expect(two?.elsewhere).toBeUndefined();
  // An example names a record that is there.
  const examples = [{ caseId: 'case_17', reason: 'audit' }];
  const given = tried(contract, 'holds', 'addHold', examples).trials;
  expect(given.map(({ value }) => value)).toContain('case_17');
  expect(given.some(({ elsewhere }) => elsewhere !== undefined)).toBe(false);
});

test('each declared filter is tried where the body has its member, or is named as untried', () => {
  const { trials, untried } = tried(contract, 'listPapers', 'addPaper');
  const bare = trials.map(({ alone, excluded, field, match, value }) => ({
    field: field.name,
    value,
    match,
    excluded,
    alone: alone.map(([name]) => name),
  }));
  const edited = (at: string, set: string | number): object => ({
    use: 'named',
    name: 'match',
    edit: { at, set },
  });
  expect(bare.filter(({ field }) => field === 'title')).toEqual([
    {
      field: 'title',
      value: `Conformance probe \${marker:match}`,
      match: { use: 'named', name: 'match' },
      excluded: { use: 'named', name: 'other' },
      alone: [],
    },
  ]);
  expect(bare.filter(({ field }) => field === 'state').map(({ value }) => value)).toEqual(['new', 'signed']);
  const [tone] = bare.filter(({ field }) => field === 'tone');
  expect([['low', 'high'].includes(String(tone?.value)), tone?.alone]).toEqual([true, ['title']]);
  expect(tone?.match).toEqual(edited('/data/of/tone', String(tone?.value)));
  expect(tone?.excluded).toEqual(edited('/data/of/tone', tone?.value === 'low' ? 'high' : 'low'));
  const [pages] = bare.filter(({ field }) => field === 'pages');
  expect(pages?.match).toEqual(edited('/data/of/pages', Number(pages?.value)));
  expect(pages?.excluded).not.toEqual(pages?.match);
  expect(untried).toEqual([
    { field: 'shelf', why: 'nothing says which values /shelf of its records may have' },
  ]);
});

test('a filter by the ID of a given record asks for that id', () => {
  const [trial] = tried(contract, 'listPapers', 'addPaper', [{ data: { of: { title: 'ch_17' } } }]).trials;
  expect(trial).toMatchObject({
    value: 'ch_17',
    match: { use: 'named', name: 'match' },
    excluded: undefined,
  });
});

test('a filter by a code of digits excludes a record with another code, unless it is named like an ID', async () => {
  const digits = { type: 'string', pattern: '^[0-9]{6,10}$' };
  const coded = await contractOf(
    operation('POST /lines', 'addLine', {
      governed: { effect: { list: 'listLines', id: '/id' } },
      body: object({ code: digits, tariffId: digits }, ['code', 'tariffId']),
      result: made,
    }),
    operation('GET /lines', 'listLines', {
      ...paged,
      parameters: [...paged.parameters, filter('code', '/code'), filter('tariff', '/tariffId')],
    }),
  );
  const [code, tariff] = tried(coded, 'listLines', 'addLine').trials;
  expect(code?.excluded).toMatchObject({ edit: { at: '/code' } });
  expect(code?.excluded).not.toEqual(code?.match);
  expect(tariff).toMatchObject({ value: '000000', excluded: undefined });
});

test('a filter of items that wrap their records is tried with what the body has without the wrapper', async () => {
  const person = object({ id: text, name: text, gender: text });
  const bundle = await contractOf(
    operation('POST /people', 'addPerson', {
      governed: { effect: { list: 'people', id: '/id' } },
      body: object({ name: text, gender: { enum: ['male', 'female'] } }),
      result: person,
    }),
    operation('GET /people', 'people', {
      ...paged,
      parameters: [
        ...paged.parameters,
        filter('name', '/resource/name'),
        filter('gender', '/resource/gender', { enum: ['male', 'female'] }),
      ],
      result: object({
        items: { type: 'array', items: object({ fullUrl: text, resource: person }) },
        next: text,
      }),
    }),
  );
  const { making, trials } = tried(bundle, 'people', 'addPerson');
  expect(trials.map(({ field, value }) => [field.name, value])).toEqual([
    ['name', `Conformance probe \${marker:match}`],
    ['gender', 'male'],
    ['gender', 'female'],
  ]);
  expect(trials[1]?.match).toMatchObject({ edit: { at: '/gender', set: 'male' } });
  expect(trials[1]?.excluded).toMatchObject({ edit: { at: '/gender', set: 'female' } });
  const own = ownFilter(operationOf(bundle, 'people'), making.operation, making.body(), 'one');
  expect(own?.[0]).toBe('name');
});

test('a filter whose query field names its values is asked for these, although the body may have any text', async () => {
  const owned = await contractOf(
    operation('POST /papers', 'addPaper', {
      governed: { effect: { list: 'papers', id: '/id' } },
      body: object({ tone: text, title: text }),
      result: made,
    }),
    operation('GET /papers', 'papers', {
      ...paged,
      parameters: [...paged.parameters, filter('tone', '/tone', { enum: ['low', 'high'] })],
    }),
  );
  const { trials } = tried(owned, 'papers', 'addPaper');
  expect(trials.map(({ value }) => value)).toEqual(['low', 'high']);
  expect(trials[0]?.match).toMatchObject({ edit: { at: '/tone', set: 'low' } });
  expect(trials[0]?.excluded).toMatchObject({ edit: { at: '/tone', set: 'high' } });
});

test('a filter by what chooses the branch of a body is tried with a whole body of the other branch', async () => {
  const branch = (kind: string, member: string, value: string): Json =>
    object({ kind: { const: kind }, [member]: { const: value } }, ['kind', member], {
      additionalProperties: false,
    });
  const owned = await contractOf(
    operation('POST /parcels', 'addParcel', {
      governed: { effect: { list: 'listParcels', id: '/id' } },
      body: object({
        owner: { oneOf: [branch('person', 'name', 'Ada'), branch('company', 'firm', 'Berg')] },
      }),
      result: made,
    }),
    operation('GET /parcels', 'listParcels', {
      ...paged,
      parameters: [...paged.parameters, filter('ownerKind', '/owner/kind', { enum: ['person', 'company'] })],
    }),
  );
  const person = { use: 'named', name: 'match', edit: { at: '/owner/kind', set: 'person' } };
  const company = {
    use: 'named',
    name: 'match',
    edit: { at: '', set: { owner: { kind: 'company', firm: 'Berg' } } },
  };
  expect(
    tried(owned, 'listParcels', 'addParcel').trials.map(({ excluded, match, value }) => [
      value,
      match,
      excluded,
    ]),
  ).toEqual([
    ['person', person, company],
    ['company', company, person],
  ]);
});

test('a filter by what chooses the branch is tried with bodies of all branches, of which only one has a text', async () => {
  const card = object({ kind: { const: 'card' }, holder: { ...text, minLength: 1 } }, ['kind', 'holder']);
  const terms = object({ kind: { const: 'terms' }, days: { enum: [14, 30] } }, ['kind', 'days']);
  const methods = await contractOf(
    operation('POST /methods', 'addMethod', {
      governed: { effect: { list: 'listMethods', id: '/id' } },
      body: { oneOf: [card, terms] },
      result: made,
    }),
    operation('GET /methods', 'listMethods', {
      ...paged,
      parameters: [...paged.parameters, filter('kind', '/kind', { enum: ['card', 'terms'] })],
    }),
  );
  const { trials } = tried(methods, 'listMethods', 'addMethod');
  expect(trials.map(({ value }) => value)).toEqual(['card', 'terms']);
  expect(trials[0]?.excluded).toMatchObject({ edit: { at: '', set: { kind: 'terms' } } });
  expect(trials[1]?.match).toMatchObject({ edit: { at: '', set: { kind: 'terms' } } });
});

test('a whole body of the other branch has the marker, and the record that is made for the plain one', async () => {
  const branch = (kind: string, member: string): Json =>
    object(
      { kind: { const: kind }, caseId: text, [member]: { type: 'integer' }, note: { ...text, minLength: 1 } },
      ['kind', 'caseId', member],
    );
  const owned = await contractOf(
    operation('POST /cases', 'createCase', { result: made }),
    operation('GET /cases/{caseId}', 'getCase', { result: made }),
    operation('POST /checks', 'addCheck', {
      governed: { effect: { list: 'listChecks', id: '/id' } },
      body: { oneOf: [branch('count', 'n'), branch('weight', 'grams')] },
      result: made,
    }),
    operation('GET /checks', 'listChecks', {
      ...paged,
      parameters: [...paged.parameters, filter('kind', '/kind', { enum: ['count', 'weight'] })],
    }),
  );
  const plain = { kind: 'count', caseId: 'case_1', n: 1, note: 'a' };
  const { trials } = tried(owned, 'listChecks', 'addCheck', [plain]);
  const whole = trials.find(({ value }) => value === 'weight')?.match;
  expect(whole).toMatchObject({
    edit: {
      at: '',
      set: { kind: 'weight', caseId: 'case_1', note: 'a $' + '{marker}', grams: expect.any(Number) },
    },
  });
});

test.each<readonly [string, JsonObject, string | undefined]>([
  [
    'next to the object that wraps the record',
    { header: object({ by: text }), order: object({ title: text }) },
    'title',
  ],
  [
    'in either of two objects',
    { sender: object({ title: text }), order: object({ title: text }) },
    undefined,
  ],
])('a body may have further objects: the member is %s', async (_, members, expected) => {
  const wrapped = await contractOf(
    operation('POST /orders', 'addOrder', {
      governed: { effect: { list: 'orders', id: '/order/id' } },
      body: object(members),
      result: { properties: { order: made } },
    }),
    operation('GET /orders', 'orders', {
      ...paged,
      parameters: [...paged.parameters, filter('title', '/title')],
    }),
  );
  const { trials } = tried(wrapped, 'orders', 'addOrder');
  expect(trials[0]?.field.name).toBe(expected);
  if (expected !== undefined) expect(trials[0]?.bodies['match']?.marker).toBe('/order/title');
});

test('a filter by one of several values is tried behind another one, which the excluded body has alone', async () => {
  const labelled = await contractOf(
    operation('POST /notes', 'addNote', {
      governed: { effect: { list: 'listNotes', id: '/id' } },
      body: object(
        {
          text,
          labels: { type: 'array', uniqueItems: true, items: { ...text, minLength: 1, maxLength: 60 } },
          marks: { type: 'array', items: { const: 'a,b' } },
        },
        ['text'],
      ),
      result: made,
    }),
    operation('GET /notes', 'listNotes', {
      ...paged,
      parameters: [...paged.parameters, filter('label', '/labels'), filter('mark', '/marks')],
    }),
  );
  const known = { text: 'The delivery has not arrived', labels: ['urgent', 'a,b', 'by hand'] };
  const { trials, untried } = tried(labelled, 'listNotes', 'addNote', [known]);
  expect(trials.map(({ excluded, match, value }) => [value, match, excluded])).toEqual([
    [
      'urgent',
      { use: 'named', name: 'match', edit: { at: '/labels', set: ['by hand', 'urgent'] } },
      { use: 'named', name: 'match', edit: { at: '/labels', set: ['by hand'] } },
    ],
  ]);
  expect(untried.map(({ field }) => field)).toEqual(['mark']);
});

test('a record is excluded whose value has the one asked for in it, where values are compared as a whole', async () => {
  const of = async (schema: Json): Promise<unknown> => {
    const member = 'state';
    const each = await contractOf(
      operation('POST /jobs', 'addJob', {
        governed: { effect: { list: 'jobs' } },
        body: object({ [member]: schema }, [member]),
        result: made,
      }),
      operation('GET /jobs', 'jobs', {
        ...paged,
        parameters: [...paged.parameters, filter(member, `/${member}`, schema)],
      }),
    );
    const [trial] = tried(each, 'jobs', 'addJob').trials;
    return [trial?.value, trial?.excluded?.use === 'named' && trial.excluded.edit];
  };
  const at = '/state';
  expect(await of({ enum: ['open', 'closed', 'reopened'] })).toEqual(['open', { at, set: 'reopened' }]);
  expect(await of({ type: 'integer', minimum: 700, maximum: 7000 })).toEqual(['700', { at, set: 7000 }]);
  expect(await of({ type: 'integer', minimum: 7, maximum: 9 })).toEqual([
    '7',
    { at, set: expect.any(Number) },
  ]);
});

test('of several records that one command makes, a filter asks for the first', async () => {
  const crates = (of: Json): Json => ({ type: 'array', minItems: 1, items: of });
  const bulk = await contractOf(
    operation('POST /crates', 'importCrates', {
      governed: { effect: { list: 'listCrates', id: '/crates/0/id' } },
      body: object({
        crates: crates(
          object({ label: text, weight: { type: 'integer' }, size: { enum: ['small', 'large'] } }),
        ),
      }),
      result: object({ crates: crates(object({ id: text })) }),
    }),
    operation('GET /crates', 'listCrates', {
      ...paged,
      parameters: [
        ...paged.parameters,
        filter('label', '/label'),
        filter('weight', '/weight'),
        filter('size', '/size', { enum: ['small', 'large'] }),
      ],
    }),
  );
  const { trials, untried } = tried(bulk, 'listCrates', 'importCrates');
  const edited = (set: string) => ({ use: 'named', name: 'match', edit: { at: '/crates/0/size', set } });
  expect(
    trials.map(({ bodies, excluded, field }) => [field.name, bodies['match']?.marker, excluded]),
  ).toEqual([
    ['label', '/crates/0/label', { use: 'named', name: 'other' }],
    ['size', '/crates/0/label', edited('large')],
    ['size', '/crates/0/label', edited('small')],
  ]);
  expect(untried.map(({ field }) => field)).toEqual(['weight']);
});

test('where the body itself is the list of several records, a filter asks for the first', async () => {
  const bulk = await contractOf(
    operation('POST /readings', 'addReadings', {
      governed: { effect: { list: 'listReadings', id: '/0/id' } },
      body: { type: 'array', minItems: 1, items: object({ sensor: text }, ['sensor']) },
      result: { type: 'array', items: object({ id: text }) },
    }),
    operation('GET /readings', 'listReadings', {
      ...paged,
      parameters: [...paged.parameters, filter('sensor', '/sensor')],
    }),
  );
  const { trials, untried } = tried(bulk, 'listReadings', 'addReadings');
  expect(trials.map(({ bodies, field }) => [field.name, bodies['match']?.marker])).toEqual([
    ['sensor', '/0/sensor'],
  ]);
  expect(untried).toEqual([]);
});

test('where a value may exist once, a record that a filter finds by its text has values of its own', async () => {
  const people = await contractOf(
    operation('POST /people', 'addPerson', {
      governed: { effect: { list: 'listPeople' } },
      body: object({ name: text, mail: { ...text, pattern: '^[a-z0-9]{1,40}@example[.]org$' } }),
      result: made,
    }),
    operation('GET /people', 'listPeople', {
      ...paged,
      parameters: [...paged.parameters, filter('name', '/name')],
    }),
  );
  const planning = planningOf(people, { values: (one) => operationValues(one, [], 'all') });
  const scene = present(sceneOf(planning, operationOf(people, 'listPeople')));
  const making = present(makingOf(planning, scene, operationOf(people, 'addPerson')));
  const [trial] = filtersOf(planning, scene.operation, making).trials;
  expect(trial?.bodies['match']?.own?.map(({ at }) => at)).toContain('/mail');
  expect(trial?.bodies['match']?.marker).toBe('/name');
});

test('a filter in the style deepObject is one for each of its members', async () => {
  const schema = object({ tone: { enum: ['low', 'high'] }, title: text, after: text, range: object({}) }, []);
  const deep = await contractOf(
    operation('POST /papers', 'addPaper', {
      governed: { effect: { list: 'listPapers' } },
      body: object({ title: text, tone: { enum: ['low', 'high'] } }),
      result: { ...made, required: ['id'] },
    }),
    operation('GET /papers', 'listPapers', {
      ...paged,
      parameters: [
        ...paged.parameters,
        { name: 'filter', in: 'query', style: 'deepObject', schema, 'x-governed': { filters: '' } },
        { name: 'other', in: 'query', style: 'deepObject', schema },
      ],
    }),
  );
  expect(operationOf(deep, 'listPapers').queryFields.slice(2)).toMatchObject([
    { name: 'filter[tone]', filters: '/tone', schema: { enum: ['low', 'high'] } },
    { name: 'filter[title]', filters: '/title' },
    { name: 'filter[after]', filters: '/after' },
    { name: 'other[tone]', filters: undefined },
    { name: 'other[title]', filters: undefined },
    { name: 'other[after]', filters: undefined },
  ]);
  const { trials, untried } = tried(deep, 'listPapers', 'addPaper');
  expect(trials.map(({ called, field }) => [field.name, called])).toEqual([
    ['filter[tone]', 'low'],
    ['filter[tone]', 'high'],
    ['filter[title]', 'the text of a record'],
  ]);
  expect(untried).toMatchObject([{ field: 'filter[after]' }]);
});

test.each([
  ['contentType', 'content_type', '/content_type'],
  ['content_type', 'ContentType', '/ContentType'],
  // Two members of that name, and one of another name.
  ['contentType', 'content_type content-type', undefined],
  ['contentType', 'content', undefined],
])('a filter by %s is tried with what the body calls %s', async (member, names, at) => {
  const body = object(Object.fromEntries(names.split(' ').map((name) => [name, text])), names.split(' '));
  const spelled = await contractOf(
    operation('POST /assets', 'addAsset', {
      governed: { effect: { list: 'listAssets', id: '/id' } },
      body,
      result: made,
    }),
    operation('GET /assets', 'listAssets', {
      result: { type: 'array', items: object({ [member]: text }) },
      parameters: [filter('type', `/${member}`)],
    }),
  );
  const { trials } = tried(spelled, 'listAssets', 'addAsset');
  // The record is found by the text that has its marker.
  expect(trials[0]?.bodies['match']?.marker).toBe(at);
});

test('a bound excludes what lies on its other side, and a search what has other words', async () => {
  const books = async (...parameters: readonly Json[]) =>
    contractOf(
      operation('POST /books', 'addBook', {
        governed: { effect: { list: 'books', id: '/id' } },
        body: object({ title: text, pages: { type: 'integer', minimum: 3, maximum: 9 } }),
        result: made,
      }),
      operation('GET /books', 'books', { ...paged, parameters: [...paged.parameters, ...parameters] }),
    );
  const triedBy = async (name: string, at: string, schema?: Json) =>
    tried(await books(filter(name, at, schema)), 'books', 'addBook').trials.map((trial) => {
      const [match, other] = [trial.match, trial.excluded].map((spec) =>
        spec?.use === 'named' && spec.edit !== undefined && 'set' in spec.edit ? spec.edit.set : spec,
      );
      const { marker, value } = trial.bodies['other'] ?? {};
      return { asked: trial.value, match, other, marker, value };
    });
  for (const [name, isExcluded] of [
    ['minPages', (pages: unknown, bound: unknown) => Number(pages) < Number(bound)],
    ['maxPages', (pages: unknown, bound: unknown) => Number(pages) > Number(bound)],
  ] as const) {
    const [bound] = await triedBy(name, '/pages', { type: 'integer' });
    expect(String(bound?.match)).toBe(bound?.asked);
    expect(isExcluded(bound?.other, bound?.asked)).toBe(true);
  }
  const [search] = await triedBy('q', '/title');
  expect(search).toMatchObject({ marker: undefined, value: { title: 'Quartz jug' } });
  const [title] = await triedBy('title', '/title');
  expect(title?.marker).toBe('/title');
});

test('a filter whose query field has texts for a flag or a number is tried with the values that the body may have', async () => {
  const rules = await contractOf(
    operation('POST /rules', 'addRule', {
      governed: { effect: { list: 'listRules', id: '/id' } },
      body: object({ title: text, enabled: { type: 'boolean' }, level: { type: 'integer' } }, ['title']),
      result: made,
    }),
    operation('GET /rules', 'listRules', {
      ...paged,
      parameters: [
        ...paged.parameters,
        filter('enabled', '/enabled', { enum: ['true', 'false'] }),
        filter('on', '/enabled', { anyOf: [{ type: 'boolean' }, { type: 'null' }] }),
        filter('level', '/level', { enum: ['1', '2'] }),
      ],
    }),
  );
  const { trials, untried } = tried(rules, 'listRules', 'addRule');
  expect(untried).toEqual([]);
  expect(trials.map(({ field, match, value }) => [field.name, value, match])).toEqual(
    [
      ['enabled', true],
      ['enabled', false],
      ['on', true],
      ['on', false],
      ['level', 1],
      ['level', 2],
    ].map(([name, set]) => [
      name,
      String(set),
      { use: 'named', name: 'match', edit: { at: name === 'on' ? '/enabled' : `/${name}`, set } },
    ]),
  );
});
