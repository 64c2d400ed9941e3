import { describe, expect, test } from 'vitest';
import { collectClaims } from './claims.ts';

const request = {
  path: '/cases',
  body: '{"subject":"a fine one","priority":5,"contact":{"name":"me myself"}}',
};
const claims = (body: unknown, headers: readonly (readonly [string, string])[] = []) =>
  collectClaims({ body: typeof body === 'string' ? body : JSON.stringify(body), headers }, request).map(
    ({ evidence, field, at }) => `${evidence} ${field.path.join('/')} at ${at}`,
  );

/** A body, and every field that it names: how surely, which, and where. */
type Table = readonly (readonly [when: string, body: unknown, named: readonly string[]])[];

describe('text', () => {
  test.each<Table[number]>([
    ['is prose', "bad 'subject'", ['prose subject at ']],
    ['in JSON is prose', '"bad \'subject\'"', ['prose subject at ']],
    [
      'of SCIM is prose',
      '"urn:x:2.0:User:manager, urn:x:2.0:User.boss, (urn:x:2.0:Error) (urn:x:problem:subject)"',
      ['prose manager at ', 'prose boss at '],
    ],
    [
      'after a byte order mark is JSON',
      '\uFEFF{"errors":{"subject":"x"}}',
      ['structured subject at /errors/subject'],
    ],
    [
      'that is JSON in JSON is read',
      '"{\\"errors\\":{\\"subject\\":\\"x\\"}}"',
      ['structured subject at /(text)/errors/subject'],
    ],
    [
      'that begins with blanks may be JSON',
      { message: ' [{"field":"subject"}]' },
      ['structured subject at /message/(text)/0/field'],
    ],
    [
      'that only begins like JSON is prose',
      { message: "[subject: 'subject'" },
      ['prose subject at /message', 'prose subject at /message'],
    ],
    ['that is a number is none', { message: '422' }, []],
  ])('%s', (_, body, named) => expect(claims(body)).toEqual(named));

  test('of a page is read without its tags', () => {
    const page = "<p title=\"bad 'priority'\">bad 'subject'</p>";
    expect(claims(page)).toEqual(['prose subject at ']);
    expect(claims(`\n ${page}`)).toEqual(['prose subject at ']);
    const odd = "bad 'subject' <i title=\"bad 'priority'\">";
    expect(claims(odd)).toEqual(['prose subject at ', 'prose priority at ']);
    for (const type of [
      'text/html',
      'Text/HTML; charset=utf-8',
      'application/xml',
      'application/problem+xml',
    ])
      expect(claims(odd, [['Content-TYPE', type]]), type).toEqual(['prose subject at ']);
    expect(claims(odd, [['X-Type', 'text/html']])).toEqual(['prose subject at ', 'prose priority at ']);
  });
});

