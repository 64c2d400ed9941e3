import { describe, expect, it } from 'vitest';
import { namesField } from './field-naming.ts';

const known = ['/subject', '/priority', '/dueDate', '/contact/name', '/items/0/name'];
const request = { path: '/cases', body: '{"subject":{},"priority":"high, please"}' };
const json = [['Content-Type', 'application/json']] as const;
const html = [['content-type', 'text/html; charset=utf-8']] as const;
const answer = (body: unknown, headers: readonly (readonly [string, string])[] = json) => ({
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers,
});
const names = (
  body: unknown,
  pointer = '/subject',
  exact = false,
  headers = json as typeof json | typeof html,
) => namesField(answer(body, headers), request, pointer, { exact, known }).named;

/** Title, body, and the field that is asked for. */
type Case = readonly [string, unknown, string?];
const cases = (table: readonly Case[]) =>
  table.map(([title, body, pointer = '/subject']) => ({ title, body, pointer }));

describe('an answer names a field', () => {
  const naming: readonly Case[] = [
    [
      'problem+json with a fragment pointer',
      {
        type: 'about:blank',
        title: 'Unprocessable',
        status: 422,
        errors: [{ detail: 'is required', pointer: '#/subject' }],
      },
    ],
    [
      'RFC 7807 invalid-params',
      { title: 'Invalid', 'invalid-params': [{ name: 'subject', reason: 'must be text' }] },
    ],
    [
      'ASP.NET model state',
      {
        title: 'One or more validation errors occurred.',
        status: 400,
        errors: { Subject: ['The Subject field is required.'] },
      },
    ],
    [
      'FastAPI',
      {
        detail: [
          { type: 'string_type', loc: ['body', 'subject'], msg: 'Input should be a valid string', input: {} },
        ],
      },
    ],
    [
      'Fastify, prose only',
      { statusCode: 400, error: 'Bad Request', message: "body must have required property 'subject'" },
    ],
    ['Fastify, path in prose', { statusCode: 400, message: 'body/subject must be string' }],
    [
      'express-openapi-validator',
      {
        message: 'request.body.subject should be string',
        errors: [{ path: '.body.subject', message: 'should be string' }],
      },
    ],
    [
      'Zod issues',
      { issues: [{ code: 'invalid_type', expected: 'string', path: ['subject'], message: 'Required' }] },
    ],
    ['Zod flattened', { formErrors: [], fieldErrors: { subject: ['Required'] } }],
    ['Zod formatted', { _errors: [], subject: { _errors: ['Required'] } }],
    ['Zod treeified', { errors: [], properties: { subject: { errors: ['Invalid input'] } } }],
    ['NestJS', { statusCode: 400, message: ['subject must be a string'], error: 'Bad Request' }],
    ['Django REST framework', { subject: ['This field is required.'] }],
    [
      'Django REST framework, nested',
      { contact: { name: ['Required.'] }, errors: { contact: { name: ['Required.'] } } },
      '/contact/name',
    ],
    [
      'Laravel',
      { message: 'The subject field is required.', errors: { subject: ['The subject field is required.'] } },
    ],
    ['Rails', { errors: { subject: ["can't be blank"] } }],
    ['Rails full messages', { errors: ["Subject can't be blank"] }],
    ['Phoenix', { errors: { due_date: ['is invalid'] } }, '/dueDate'],
    ['Spring fieldErrors', { fieldErrors: [{ field: 'subject', message: 'must not be null' }] }],
    [
      'Spring Boot',
      {
        status: 400,
        path: '/cases',
        errors: [
          { objectName: 'case', field: 'subject', rejectedValue: null, defaultMessage: 'must not be blank' },
        ],
      },
    ],
    ['JSON:API', { errors: [{ status: '422', source: { pointer: '/data/attributes/subject' } }] }],
    [
      'Go validator',
      { error: "Key: 'Case.Subject' Error:Field validation for 'Subject' failed on the 'required' tag" },
    ],
    [
      'google.rpc.BadRequest',
      {
        error: {
          code: 3,
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.BadRequest',
              fieldViolations: [{ field: 'subject', description: 'required' }],
            },
          ],
        },
      },
    ],
    [
      'AWS, older',
      {
        __type: 'ValidationException',
        message:
          "1 validation error detected: Value null at 'subject' failed to satisfy constraint: Member must not be null",
      },
    ],
    ['AWS Smithy', { fieldList: [{ path: '/subject', message: 'must not be null' }] }],
    [
      'GraphQL',
      {
        errors: [
          { message: 'Field "subject" of required type "String!" was not provided.', path: ['createCase'] },
        ],
      },
    ],
    [
      'Stripe',
      {
        error: {
          type: 'invalid_request_error',
          param: 'subject',
          message: 'Missing required param: subject.',
        },
      },
    ],
    ['Microsoft REST guidelines', { error: { code: 'BadArgument', target: 'subject', message: 'Wrong.' } }],
    [
      'express-validator',
      { errors: [{ type: 'field', msg: 'Invalid value', path: 'subject', location: 'body' }] },
    ],
    [
      'raw ajv',
      [
        {
          instancePath: '',
          schemaPath: '#/required',
          keyword: 'required',
          params: { missingProperty: 'subject' },
          message: "must have required property 'subject'",
        },
      ],
    ],
    [
      'Joi',
      {
        statusCode: 400,
        message: '"subject" is required',
        validation: { source: 'payload', keys: ['subject'] },
      },
    ],
    [
      'FluentValidation',
      { errors: [{ propertyName: 'DueDate', errorMessage: "'Due Date' must not be empty." }] },
      '/dueDate',
    ],
    ['FluentValidation, prose', { errors: ["'Due Date' must not be empty."] }, '/dueDate'],
    ['Symfony', { violations: [{ propertyPath: 'subject', message: 'This value should not be null.' }] }],
    ['Quarkus', { violations: [{ field: 'createCase.body.subject', message: 'must not be null' }] }],
    ['webargs', { errors: { json: { subject: ['Missing data for required field.'] } } }],
    ['JSON text in a message', { message: '{"errors":[{"field":"subject"}]}' }],
    [
      'JSON text of a list in a message',
      { message: '[{"code":"invalid_type","path":["subject"],"message":"Required"}]' },
    ],
    ['pydantic as text', { error: '1 validation error for Case\nsubject\n  Field required [type=missing]' }],
    ['serde', 'missing field `subject` at line 1 column 14'],
    ['sentence-initial, must', { error: 'Subject must be a string' }],
    ['sentence-initial, colon', { error: 'Invalid body. subject: expected string' }],
    ['a clause after a colon', { error: 'Bad request: subject is required' }],
    ['a clause on a line of its own', { error: 'Bad request\nsubject is required' }],
    ['two subjects of one clause', { error: 'subject and priority must be strings' }],
    ['a noun before the name', { error: 'Missing required field: subject' }],
    ['a list of names after the noun', { error: 'Invalid fields: priority, subject' }],
    ['a whole message', { error: 'Missing subject' }],
    ['nested by leaf', { errors: [{ field: 'name' }] }, '/contact/name'],
    ['member of an array', { detail: [{ loc: ['body', 'items', 3, 'name'] }] }, '/items/0/name'],
    ['an array member by brackets', { error: "'items[3].name' is required" }, '/items/0/name'],
    ['a header', { message: 'Idempotency-Key header is required' }, '/Idempotency-Key'],
    ['a header in words', { message: 'Missing idempotency key' }, '/Idempotency-Key'],
    [
      'a header, Fastify',
      { message: "headers must have required property 'idempotency-key'" },
      '/idempotency_key',
    ],
    ['a header by location', { errors: [{ source: { header: 'Idempotency-Key' } }] }, '/Idempotency-Key'],
    [
      'a query field',
      { detail: [{ loc: ['query', 'limit'], msg: 'Input should be a valid integer' }] },
      '/limit',
    ],
    ['a query field, Fastify', { message: 'querystring/limit must be integer' }, '/limit'],
    [
      'protovalidate',
      {
        code: 3,
        details: [
          {
            field: {
              elements: [{ field_name: 'contact' }, { field_name: 'name', field_type: 'TYPE_STRING' }],
            },
          },
        ],
      },
      '/contact/name',
    ],
    [
      'Goa, a path whose name is a word of envelopes',
      { name: 'invalid_argument', id: 'Kx3lp9', message: 'body.title must be a string', fault: false },
      '/title',
    ],
    ['a key that is also a word of envelopes', { errors: { title: ['is required'] } }, '/title'],
    [
      'such a key at the root',
      { title: ['This field is required.'], code: ['This field is required.'] },
      '/title',
    ],
  ];
  it.each(cases(naming))('$title', ({ body, pointer }) => {
    expect(names(body, pointer)).toBe(true);
  });

  it('a page', () => {
    expect(
      names('<html><body><pre>&#39;subject&#39; is required</pre></body></html>', '/subject', false, html),
    ).toBe(true);
  });

  it('and says by which words', () => {
    const words = (body: unknown) =>
      namesField(answer(body), request, '/subject', { exact: false, known }).evidence;
    expect(words({ errors: [{ pointer: '#/subject' }] })).toBe("/errors/0/pointer names '#/subject'");
    expect(words({ message: "body must have required property 'subject'" })).toBe(
      `/message says "body must have required property 'subject'"`,
    );
  });
});

