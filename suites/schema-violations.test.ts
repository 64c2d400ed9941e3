import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseContract } from '../src/contract/load.ts';
import { written } from '../src/engine/compose.ts';
import { valueAt } from '../src/model/json.ts';
import type { Scenario, Step } from '../src/model/scenario.ts';
import { stepsOf } from '../src/model/scenario.ts';
import type { Proposal } from '../src/suite-kit/suite.ts';
import { operationValues } from '../src/suite-kit/values.ts';
import schemaViolations from './schema-violations.ts';

/** Many members, of which the quick budget breaks each in one way only. */
const contract = await parseContract(
  `
openapi: 3.1.1
info: { title: People, version: 1.27.0 }
security: [{ token: [all] }]
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
paths:
  /people:
    post:
      operationId: addPerson
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [first, last, town]
              properties:
                first: { type: string }
                last: { type: string }
                town: { type: string }
                age: { type: integer, minimum: 0, maximum: 200 }
                tall: { type: boolean }
                tags: { type: array, maxItems: 3, items: { type: string } }
      responses: { '201': { description: made } }
  /towns:
    post:
      operationId: addTown
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, properties: { name: { type: string } } }
      responses: { '201': { description: made } }
  /labels:
    post:
      operationId: addLabels
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      requestBody:
        content:
          application/json:
            schema: { type: object, properties: { name: { type: string } }, additionalProperties: true }
      responses: { '201': { description: made } }
  /counts:
    post:
      operationId: addCount
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      requestBody: { content: { application/json: { schema: { type: integer } } } }
      responses: { '201': { description: made } }
`,
  'people.yaml',
);

const scenarios = (probe: string): readonly Scenario[] =>
  [
    ...schemaViolations.propose({
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
    }),
  ].flatMap((one) => (one.kind === 'probe' && (probe === '' || one.id === probe) ? one.scenarios : []));

const proposedFor = (of: typeof contract): readonly Proposal[] => [
  ...schemaViolations.propose({
    ...{ contract: of, declaration: {}, budget: 'quick', hooks: new Set<never>() },
    principals: [
      { name: 'all', permissions: ['all'], scope: 'a', state: 'valid', identity: 'all', use: 'any' },
    ],
    throttling: { maxRequests: 1, maxSeconds: 1 },
    isJwt: () => false,
    caseMatters: () => true,
    values: (operation) => operationValues(operation, []),
  }),
];

const wrong = ({ waves }: Scenario): readonly Step[] =>
  stepsOf(waves).filter(({ deviations }) => deviations.length > 0);

test('with the quick budget every other type replaces each required text', () => {
  const sent = new Set(
    scenarios('')
      .flatMap(wrong)
      .flatMap(({ body, deviations }) =>
        deviations.flatMap((deviation) => {
          if (deviation.kind !== 'body' || deviation.keyword !== 'type' || body.use === 'none') return [];
          const text = body.use === 'text' ? body.text : JSON.stringify(body);
          const value = new RegExp(`"${deviation.at.slice(1)}":(\\{|\\[|\\d|true|null)`).exec(text)?.[1];
          return value === undefined ? [] : [`${deviation.at} ${value}`];
        }),
      ),
  );
  for (const member of ['/first', '/last', '/town'])
    for (const value of ['{', '[', '0', 'true', 'null']) expect(sent).toContain(`${member} ${value}`);
});

test('a required member in another case, a body that is cut short, and what parsers dispute share controls', () => {
  const [types, malformed, disputed] = ['other-types', 'malformed', 'disputed-json'].map((id) =>
    scenarios(id),
  );
  expect(JSON.stringify(types)).toContain('"at":"/First"');
  expect(JSON.stringify(malformed)).toContain('"form":"cut"');
  for (const form of [
    'commented',
    'not-a-number',
    'infinite',
    'invalid-utf8',
    'byte-order-mark',
    'duplicated',
  ])
    expect(JSON.stringify(disputed)).toContain(`"form":"${form}"`);
  for (const all of [types, malformed, disputed])
    for (const { waves } of all ?? [])
      expect(stepsOf(waves).filter(({ controls }) => controls === '*')).toHaveLength(1);
});

