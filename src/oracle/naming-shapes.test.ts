import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../model/json.ts';
import { type NamingOptions, namesField } from './field-naming.ts';

type Shape = (f: string) => unknown;
type Shapes = Readonly<Record<string, Shape>>;

const written: Readonly<Record<string, Readonly<Record<string, Json>>>> = parse(
  readFileSync(new URL('../../fixtures/errors/field-naming.yaml', import.meta.url), 'utf8'),
);

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The responses of the fixture, for a field of any name. */
function shapesOf(kind: string): Shapes {
  return Object.fromEntries(
    Object.entries(written[kind] ?? {}).map(([title, body]) => [
      title,
      (f) =>
        JSON.parse(
          JSON.stringify(body)
            .replaceAll('{f}', f)
            .replaceAll('{F}', titled(f))
            .replaceAll('{FIELD}', f.toUpperCase()),
        ),
    ]),
  );
}

const [structured, spoken, unclear] = ['structured', 'spoken', 'unclear'].map(shapesOf) as [
  Shapes,
  Shapes,
  Shapes,
];
const ambiguous: readonly unknown[] = Object.values(written['ambiguous'] ?? {});
const nothing = written['nothing'] ?? {};

const request = { path: '/cases', body: '{"other":"a b","count":5}' };
const answer = (made: unknown) =>
  typeof made === 'object' && made !== null && 'text' in made && typeof made.text === 'string'
    ? {
        body: made.text,
        headers: 'headers' in made ? (made.headers as readonly (readonly [string, string])[]) : [],
      }
    : { body: JSON.stringify(made), headers: [['Content-Type', 'application/json']] as const };

/** Names that error bodies use for their own members, too. */
const envelopes = ['title', 'status', 'detail', 'type', 'code', 'message', 'limit'];
const names = ['subject', ...envelopes];
const alone = (name: string): NamingOptions => ({ exact: false, known: [`/${name}`] });
const among: NamingOptions = {
  exact: false,
  known: ['/subject', '/contact/email', ...envelopes.map((name) => `/${name}`)],
};

/** The request of the negatives; what it says may come back in any form. */
const sent = {
  path: '/v1/cases',
  body: '{"subject":{},"title":{"a":5},"status":{},"other":"plain words, really"}',
};

/** A response that shows what was sent, or where, and names nothing. */
const echoed: Readonly<Record<string, unknown>> = {
  'the body under a name': { error: 'invalid', request: JSON.parse(sent.body) },
  'the body as input': { detail: [{ loc: ['body'], msg: 'invalid', input: JSON.parse(sent.body) }] },
  'the body as text': { message: `Cannot accept ${sent.body}` },
  'the body as text with blanks': {
    message: `Cannot accept ${JSON.stringify(JSON.parse(sent.body), null, 2)}`,
  },
  'the body alone': JSON.parse(sent.body),
  'a member of it': { error: 'invalid', title: { a: 5 } },
  'the address': {
    message: 'See https://docs.example/subject/title/status for more',
    instance: 'https://x.example/subject',
  },
  'the path': { message: 'Cannot process POST /v1/cases', path: '/v1/cases' },
  'a header with a link': {
    text: '{"error":"invalid"}',
    headers: [
      ['Link', '</subject>; rel="subject"'],
      ['Location', '/subject'],
    ],
  },
};

/** Shapes of which no framework is known: whatever a member is called, a response that has its path accuses nobody. */
const strange: Readonly<Record<string, (path: readonly string[]) => Json>> = {
  'a code': (path) => ({ code: `${path.join('_').toUpperCase()}_INVALID` }),
  'codes of words': (path) => ({ errorCodes: [`invalid_${path.join('_')}`] }),
  'a member that nobody knows': (path) => ({ errors: [{ where: path.join('.'), what: 'wrong' }] }),
  'a pointer that nobody knows': (path) => ({ errors: [{ at: `/${path.join('/')}`, why: 'wrong' }] }),
  'another language': (path) => ({ fehler: [{ feld: path.join('.'), grund: 'falsch' }] }),
  'a map that nobody knows': (path) => ({ erreurs: { [path.join('.')]: 'incorrect' } }),
  'a context': (path) => ({ error: { details: [{ context: { path: `/${path.join('/')}` }, info: 'x' }] } }),
  'segments further in': (path) => ({ errors: [{ extensions: { inputPath: ['input', ...path] } }] }),
  arrows: (path) => ({ message: `${path.join(' -> ')} wrong` }),
  'a hint': (path) => ({ message: 'Validation failed', hint: `check ${path.join('.')}` }),
};

