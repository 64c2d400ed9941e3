import { expect, test } from 'vitest';
import { parseContract } from '../contract/load.ts';
import { operationOf } from '../model/contract.ts';
import { filtersOf } from './filters.ts';
import { makerOf, makingOf } from './makers.ts';
import { sceneOf } from './scene.ts';
import type { Planning } from './suite.ts';
import { operationValues } from './values.ts';

/** Papers of an owner: an envelope around the body, and records under a parent that the list does not name. */
const contract = await parseContract(
  `
openapi: 3.1.1
info: { title: Papers, version: 1.27.0 }
security: [{ token: [all] }]
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  parameters: { Key: { name: Idempotency-Key, in: header, required: true, schema: { type: string } } }
paths:
  /owners/{ownerId}:
    parameters: [{ name: ownerId, in: path, required: true, schema: { type: string, format: uuid } }]
    put:
      operationId: putOwner
      parameters: [{ $ref: '#/components/parameters/Key' }]
      responses:
        '201':
          description: made
          content: { application/json: { schema: { properties: { id: { type: string } } } } }
          links: { add: { operationId: addPaper, parameters: { ownerId: $response.body#/id } } }
  /owners/{ownerId}/papers:
    parameters: [{ name: ownerId, in: path, required: true, schema: { type: string, format: uuid } }]
    post:
      operationId: addPaper
      x-governed: { effect: { list: listPapers, read: getPaper, id: /data/id } }
      parameters: [{ $ref: '#/components/parameters/Key' }]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              required: [data]
              properties:
                data:
                  type: object
                  required: [of]
                  properties:
                    of:
                      type: object
                      required: [title]
                      properties:
                        title: { type: string }
                        tone: { enum: [low, high] }
                        pages: { type: integer, minimum: 3, maximum: 9 }
      responses:
        '201':
          description: made
          content: { application/json: { schema: { properties: { data: { properties: { id: { type: string } } } } } } }
          links:
            get: { operationId: getPaper, parameters: { paperId: $response.body#/data/id } }
            sign: { operationId: signPaper, parameters: { paperId: $response.body#/data/id } }
  /papers:
    get:
      operationId: listPapers
      x-governed: { pagination: { limit: size, cursor: after, items: /items, next: /next } }
      parameters:
        - { name: size, in: query, schema: { type: integer } }
        - { name: after, in: query, schema: { type: string } }
        - { name: title, in: query, schema: { type: string }, x-governed: { filters: /of/title } }
        - { name: tone, in: query, schema: { type: string }, x-governed: { filters: /of/tone } }
        - { name: pages, in: query, schema: { type: integer }, x-governed: { filters: /of/pages } }
        - { name: state, in: query, schema: { enum: [new, signed] }, x-governed: { filters: /state } }
        - { name: shelf, in: query, schema: { type: string }, x-governed: { filters: /shelf } }
      responses: { '200': { description: all, content: { application/json: { schema: { properties: { items: { items: true }, next: true } } } } } }
  /papers/{paperId}:
    parameters: [{ name: paperId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getPaper, responses: { '200': { description: one, content: { application/json: { schema: true } } } } }
  /papers/{paperId}/sign:
    parameters: [{ name: paperId, in: path, required: true, schema: { type: string } }]
    post:
      operationId: signPaper
      x-governed: { effect: { list: listPapers, read: getPaper, id: /id } }
      parameters: [{ $ref: '#/components/parameters/Key' }]
      responses: { '201': { description: signed, content: { application/json: { schema: { properties: { id: { type: string } } } } } } }
`,
  'papers.yaml',
);

const planning: Planning = {
  contract,
  declaration: {},
  principals: [
    { name: 'all', permissions: ['all'], scope: 'a', state: 'valid', identity: 'all', use: 'any' },
  ],
  budget: 'quick',
  throttling: { maxRequests: 1, maxSeconds: 1 },
  hooks: new Set(),
  isJwt: () => false,
  caseMatters: () => true,
  values: (operation) => operationValues(operation, []),
};

function scenes() {
  const list = operationOf(contract, 'listPapers');
  const read = sceneOf(planning, list);
  if ('remedy' in read) throw new Error(read.remedy);
  const made = makingOf(planning, read, operationOf(contract, 'addPaper'));
  if ('remedy' in made) throw new Error(made.remedy);
  return { list, made };
}

test('the maker of what a list shows may work within a record that the list does not name', () => {
  const { list, made } = scenes();
  expect(makerOf(planning, list)?.id).toBe('addPaper');
  expect(makerOf(planning, operationOf(contract, 'getPaper'))?.id).toBe('addPaper');
  expect(made.prelude).toHaveLength(1);
  expect(made.request('one').target).toEqual({ ownerId: { step: 'made-make-ownerId', at: '/id' } });
});

