import { describe, expect, test } from 'vitest';
import { fieldPath, fold, isWrapper, sharedTail } from './claims-path.ts';

test.each([
  ['Due-Date', 'duedate'],
  ['due_date', 'duedate'],
  ['dueDate', 'duedate'],
  [' due  date\t', 'duedate'],
  ['due.date', 'due.date'],
])('%s folds to %s', (token, folded) => {
  expect(fold(token)).toBe(folded);
});

describe('a path', () => {
  test.each<readonly [readonly (string | number)[], readonly string[], readonly string[]]>([
    [['subject'], ['subject'], ['subject']],
    [['#/subject'], ['subject'], ['subject']],
    [['$.items[0].Name'], ['items', 'Name'], ['items', 'name']],
    [['/contact/name'], ['contact', 'name'], ['contact', 'name']],
    [
      ['contact', 'name'],
      ['contact', 'name'],
      ['contact', 'name'],
    ],
    [
      ['items', 3, 'due_date'],
      ['items', 'due_date'],
      ['items', 'duedate'],
    ],
    [['items/-/name'], ['items', 'name'], ['items', 'name']],
    [['items/*/name'], ['items', 'name'], ['items', 'name']],
    [['items[12]'], ['items'], ['items']],
    [['emails[type eq "work"].value'], ['emails', 'value'], ['emails', 'value']],
    [["$.emails[?(@.type=='work')].value"], ['emails', 'value'], ['emails', 'value']],
    [["Patient.name.where(use='old').family"], ['Patient', 'name', 'family'], ['patient', 'name', 'family']],
    [["emails['type eq']"], ['emails', 'type eq'], ['emails', 'typeeq']],
    [['/f:Patient/f:birthDate'], ['Patient', 'birthDate'], ['patient', 'birthdate']],
    [['/f:size'], ['f:size'], ['f:size']],
    [
      ['urn:x:2.0:User', 'manager'],
      ['urn', 'x', 'User', 'manager'],
      ['urn', 'x', 'user', 'manager'],
    ],
    [['urn:x:2.0:User:manager'], ['urn', 'x', 'User', 'manager'], ['urn', 'x', 'user', 'manager']],
    [['line1/2nd'], ['line1', '2nd'], ['line1', '2nd']],
    [['a--b/-'], ['a--b'], ['ab']],
    [[' subject '], ['subject'], ['subject']],
    [["'subject'"], ['subject'], ['subject']],
    [['"subject"'], ['subject'], ['subject']],
    [['`subject`'], ['subject'], ['subject']],
    [["contact['name']"], ['contact', 'name'], ['contact', 'name']],
    [['field:subject'], ['subject'], ['subject']],
    [['Parameter: due_date'], ['due_date'], ['duedate']],
    [['dc:title'], ['dc:title'], ['dc:title']],
    [['field:'], ['field:'], ['field:']],
    [['#subject'], ['subject'], ['subject']],
    [['$subject'], ['subject'], ['subject']],
    [['##subject'], ['#subject'], ['#subject']],
    [['a#b$'], ['a#b$'], ['a#b$']],
    [["it's"], ["it's"], ["it's"]],
    [['a%20b/c%2Fd'], ['a b', 'c/d'], ['ab', 'c/d']],
    [['a%2fb'], ['a/b'], ['a/b']],
    [['a%zz'], ['a%zz'], ['a%zz']],
    [['a%ff'], ['a%ff'], ['a%ff']],
    [['100%'], ['100%'], ['100%']],
    [['a~1b~0c'], ['a/b~c'], ['a/b~c']],
    [['a~01'], ['a~1'], ['a~1']],
    [['a~1b~1c~0d~0e'], ['a/b/c~d~e'], ['a/b/c~d~e']],
  ])('%j', (parts, spelt, path) => {
    expect(fieldPath(parts)).toEqual({ spelt, inner: spelt, path });
  });

  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['body/subject', ['body', 'subject'], ['subject']],
    ['request.body.subject', ['request', 'body', 'subject'], ['subject']],
    ['requestBody.subject', ['requestBody', 'subject'], ['subject']],
    ['/data/attributes/due-date', ['data', 'attributes', 'due-date'], ['due-date']],
    ['query.limit', ['query', 'limit'], ['limit']],
    ['querystring/limit', ['querystring', 'limit'], ['limit']],
    ['header.X-Version', ['header', 'X-Version'], ['X-Version']],
    ['headers/X-Version', ['headers', 'X-Version'], ['X-Version']],
    ['json.subject', ['json', 'subject'], ['subject']],
    ['body.contact.body', ['body', 'contact', 'body'], ['contact', 'body']],
    ['contact.data.name', ['contact', 'data', 'name'], ['contact', 'data', 'name']],
    ['data', ['data'], ['data']],
    ['body/data', ['body', 'data'], ['data']],
  ])('%s: leading words for the whole request are dropped', (text, spelt, inner) => {
    expect(fieldPath([text])).toEqual({ spelt, inner, path: inner.map(fold) });
  });

  test.each<readonly [string, readonly (string | number)[]]>([
    ['nothing', []],
    ['an empty text', ['']],
    ['a root pointer', ['#/']],
    ['quotes alone', ['""']],
    ['indices alone', [0, '1', '-', '*']],
    ['more than three hundred characters', ['a'.repeat(301)]],
    ['more than three hundred in all', ['a'.repeat(150), 'b'.repeat(150)]],
  ])('%s is none', (_, parts) => {
    expect(fieldPath(parts)).toBeUndefined();
  });

  test('may have three hundred characters', () => {
    expect(fieldPath(['a'.repeat(300)])?.spelt).toEqual(['a'.repeat(300)]);
    expect(fieldPath(['a'.repeat(149), 'b'.repeat(150)])?.spelt).toHaveLength(2);
  });
});

test('a word for the whole request', () => {
  const is = (text: string) => [fieldPath([text])].map((path) => path !== undefined && isWrapper(path));
  expect(is('body')).toEqual([true]);
  expect(is('Request_Body')).toEqual([true]);
  expect(is('body/data')).toEqual([true]);
  expect(is('subject')).toEqual([false]);
  expect(is('contact/body')).toEqual([false]);
  expect(is('body/subject')).toEqual([false]);
});

test.each<readonly [string, string, number]>([
  ['', '', 0],
  ['a', '', 0],
  ['a', 'a', 1],
  ['b/a', 'a', 1],
  ['a', 'b/a', 1],
  ['x/b/a', 'y/b/a', 2],
  ['b/a', 'b/c', 0],
  ['a/b', 'a/b', 2],
  ['a/x/b', 'a/y/b', 1],
])('%s and %s share %d tokens at their ends', (one, other, shared) => {
  const tokens = (text: string) => text.split('/').filter(Boolean);
  expect(sharedTail(tokens(one), tokens(other))).toBe(shared);
});