test('an empty body is malformed only where a body is required', () => {
  const without = scenarios('malformed')
    .flatMap(wrong)
    .flatMap(({ body, operation }) => (body.use === 'text' && body.text === '' ? [operation] : []));
  expect(without).toEqual(['addTown']);
});

test('a body that is a number is not cut short: what is left may be a number, or nothing', () => {
  const cut = scenarios('malformed')
    .flatMap(wrong)
    .flatMap(({ body, operation }) => ('form' in body && body.form === 'cut' ? [operation] : []));
  expect(cut).toEqual(['addPerson', 'addTown', 'addLabels']);
});

test('with the quick budget each place is broken by each keyword, and by null, true and a number as text', () => {
  const sent = new Set(
    scenarios('')
      .flatMap(wrong)
      .flatMap(({ body, deviations, operation }) =>
        deviations.flatMap((deviation) => {
          if (deviation.kind !== 'body' || operation !== 'addPerson' || body.use !== 'named') return [];
          const value = body.edit !== undefined && 'set' in body.edit ? body.edit.set : undefined;
          const wrong = value === undefined ? undefined : valueAt(value, deviation.at);
          return [`${deviation.at} ${deviation.keyword}`, `${deviation.at} ${JSON.stringify(wrong)}`];
        }),
      ),
  );
  for (const place of [
    ...[
      '/age minimum',
      '/age maximum',
      '/age null',
      '/age true',
      '/age "1"',
      '/tags/1 type',
      '/tall type',
      '/tall null',
    ],
    ...['/tags maxItems', '/tags null', '/tags/0 type', '/tags/0 null'],
  ])
    expect(sent).toContain(place);
});

test('a list with a valid body in it is no body', () => {
  const listed = scenarios('no-object').flatMap(wrong);
  expect(listed.map(({ body }) => body)).toContainEqual({ use: 'named', name: 'faulty', form: 'listed' });
  expect(written({ first: 'x' }, 'listed')).toBe('[{"first":"x"}]');
});

test('what breaks a format alone is known as that, however the schema is composed', async () => {
  const dates = await parseContract(
    `
openapi: 3.1.1
info: { title: Dates, version: 1.27.0 }
security: [{ token: [all] }]
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
paths:
  /dates:
    post:
      operationId: addDate
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [day]
              properties: { day: { anyOf: [{ type: string, format: date }, { type: integer }] } }
      responses: { '201': { description: made } }
`,
    'dates.yaml',
  );
  const sent = proposedFor(dates)
    .flatMap((one) => (one.kind === 'probe' ? one.scenarios.flatMap(wrong) : []))
    .flatMap(({ body, deviations }) => {
      const edit = body.use === 'named' ? body.edit : undefined;
      const value = edit !== undefined && 'set' in edit ? valueAt(edit.set ?? null, '/day') : undefined;
      return deviations.flatMap((one) =>
        one.kind === 'body' && one.at === '/day' && typeof value === 'string' ? [one.keyword] : [],
      );
    });
  expect(sent.length).toBeGreaterThan(0);
  expect(new Set(sent)).toEqual(new Set(['format']));
});

test('a member that chooses the branch is not wrong together with another', async () => {
  const choice = await parseContract(
    `
openapi: 3.1.1
info: { title: Lines, version: 1.27.0 }
security: [{ token: [all] }]
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
paths:
  /lines:
    post:
      operationId: addLine
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      requestBody:
        content:
          application/json:
            schema:
              oneOf:
                - { type: object, required: [kind, sku, count], properties: { kind: { const: part }, sku: { type: string }, count: { type: integer } } }
                - { type: object, required: [kind, minutes], properties: { kind: { const: labour }, minutes: { type: integer } } }
      responses: { '201': { description: made } }
`,
    'lines.yaml',
  );
  const pairs = proposedFor(choice).flatMap((one) =>
    one.kind === 'probe' && one.id === 'two-faults' ? one.scenarios.flatMap(wrong) : [],
  );
  expect(pairs.flatMap(({ deviations }) => deviations)).not.toContainEqual(
    expect.objectContaining({ at: '/kind' }),
  );
});