describe('a locator', () => {
  test.each<Table[number]>([
    ['names a field', [{ field: 'subject' }], ['structured subject at /0/field']],
    ['names one anywhere', { a: { b: { param: 'subject' } } }, ['structured subject at /a/b/param']],
    ['names one by a weak word', { a: { target: 'subject' } }, ['weak subject at /a/target']],
    ['names a query field', { a: { query: 'limit' } }, ['weak limit at /a/query']],
    ['names one in an item by name', [{ name: 'subject' }], ['structured subject at /0/name']],
    [
      'by name in a list of errors',
      { errors: [{ name: 'subject' }] },
      ['structured subject at /errors/0/name'],
    ],
    ['not by name elsewhere', { a: { name: 'subject' } }, []],
    ['with a list of tokens', [{ path: ['contact', 0, 'name'] }], ['structured contact/name at /0/path']],
    [
      'with a list of fields',
      { a: { fields: ['subject', 'priority'] } },
      ['structured subject at /a/fields/0', 'structured priority at /a/fields/1'],
    ],
    ['with a weak list', { a: { required: ['subject'] } }, ['weak subject at /a/required/0']],
    ['with a list that is not of texts', { a: { keys: ['subject', 5] } }, []],
    ['with an empty list', { a: { keys: [] } }, []],
    ['with an object', { a: { param: { x: 'y' } } }, []],
    ['with a number', { a: { param: 5 } }, []],
    ['with words', { a: { param: "bad 'subject' here" } }, ['prose subject at /a/param']],
    ['with two words', { a: { param: 'due date' } }, ['structured duedate at /a/param']],
    ['with three', { a: { param: 'some due date' } }, []],
    [
      'with a sentence is no locator, and no prose twice',
      { a: { target: 'The subject is bad' } },
      ['prose subject at /a/target'],
    ],
    ['with an address', { a: { pointer: 'https://docs.example/subject' } }, []],
    ['with an address in capitals', { a: { pointer: 'HTTPS://docs.example/subject' } }, []],
    [
      'with an address in it',
      { a: { pointer: 'x https://docs.example/subject' } },
      ['structured xhttps:/docs/example/subject at /a/pointer'],
    ],
    ['path of the request', { a: { path: '/cases' } }, []],
    ['path of the request under a prefix, with a query', { a: { path: '/v1/cases?a=1#b' } }, []],
    ['path that is relative', { a: { path: 'v1/cases' } }, ['structured v1/cases at /a/path']],
    ['path of another', { a: { path: '/cases/subject' } }, ['structured cases/subject at /a/path']],
    [
      'pointer that is spelt like the request',
      { a: { pointer: '/cases' } },
      ['structured cases at /a/pointer'],
    ],
    ['the body as a whole', [{ loc: ['body'] }], ['weak body at /0/loc', 'weak loc at /0/loc']],
    ['a weak word for the whole', { a: { target: 'body' } }, ['weak body at /a/target']],
    ['nothing', { a: { pointer: '' } }, []],
  ])('%s', (_, body, named) => expect(claims(body)).toEqual(named));

  test('path of a request to the root says nothing of the request', () => {
    const answer = { body: '{"a":{"path":"/x/subject/"}}', headers: [] };
    const named = collectClaims(answer, { path: '/', body: undefined }).map(({ field }) => field.path);
    expect(named).toEqual([['x', 'subject']]);
  });
});

describe('a map of fields', () => {
  test.each<Table[number]>([
    [
      'names its keys',
      { errors: { subject: 'bad', due_date: ['bad'] } },
      ['structured subject at /errors/subject', 'structured duedate at /errors/due_date'],
    ],
    ['by objects', { errors: { subject: { code: 'x' } } }, ['structured subject at /errors/subject']],
    ['not by what says nothing', { errors: { a: '', b: [], c: {}, d: null, f: false } }, []],
    [
      'by a number or a flag',
      { errors: { a: 5, b: true } },
      ['prose a at /errors/a', 'prose b at /errors/b'],
    ],
    ['of a weak name is weak', { issues: { subject: 'bad' } }, ['weak subject at /issues/subject']],
    [
      'within a map',
      { errors: { fieldErrors: { subject: 'bad' } } },
      ['structured subject at /errors/fieldErrors/subject'],
    ],
    [
      'of paths',
      { errors: { contact: { email: ['bad'] } } },
      ['structured contact/email at /errors/contact/email'],
    ],
    [
      'within a path',
      { errors: { contact: { errors: { email: 'bad' } } } },
      ['structured contact/email at /errors/contact/errors/email'],
    ],
    ['keeps its envelope', { errors: { message: 'bad', code: 'x' } }, []],
    ['whose envelope is an object says nothing', { errors: { meta: { a: 'x' } } }, []],
    [
      'an envelope below a field is none',
      { errors: { contact: { code: 'x' } } },
      ['structured contact at /errors/contact'],
    ],
    [
      'a list of complaints shows a field',
      { errors: { title: ['bad'] } },
      ['structured title at /errors/title'],
    ],
    ['a list of messages shows none', { errors: { message: ['bad'] } }, ['doubt message at /errors/message']],
    ['Zod shows a field', { errors: { title: { _errors: ['bad'] } } }, ['structured title at /errors/title']],
    ['names are not those that are private', { errors: { _x: 'bad', '@type': 'bad' } }, []],
    [
      'the request repeated says nothing',
      { errors: { subject: 'a fine one', priority: 5, contact: { name: 'me myself' } } },
      [],
    ],
    [
      'a located key is the locator',
      { errors: { subject: { field: 'contact.email', message: 'bad' } } },
      ['structured contact/email at /errors/subject/field'],
    ],
    [
      'prose within does not hide the key',
      { errors: { priority: "bad 'subject'" } },
      ['prose subject at /errors/priority', 'structured priority at /errors/priority'],
    ],
    [
      'in a list names fields in structured place',
      { errors: [{ subject: ['bad'] }] },
      ['weak subject at /errors/0/subject'],
    ],
  ])('%s', (_, body, named) => expect(claims(body)).toEqual(named));
});