describe('an answer does not name a field', () => {
  const silent: readonly Case[] = [
    ['an empty body', ''],
    ['a bare word in prose', { message: 'the subject of your request is invalid' }],
    ['a bare word at the start', { message: 'Subject of the request not understood' }],
    ['a generic message', { error: 'Validation failed' }],
    ['a generic message with a noun', { error: 'A required field is missing' }],
    ['an empty list', { errors: [] }],
    ['an empty list under the name', { errors: { subject: [] } }],
    ['null', 'null'],
    ['a number', '422'],
    [
      'a problem without details',
      {
        type: 'https://errors.example/subject',
        title: 'Unprocessable',
        status: 422,
        detail: 'The body does not match the schema.',
      },
    ],
    [
      'the request repeated under a name',
      { error: 'invalid', request: { subject: {}, priority: 'high, please' } },
    ],
    [
      'the request repeated as text',
      { error: 'invalid', received: '{"subject":{},"priority":"high, please"}' },
    ],
    [
      'the request repeated within prose',
      { error: 'cannot accept {"subject":{},"priority":"high, please"}' },
    ],
    [
      'the request repeated in another spelling',
      { error: 'cannot accept { "subject": {}, "priority": "high, please" }' },
    ],
    ['the root member repeated', { error: 'invalid', priority: 'high, please' }, '/priority'],
    ['an input under its own key', { detail: [{ loc: ['body'], msg: 'invalid', input: { subject: 'x' } }] }],
    [
      'the path of the request',
      { timestamp: 'now', status: 422, error: 'Unprocessable', path: '/cases' },
      '/cases',
    ],
    ['the path of the request under a prefix', { status: 422, path: '/v1/cases?x=1' }, '/cases'],
    ['the path of the request in prose', { message: 'Cannot POST /cases' }, '/cases'],
    ['an address', { message: 'See https://docs.example/fields/subject for more' }],
    ['a page without it', '<!doctype html><title>Error</title><input name="subject"><p>Bad request</p>'],
    ['another field', { errors: [{ field: 'priority' }] }],
    ['another field of the same leaf', { errors: [{ field: 'items[0].name' }] }, '/contact/name'],
    ['a name within a longer one', { errors: [{ field: 'subjectLine' }] }],
    [
      'protovalidate, of a member of another object that is called so',
      { details: [{ field: { elements: [{ fieldName: 'contact' }, { fieldName: 'name' }] } }] },
      '/items/0/name',
    ],
    ['a code that ends in a word of envelopes', { field: 'subject', message: 'error.title' }, '/title'],
    ['an envelope key', { title: 'Invalid', message: 'no' }, '/title'],
    ['an envelope key in a map', { details: [{ code: 'x', message: 'y' }] }, '/code'],
    ['a piece of a word', { message: 'The fieldset has a fault' }, '/et'],
    ['a root pointer', { errors: [{ pointer: '' }] }, ''],
  ];
  it.each(cases(silent))('$title', ({ body, pointer }) => {
    expect(names(body, pointer)).toBe(false);
  });

  it('where a control with another wrong field says the same', () => {
    const all = answer({ errors: [{ field: 'subject' }, { field: 'priority' }] });
    const naming = namesField(all, request, '/subject', { exact: false, known, control: all });
    expect(naming).toEqual({
      named: false,
      evidence:
        "/errors/0/field names 'subject', but so does the response to a request in which another field is wrong",
    });
  });

  it('but does where it says more than the control', () => {
    const boilerplate = "Bodies have 'subject' and 'priority'. ";
    const control = answer({ message: `${boilerplate}'priority' must be a string` });
    const response = answer({ message: `${boilerplate}'subject' must be a string` });
    expect(namesField(response, request, '/subject', { exact: false, known, control }).named).toBe(true);
    expect(namesField(control, request, '/subject', { exact: false, known, control }).named).toBe(false);
  });

  it('and it is unclear where a complaint stands behind a common name without a mark', () => {
    const said = (text: string) =>
      namesField(answer(text), request, '/limit', { exact: false, known: ['/limit', '/status'] });
    expect(said('Validation failed limit Failed to convert')).toMatchObject({ named: false, unclear: true });
    expect(said('Validation failed status Failed to convert').unclear).toBeUndefined();
    expect(said('The limit of 100 requests').unclear).toBeUndefined();
  });

  it('and where a common name leads a sentence that was joined to it', () => {
    const said = (text: string) =>
      namesField(answer({ message: 'Validation error', error: [text] }), request, '/limit', {
        exact: false,
        known: ['/limit', '/status'],
      });
    for (const text of ['limit Input should be a valid integer', 'limit String is too short'])
      expect(said(text)).toMatchObject({ named: false, unclear: true });
    for (const text of ['status Required', 'Limit Of Requests', 'no limit Required', 'limit 100 Requests'])
      expect(said(text).unclear).toBeUndefined();
  });

  it('and where the object is located that lacks a member with a common name', () => {
    const named = (detail: string) =>
      namesField(
        answer({ errors: [{ detail, source: { pointer: '/contact' } }] }),
        request,
        '/contact/type',
        { exact: false, known: ['/contact', '/contact/type'] },
      ).named;
    expect(named('the member type is required')).toBe(true);
    expect(named('has an invalid type')).toBe(false);
  });

  it('and where the control names its own wrong field by the same leaf', () => {
    const response = answer({ errors: [{ field: 'name' }] });
    const options = { exact: false, known, control: response };
    const asked = (controlPointer: string) =>
      namesField(response, request, '/contact/name', { ...options, controlPointer }).named;
    expect(asked('/items/0/name')).toBe(true);
    expect(asked('/subject')).toBe(false);
  });

  it("and a control's echo cancels nothing", () => {
    const response = answer({ error: 'invalid', subject: 'must be text' });
    const control = answer({ error: 'invalid', subject: 'a fine one', priority: 'must be text' });
    const controlRequest = { path: '/cases', body: '{"subject":"a fine one","priority":5}' };
    const options = { exact: false, known, control, controlRequest };
    expect(namesField(response, request, '/subject', options).named).toBe(true);
  });
});

