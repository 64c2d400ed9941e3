import { describe, expect, test } from 'vitest';
import { echoOf } from './claims-echo.ts';
import { mentions, pageText } from './claims-prose.ts';

const echo = echoOf({ path: '/cases', body: '{"subject":"a fine one"}' });
const named = (text: string) => mentions(text, echo).map(({ raw }) => raw);

/** Texts, and every name in them. */
type Table = readonly (readonly [string, readonly string[]])[];
const said = (table: Table) => table.map(([text, names]) => ({ text, names }));

describe('a name in quotes', () => {
  test.each(
    said([
      ["'subject' here", ['subject']],
      ['"subject" here', ['subject']],
      ['`subject` here', ['subject']],
      ['‘subject’ here', ['subject']],
      ['“subject” here', ['subject']],
      ['«subject» here', ['subject']],
      ...[
        '« subject »',
        '«\u00a0subject\u00a0»',
        '‹\u202fsubject\u202f›',
        '» subject «',
        '„ subject “',
        '” subject ”',
        '‟ subject ”',
        '⟨ subject ⟩',
        '「　subject　」',
        '｢subject｣',
        '﹁ subject ﹂',
        '〝 subject 〟',
        '`` subject ´´',
        '❛ subject ❜',
        '′subject′',
      ].map((quoted) => [`${quoted} here`, ['subject']] as const),
      ["here 'a b c d'", ['a b c d']],
      ["here '#/a~b$%*-'", ['#/a~b$%*-', '#/a']],
      ["here 'a b c d e'", []],
      ["here 'a  b'", ['a b']],
      ["here 'a,b'", []],
      ["here 'a!'", []],
      ["here '(a'", []],
      ["here ''", []],
      ["here 'sub\nject'", []],
      ["here'subject'", []],
      ["5'subject'", []],
      ["here 'subject's", []],
      ["here 'subject'5", []],
      [`here '${'a'.repeat(120)}'`, ['a'.repeat(120)]],
      [`here '${'a'.repeat(121)}'`, []],
      ["here '' 'subject'", ['subject']],
      ["here 'a' and 'b'", ['a', 'b']],
      ["here 'a' and 'a'", ['a', 'a']],
      ['here \\"subject\\"', ['subject']],
      ["here \\'subject\\'", ['subject']],
    ]),
  )('$text', ({ text, names }) => expect(named(text)).toEqual(names));
});

describe('a name in a piece of JSON is no statement', () => {
  test.each(
    said([
      ['{"subject": 5}', []],
      ['{ "subject" : 5 }', []],
      ['{"a": 1,"subject": 5}', []],
      ['{"a": 1,     "subject"     : 5}', []],
      ['here "subject": 5', ['subject']],
      ['{"subject"}', ['subject']],
      ['{"subject", 5}', ['subject']],
      ["{'subject': 5}", []],
    ]),
  )('$text', ({ text, names }) => expect(named(text)).toEqual(names));
});

describe('a path', () => {
  test.each(
    said([
      ['at body/subject', ['body/subject']],
      ['at request.body.subject', ['request.body.subject']],
      ['at items[0].name', ['items[0].name']],
      ['at items[].name', ['items[].name']],
      ['at items/12/name', ['items/12/name']],
      ['at items.12', ['items.12']],
      ['at $.subject', ['$.subject']],
      ['at $.contact.name', ['$.contact.name']],
      ['at /subject', ['/subject']],
      ['at #/subject', ['#/subject']],
      ['at #/contact/name', ['#/contact/name']],
      ['at (/subject)', ['/subject']],
      ['at _a.b', ['_a.b']],
      ['at größe/höhe-x', ['größe/höhe-x']],
      ['at /cases', []],
      ['at /cases/1', ['/cases/1']],
      ['at //subject', []],
      ['at ]/subject', []],
      ['at /', []],
      ['at 5/subject', []],
      ['at 5.subject', []],
      ['Well. Then', []],
      ['subject', []],
      [
        `at ${Array.from({ length: 16 }, () => 'a').join('.')}`,
        [Array.from({ length: 16 }, () => 'a').join('.')],
      ],
    ]),
  )('$text', ({ text, names }) => expect(named(text)).toEqual(names));
});