describe('the root', () => {
  test.each<Table[number]>([
    [
      'is a map of fields',
      { subject: ['bad'], due_date: 'bad' },
      ['structured subject at /subject', 'structured duedate at /due_date'],
    ],
    ['not where it says nothing', { subject: [], priority: '', n: 5, o: {} }, []],
    ['not by objects', { contact: { x: 'y' } }, []],
    ['by those of Zod', { _errors: [], subject: { _errors: ['bad'] } }, ['weak subject at /subject']],
    ['not by empty ones of Zod', { subject: { _errors: [] } }, []],
    [
      'of Zod, nested',
      { contact: { _errors: [], email: { _errors: ['bad'] } } },
      ['weak contact/email at /contact/email'],
    ],
    [
      'with errors and a text of its own is weak',
      { resourceType: 'OperationOutcome', issue: [{ code: 'required' }] },
      ['weak resourcetype at /resourceType', 'doubt issue/code at /issue/0/code', 'weak issue at /issue'],
    ],
    ['with an envelope is weak', { message: 'no', subject: ['bad'] }, ['weak subject at /subject']],
    [
      'with a locator is weak',
      { field: 'x', subject: 'bad' },
      ['structured x at /field', 'weak subject at /subject'],
    ],
    [
      'whose locator is a list has none',
      { path: ['x'], subject: 'bad' },
      ['structured x at /path', 'weak path at /path', 'structured subject at /subject'],
    ],
    ['with a field of an envelope name', { title: ['bad'] }, ['weak title at /title']],
    [
      'with messages has none',
      { message: ['so bad'], errors: ['no good'], detail: ['x y'], error: ['y z'] },
      [],
    ],
    ['with single words may have them', { errors: ['worse'] }, ['prose worse at /errors/0']],
    ['with texts of an envelope', { reason: 'bad', code: 'x' }, []],
    ['private members', { _x: 'bad', '@id': 'bad' }, []],
    [
      'that repeats a member',
      { subject: 'a fine one', priority: 'bad' },
      ['structured priority at /priority'],
    ],
    ['that repeats the request', request.body, []],
    ['of a list', [{ subject: 'bad' }], ['weak subject at /0/subject']],
    ['of a list, enveloped', [{ code: 'x', subject: 'bad' }], []],
    ['of a list of lists', [[{ name: 'subject' }]], ['structured subject at /0/0/name']],
  ])('%s', (_, body, named) => expect(claims(body)).toEqual(named));
});

