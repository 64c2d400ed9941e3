import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Operation } from '../model/contract.ts';
import { type Json, type JsonSchema, valueAt } from '../model/json.ts';
import { taking } from '../testing/contracts.ts';
import { markable, operationValues } from './values.ts';

const of = (schema: JsonSchema, examples: readonly Json[] = []) => {
  const { different, marker, plain } = operationValues(taking(schema), examples);
  return { different, marker, plain };
};

test('a body that is put together carries its marker in a text that every value has', () => {
  const base = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } };
  const schema = {
    oneOf: [
      { allOf: [base], required: ['kind'], properties: { kind: { const: 'a' } } },
      { allOf: [base], required: ['kind'], properties: { kind: { const: 'b' } } },
    ],
  };
  expect(of(schema)).toEqual({
    plain: { kind: 'a', title: 'Conformance probe' },
    marker: '/title',
    different: undefined,
  });
});

test.each<[string, Record<string, JsonSchema>, unknown]>([
  [
    'a text that may be null',
    { incoterm: { enum: ['EXW', 'FOB'] }, notes: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
    { plain: { notes: 'Conformance probe' }, marker: '/notes' },
  ],
  ['a code', { incoterm: { enum: ['EXW', 'FOB'] } }, { plain: { incoterm: 'EXW' }, marker: undefined }],
])('a PATCH without required members changes %s', (_, properties, expected) => {
  const patch: Operation = { ...taking({ type: 'object', properties }), method: 'PATCH' };
  expect(operationValues(patch, [])).toMatchObject(expected as object);
});

test('an example keeps the ID of the record that it names', () => {
  const text = { type: 'string' };
  const onCase = (more: Record<string, JsonSchema>) => ({
    type: 'object',
    required: ['caseId', ...Object.keys(more)],
    properties: { caseId: text, ...more },
  });
  expect(of(onCase({ note: text }), [{ caseId: 'case_7', note: 'Called' }]).marker).toBe('/note');
  expect(of(onCase({ role: { maxLength: 9 } }), [{ caseId: 'case_7', role: 'a' }])).toEqual({
    plain: { caseId: 'case_7', role: 'a' },
    marker: undefined,
    different: { caseId: 'case_7', role: 'a again' },
  });
  expect(of(onCase({})).marker).toBe('/caseId');
});

test.each(['ch_17', 'customers/17', 'a-17'])(
  'an example keeps %s, whatever its member is called',
  (charge) => {
    const text = { type: 'string' };
    const schema = { type: 'object', required: ['charge'], properties: { charge: text, note: text } };
    expect(of(schema, [{ charge }])).toMatchObject({ plain: { charge }, marker: '/note' });
    expect(of(schema, [{ charge: 'Dents and scratches' }]).marker).toBe('/charge');
    expect(of({ ...schema, properties: { charge: text } }, [{ charge }]).marker).toBeUndefined();
  },
);

test.each([
  ['of one example', [{ region: 'north', note: 'a' }], '/region'],
  [
    'that two examples have in common',
    [
      { region: 'north', note: 'a' },
      { region: 'north', note: 'b' },
    ],
    '/note',
  ],
  [
    'that differs in two examples',
    [
      { region: 'north', note: 'a' },
      { region: 'south', note: 'a' },
    ],
    '/region',
  ],
])('a text %s', (_, examples, marker) => {
  const text = { type: 'string' };
  const schema = { type: 'object', required: ['region'], properties: { region: text, note: text } };
  expect(of(schema, examples).marker).toBe(marker);
});

test('a body that is a list carries its marker in the first item, unless an example is given', () => {
  const properties = { op: { const: 'replace' }, path: { enum: ['/label'] }, value: { type: 'string' } };
  const items = { type: 'object', required: ['op', 'path', 'value'], properties };
  const patch: JsonSchema = { type: 'array', minItems: 1, items };
  const example = [{ op: 'replace', path: '/label', value: 'a' }];
  expect(of(patch)).toEqual({
    plain: [{ op: 'replace', path: '/label', value: 'Conformance probe' }],
    marker: '/0/value',
    different: undefined,
  });
  expect(of(patch, [example])).toMatchObject({ plain: example, marker: undefined });
});

test('where a text takes no marker, another valid body stands for the difference', () => {
  const amount: JsonSchema = {
    type: 'object',
    required: ['amount'],
    properties: { amount: { type: 'integer', minimum: 1, maximum: 9 } },
    additionalProperties: false,
  };
  const { different, marker, plain } = of(amount);
  expect(marker).toBeUndefined();
  expect(plain).toEqual({ amount: 1 });
  expect(different).not.toEqual(plain);
  expect(different).toEqual({ amount: expect.any(Number) });
  expect(of(amount, [{ amount: 3 }, { amount: 3 }, { amount: 4 }]).different).toEqual({ amount: 4 });
  expect(of({ type: 'object', maxProperties: 0 }).different).toBeUndefined();
});

test('where no text can be marked, another body is one that a service would take most likely', () => {
  const amount = { type: 'string', pattern: '^(0|[1-9]\\d{0,8})(\\.\\d{1,2})?$' };
  const date = { type: 'string', format: 'date' };
  const closed = { type: 'object', additionalProperties: false };
  // Not an amount of 0, which is the smallest.
  expect(of({ ...closed, properties: { amount } }).different).toEqual({ amount: '1.00' });
  // A little more than a known amount.
  const paid = { ...closed, required: ['amount'], properties: { amount } };
  expect(of(paid, [{ amount: '1.00' }]).different).toEqual({ amount: '1.01' });
  expect(of(paid, [{ amount: '7' }]).different).toEqual({ amount: '8' });
  // The range still ends after it begins.
  const range = { ...closed, required: ['from', 'to'], properties: { from: date, to: date } };
  expect(of(range, [{ from: '2026-01-30', to: '2026-01-31' }]).different).toEqual({
    from: '2026-01-30',
    to: '2026-02-01',
  });
});

test('what differs from the one example differs in one value that is like it', () => {
  const weighing: JsonSchema = {
    type: 'object',
    required: ['parcel', 'gross', 'dry'],
    properties: {
      parcel: { type: 'string', pattern: '^p[0-9]{6}$' },
      dry: { type: 'boolean' },
      gross: { type: 'integer', minimum: 1, maximum: 9 },
    },
    additionalProperties: false,
  };
  const known = { parcel: 'p000007', dry: true, gross: 9 };
  expect(of(weighing, [known]).different).toEqual({ ...known, gross: 8 });
});

test('the version that the engine puts into a body is no place for a marker, and makes no body different', () => {
  const schema: JsonSchema = {
    type: 'object',
    required: ['price', 'meta'],
    properties: {
      price: { type: 'integer' },
      meta: { type: 'object', required: ['version'], properties: { version: { type: 'string' } } },
    },
  };
  const operation: Operation = {
    ...taking(schema),
    version: {
      carrier: { in: 'body', at: '/meta/version' },
      source: { operation: 'getCase', in: 'body', at: '/version' },
      neutral: false,
    },
  };
  const { different, marker, plain, texts } = operationValues(operation, []);
  expect({ marker, texts }).toEqual({ marker: undefined, texts: [] });
  expect(valueAt(different, '/price')).not.toEqual(valueAt(plain, '/price'));
});

test.each([
  ['PATCH', [], '/data/attributes/name'],
  ['PATCH', [{ data: { attributes: {} } }], undefined],
  ['POST', [], undefined],
] as const)(
  '%s has a text of an optional object changed, if nothing else: %j',
  (method, examples, marker) => {
    const attributes: JsonSchema = { type: 'object', properties: { name: { type: 'string' } } };
    const schema: JsonSchema = {
      type: 'object',
      required: ['data'],
      properties: { data: { type: 'object', properties: { attributes } } },
    };
    expect(operationValues({ ...taking(schema), method }, examples).marker).toBe(marker);
  },
);

test('a text that may be null carries a marker', () => {
  const reason: JsonSchema = { type: ['string', 'null'], minLength: 1, maxLength: 120 };
  expect(of({ type: ['object', 'null'], properties: { reason } }).marker).toBe('/reason');
});

test.each<[string, JsonSchema]>([
  ['null', { type: ['object', 'null'], properties: {}, additionalProperties: false }],
  [
    'a member that is null',
    { type: 'object', properties: { rank: { type: 'null' } }, additionalProperties: false },
  ],
  [
    'an empty list',
    { type: 'object', properties: { all: { type: 'array', maxItems: 0 } }, additionalProperties: false },
  ],
  [
    'the default',
    { type: 'object', properties: { by: { enum: ['mail'], default: 'mail' } }, additionalProperties: false },
  ],
])('%s is no difference to an empty body', (_, schema) => {
  expect(of(schema)).toMatchObject({ plain: {}, different: undefined });
});

test('true is a difference to an empty body, and false is none', () => {
  const schema = { type: 'object', properties: { urgent: { type: 'boolean' } }, additionalProperties: false };
  expect(of(schema)).toMatchObject({ plain: {}, different: { urgent: true } });
});

test('a marker that makes the body invalid is none', () => {
  const schema: JsonSchema = {
    type: 'object',
    required: ['code'],
    properties: { code: { type: 'string' } },
    dependentSchemas: { code: { properties: { code: { maxLength: 60 } }, propertyNames: { maxLength: 4 } } },
    not: { properties: { code: { minLength: 30 } } },
  };
  expect(of(schema, [{ code: 'x' }]).marker).toBeUndefined();
});

test('the marker is in no member that needs another one', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { card: { type: 'string' }, holder: { type: 'string' } },
    dependentRequired: { card: ['holder'] },
  };
  expect(of(schema)).toEqual({
    marker: '/holder',
    plain: { holder: 'Conformance probe' },
    different: undefined,
  });
});