describe.each(names)('a field called %s', (name) => {
  test.each(Object.entries({ ...structured, ...spoken }))('is named: %s', (title, shape) => {
    const made = answer(shape(name));
    for (const options of [alone(name), among]) {
      const { named, unclear, evidence } = namesField(made, request, `/${name}`, options);
      const open = envelopes.includes(name) && ambiguous.includes(title) && unclear === true;
      expect({ named: named || open, body: made.body }, evidence).toEqual({ named: true, body: made.body });
    }
  });

  test.each(Object.entries({ ...structured, ...spoken }))(
    'is not named where another one is: %s',
    (_, shape) => {
      const other = name === 'subject' ? 'priority' : 'subject';
      const made = answer(shape(other));
      const known = [...among.known, '/priority'];
      expect(namesField(made, request, `/${name}`, { exact: false, known })).toMatchObject({ named: false });
      expect(namesField(made, request, `/${name}`, { exact: false, known }).unclear, made.body).not.toBe(
        true,
      );
    },
  );
});

/** Names that error bodies use to say where a fault is, or what they expect. */
const locating = [
  'fields',
  'keys',
  'field',
  'path',
  'pointer',
  'param',
  'loc',
  'target',
  'location',
  'expected',
  'hint',
];

describe.each(locating)('a field called %s', (name) => {
  const maps: Shapes = {
    ASP: (f) => ({
      title: 'Invalid',
      status: 422,
      errors: { [titled(f)]: ['The field must NOT be empty.'] },
    }),
    Laravel: (f) => ({ message: 'The given data was invalid.', errors: { [f]: ['The field is required.'] } }),
    Rails: (f) => ({ errors: { [f]: ["can't be blank"] } }),
    'Rails at the root': (f) => ({ [f]: ["can't be blank"] }),
    'Django REST': (f) => ({ [f]: ['This field is required.'] }),
    'dry-validation': (f) => ({ errors: { [f]: ['is missing'] } }),
    'a text': (f) => ({ errors: { [f]: 'must not be empty' } }),
    zod: (f) => ({ formErrors: [], fieldErrors: { [f]: ['Required'] } }),
    FastAPI: (f) => ({ detail: [{ type: 'missing', loc: ['body', f], msg: 'Field required', input: {} }] }),
  };
  test.each(Object.entries(maps))('is named: %s', (_, shape) => {
    const known = ['/subject', '/contact/email', `/${name}`];
    const made = answer(shape(name));
    for (const options of [alone(name), { exact: false, known }]) {
      const { named, unclear, evidence } = namesField(made, request, `/${name}`, options);
      expect(named || unclear === true, `${made.body}: ${evidence}`).toBe(true);
      expect(namesField(made, request, '/subject', { exact: false, known }).named).toBe(false);
    }
  });
});

test.each(names)('a list of codes under its name may name a field: %s', (name) => {
  const made = answer({ [name]: [{ code: 'length', message: null, params: { min: 1, value: '' } }] });
  const { named, unclear } = namesField(made, request, `/${name}`, among);
  expect(named || unclear).toBe(true);
});

test.each(['kind', 'status', 'type', 'name'])('a list of codes within a list names a field: %s', (name) => {
  const code = { code: 'length', message: null, params: { min: 1, value: '' } };
  const made = answer({ parcels: { '0': { [name]: [code] } } });
  const known = ['/subject', `/parcels/0/${name}`];
  expect(namesField(made, request, `/parcels/0/${name}`, { exact: false, known }).named).toBe(true);
});

test('one complaint in place of a list of them names the field that it locates', () => {
  const made = answer({ fieldErrors: { field: 'subject', message: 'is required' } });
  expect(namesField(made, request, '/subject', among).named).toBe(true);
});