describe('what is next to it', () => {
  test.each<Table[number]>([
    ['a list below another member', { a: { list: [{ name: 'subject' }] } }, []],
    [
      'a list in a text',
      { message: '[{"name":"subject"}]' },
      ['structured subject at /message/(text)/0/name'],
    ],
    [
      'an object under a locator',
      { a: { param: { field: 'subject' } } },
      ['structured subject at /a/param/field'],
    ],
    ['tokens of which one is none', { a: { path: ['contact', { x: 1 }] } }, []],
    ['a member without a name', { a: { '': 'subject' } }, []],
    ['violations that are messages', { violations: ['so bad'] }, []],
    ['problems that are messages', { problems: ['so bad'] }, []],
    [
      'a map in a map that is a message',
      { errors: { problems: ['bad'], issues: 'bad' } },
      ['doubt problems at /errors/problems', 'doubt issues at /errors/issues'],
    ],
    [
      'a complaint under a longer name of the envelope',
      { errors: { userMessage: ['bad'] } },
      ['structured usermessage at /errors/userMessage'],
    ],
    ['the same at the root', { userMessage: ['bad'] }, ['weak usermessage at /userMessage']],
    [
      'complaints without a subject in a member of the envelope',
      { message: 'bad', params: { title: 'must be a text', text: 'must be a text' } },
      ['weak title at /params/title', 'weak text at /params/text'],
    ],
    ['values in a member of the envelope are none', { message: 'bad', params: { title: 'a', limit: 5 } }, []],
    ['errors of Zod in a member', { a: { subject: { _errors: ['bad'] } } }, ['weak a/subject at /a/subject']],
    ['the body in prose', "bad 'body'", ['prose body at ']],
  ])('%s', (_, body, named) => expect(claims(body)).toEqual(named));

  test.each<readonly [string, unknown, 'weak' | 'structured']>([
    ['a title', { title: 'no' }, 'weak'],
    ['a field that is called title', { title: ['no'] }, 'structured'],
    ['a message', { message: ['no'] }, 'weak'],
    ['an error', { error: ['no'] }, 'weak'],
    ['errors', { errors: ['no'] }, 'weak'],
    ['a detail', { detail: ['no'] }, 'weak'],
    ['details', { details: ['no'] }, 'weak'],
    ['a field that is called error message', { errorMessage: ['no'] }, 'structured'],
    ['a field that is called error code', { errorCode: ['no'] }, 'structured'],
  ])('%s: how sure the others are', (_, others, evidence) => {
    expect(claims({ ...Object(others), subject: ['bad'] })).toContain(`${evidence} subject at /subject`);
  });
});

test('a claim has its words, or what it is spelt like', () => {
  const errors = {
    message: "bad 'subject'",
    errors: { contact: { email: ['bad'] } },
    a: { path: ['contact', 'Name'] },
  };
  expect(
    collectClaims({ body: JSON.stringify(errors), headers: [] }, request).map(({ raw, words }) => [
      raw,
      words,
    ]),
  ).toEqual([
    ['subject', "bad 'subject'"],
    ['contact.email', ''],
    ['contact.Name', ''],
  ]);
});

test('a member of the root that the request sent says nothing, however it is spelt', () => {
  const sent = { path: '/cases', body: '{"subject":"contact.name"}' };
  const named = (body: unknown) =>
    collectClaims({ body: JSON.stringify(body), headers: [] }, sent).map(({ raw, at }) => `${raw} at ${at}`);
  expect(named({ subject: 'contact.name' })).toEqual([]);
  expect(named({ a: { subject: 'contact.name', x: 1 } })).toEqual(['contact.name at /a/subject']);
});

describe('what repeats the input', () => {
  test.each<Table[number]>([
    [
      'under its own name',
      { a: { input: { field: 'subject' }, received: "bad 'subject'", ctx: { field: 'x' } } },
      [],
    ],
    ['part of it', { a: { name: 'me myself' } }, []],
    ['a part with more is none', { a: { name: 'me myself', field: 'x' } }, ['structured x at /a/field']],
  ])('%s', (_, body, named) => expect(claims(body)).toEqual(named));
});

test('no deeper than sixty, and no more than twenty thousand values', () => {
  const nested = (depth: number): unknown => (depth === 0 ? { field: 'subject' } : [nested(depth - 1)]);
  expect(claims(nested(60))).toHaveLength(1);
  expect(claims(nested(61))).toEqual([]);
  const many = (count: number) => [...Array.from({ length: count }, () => 0), { field: 'subject' }];
  expect(claims(many(19_998))).toHaveLength(1);
  expect(claims(many(19_999))).toEqual([]);
});