test.each<[string, JsonSchema]>([
  [
    'a required text',
    {
      type: 'object',
      required: ['code'],
      properties: { code: { type: 'string', minLength: 5, maxLength: 3 } },
    },
  ],
  [
    'a required pattern',
    {
      type: 'object',
      required: ['code'],
      properties: { code: { type: 'string', pattern: '^a$', minLength: 5, maxLength: 3 } },
    },
  ],
  [
    'a required number',
    { type: 'object', required: ['code'], properties: { code: { type: 'integer', minimum: 5, maximum: 3 } } },
  ],
])('%s that no value fits leaves nothing to send', (_, schema) => {
  expect(of(schema).plain).toBeUndefined();
});

test('an optional text that no value fits is left out', () => {
  const code = { type: 'string', minLength: 5, maxLength: 3 };
  const { plain, notes } = operationValues(
    taking({ type: 'object', required: ['subject'], properties: { subject: { type: 'string' }, code } }),
    [],
  );
  expect(plain).toEqual({ subject: 'Conformance probe' });
  expect(notes).toContainEqual({
    at: '/properties/code',
    keyword: 'maxLength',
    why: 'no text has at least 5 and at most 3 characters',
  });
});

test('a marker goes into an object within the body where the body itself has no text', () => {
  const attributes: JsonSchema = {
    type: 'object',
    required: ['title', 'kind'],
    properties: { title: { type: 'string', maxLength: 60 }, kind: { enum: ['new', 'old'] } },
  };
  const data: JsonSchema = {
    type: 'object',
    required: ['type', 'attributes'],
    properties: { type: { const: 'gardens' }, attributes },
  };
  expect(of({ type: 'object', required: ['data'], properties: { data } })).toEqual({
    plain: { data: { type: 'gardens', attributes: { title: 'Conformance probe', kind: 'new' } } },
    marker: '/data/attributes/title',
    different: undefined,
  });
});