describe('the subject of a clause', () => {
  test.each(
    said([
      ['Subject must be a string', ['Subject']],
      ['subject: a string', ['subject']],
      ['subject : a string', ['subject']],
      ['subject: required', ['subject']],
      ['The due date is missing', ['due date']],
      ['the subject has no value', ['subject']],
      ['a subject has no value', ['subject']],
      ['bad. An email cannot be sent', ['email']],
      ['Bad! subject needs a value', ['subject']],
      ['Bad? subject need a value', ['subject']],
      ['bad; subject was wrong', ['subject']],
      ['bad, subject was wrong', ['bad, subject', 'bad', 'subject']],
      ['bad (subject was wrong)', ['subject']],
      ['• subject was wrong', ['subject']],
      ['bad\nsubject was wrong', ['subject']],
      ['bad - subject was wrong', ['subject']],
      ['bad – subject was wrong', ['subject']],
      ['bad — subject was wrong', ['subject']],
      ['items[0].name must be set', ['items[0].name']],
      ['SUBJECT MUST BE SET', ['SUBJECT']],
      ["subject isn't set", ['subject']],
      ['subject isn’t set', ['subject']],
      ['subject exceeds its length', ['subject']],
      ['subject too long', ['subject']],
      ['subject not set', ['subject']],
      ['one two three four five six is set', ['one two three four five six']],
      ['one two three four five six seven is set', []],
      ['subject, priority are set', ['subject, priority', 'subject', 'priority']],
      ['subject and priority must be set', ['subject and priority', 'subject', 'priority']],
      ['subject or priority must be set', ['subject or priority', 'subject', 'priority']],
      // What ends one clause begins the next.
      ['Error: subject is required', ['Error', 'subject']],
      ['Bad request: subject: a string', ['Bad request', 'subject']],
      ['Error: the subject, priority: set', ['Error', 'subject, priority', 'subject', 'priority']],
      ['bad subject was', ['bad subject']],
      ['subject isotope', []],
      ['subject mustard', []],
      ['5 subject is set', []],
      ['bad-subject', []],
    ]),
  )('$text', ({ text, names }) => expect(named(text)).toEqual(names));
});

describe('a name after a noun', () => {
  test.each(
    said([
      ['5 field subject', ['subject']],
      ['5 property subject', ['subject']],
      ['5 parameter subject', ['subject']],
      ['5 param subject', ['subject']],
      ['5 attribute subject', ['subject']],
      ['5 member subject', ['subject']],
      ['5 header X-Version', ['X-Version']],
      ['5 column subject', ['subject']],
      ['5 argument subject', ['subject']],
      ['5 Fields subject', ['subject']],
      ['5 field(s) subject', ['subject']],
      ['5 field named subject', ['subject']],
      ['5 field called subject', ['subject']],
      ['5 field = subject', ['subject']],
      ['5 field (subject)', ['subject']],
      ['5 field=subject', ['subject']],
      ['5 field contact.name', ['contact.name']],
      ['5 field a, b', ['a, b', 'a', 'b']],
      ['5 field a and b', ['a and b', 'a', 'b']],
      ['5 field a,b', ['a,b', 'a', 'b']],
      ['5 airfield subject', []],
      ['5 fieldset', []],
      ['5 fieldName', []],
      ['5 parameter_name', []],
      ['5 header5 subject', []],
      ['5 field "5"', ['5']],
    ]),
  )('$text', ({ text, names }) => expect(named(text)).toEqual(names));

  test('the same words at the same place are one mention', () => {
    expect(named('fields: subject')).toEqual(['fields', 'subject']);
  });
});

