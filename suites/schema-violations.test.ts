import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseContract } from '../src/contract/load.ts';
import { written } from '../src/engine/written.ts';
import { type Json, type JsonObject, valueAt } from '../src/model/json.ts';
import type { Scenario, Step } from '../src/model/scenario.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { shapes } from '../src/selftest/shapes/catalogue.ts';
import { linkTo, object, operation } from '../src/selftest/shapes/document.ts';
import { contractOf, made } from '../src/testing/contracts.ts';
import { editedTo, planned } from '../src/testing/plans.ts';
import schemaViolations from './schema-violations.ts';

const text = { type: 'string' };

/** Many members, of which the quick budget breaks each in one way only. */
const people = planned(
  schemaViolations,
  await contractOf(
    operation('POST /people', 'addPerson', {
      bodyRequired: false,
      body: object(
        {
          ...{ first: text, last: text, town: text },
          age: { type: 'integer', minimum: 0, maximum: 200 },
          tall: { type: 'boolean' },
          tags: { type: 'array', maxItems: 3, items: text },
        },
        ['first', 'last', 'town'],
      ),
    }),
    operation('POST /towns', 'addTown', { body: { type: 'object', properties: { name: text } } }),
    operation('POST /labels', 'addLabels', {
      bodyRequired: false,
      body: { type: 'object', properties: { name: text }, additionalProperties: true },
    }),
    operation('POST /counts', 'addCount', { bodyRequired: false, body: { type: 'integer' } }),
  ),
);

const wrong = ({ waves }: Scenario): readonly Step[] =>
  stepsOf(waves).filter(({ deviations }) => deviations.length > 0);

test('with the quick budget every other type replaces each required text', () => {
  const sent = new Set(
    people
      .scenarios()
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

test('a list has too few and too many items of a kind, and a text that may be left out is a number', async () => {
  const scores = { contains: { const: 9 }, maxContains: 1, items: { type: 'integer' } };
  const body = object({ name: text, nick: text, scores: { type: 'array', ...scores } }, ['name']);
  const sent = planned(schemaViolations, await contractOf(operation('POST /teams', 'addTeam', { body })))
    .scenarios()
    .flatMap(wrong)
    .map(({ body: one }) => editedTo(one) ?? null);
  const lists = sent.flatMap((one) => JSON.stringify(valueAt(one, '/scores')) ?? []);
  expect(lists).toEqual(expect.arrayContaining(['[9,9]', '[]']));
  expect(sent.map((one) => valueAt(one, '/nick'))).toContain(0);
});

test('a wrong item comes after an enumerated one that the known body does not have', async () => {
  const roles = {
    type: 'array',
    minItems: 1,
    uniqueItems: true,
    items: { type: 'string', enum: ['agent', 'auditor', 'admin'] },
  };
  const plan = planned(
    schemaViolations,
    await contractOf(
      operation('POST /teams', 'addTeam', { links: linkTo('setRoles', 'team') }),
      operation('GET /teams/{team}', 'getTeam'),
      operation('PUT /teams/{team}/roles', 'setRoles', { body: object({ roles }, ['roles']) }),
    ),
  );
  const before = plan
    .scenarios({ probe: 'later-items', operation: 'setRoles' })
    .flatMap(wrong)
    .map(({ body }) => String(valueAt(editedTo(body) ?? null, '/roles/0')));
  expect(before).not.toEqual([]);
  expect(['auditor', 'admin']).toEqual(expect.arrayContaining([...new Set(before)]));
});

test('a wrong item comes after a valid one for its type, for what it lacks, for a choice and for a bound', async () => {
  const contact = object(
    { name: text, role: { enum: ['cook', 'host'] }, seats: { type: 'integer', minimum: 1 } },
    ['name', 'role', 'seats'],
  );
  const body = object({ contacts: { type: 'array', minItems: 1, items: contact } }, ['contacts']);
  const later = planned(schemaViolations, await contractOf(operation('POST /teams', 'addTeam', { body })))
    .scenarios()
    .flatMap(wrong)
    .flatMap(({ deviations }) =>
      deviations.flatMap((one) =>
        one.kind === 'body' && one.at.startsWith('/contacts/1') ? [`${one.keyword} ${one.at}`] : [],
      ),
    );
  expect(later).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^type /),
      expect.stringMatching(/^required /),
      'enum /contacts/1/role',
      'minimum /contacts/1/seats',
    ]),
  );
});