describe('exact naming', () => {
  it.each([
    ['the pointer', { errors: [{ pointer: '#/contact/name' }] }, true],
    ['the path below body', { detail: [{ loc: ['body', 'contact', 'name'] }] }, true],
    ['the path in prose', { message: "'contact.name' is required" }, true],
    ['the leaf alone', { errors: [{ field: 'name' }] }, false],
    ['another case', { errors: { 'Contact.Name': ['required'] } }, false],
    ['a type before the path', { errors: [{ field: 'Case.contact.name' }] }, false],
  ])('%s', (_, body, named) => {
    expect(names(body, '/contact/name', true)).toBe(named);
  });

  it('reads a member whose name is a wrapper', () => {
    expect(
      namesField(answer({ errors: [{ pointer: '/data/id' }] }), request, '/data/id', { exact: true, known })
        .named,
    ).toBe(true);
  });
});

it('a value that was sent is no part of a longer name', () => {
  const sent = { path: '/calls', body: '{"services":[{"code":"pilot"}],"pilotRequired":5}' };
  const german = answer({ fehler: { felder: [{ feld: 'pilotRequired', grund: 'ist falsch' }] } });
  const options = { exact: false, known: ['/services', '/pilotRequired'] };
  expect(namesField(german, sent, '/pilotRequired', options)).toMatchObject({ named: false, unclear: true });
});