test.each(Object.entries(unclear))('it is open whether the field is named: %s', (_, shape) => {
  const made = answer(shape('subject'));
  for (const options of [alone('subject'), among])
    expect(namesField(made, request, '/subject', options)).toMatchObject({ named: false, unclear: true });
});

describe.each([...names, 'detail'])('a field called %s', (name) => {
  test.each(Object.entries({ ...nothing, ...echoed }))('is not named: %s', (_, made) => {
    for (const options of [alone(name), among]) {
      const result = namesField(answer(made), sent, `/${name}`, options);
      expect({ named: result.named, unclear: result.unclear ?? false }, result.evidence).toEqual({
        named: false,
        unclear: false,
      });
    }
  });

  test('what a response to another fault says as well is boilerplate', () => {
    for (const shape of [
      structured['RFC 9457, pointers in errors'],
      spoken['Express'],
      unclear['a bare word'],
    ]) {
      const made = answer(shape?.(name));
      const result = namesField(made, request, `/${name}`, {
        ...among,
        control: made,
        controlPointer: '/contact/email',
      });
      expect(result).toMatchObject({ named: false });
      expect(result.unclear, result.evidence).not.toBe(true);
    }
  });
});

test('a body that was cut leaves it open', () => {
  const made = { ...answer({ message: 'Validation failed' }), truncated: true };
  expect(namesField(made, request, '/subject', alone('subject'))).toMatchObject({
    named: false,
    unclear: true,
  });
  const response = { ...answer({ message: "'subject' is required" }), truncated: true };
  expect(namesField(response, request, '/subject', alone('subject')).named).toBe(true);
});

test('nested members are named by their leaf, by words, or by the whole path', () => {
  const known = ['/subject', '/contact/email', '/contact/name', '/items/0/sku', '/title'];
  const asked = (made: unknown, pointer: string) =>
    namesField(answer(made), request, pointer, { exact: false, known }).named;
  expect(asked({ contact: { email: ['This field is required.'] } }, '/contact/email')).toBe(true);
  expect(asked({ contact: { name: ['This field is required.'] } }, '/contact/name')).toBe(true);
  expect(asked({ items: [{}, { sku: ['This field is required.'] }] }, '/items/0/sku')).toBe(true);
  expect(asked({ errors: ['Contact name is required'] }, '/contact/name')).toBe(true);
  expect(asked({ errors: { contact_email: ['is invalid'] } }, '/contact/email')).toBe(true);
  expect(asked({ errors: { 'contact.email': ['is invalid'] } }, '/contact/email')).toBe(true);
  expect(asked({ contact: { name: ['This field is required.'] } }, '/contact/email')).toBe(false);
  expect(asked({ contact: ['This field is required.'] }, '/contact/email')).toBe(false);
});

test('an object is named by what is below it, where that is no field of its own', () => {
  const known = ['/contact', '/contact/email', '/subject'];
  const asked = (made: unknown, pointer: string) =>
    namesField(answer(made), request, pointer, { exact: false, known }).named;
  const below = { contact: { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] } };
  expect(asked(below, '/contact')).toBe(true);
  expect(asked({ contact: { body: ['Invalid data.'] } }, '/contact')).toBe(true);
  expect(asked({ contact: ['Invalid data.'] }, '/contact')).toBe(true);
  expect(asked({ contact: { email: ['Enter a valid email address.'] } }, '/contact/email')).toBe(true);
  expect(asked({ contact: { email: ['Enter a valid email address.'] } }, '/contact')).toBe(false);
  expect(asked(below, '/subject')).toBe(false);
  expect(asked({ items: { 0: { qty: ['A valid integer is required.'] } } }, '/items/0/qty')).toBe(true);
});

test('a member of an array at the root is open', () => {
  expect(namesField(answer({ message: 'no' }), request, '/0', alone('subject'))).toMatchObject({
    unclear: true,
  });
  expect(namesField(answer([{ loc: [0, 'subject'] }]), request, '/0/subject', alone('subject')).named).toBe(
    true,
  );
});

const called = ['properties', 'expected', 'hint', 'fields', 'path', 'param', 'pointer', 'message', 'größe'];