test('each declared filter is tried where the body has its member, or is named as untried', () => {
  const { list, made } = scenes();
  const { trials, untried } = filtersOf(planning, list, made);
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
  const text = { use: 'named', name: 'match' };
  expect(bare.filter(({ field }) => field === 'title')).toEqual([
    {
      field: 'title',
      value: `Conformance probe \${marker:match}`,
      match: text,
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

test('a filter by what chooses the branch of a body is tried with a whole body of the other branch', async () => {
  const owned = await parseContract(
    `
openapi: 3.1.1
info: { title: Parcels, version: 1.27.0 }
security: [{ token: [all] }]
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
paths:
  /parcels:
    post:
      operationId: addParcel
      x-governed: { effect: { list: listParcels, id: /id } }
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [owner]
              properties:
                owner:
                  oneOf:
                    - { type: object, required: [kind, name], properties: { kind: { const: person }, name: { const: Ada } }, additionalProperties: false }
                    - { type: object, required: [kind, firm], properties: { kind: { const: company }, firm: { const: Berg } }, additionalProperties: false }
      responses:
        '201':
          description: made
          content: { application/json: { schema: { properties: { id: { type: string } } } } }
    get:
      operationId: listParcels
      x-governed: { pagination: { limit: size, cursor: after, items: /items, next: /next } }
      parameters:
        - { name: size, in: query, schema: { type: integer } }
        - { name: after, in: query, schema: { type: string } }
        - { name: ownerKind, in: query, schema: { enum: [person, company] }, x-governed: { filters: /owner/kind } }
      responses: { '200': { description: all, content: { application/json: { schema: { properties: { items: { items: true }, next: true } } } } } }
`,
    'parcels.yaml',
  );
  const of = { ...planning, contract: owned };
  const list = operationOf(owned, 'listParcels');
  const read = sceneOf(of, list);
  if ('remedy' in read) throw new Error(read.remedy);
  const made = makingOf(of, read, operationOf(owned, 'addParcel'));
  if ('remedy' in made) throw new Error(made.remedy);
  const person = { use: 'named', name: 'match', edit: { at: '/owner/kind', set: 'person' } };
  const company = {
    use: 'named',
    name: 'match',
    edit: { at: '', set: { owner: { kind: 'company', firm: 'Berg' } } },
  };
  expect(
    filtersOf(of, list, made).trials.map(({ excluded, match, value }) => [value, match, excluded]),
  ).toEqual([
    ['person', person, company],
    ['company', company, person],
  ]);
});

test('a filter by one of several values is tried behind another one, which the excluded body has alone', async () => {
  const labelled = await parseContract(
    `
openapi: 3.1.1
info: { title: Notes, version: 1.27.0 }
security: [{ token: [all] }]
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
paths:
  /notes:
    post:
      operationId: addNote
      x-governed: { effect: { list: listNotes, id: /id } }
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [text]
              properties:
                text: { type: string }
                labels: { type: array, uniqueItems: true, items: { type: string, minLength: 1, maxLength: 60 } }
                marks: { type: array, items: { const: 'a,b' } }
      responses:
        '201':
          description: made
          content: { application/json: { schema: { properties: { id: { type: string } } } } }
    get:
      operationId: listNotes
      x-governed: { pagination: { limit: size, cursor: after, items: /items, next: /next } }
      parameters:
        - { name: size, in: query, schema: { type: integer } }
        - { name: after, in: query, schema: { type: string } }
        - { name: label, in: query, schema: { type: string }, x-governed: { filters: /labels } }
        - { name: mark, in: query, schema: { type: string }, x-governed: { filters: /marks } }
      responses: { '200': { description: all, content: { application/json: { schema: { properties: { items: { items: true }, next: true } } } } } }
`,
    'notes.yaml',
  );
  const text = 'The delivery has not arrived';
  const of: Planning = {
    ...planning,
    contract: labelled,
    values: (operation) => operationValues(operation, [{ text, labels: ['urgent', 'a,b', 'by hand'] }]),
  };
  const list = operationOf(labelled, 'listNotes');
  const read = sceneOf(of, list);
  if ('remedy' in read) throw new Error(read.remedy);
  const made = makingOf(of, read, operationOf(labelled, 'addNote'));
  if ('remedy' in made) throw new Error(made.remedy);
  const { trials, untried } = filtersOf(of, list, made);
  expect(trials.map(({ excluded, match, value }) => [value, match, excluded])).toEqual([
    [
      'urgent',
      { use: 'named', name: 'match', edit: { at: '/labels', set: ['by hand', 'urgent'] } },
      { use: 'named', name: 'match', edit: { at: '/labels', set: ['by hand'] } },
    ],
  ]);
  expect(untried.map(({ field }) => field)).toEqual(['mark']);
});