// Colander shows the members that it does not know, and nothing else of the request.
it.each<readonly [unknown, true | undefined]>([
  [{ errors: { '': `Unrecognized keys in mapping: "{'extra': 'surplus'}"` } }, true],
  [{ errors: [{ rejected: { extra: 'surplus' } }] }, true],
  [{ errors: [{ rejected: { extra: 'another' } }] }, undefined],
  [{ errors: [{ rejected: { subject: 'a', extra: 'surplus' } }] }, undefined],
])('a member that is shown alone may be named: %j', (body, unclear) => {
  const request = { path: '/cases', body: '{"subject":"a","extra":"surplus"}' };
  const options = { exact: false, known: ['/subject'] };
  expect(namesField({ body: JSON.stringify(body), headers: [] }, request, '/extra', options)).toMatchObject({
    named: false,
    ...(unclear === undefined ? {} : { unclear }),
  });
});

it('a body that is sent back whole shows nothing alone', () => {
  const body = JSON.stringify({ errors: [{ rejected: { extra: 'surplus' } }] });
  const request = { path: '/cases', body: '{"extra":"surplus"}' };
  expect(
    namesField({ body, headers: [] }, request, '/extra', { exact: false, known: ['/subject'] }).unclear,
  ).toBeUndefined();
});

it('a code in a list complains of the member of an item', () => {
  const body = JSON.stringify({
    items: { 0: { sku: [{ code: 'length', message: null, params: { max: 9 } }] } },
  });
  const request = { path: '/cases', body: '{"items":[{"sku":"0123456789"}]}' };
  const options = { exact: false, known: ['/items', '/items/0', '/items/0/sku'] };
  expect(namesField({ body, headers: [] }, request, '/items/0/sku', options).named).toBe(true);
});

it('a message may name a member by a word that means whole requests as well', () => {
  const namingOf = (error: string, control?: string) =>
    namesField(answer({ error }), { path: '/orders', body: '{}' }, '/data', {
      exact: false,
      known: ['/data'],
      ...(control === undefined ? {} : { control: answer({ error: control }) }),
    });
  expect(namingOf('validation: data')).toMatchObject({ named: false, unclear: true });
  expect(namingOf('invalid data', 'invalid data')).not.toHaveProperty('unclear');
  expect(namingOf('invalid')).not.toHaveProperty('unclear');
});