test.each(Object.entries(strange))('a member is not taken for unnamed: %s', (_, shape) => {
  for (const path of [...called.map((name) => [name]), ['amount', 'price'], ['source', 'id']]) {
    const options = {
      exact: false,
      known: [`/${path.join('/')}`, '/other'],
      control: answer(shape(['other'])),
      controlPointer: '/other',
    };
    const { evidence, named, unclear } = namesField(
      answer(shape(path)),
      request,
      `/${path.join('/')}`,
      options,
    );
    expect(named || unclear === true, `${path.join('/')}: ${evidence}`).toBe(true);
    // What is said of another field does not count.
    const wrong = namesField(answer(shape(['other'])), request, `/${path.join('/')}`, options);
    expect([path, wrong.named, wrong.unclear]).toEqual([path, false, undefined]);
  }
});

// No word of a message is '!': its path or its quotes name it, and without them nothing is certain.
test.each([
  ['The body does not match. /preferences/!: pattern', true, undefined],
  [JSON.stringify({ message: "property name '!' is invalid" }), true, undefined],
  [JSON.stringify({ message: 'property name "!" is invalid' }), true, undefined],
  [JSON.stringify({ message: 'Something is wrong!' }), false, true],
])('a member called !: %s', (body, named, unclear) => {
  const found = namesField(
    { body, headers: [] },
    { path: '/accounts', body: '{"preferences":{"!":true}}' },
    '/preferences/!',
    {
      exact: false,
      known: ['/title', '/preferences'],
    },
  );
  expect([found.named, found.unclear]).toEqual([named, unclear]);
});

// Names that are no words of a message: with brackets, marks or many words.
const odd = 'size (in cm) *required';
test.each([
  [JSON.stringify({ errors: [{ pointer: `/${odd}`, message: 'is missing' }] }), true],
  [JSON.stringify({ errors: { [odd]: ['is missing'] } }), true],
  [JSON.stringify({ message: `"${odd}" is missing` }), true],
  [JSON.stringify({ message: `${odd}: is missing` }), true],
  // Another member.
  [JSON.stringify({ errors: [{ pointer: `/${odd} too`, message: 'is missing' }] }), false],
  [JSON.stringify({ errors: [{ pointer: '/size', message: 'is missing' }] }), false],
  // The body that is sent back.
  [JSON.stringify({ message: 'invalid', sent: { [odd]: 1 } }), false],
  [JSON.stringify({ message: 'invalid', sent: JSON.stringify({ [odd]: 1 }) }), false],
])('a member with an odd name: %s', (body, named) => {
  const found = namesField(
    { body, headers: [] },
    { path: '/parcels', body: JSON.stringify({ [odd]: 1 }) },
    `/${odd}`,
    { exact: false, known: ['/title', `/${odd}`, `/${odd} too`] },
  );
  expect([found.named, found.unclear]).toEqual([named, undefined]);
});

const list = 'list<text> (empty by `default` here)';
test.each([
  [`/${list}/0`, 'must be a string', true],
  [`/${list}`, 'has a wrong item', true],
  [`/${list} too/0`, 'must be a string', false],
])('an item of a list with an odd name, at %s', (at, message, named) => {
  const found = namesField(
    { body: JSON.stringify({ errors: [{ pointer: at, message }] }), headers: [] },
    { path: '/parcels', body: JSON.stringify({ [list]: [{}] }) },
    `/${list}/0`,
    { exact: false, known: ['/title', `/${list}`, `/${list} too`] },
  );
  expect([found.named, found.unclear]).toEqual([named, undefined]);
});

test.each([
  ['SCIM', '/schemas', { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '422' }],
  ['a type of resource', '/resourceType', { resourceType: 'OperationOutcome' }],
])('a member of the error that a body has as well names no other field: %s', (_, member, shape) => {
  const known = ['/title', '/phase', member];
  const says = (detail: string, pointer: string): boolean =>
    namesField(answer({ ...shape, detail }), request, pointer, { exact: false, known }).named;
  expect(says('title must be a text', '/title')).toBe(true);
  expect(says('/title must be a text', '/title')).toBe(true);
  expect(says('phase must be a text', '/title')).toBe(false);
});