test('alternatives without a common text: all bodies are of one that has room for a marker', () => {
  const text = { type: 'string', minLength: 1 };
  const kind = (name: string, more: Record<string, JsonSchema>) => ({
    type: 'object',
    required: ['kind', ...Object.keys(more)],
    properties: { kind: { const: name }, ...more },
  });
  const [code, person, firm] = [
    kind('code', { code: { ...text, maxLength: 3 } }),
    kind('person', { familyName: text }),
    kind('firm', { tradingName: text }),
  ];
  const schema = { $ref: '#/$defs/Party', $defs: { Party: { oneOf: [code, person, firm] } } };
  const values = operationValues(taking(schema), []);
  expect(values.plain).toEqual({ kind: 'person', familyName: 'Conformance probe' });
  expect(values.marker).toBe('/familyName');
  const drawn = values.valid === undefined ? [] : fc.sample(values.valid, { seed: 1, numRuns: 9 });
  expect(new Set(drawn.map((value) => valueAt(value, '/kind')))).toEqual(new Set(['person']));
  expect(of(schema, [{ kind: 'firm', tradingName: 'A' }])).toEqual({
    plain: { kind: 'firm', tradingName: 'A' },
    marker: '/tradingName',
    different: undefined,
  });
  const other = { kind: 'firm', tradingName: 'A' };
  expect(markable(values, other)).toEqual({ value: other, marker: undefined });
  const seen = values.others === undefined ? [] : fc.sample(values.others, { seed: 1, numRuns: 30 });
  expect(new Set(seen.map((value) => valueAt(value, '/kind')))).toEqual(new Set(['code', 'person', 'firm']));
  const bases = [values.plain ?? null, other];
  expect(bases.map((base) => values.mutations(base).length > 0)).toEqual([true, true]);
});

