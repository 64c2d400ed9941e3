import { describe, expect, test } from 'vitest';
import {
  claimsOf,
  type NamingOptions,
  namesField,
  type ResponseText,
  structuredFields,
} from './field-naming.ts';

const request = { path: '/cases', body: '{"subject":"a fine one"}' };
const answer = (body: unknown): ResponseText => ({ body: JSON.stringify(body), headers: [] });
const fields = (...names: readonly string[]): ResponseText =>
  answer({ errors: names.map((field) => ({ field })) });
const known = ['/subject', '/priority', '/contact/name', '/items/0/name', '/owner'];
const naming = (response: ResponseText, pointer: string, more: Partial<NamingOptions> = {}) =>
  namesField(response, request, pointer, { exact: false, known, ...more });

describe('claims', () => {
  const response = answer({ message: "bad 'subject'", errors: [{ field: 'Priority', target: 'owner' }] });

  test('are public where they are sure or prose', () => {
    expect(claimsOf(response, request)).toEqual([
      { path: ['subject'], raw: 'subject', evidence: 'prose', at: '/message' },
      { path: ['priority'], raw: 'Priority', evidence: 'structured', at: '/errors/0/field' },
    ]);
  });

  test('accuse in structured position alone', () => {
    expect(structuredFields(response, request).map(({ raw }) => raw)).toEqual(['Priority']);
  });

  test('mean a field by its leaf, and no other better', () => {
    const means = (name: string, pointer: string, among = known): boolean =>
      naming(fields(name), pointer, { known: among }).named;
    expect(means('Contact.Name', '/contact/name')).toBe(true);
    expect(means('Contact.Name', '/items/0/name')).toBe(false);
    expect(means('name', '/contact/name')).toBe(true);
    expect(means('name', '/items/0/name')).toBe(true);
    expect(means('name', '/subject')).toBe(false);
    expect(means('name', '')).toBe(false);
    // What has no name of its own does not compete.
    expect(means('name', '/contact/name', ['', '/0'])).toBe(true);
  });
});

describe('a naming', () => {
  test('says by what, and prefers a place to words', () => {
    expect(naming(answer({ message: "bad 'subject'", errors: [{ target: 'subject' }] }), '/subject')).toEqual(
      {
        named: true,
        evidence: "/errors/0/target names 'subject'",
      },
    );
    expect(naming(answer("bad 'subject'"), '/subject')).toEqual({
      named: true,
      evidence: `the body says "bad 'subject'"`,
    });
  });

  test('of nothing', () => {
    expect(naming(fields('owner'), '/subject')).toEqual({
      named: false,
      evidence: 'the response names no such field',
    });
    expect(naming(fields('owner'), '')).toEqual({ named: false, evidence: 'the root of a body has no name' });
  });

  test('by a longer path, where no other field fits better', () => {
    expect(naming(fields('case.contact.name'), '/contact/name').named).toBe(true);
    expect(naming(fields('case.contact.name'), '/items/0/name').named).toBe(false);
    expect(naming(fields('case.contact.name'), '/items/0/name', { known: [] }).named).toBe(true);
  });

  test('in exact form', () => {
    const exact = (name: string, pointer = '/contact/name') =>
      naming(fields(name), pointer, { exact: true }).named;
    expect(['contact.name', 'body/contact/name', '#/contact/name'].map((name) => exact(name))).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      ['name', 'contact', 'Contact.name', 'contact.Name', 'contact.name.x', 'x.contact.name'].map((name) =>
        exact(name),
      ),
    ).toEqual([false, false, false, false, false, false]);
    expect([
      exact('data.id', '/data/id'),
      exact('id', '/data/id'),
      exact('body.data.id', '/data/id'),
    ]).toEqual([true, false, false]);
  });
});

describe('with a control', () => {
  const control = fields('priority', 'owner');

  test('what both say is boilerplate', () => {
    expect(naming(fields('owner'), '/owner', { control })).toEqual({
      named: false,
      evidence:
        "/errors/0/field names 'owner', but so does the response to a request in which another field is wrong",
    });
    expect(naming(fields('subject'), '/subject', { control }).named).toBe(true);
  });

  test('unless it is said more often', () => {
    expect(naming(fields('owner', 'owner'), '/owner', { control }).named).toBe(true);
    const twice = fields('owner', 'owner');
    expect(naming(fields('owner', 'owner'), '/owner', { control: twice }).named).toBe(false);
    expect(naming(fields('owner', 'owner', 'owner'), '/owner', { control: twice }).named).toBe(true);
  });

  test('or in another place', () => {
    expect(naming(answer({ message: "bad 'owner'" }), '/owner', { control }).named).toBe(true);
    expect(naming(fields('x.owner'), '/owner', { control }).named).toBe(true);
  });

  test('the same field in other words is an open question, in the same ones boilerplate', () => {
    const told = answer({ message: 'body/owner must be string (error 12)' });
    const dependent = answer({ message: 'body must have property subject when property owner is present' });
    const options = { control: dependent, controlPointer: '/subject' };
    expect(naming(told, '/owner', options)).toMatchObject({ named: false, unclear: true });
    const usual = answer({ message: 'body/owner must be string (error 13)' });
    expect(naming(told, '/owner', { ...options, control: usual }).unclear).toBeUndefined();
  });

  test('what the control says of its own fault is none', () => {
    const own = fields('name');
    expect(naming(own, '/contact/name', { control: own, controlPointer: '/items/0/name' }).named).toBe(true);
    expect(naming(own, '/contact/name', { control: own, controlPointer: '/owner' }).named).toBe(false);
    expect(naming(own, '/contact/name', { control: own, controlPointer: '' }).named).toBe(false);
    expect(naming(own, '/contact/name', { control: own }).named).toBe(false);
  });

  test('what the control repeats of its own request is none', () => {
    const echoing = answer({ owner: 'bad owner' });
    const response = answer({ owner: 'is bad' });
    const controlRequest = { path: '/cases', body: '{"owner":"bad owner"}' };
    expect(naming(response, '/owner', { control: echoing }).named).toBe(false);
    expect(naming(response, '/owner', { control: echoing, controlRequest }).named).toBe(true);
  });

  test('in exact form what is said otherwise does not count', () => {
    const loose = fields('Owner');
    expect(naming(fields('owner'), '/owner', { exact: true, control: loose }).named).toBe(true);
    expect(naming(fields('owner'), '/owner', { control: loose }).named).toBe(false);
  });
});

// The control names `items` on the way to its own wrong field.
test('a control whose wrong field is within the target does not cancel it', () => {
  const said = (...tokens: readonly string[]) => answer({ errors: [{ text: 'is wrong', stelle: tokens }] });
  const asked = (controlPointer: string) =>
    namesField(said('items', '1'), request, '/items/1', {
      exact: false,
      known: ['/items', '/items/0/name', '/subject'],
      control: said('items', '0', 'name'),
      controlPointer,
    });
  expect(asked('/items/0/name')).toMatchObject({ named: false, unclear: true });
  expect(asked('/subject')).not.toHaveProperty('unclear');
});

test.each([
  ['argumentPath', ['items', '1', 'name'], true],
  ['source_pointer', '/items/1/name', true],
  ['schemaPath', '#/properties/name/type', false],
  ['requestPath', '/v1/name', false],
])('a member called %s locates a field: %j', (name, value, named) => {
  const one = answer({ errors: [{ message: 'is wrong', [name]: value }] });
  const sent = { path: '/name', body: '{"items":[{"name":5}]}' };
  expect(namesField(one, sent, '/items/1/name', { exact: false, known: ['/items/1/name'] }).named).toBe(
    named,
  );
});