test('a strange member is sent to a body whose schema leaves open whether it may be, and to no other', () => {
  const sentTo = scenarios('unknown-member')
    .flatMap(wrong)
    .map(({ operation }) => operation);
  expect([...new Set(sentTo)]).toEqual(['addPerson', 'addTown']);
});

test('the media type is sent with a charset, which is none of its own', () => {
  const sent = scenarios('media-type').flatMap(({ waves }) =>
    stepsOf(waves).flatMap(({ body, deviations, role }) =>
      role === 'test' && body.use === 'named' && typeof body.form === 'object'
        ? [[body.form.media, deviations]]
        : [],
    ),
  );
  expect(sent).toContainEqual(['application/json;charset=utf-8', [{ kind: 'media-type', how: 'parameter' }]]);
  expect(sent).toContainEqual(['text/plain', [{ kind: 'media-type' }]]);
});

/** A contract whose valid bodies may name records that are not there, with one example that names one that is. */
const weighings = await parseContract(
  `
openapi: 3.1.1
info: { title: Scales, version: 1.27.0 }
security: [{ token: [all] }]
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
paths:
  /imports:
    post:
      operationId: weigh
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [weighings]
              minProperties: 2
              properties:
                clerk: { type: integer }
                scale: { type: integer }
                weighings:
                  type: array
                  maxItems: 2
                  items:
                    type: object
                    required: [parcel, gross]
                    properties: { parcel: { type: string, pattern: "^p[0-9]{6}$" }, gross: { type: integer } }
      responses: { '201': { description: made } }
`,
  'weighings.yaml',
);
const known = { parcel: 'p000007', gross: 3 };
const weighed = (probe: string): readonly Proposal[] =>
  [
    ...schemaViolations.propose({
      ...{ contract: weighings, declaration: {}, budget: 'quick', hooks: new Set<never>() },
      principals: [
        { name: 'all', permissions: ['all'], scope: 'a', state: 'valid', identity: 'all', use: 'any' },
      ],
      throttling: { maxRequests: 1, maxSeconds: 1 },
      isJwt: () => false,
      caseMatters: () => true,
      values: (operation) => operationValues(operation, [{ clerk: 1, weighings: [known] }]),
    }),
  ].filter((one) => one.kind === 'probe' && one.id === probe);

test('the item before a faulty one, and those that are too many, are the one of the example', () => {
  const bodies = weighed('other-types')
    .flatMap((one) => (one.kind === 'probe' ? one.scenarios : []))
    .flatMap(wrong)
    .flatMap(({ body, deviations }) =>
      body.use === 'named' && 'edit' in body && body.edit !== undefined && 'set' in body.edit
        ? [{ at: deviations.map((one) => ('at' in one ? one.at : '')).join(), body: body.edit.set }]
        : [],
    );
  const later = bodies.filter(({ at }) => at.startsWith('/weighings/1'));
  expect(later).not.toEqual([]);
  for (const { body } of later) expect(valueAt(body, '/weighings/0')).toEqual(known);
});

test('a keyword of the body as a whole is broken, by a body that carries no marker', () => {
  const [probe] = weighed('whole-body');
  if (probe?.kind !== 'probe') throw new Error('no probe');
  expect(probe.clauses).toEqual(['VAL-2']);
  expect(probe.scenarios.flatMap(wrong).map(({ body, deviations }) => [body, deviations])).toEqual([
    [
      { use: 'text', text: JSON.stringify({ weighings: [known] }), name: 'whole-0' },
      [{ kind: 'body', at: '', keyword: 'minProperties' }],
    ],
  ]);
});