test.each([
  [
    ['type', 'id'],
    ['/data/id', '/data/type'],
  ],
  [['type'], ['/data/type']],
])(
  'of a resource with the required members %j each is left out, the ID of the path among them',
  async (required, places) => {
    const text = { type: 'string' };
    const data = object({ type: { const: 'scores' }, id: text, attributes: { type: 'object' } }, required);
    const contract = await contractOf(
      operation('POST /scores', 'addScore', { links: linkTo('changeScore', 'id') }),
      operation('GET /scores/{id}', 'getScore'),
      operation('PATCH /scores/{id}', 'changeScore', { body: object({ data }, ['data']) }),
    );
    const left = planned(schemaViolations, contract)
      .scenarios({ operation: 'changeScore' })
      .flatMap(wrong)
      .flatMap(({ deviations }) =>
        deviations.flatMap((one) => (one.kind === 'body' && one.keyword === 'required' ? [one.at] : [])),
      );
    expect([...new Set(left)].filter((at) => at.startsWith('/data/')).toSorted()).toEqual(places);
  },
);

test.each([
  ['oneOf', {}, ['/lines/1', '/lines/1/sku']],
  ['anyOf', {}, ['/lines/1', '/lines/1/sku']],
  // The list alone refuses a second item.
  ['oneOf', { maxItems: 1 }, []],
])('a wrong item comes after a valid one in an alternative of %s with %j', async (keyword, more, places) => {
  const line = object({ sku: { type: 'string' }, count: { type: 'integer' } });
  const alternatives = [
    object({ kind: { const: 'goods' }, lines: { type: 'array', minItems: 1, items: line, ...more } }),
    object({ kind: { const: 'service' }, note: { type: 'string' } }),
  ];
  const contract = await contractOf(
    operation('POST /orders', 'placeOrder', { body: { [keyword]: alternatives }, result: made }),
  );
  const examples = [{ kind: 'goods', lines: [{ sku: 'x', count: 2 }] }];
  const sent = planned(schemaViolations, contract, { examples })
    .scenarios({ probe: 'other-types' })
    .flatMap(wrong)
    .flatMap(({ deviations }) => deviations.flatMap((one) => (one.kind === 'body' ? [one.at] : [])));
  expect(sent.filter((at) => at.startsWith('/lines/1'))).toEqual(places);
});

test('a required member in another case, a body that is cut short, and what parsers dispute share controls', () => {
  const [types, malformed, disputed] = ['other-types', 'malformed', 'disputed-json'].map((id) =>
    people.scenarios({ probe: id }),
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
    'comma-ended',
  ])
    expect(JSON.stringify(disputed)).toContain(`"form":"${form}"`);
  for (const all of [types, malformed, disputed])
    for (const { waves } of all ?? [])
      expect(stepsOf(waves).filter(({ controls }) => controls === '*')).toHaveLength(1);
});

test('an empty body is malformed only where a body is required', () => {
  const without = people
    .scenarios({ probe: 'malformed' })
    .flatMap(wrong)
    .flatMap(({ body, operation }) => (body.use === 'text' && body.text === '' ? [operation] : []));
  expect(without).toEqual(['addTown']);
});

test('a body that is a number is not cut short: what is left may be a number, or nothing', () => {
  const cut = people
    .scenarios({ probe: 'malformed' })
    .flatMap(wrong)
    .flatMap(({ body, operation }) => ('form' in body && body.form === 'cut' ? [operation] : []));
  expect(cut).toEqual(['addPerson', 'addTown', 'addLabels']);
});