describe('a name before a noun', () => {
  test.each(
    said([
      ['in the subject field', ['in the subject', 'the subject', 'subject']],
      ['subject Field', ['subject']],
      ['one two three four field', ['two three four', 'three four', 'four']],
      ['a.b[0].c property', ['a.b[0].c', 'a.b[0].c']],
      ['subject fields', []],
      ['subject fieldset', []],
      ['subject field5', []],
      ['subjectfield', []],
    ]),
  )('$text', ({ text, names }) => expect([...new Set(named(text))]).toEqual([...new Set(names)]));
});

describe('a message that says nothing else', () => {
  test.each(
    said([
      ['Missing subject', ['subject']],
      ['invalid subject', ['subject']],
      ['empty subject', ['subject']],
      ['required subject', ['subject']],
      ['unknown subject', ['subject']],
      ['unexpected subject', ['subject']],
      ['malformed subject', ['subject']],
      ['Missing subject.', ['subject']],
      ['Missing subject!', ['subject']],
      ['Missing due date', ['due date']],
      ['Missing value for subject', ['subject']],
      ['malformed required subject', ['malformed', 'subject']],
      ['missing or empty subject', ['subject']],
      ['missing and invalid subject', ['missing and', 'subject']],
      ['Sorry, missing subject', []],
      ['Missing subject of yours again', []],
      ['Missing subject?', []],
      ['Absent subject', []],
    ]),
  )('$text', ({ text, names }) => expect(named(text).toSorted()).toEqual([...names].sort()));
});

describe('a name above its indented explanation', () => {
  test.each(
    said([
      ['subject\n  A value is due', ['value', 'subject']],
      ['1 fault\nsubject\n\tx', ['subject']],
      ['contact.name\n  x', ['contact.name']],
      ['subject\n\n  x', ['subject']],
      ['subject\nx', []],
      ['the subject\n  x', []],
      ['subject here\n  x', []],
      ['subject\n  ', []],
    ]),
  )('$text', ({ text, names }) => expect([...new Set(named(text))]).toEqual([...new Set(names)]));
});

describe('what is no statement', () => {
  test.each(
    said([
      ['https://x.example/a/subject is', []],
      ['see git+ssh://x.example/a/b', []],
      ['urn:x:subject is', []],
      ['"a fine one" is', []],
      ['the subject of it all', []],
      ['don’t', []],
    ]),
  )('$text', ({ text, names }) => expect(named(text)).toEqual(names));

  test('what stands beyond twenty thousand characters', () => {
    expect(named(`${' '.repeat(19_980)}here 'subject'`)).toEqual(['subject']);
    expect(named(`${' '.repeat(19_990)}here 'subject'`)).toEqual([]);
  });
});

test('the words around it, on its line, in short', () => {
  const words = (text: string) => mentions(text, echo).map((one) => one.words);
  expect(words("first line\nsee   this 'subject'   with more\nlast line")).toEqual([
    "see this 'subject' with more",
  ]);
  expect(words(`${'x'.repeat(70)} 'subject' ${'y'.repeat(90)}`)).toEqual([
    `${'x'.repeat(58)} 'subject' ${'y'.repeat(71)}`,
  ]);
  expect(words("'a fine one' here 'subject'")).toEqual(["' ' here 'subject'"]);
});

test.each([
  ['<p>a</p><br/>b', '\na\n\nb'],
  ['<SCRIPT a="b">subject</SCRIPT >x', '\nx'],
  ['<style>\nsubject\n</style>x<style>y</style>z', '\nx\nz'],
  ['<script>never closed', '\n'],
  ['<scripted>a', '\na'],
  ['1 < 2 <b>a', '1 < 2 \na'],
  ['&#39;a&#039;b&#x27;c&#x0027;d&apos;', "'a'b'c'd'"],
  ['&#34;a&#034;b&#x22;c&quot;', '"a"b"c"'],
  ['&lt;b&gt;&nbsp;&LT;&GT;', '<b> <>'],
  ['&amp;quot; &amp;amp;', '&quot; &amp;'],
])('the text of the page %s', (page, text) => {
  expect(pageText(page)).toBe(text);
});

test('of a page no more than a hundred thousand characters are read', () => {
  expect(pageText('a'.repeat(100_001))).toHaveLength(100_000);
});
