import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseContract } from '../src/contract/load.ts';
import { type Contract, operationOf, type QueryField } from '../src/model/contract.ts';
import { type Scenario, stepsOf } from '../src/model/scenario.ts';
import type { Planning } from '../src/suite-kit/suite.ts';
import { operationValues } from '../src/suite-kit/values.ts';
import reads from './reads.ts';

/** Notes within scenarios: the list of the notes of a case, and its largest page. */
const contract = await parseContract(
  `
openapi: 3.1.1
info: { title: Notes, version: 1.27.0 }
security: [{ token: [all] }]
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  parameters: { Key: { name: Idempotency-Key, in: header, required: true, schema: { type: string } } }
paths:
  /scenarios:
    post:
      operationId: createCase
      parameters: [{ $ref: '#/components/parameters/Key' }]
      responses:
        '201':
          description: made
          content: { application/json: { schema: { properties: { id: { type: string } } } } }
          links:
            add: { operationId: addNote, parameters: { caseId: $response.body#/id } }
            list: { operationId: listNotes, parameters: { caseId: $response.body#/id } }
  /cases/{caseId}/notes:
    parameters: [{ name: caseId, in: path, required: true, schema: { type: string } }]
    post:
      operationId: addNote
      x-governed: { effect: { list: listNotes } }
      parameters: [{ $ref: '#/components/parameters/Key' }]
      responses: { '201': { description: made, content: { application/json: { schema: { properties: { id: { type: string } } } } } } }
    get:
      operationId: listNotes
      x-governed: { pagination: { limit: size, cursor: after, items: /items, next: /next } }
      parameters:
        - { name: size, in: query, schema: { type: integer, maximum: 25 } }
        - { name: after, in: query, schema: { type: string } }
      responses: { '200': { description: all, content: { application/json: { schema: { properties: { items: { items: true }, next: true } } } } } }
`,
  'notes.yaml',
);

const planningOf = (of: Contract): Planning => ({
  contract: of,
  declaration: {},
  principals: [
    {
      name: 'all',
      permissions: of.operations.flatMap(({ permissions }) => permissions ?? []),
      scope: 'a',
      state: 'valid',
      identity: 'all',
      use: 'any',
    },
  ],
  budget: 'quick',
  throttling: { maxRequests: 1, maxSeconds: 1 },
  hooks: new Set(),
  isJwt: () => false,
  caseMatters: () => true,
  values: (operation) => operationValues(operation, []),
});

/** Which page is the first, for each that a list is read by where they are numbered and the number has this schema. */
async function numbered(field: string): Promise<readonly unknown[]> {
  const document = readFileSync('interop/spring/contract.yaml', 'utf8');
  const text = document.replace(
    /schema: \{ type: integer, format: int32, minimum: 0, default: 0 \}/,
    `schema: ${field}`,
  );
  const proposals = [...reads.propose(planningOf(await parseContract(text, 'cases.yaml')))];
  const paged = proposals.find((one) => one.kind === 'probe' && one.id === 'pages');
  const [scenario] = paged?.kind === 'probe' ? paged.scenarios : [];
  return stepsOf(scenario?.waves ?? [])
    .filter(({ id }) => id.startsWith('page-'))
    .map(({ query }) => {
      const page = query?.find(([name]) => name === 'page')?.[1];
      return typeof page === 'object' && 'behind' in page ? [page.behind, page.step, page.first] : page;
    });
}

test('numbered pages are counted from where the document says, and not walked where it does not', async () => {
  const from = (first: number): readonly unknown[] => [
    undefined,
    ['page', 'page-0', first],
    ['page', 'page-1', first],
  ];
  expect((await numbered('{ type: integer, minimum: 0 }')).slice(0, 3)).toEqual(from(0));
  expect((await numbered('{ type: integer, default: 1 }')).slice(0, 3)).toEqual(from(1));
  expect(await numbered('{ type: integer }')).toEqual([undefined]);
});

test('records within a record are made within the one whose list is read, and paged two by two', () => {
  const proposals = [...reads.propose(planningOf(contract))];
  const paged = proposals.find((one) => one.kind === 'probe' && one.id === 'pages');
  const [scenario] = paged?.kind === 'probe' ? paged.scenarios : [];
  const steps = stepsOf(scenario?.waves ?? []);
  expect(steps.slice(0, 12).map(({ operation }) => operation)).toEqual([
    'createCase',
    'listNotes',
    ...Array.from({ length: 9 }, () => 'addNote'),
    'listNotes',
  ]);
  expect(new Set(steps.slice(1).map(({ target }) => JSON.stringify(target)))).toEqual(
    new Set([JSON.stringify({ caseId: { step: 'make-caseId', at: '/id' } })]),
  );
  expect(steps[11]?.query).toEqual([['size', '2']]);
});