test('with the quick budget each place is broken by each keyword, and by null, true, a number as text and an item alone', () => {
  const sent = new Set(
    people
      .scenarios()
      .flatMap(wrong)
      .flatMap(({ body, deviations, operation }) =>
        deviations.flatMap((deviation) => {
          if (deviation.kind !== 'body' || operation !== 'addPerson' || body.use !== 'named') return [];
          const value = editedTo(body);
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
      '/age "0"',
      '/tags/1 type',
      '/tall type',
      '/tall null',
    ],
    ...['/tags maxItems', '/tags null', '/tags "text"', '/tags/0 type', '/tags/0 null'],
  ])
    expect(sent).toContain(place);
});

test('a list with a valid body in it is no body', () => {
  const listed = people.scenarios({ probe: 'no-object' }).flatMap(wrong);
  expect(listed.map(({ body }) => body)).toContainEqual({ use: 'named', name: 'listed', form: 'listed' });
  expect(written({ first: 'x' }, 'listed')).toBe('[{"first":"x"}]');
});

test('what breaks a format alone is known as that, however the schema is composed', async () => {
  const day = { anyOf: [{ type: 'string', format: 'date' }, { type: 'integer' }] };
  const dates = await contractOf(operation('POST /dates', 'addDate', { body: object({ day }) }));
  const sent = planned(schemaViolations, dates)
    .scenarios()
    .flatMap(wrong)
    .flatMap(({ body, deviations }) =>
      deviations.flatMap((one) =>
        one.kind === 'body' &&
        one.at === '/day' &&
        typeof valueAt(editedTo(body) ?? null, '/day') === 'string'
          ? [one.keyword]
          : [],
      ),
    );
  expect(sent.length).toBeGreaterThan(0);
  expect(new Set(sent)).toEqual(new Set(['format']));
});

test('a member that chooses the branch is not wrong together with another', async () => {
  const integer = { type: 'integer' };
  const body = {
    oneOf: [
      object({ kind: { const: 'part' }, sku: text, count: integer }),
      object({ kind: { const: 'labour' }, minutes: integer }),
    ],
  };
  const choice = await contractOf(operation('POST /lines', 'addLine', { body }));
  const pairs = planned(schemaViolations, choice).scenarios({ probe: 'two-faults' }).flatMap(wrong);
  expect(pairs.flatMap(({ deviations }) => deviations)).not.toContainEqual(
    expect.objectContaining({ at: '/kind' }),
  );
});

test('a strange member is sent to a body whose schema leaves open whether it may be, and to no other', () => {
  const sentTo = people
    .scenarios({ probe: 'unknown-member' })
    .flatMap(wrong)
    .map(({ operation }) => operation);
  expect([...new Set(sentTo)]).toEqual(['addPerson', 'addTown']);
});

test('the media type is sent with a charset, which is none of its own', () => {
  const sent = people
    .steps({ probe: 'media-type' })
    .flatMap(({ body, deviations, role }) =>
      role === 'test' && body.use === 'named' && typeof body.form === 'object'
        ? [[body.form.media, deviations]]
        : [],
    );
  expect(sent).toContainEqual(['application/json;charset=utf-8', [{ kind: 'media-type', how: 'parameter' }]]);
  expect(sent).toContainEqual(['text/plain', [{ kind: 'media-type' }]]);
});

test('the body is sent as compressed, though it is not, and in a coding that nobody knows', () => {
  const codings = people
    .steps({ probe: 'media-type' })
    .flatMap(({ headers = [] }) => headers.filter(([name]) => name === 'Content-Encoding'));
  expect([...new Set(codings.map(([, value]) => value))]).toEqual(['gzip', 'assay']);
});

/** A contract whose valid bodies may name records that are not there, with one example that names one that is. */
const known = { parcel: 'p000007', gross: 3 };
const item = object({ parcel: { type: 'string', pattern: '^p[0-9]{6}$' }, gross: { type: 'integer' } });
const weighings = planned(
  schemaViolations,
  await contractOf(
    operation('POST /imports', 'weigh', {
      body: object(
        {
          clerk: { type: 'integer' },
          scale: { type: 'integer' },
          weighings: { type: 'array', maxItems: 2, items: item },
        },
        ['weighings'],
        { minProperties: 2 },
      ),
    }),
  ),
  { examples: [{ clerk: 1, weighings: [known] }] },
);

test('a body with a wrong member has the marker in its own place, so that a record made of it is found', async () => {
  const { scenarios } = planned(
    schemaViolations,
    await contractOf(
      operation('POST /people', 'addPerson', {
        body: object(
          { name: { type: 'string', maxLength: 60 }, kind: { enum: ['a', 'b'] }, age: { type: 'integer' } },
          ['name', 'kind'],
        ),
      }),
    ),
  );
  const faults = scenarios({ operation: 'addPerson' }).flatMap(wrong);
  const namesOf = (at: string): readonly unknown[] =>
    faults.flatMap(({ body, deviations }) => {
      const isOf = deviations.some((one) => one.kind === 'body' && one.at === at);
      const set = editedTo(body);
      return isOf && set !== undefined && valueAt(set, '/name') !== undefined ? [valueAt(set, '/name')] : [];
    });
  const marked = expect.stringMatching(/\$\{marker\}$/);
  for (const at of ['/kind', '/age']) {
    expect(namesOf(at)).not.toEqual([]);
    for (const name of namesOf(at)) expect(name).toEqual(marked);
  }
  // Where the text itself is wrong, the marker could make it right.
  expect(namesOf('/name').filter((name) => typeof name === 'string')).not.toContainEqual(marked);
});

test('the item before a faulty one, and those that are too many, are the one of the example', () => {
  const bodies = weighings
    .scenarios({ probe: 'other-types' })
    .flatMap(wrong)
    .map(({ body, deviations }) => ({
      at: deviations.map((one) => ('at' in one ? one.at : '')).join(),
      body: editedTo(body),
    }))
    .filter(({ body }) => body !== undefined);
  const later = bodies.filter(({ at }) => at.startsWith('/weighings/1'));
  expect(later).not.toEqual([]);
  for (const { body } of later) expect(valueAt(body ?? null, '/weighings/0')).toEqual(known);
});

test('a valid item before a faulty one has the marker, since it may be stored before the other is found', async () => {
  const note = object({ text: { type: 'string' }, kind: { enum: ['a', 'b'] } });
  const plan = planned(
    schemaViolations,
    await contractOf(
      operation('POST /notes/bulk', 'addNotes', {
        governed: { effect: { list: 'notes', id: '/results/0/id' } },
        body: object({ notes: { type: 'array', minItems: 1, items: note } }),
        result: object({ results: { type: 'array', items: object({ id: { type: 'string' } }) } }),
      }),
      operation('GET /notes', 'notes', { result: true }),
    ),
  );
  const later = plan
    .scenarios({ probe: 'other-types', operation: 'addNotes' })
    .flatMap(wrong)
    .filter(({ deviations }) => deviations.some((one) => 'at' in one && one.at.startsWith('/notes/1')));
  expect(later.map(({ deviations }) => deviations[0])).toEqual([
    { kind: 'body', at: '/notes/1', keyword: 'type' },
    { kind: 'body', at: '/notes/1/text', keyword: 'required' },
    { kind: 'body', at: '/notes/1/kind', keyword: 'enum' },
  ]);
  for (const { body } of later)
    expect(valueAt(editedTo(body) ?? null, '/notes/0/text')).toMatch(/\$\{marker\}$/);
});

test('a keyword of the body as a whole is broken, by a body that carries no marker', () => {
  const [probe] = weighings.probes({ probe: 'whole-body' });
  expect(probe?.clauses).toEqual(['VAL-2']);
  expect(probe?.scenarios.flatMap(wrong).map(({ body, deviations }) => [body, deviations])).toEqual([
    [
      { use: 'text', text: JSON.stringify({ weighings: [known] }), name: 'whole-0' },
      [{ kind: 'body', at: '', keyword: 'minProperties' }],
    ],
  ]);
});

test('the control of a drawn violation is the body that it was made of', () => {
  const [probe] = weighings.probes({ probe: 'any-violation' });
  if (probe?.random === undefined) throw new Error('nothing is drawn');
  for (const { bodies, waves } of fc.sample(probe.random.arbitrary, { seed: 1, numRuns: 20 })) {
    const [faulty] = wrong({ bodies, waves, title: '' });
    const pointer = faulty?.deviations.flatMap((one) => (one.kind === 'body' ? [one.at] : []))[0] ?? '';
    const set = faulty === undefined ? undefined : editedTo(faulty.body);
    if (set === undefined || !/^\/(clerk|scale)$/.test(pointer)) continue;
    expect(valueAt(bodies['body']?.value ?? null, '/weighings')).toEqual(valueAt(set, '/weighings'));
  }
});

test('the target is read before the first body that is wrong, whatever an earlier one would have left behind', async () => {
  const claims = await contractOf(
    operation('POST /claims', 'addClaim', {
      result: made,
      links: { ...linkTo('getClaim', 'claim'), ...linkTo('rejectClaim', 'claim') },
    }),
    operation('GET /claims/{claim}', 'getClaim', { result: true }),
    operation('POST /claims/{claim}/reject', 'rejectClaim', {
      governed: { effect: { read: 'getClaim' } },
      body: object({ reason: { enum: ['late', 'dear'] }, note: text }, ['reason']),
      status: '204',
    }),
  );
  const [first] = planned(schemaViolations, claims).scenarios({ operation: 'rejectClaim' });
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
  const body = object({ title: text, amount: object({ minor: { type: 'integer' } }) });
  const paid = await contractOf(operation('POST /payments', 'pay', { body }));
  const [probe] = planned(schemaViolations, paid).steps({ probe: 'two-faults' });
  expect(probe?.deviations).toEqual([
    { kind: 'body', at: '/title', keyword: 'required' },
    { kind: 'body', at: '/amount', keyword: 'type' },
  ]);
  expect(probe?.body).toMatchObject({ edit: { all: [{ at: '' }, { at: '/amount', set: [] }] } });
});

test('a version in the body is sent in each type that its schema does not give it', async () => {
  const closing = planned(
    schemaViolations,
    await parseContract(shapes.find(({ name }) => name === 'close-declared')?.text ?? '', 'c.yaml'),
  );
  const sent = closing
    .scenarios({ operation: 'closeNote', probe: 'version-of-another-type' })
    .flatMap(wrong)
    .map(({ deviations, version }) => [version?.use === 'of' ? version.writtenAs : undefined, deviations]);
  const deviations = [{ kind: 'body', at: '/version', keyword: 'type' }];
  expect(sent).toEqual([
    ['text', deviations],
    ['true', deviations],
    ['null', deviations],
  ]);
  expect(people.scenarios({ probe: 'version-of-another-type' })).toEqual([]);
});

test('a member that the service alone sets is asked for with another value, where the schema does not forbid it', async () => {
  const id = { type: 'string' };
  const opened = object({ id, state: { const: 'open' }, kind: { const: 'x' } }, ['id', 'state']);
  const shown = object({ id, state: { enum: ['open', 'shut'] } }, ['id', 'state']);
  const body = object({ title: text, kind: { const: 'x' } }, ['title']);
  const claims = async (schema: Json): Promise<readonly unknown[]> =>
    planned(
      schemaViolations,
      await contractOf(
        operation('POST /jobs', 'addJob', { body: schema, result: opened }),
        operation('GET /jobs/{jobId}', 'readJob', { result: shown }),
      ),
    )
      .scenarios({ probe: 'claimed-value' })
      .flatMap(wrong)
      .map((step) => ('edit' in step.body ? step.body.edit : undefined));
  expect(await claims(body)).toEqual([{ at: '/state', set: 'shut' }]);
  expect(await claims({ ...body, additionalProperties: false })).toEqual([]);
});

test('what the contract marks as readOnly is sent with two values, and IDs in bodies of their own', async () => {
  const owned = (schema: JsonObject): JsonObject => ({ ...schema, readOnly: true });
  const record = object(
    {
      ...{ id: owned(text), title: text, state: owned({ enum: ['open', 'shut', 'kept'] }) },
      ...{
        made: owned({ type: 'string', format: 'date-time' }),
        count: owned({ type: 'integer', maximum: 50 }),
      },
      ...{ code: owned({ type: 'string', pattern: '^[A-Z]$' }), kind: owned({ const: 'job' }) },
      ...{ version: owned(text), links: owned({ type: 'array' }), ownerId: owned(text) },
    },
    ['title'],
  );
  const asked = async (result: JsonObject, closed = false): Promise<readonly unknown[]> =>
    planned(
      schemaViolations,
      await contractOf(
        operation('POST /jobs', 'addJob', {
          body: closed ? { ...record, additionalProperties: false } : record,
          result,
        }),
      ),
    )
      .scenarios({ probe: 'owned-value' })
      .flatMap(wrong)
      .map((step) => ('edit' in step.body ? step.body.edit : undefined));
  const claim = (...all: readonly (readonly [string, Json])[]): unknown => ({
    all: all.map(([at, set]) => ({ at, set })),
  });
  const claims = [
    claim(['/state', 'kept'], ['/made', '2001-02-03T04:05:06Z'], ['/count', 37]),
    claim(['/state', 'shut'], ['/made', '2002-03-04T05:06:07Z'], ['/count', 7]),
    claim(['/ownerId', 'claimed by a client']),
    claim(['/ownerId', 'claimed by another client']),
  ];
  expect(await asked(record)).toEqual(claims);
  expect(await asked(record, true)).toEqual(await asked(record));
  // Without the mark the contract does not say whose the members are.
  expect(await asked(object({ id: text, title: text, state: text }))).toEqual([]);
});

test('a valid body with a word behind it is sent, and null in place of a member that may be left out', () => {
  const sent = people.steps({ operation: 'addPerson' });
  expect(sent.filter(({ body }) => body.use === 'named' && body.form === 'followed')).toHaveLength(1);
  expect(written({ a: 1 }, 'followed')).toBe('{"a":1} x');
  expect(
    sent.map(({ body }) => JSON.stringify(body)).filter((body) => body.includes('"tags":null')),
  ).toHaveLength(1);
});

test('a required member is renamed in a closed body as well, where either name may be named', async () => {
  const renamed = async (more: JsonObject): Promise<Step['deviations'] | undefined> => {
    const body = object({ title: text, note: text }, ['title'], more);
    const contract = await contractOf(operation('POST /notes', 'addNote', { body }));
    const sent = planned(schemaViolations, contract)
      .scenarios({ operation: 'addNote', probe: 'other-types' })
      .flatMap(({ waves }) => stepsOf(waves));
    return sent.find((step) => JSON.stringify(step.body).includes('"/Title"'))?.deviations;
  };
  const required = { kind: 'body', at: '/title', keyword: 'required' };
  const whole = { kind: 'body', at: '', keyword: 'additionalProperties' };
  expect(await renamed({})).toEqual([required]);
  expect(await renamed({ additionalProperties: false })).toEqual([whole]);
  expect(await renamed({ unevaluatedProperties: false })).toEqual([whole]);
  // A map takes any name: what is missing is tried elsewhere.
  expect(await renamed({ additionalProperties: text })).toBeUndefined();
});

test('a list or a text as the body breaks each keyword of its own', async () => {
  const wholeOf = async (body: JsonObject): Promise<readonly unknown[]> => {
    const contract = await contractOf(operation('POST /bulk', 'addAll', { body }));
    return planned(schemaViolations, contract)
      .scenarios({ operation: 'addAll', probe: 'whole-body' })
      .flatMap(({ waves }) => stepsOf(waves))
      .flatMap(({ deviations }) => deviations)
      .flatMap((one) => (one.kind === 'body' ? [`${one.at} ${one.keyword}`] : []));
  };
  const items = object({ sku: text }, ['sku']);
  const list = { type: 'array', minItems: 1, maxItems: 5, uniqueItems: true, items };
  expect(new Set(await wholeOf(list))).toEqual(new Set([' minItems', ' maxItems', ' uniqueItems']));
  expect(await wholeOf({ type: 'string', maxLength: 5 })).toContain(' maxLength');
  expect(await wholeOf({ type: 'array', items })).toEqual([]);
});

test('an object that is wrong as a whole has the members of the plain one, and is sent once for each way', async () => {
  const wholeOf = async (body: JsonObject): Promise<readonly unknown[]> => {
    const contract = await contractOf(operation('POST /notes', 'addNote', { body, result: made }));
    return planned(schemaViolations, contract)
      .scenarios({ operation: 'addNote', probe: 'whole-body' })
      .flatMap(wrong)
      .flatMap((step) => (step.body.use === 'named' ? [[step.deviations, editedTo(step.body)]] : []));
  };
  const properties = { name: text, size: { type: 'integer' }, tree: text, flag: text };
  const note = { type: 'object', required: ['name'], properties, additionalProperties: false };
  expect(await wholeOf({ ...note, not: { required: ['tree', 'flag'] } })).toEqual([
    [
      [{ kind: 'body', at: '', keyword: 'not' }],
      { name: expect.stringContaining('marker'), tree: expect.any(String), flag: expect.any(String) },
    ],
  ]);
  expect(await wholeOf({ ...note, maxProperties: 2 })).toEqual([
    [
      [{ kind: 'body', at: '', keyword: 'maxProperties' }],
      expect.objectContaining({ name: expect.any(String) }),
    ],
  ]);
  expect(await wholeOf(note)).toEqual([]);
});

test('a later item is wrong in a list of what unevaluatedProperties closes, and in one of another branch', async () => {
  const donors = { type: 'array', uniqueItems: true, items: object({ ref: { const: 'D1' } }, ['ref']) };
  const panel = { oneOf: [text, { type: 'array', items: { type: 'string', pattern: '^T[0-9]$' } }] };
  const body = { allOf: [object({ name: text, donors, panel }, ['name'])], unevaluatedProperties: false };
  const plan = planned(schemaViolations, await contractOf(operation('POST /samples', 'addSample', { body })));
  const at = plan
    .scenarios({ probe: 'other-types' })
    .flatMap(wrong)
    .flatMap(({ deviations }) => deviations.flatMap((one) => (one.kind === 'body' ? [one.at] : [])));
  expect(at).toEqual(expect.arrayContaining(['/donors/1', '/donors/1/ref', '/panel/1']));
});

test('a required member is renamed with its value as it is, where it takes no marker', async () => {
  const renamed = async (required: string): Promise<Json | undefined> => {
    const code = { type: 'string', pattern: '^[A-Z]{2}$' };
    const body = object({ name: text, code, size: { type: 'integer', minimum: 3, maximum: 3 } }, [required]);
    const plan = planned(schemaViolations, await contractOf(operation('POST /items', 'addItem', { body })));
    const bodies = plan.steps({}).flatMap((step) => (step.body.use === 'named' ? [step.body] : []));
    const edit = bodies.find(({ name }) => name === 'renamed')?.edit;
    const last = edit !== undefined && 'all' in edit ? edit.all.at(-1) : undefined;
    return last !== undefined && 'set' in last ? [last.at, last.set] : undefined;
  };
  expect(await renamed('code')).toEqual(['/Code', 'AA']);
  expect(await renamed('size')).toEqual(['/Size', 3]);
  expect(await renamed('name')).toEqual(['/Name', expect.stringContaining('{marker}')]);
});

test('a body without members is of another kind, and is corrected under its key', async () => {
  const plan = planned(
    schemaViolations,
    await contractOf(
      operation('POST /words', 'addWord', { body: { type: 'string', minLength: 1 } }),
      operation('POST /values', 'addValue', { body: true }),
    ),
  );
  const firsts = plan
    .scenarios({ probe: 'same-key', operation: 'addWord' })
    .flatMap(({ waves }) => stepsOf(waves).filter(({ id }) => id === 'first'));
  expect(firsts.map(({ body, deviations }) => [editedTo(body), deviations])).toEqual(
    Array.from({ length: 2 }, () => [['$' + '{marker}'], [{ kind: 'body', at: '', keyword: 'type' }]]),
  );
  expect(plan.skips.find(({ clauses }) => clauses.includes('VAL-9'))).toMatchObject({
    operation: 'addValue',
    need: { kind: 'inapplicable' },
  });
});

test('where the schema asks nothing of a member, no member can be wrong', async () => {
  const { skips } = planned(
    schemaViolations,
    await contractOf(
      operation('POST /words', 'addWord', { body: { type: 'string', minLength: 1 } }),
      operation('POST /notes', 'addNote', { body: { type: 'object' } }),
      operation('POST /things', 'addThing', { body: { type: 'object', not: { required: ['x'] } } }),
    ),
  );
  expect(
    skips.flatMap(({ clauses, operation: id, need }) => (clauses.includes('VAL-1') ? [[id, need.kind]] : [])),
  ).toEqual([
    ['addWord', 'inapplicable'],
    ['addNote', 'inapplicable'],
    ['addThing', 'value'],
  ]);
});

test('where the schema restricts only the version, no other member can be wrong', async () => {
  const versioned = (name: string, body: JsonObject) =>
    operation(`POST /shelves/{shelfId}/${name}`, name, {
      body,
      governed: {
        version: {
          carrier: { in: 'body', at: '/etag' },
          source: { operation: 'addShelf', in: 'body', at: '/etag' },
        },
      },
    });
  const { skips } = planned(
    schemaViolations,
    await contractOf(
      operation('POST /shelves', 'addShelf', {
        body: object({ name: text }, ['name']),
        links: {
          ...linkTo('archive', 'shelfId'),
          ...linkTo('close', 'shelfId'),
          ...linkTo('rename', 'shelfId'),
        },
      }),
      versioned('archive', object({ etag: text }, [])),
      versioned('close', object({ etag: text }, ['etag'])),
      versioned('rename', object({ etag: text, name: text }, [])),
    ),
  );
  expect(
    skips.flatMap(({ clauses, operation: id, need }) => (clauses.includes('VAL-2') ? [[id, need.kind]] : [])),
  ).toEqual([
    ['archive', 'inapplicable'],
    ['close', 'inapplicable'],
  ]);
});

test('two alternatives are set at once where a choice allows one of them', async () => {
  const contact = {
    ...object({ email: text, phone: text }, []),
    oneOf: [{ required: ['email'] }, { required: ['phone'] }],
  };
  // Many members, so that the quick budget leaves out most of what can be wrong.
  const more = Object.fromEntries('abcdefghijkl'.split('').map((name) => [name, text]));
  const body = object({ name: text, contact, ...more }, ['name', 'contact']);
  const plan = planned(schemaViolations, await contractOf(operation('POST /people', 'addPerson', { body })));
  const sent = plan
    .scenarios()
    .flatMap(wrong)
    .map(({ body }) => JSON.stringify(body));
  expect(sent.some((one) => one.includes('"email":') && one.includes('"phone":'))).toBe(true);
});

test.each<[string, JsonObject, string]>([
  ['dependentRequired', { dependentRequired: { card: ['address'] } }, 'dependentRequired /address'],
  ['dependentSchemas', { dependentSchemas: { card: { required: ['address'] } } }, 'required /address'],
  [
    'a condition that holds',
    {
      if: { properties: { kind: { const: 'b' } }, required: ['kind'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['vat'] },
    },
    'required /vat',
  ],
  [
    'a condition that does not hold',
    { if: { required: ['kind'] }, else: { properties: { size: { minimum: 10 } } } },
    'minimum /size',
  ],
])('with the quick budget a body breaks what depends on other members: %s', async (_, rule, broken) => {
  const members = { kind: { enum: ['a', 'b'] }, vat: text, card: text, address: text };
  const body = { ...object({ title: text, ...members, size: { type: 'integer' } }, ['title']), ...rule };
  const plan = planned(schemaViolations, await contractOf(operation('POST /notes', 'addNote', { body })));
  const departures = plan
    .scenarios()
    .flatMap(wrong)
    .flatMap(({ deviations }) =>
      deviations.flatMap((each) => (each.kind === 'body' ? [`${each.keyword} ${each.at}`] : [])),
    );
  expect(departures).toContain(broken);
});