test('the control of a drawn violation is the body that it was made of', () => {
  const [probe] = weighed('any-violation');
  if (probe?.kind !== 'probe' || probe.random === undefined) throw new Error('nothing is drawn');
  for (const { bodies, waves } of fc.sample(probe.random.arbitrary, { seed: 1, numRuns: 20 })) {
    const [faulty] = wrong({ bodies, waves, title: '' });
    const pointer = faulty?.deviations.flatMap((one) => (one.kind === 'body' ? [one.at] : []))[0] ?? '';
    const set =
      faulty?.body.use === 'named' && faulty.body.edit !== undefined && 'set' in faulty.body.edit
        ? faulty.body.edit.set
        : undefined;
    if (set === undefined || !/^\/(clerk|scale)$/.test(pointer)) continue;
    expect(valueAt(bodies['body']?.value ?? null, '/weighings')).toEqual(valueAt(set, '/weighings'));
  }
});

test('the target is read before the first body that is wrong, whatever an earlier one would have left behind', async () => {
  const claims = await parseContract(
    `
openapi: 3.1.1
info: { title: Claims, version: 1.27.0 }
security: [{ token: [all] }]
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  parameters: { Key: { name: Idempotency-Key, in: header, required: true, schema: { type: string } } }
paths:
  /claims:
    post:
      operationId: addClaim
      parameters: [{ $ref: '#/components/parameters/Key' }]
      responses:
        '201':
          description: made
          content: { application/json: { schema: { properties: { id: { type: string } } } } }
          links:
            get: { operationId: getClaim, parameters: { claim: $response.body#/id } }
            reject: { operationId: rejectClaim, parameters: { claim: $response.body#/id } }
  /claims/{claim}:
    parameters: [{ name: claim, in: path, required: true, schema: { type: string } }]
    get: { operationId: getClaim, responses: { '200': { description: one, content: { application/json: { schema: true } } } } }
  /claims/{claim}/reject:
    parameters: [{ name: claim, in: path, required: true, schema: { type: string } }]
    post:
      operationId: rejectClaim
      x-governed: { effect: { read: getClaim } }
      parameters: [{ $ref: '#/components/parameters/Key' }]
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, required: [reason], properties: { reason: { enum: [late, dear] }, note: { type: string } } }
      responses: { '204': { description: rejected } }
`,
    'claims.yaml',
  );
  const proposals = [
    ...schemaViolations.propose({
      contract: claims,
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
    }),
  ];
  const [first] = proposals.flatMap((one) =>
    one.kind === 'probe' && one.operation === 'rejectClaim' ? one.scenarios : [],
  );
  expect(stepsOf(first?.waves ?? []).map(({ id }) => id)).toEqual([
    'make-claim',
    'before',
    'before-again',
    'test',
    'after',
    'elsewhere',
    'control',
    'fallback',
  ]);
});

test('of two members that are wrong at once each is wrong where its deviation says', async () => {
  const paid = await parseContract(
    `
openapi: 3.1.1
info: { title: Payments, version: 1.27.0 }
security: [{ token: [all] }]
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
paths:
  /payments:
    post:
      operationId: pay
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [title, amount]
              properties:
                title: { type: string }
                amount: { type: object, required: [minor], properties: { minor: { type: integer } } }
      responses: { '201': { description: paid } }
`,
    'payments.yaml',
  );
  const proposals = schemaViolations.propose({
    contract: paid,
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
  });
  const probes = [...proposals].flatMap((one) =>
    one.kind === 'probe' && one.id === 'two-faults'
      ? one.scenarios.flatMap(({ waves }) => stepsOf(waves))
      : [],
  );
  const [probe] = probes;
  expect(probe?.deviations).toEqual([
    { kind: 'body', at: '/title', keyword: 'required' },
    { kind: 'body', at: '/amount', keyword: 'type' },
  ]);
  expect(probe?.body).toMatchObject({ edit: { all: [{ at: '' }, { at: '/amount', set: [] }] } });
});