test('a member of alternatives without a common text carries the marker in one of them', () => {
  const kind = (name: string, more: Record<string, JsonSchema>) => ({
    type: 'object',
    required: ['type', ...Object.keys(more)],
    properties: { type: { const: name }, ...more },
  });
  const value = {
    anyOf: [
      kind('numeric', { amount: { type: 'number' } }),
      kind('text', { text: { type: 'string', minLength: 1, maxLength: 300 } }),
    ],
  };
  const within = (name: string, member: JsonSchema): JsonSchema => ({
    type: 'object',
    required: [name],
    properties: { [name]: member },
  });
  for (const [schema, at] of [
    [within('value', value), '/value'],
    [within('value', { $ref: '#/$defs/Value' }), '/value'],
    [within('data', within('value', value)), '/data/value'],
  ] as const) {
    const values = operationValues(taking({ ...Object(schema), $defs: { Value: value } }), []);
    expect(values.marker).toBe(`${at}/text`);
    expect(valueAt(values.plain ?? null, at)).toEqual({ type: 'text', text: 'Conformance probe' });
    const seen = values.others === undefined ? [] : fc.sample(values.others, { seed: 1, numRuns: 30 });
    expect(new Set(seen.map((one) => valueAt(one, `${at}/type`)))).toEqual(new Set(['numeric', 'text']));
  }
  // What may be left out is in no plain body.
  const optional = { type: 'object', properties: { value } };
  expect(operationValues(taking(optional), []).marker).toBeUndefined();
});

test.each<[string, JsonSchema, unknown]>([
  ['an object', { type: ['object', 'null'], properties: { count: { type: 'integer' } } }, {}],
  [
    'an object with what it requires',
    {
      anyOf: [
        { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
        { type: 'null' },
      ],
    },
    { title: 'Conformance probe' },
  ],
  ['a list, where it can be no object', { type: ['array', 'null'], items: { type: 'integer' } }, []],
  ['null, where it can be nothing else', { type: 'null' }, null],
])('a body that may be null is %s', (_, schema, plain) => {
  expect(of(schema).plain).toEqual(plain);
});

test('what may be null is not refused for null', () => {
  const schema: JsonSchema = {
    type: ['object', 'null'],
    required: ['a'],
    properties: { a: { type: 'integer' } },
  };
  const { mutations, plain = null } = operationValues(taking(schema), []);
  const wrong = mutations(plain).map(({ value }) => value);
  expect(wrong).toContainEqual({});
  expect(wrong).not.toContain(null);
});