test('more records are made where the smallest page would hold them all', async () => {
  const list = operationOf(contract, 'listNotes');
  const queryFields = list.queryFields.map((field) =>
    field.name === 'size' ? { ...field, schema: { type: 'integer', enum: [10, 25] } } : field,
  );
  const proposals = reads.propose(
    planningOf({
      ...contract,
      operations: contract.operations.map((one) => (one.id === list.id ? { ...list, queryFields } : one)),
    }),
  );
  const paged = [...proposals].find((one) => one.kind === 'probe' && one.id === 'pages');
  const [scenario] = paged?.kind === 'probe' ? paged.scenarios : [];
  expect(stepsOf(scenario?.waves ?? []).filter(({ operation }) => operation === 'addNote')).toHaveLength(12);
});

test('a record of another scope is looked for with a filter too, however long the list is', async () => {
  const file = 'fixtures/contracts/extended-catalogue.yaml';
  const contract = await parseContract(readFileSync(file, 'utf8'), file);
  const planning = planningOf(contract);
  const [all] = planning.principals;
  if (all === undefined) throw new Error('the plan has a principal');
  const principals = [all, { ...all, name: 'stranger', identity: 'stranger', scope: 'b' }];
  const found = [...reads.propose({ ...planning, principals })].find(
    (one) => one.kind === 'probe' && one.id === 'foreign' && one.operation === 'listCases',
  );
  const [scenario] = found?.kind === 'probe' ? found.scenarios : [];
  const looks = stepsOf(scenario?.waves ?? []).filter(({ operation }) => operation === 'listCases');
  expect(looks.slice(0, 5).map(({ id, as, query }) => [id, as, query?.map(([name]) => name)])).toEqual([
    ['afar', 'stranger', ['limit']],
    ['near', 'all', ['limit']],
    ['afar-filtered', 'stranger', ['limit', 'subject']],
    ['near-filtered', 'all', ['limit', 'subject']],
    // Without a filter all of it is read, page by page.
    ['afar-1', 'stranger', ['limit', 'cursor']],
  ]);
  expect(looks[2]?.query?.[1]?.[1]).toMatch(/\{marker:one\}$/);
});

test('a list is asked from another scope in each order that its contract declares', async () => {
  const file = 'fixtures/contracts/extended-catalogue.yaml';
  const contract = await parseContract(readFileSync(file, 'utf8'), file);
  const schema = { enum: ['createdAt', '-createdAt'] };
  const sort: QueryField = { name: 'sort', required: false, schema, filters: undefined };
  const planning = planningOf({
    ...contract,
    operations: contract.operations.map((one) =>
      one.id === 'listCases' ? { ...one, queryFields: [...one.queryFields, sort] } : one,
    ),
  });
  const [all] = planning.principals;
  if (all === undefined) throw new Error('the plan has a principal');
  const principals = [all, { ...all, name: 'stranger', identity: 'stranger', scope: 'b' }];
  const steps = [...reads.propose({ ...planning, principals })].flatMap((one) =>
    one.kind === 'probe' && one.id === 'foreign' && one.operation === 'listCases'
      ? one.scenarios.flatMap(({ waves }) => stepsOf(waves))
      : [],
  );
  expect(
    steps
      .filter(({ id }) => id.startsWith('afar-asked'))
      .map(({ as, deviations, query }) => [as, query?.at(-1), deviations]),
  ).toEqual(
    ['createdAt', '-createdAt'].map((order) => [
      'stranger',
      ['sort', order],
      [{ kind: 'parameter', name: 'sort' }],
    ]),
  );
});

test('a list is asked for each member that a filter enumerates, with a record that it must exclude', async () => {
  const file = 'fixtures/contracts/extended-catalogue.yaml';
  const contract = await parseContract(readFileSync(file, 'utf8'), file);
  const probe = [...reads.propose(planningOf(contract))].find(
    (one) => one.kind === 'probe' && one.id === 'filter-status' && one.operation === 'listCases',
  );
  const scenarios = probe?.kind === 'probe' ? probe.scenarios : [];
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
});

/** Papers, of which a list shows those of a tone; it has no field of its own for the words of one. */
const papers = await parseContract(
  `
openapi: 3.1.1
info: { title: Papers, version: 1.27.0 }
security: [{ token: [all] }]
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  parameters: { Key: { name: Idempotency-Key, in: header, required: true, schema: { type: string } } }
paths:
  /papers:
    post:
      operationId: addPaper
      x-governed: { effect: { list: listPapers } }
      parameters: [{ $ref: '#/components/parameters/Key' }]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              required: [title, tone]
              properties: { title: { type: string }, tone: { enum: [low, high] } }
      responses: { '201': { description: made, content: { application/json: { schema: { properties: { id: { type: string } } } } } } }
    get:
      operationId: listPapers
      x-governed: { pagination: { limit: size, cursor: skip, items: /items, style: offset } }
      parameters:
        - { name: size, in: query, schema: { type: integer, maximum: 100 } }
        - { name: skip, in: query, schema: { type: integer } }
        - { name: tone, in: query, schema: { enum: [low, high] }, x-governed: { filters: /tone } }
      responses: { '200': { description: all, content: { application/json: { schema: { properties: { items: { items: true } } } } } } }
`,
  'papers.yaml',
);
const casesOf = (id: string): readonly Scenario[] =>
  [...reads.propose(planningOf(papers))].flatMap((one) =>
    one.kind === 'probe' && one.id === id && one.operation === 'listPapers' ? one.scenarios : [],
  );

test('a filter is followed from page to page by a value that most records do not have', () => {
  const paged = casesOf('filter-tone').at(-1);
  const steps = stepsOf(paged?.waves ?? []);
  expect(paged?.bodies['match']?.value).toMatchObject({ tone: 'low' });
  expect(
    steps.flatMap(({ body, operation }) =>
      operation === 'addPaper' && body.use === 'named' && body.edit !== undefined && 'set' in body.edit
        ? [body.edit.set]
        : [],
    ),
  ).toEqual(['low', 'high', 'high', 'high', 'low']);
  expect(steps.find(({ id }) => id === 'filtered-0')?.query).toEqual([
    ['size', '2'],
    ['tone', 'high'],
  ]);
});

test('the beginning of a list that cannot be narrowed down is read with a large page and with small ones', () => {
  const steps = stepsOf(casesOf('pages')[1]?.waves ?? []);
  const asked = steps.flatMap(({ id, operation, query }) =>
    operation === 'listPapers' ? [[id, ...(query ?? []).map(([, value]) => value)]] : [],
  );
  const behind = (step: string): unknown => ({
    step,
    behind: 'items',
    field: 'skip',
    items: '/items',
    first: 0,
  });
  expect(asked).toEqual([
    ['whole-0', '6'],
    ['half-0-0', '2'],
    ['half-0-1', '2', behind('half-0-0')],
    ['half-0-2', '2', behind('half-0-1')],
    ['whole-1', '6'],
    ['half-1-0', '2'],
    ['half-1-1', '2', behind('half-1-0')],
    ['half-1-2', '2', behind('half-1-1')],
    ['whole-2', '6'],
  ]);
  expect(steps.filter(({ operation }) => operation === 'addPaper')).toHaveLength(5);
});

test('a list that may fit into one large page is read to its end on small ones, and once more on a large one', () => {
  const steps = stepsOf(casesOf('pages')[0]?.waves ?? []);
  const asked = steps.flatMap(({ id, operation, query }) =>
    operation === 'listPapers' ? [`${id} ${query?.[0]?.[1]}`] : [],
  );
  expect(asked.slice(0, 2)).toEqual(['page-0 100', 'page-1 100']);
  expect(asked.filter((one) => one.startsWith('part'))).toEqual(
    Array.from({ length: 15 }, (_, index) => `part-${index} 8`),
  );
  expect(asked.at(-1)).toBe('again 100');
  // A page of eight is followed by another one.
  expect(steps.filter(({ operation }) => operation === 'addPaper')).toHaveLength(9);
});

test('an id that is counted is asked for as a number that no record has, one that is too large, and as none', async () => {
  const asked = async (schema: string): Promise<readonly unknown[]> => {
    const numbered = await parseContract(
      `
openapi: 3.1.1
info: { title: Seats, version: 1.27.0 }
security: [{ token: [all] }]
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
paths:
  /seats:
    post:
      operationId: addSeat
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      responses:
        '201':
          description: made
          content: { application/json: { schema: { properties: { id: true } } } }
          links: { get: { operationId: getSeat, parameters: { seat: $response.body#/id } } }
  /seats/{seat}:
    parameters: [{ name: seat, in: path, required: true, schema: ${schema} }]
    get: { operationId: getSeat, responses: { '200': { description: one, content: { application/json: { schema: true } } } } }
`,
      'seats.yaml',
    );
    return [...reads.propose(planningOf(numbered))].flatMap((one) =>
      one.kind === 'probe' && one.id === 'unknown-record'
        ? one.scenarios.map(({ waves }) => stepsOf(waves).find(({ id }) => id === 'test')?.target?.['seat'])
        : [],
    );
  };
  expect(await asked('{ type: integer }')).toEqual([
    { literal: '987654321' },
    { literal: '98765432109876543210' },
    { literal: 'assay' },
  ]);
  expect(await asked('{ type: string }')).toEqual([{ chosen: 'absent' }]);
});
