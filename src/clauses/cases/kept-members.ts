import type { Json, JsonObject } from '../../model/json.ts';
import { says } from './says.ts';
import type { Case, Line } from './trace.ts';

const first = { subject: 'one', note: 'kept', tone: 'low', id: 'case_7' };
const record = { ...first, version: '2' };

/** A PATCH that sets three members, and one that names a member of them, each with a read behind it. */
const kept = (
  when: string,
  later: JsonObject,
  ruling: string | undefined,
  more: {
    readonly first?: Partial<Line>;
    readonly second?: Partial<Line>;
    readonly after?: JsonObject;
    readonly between?: readonly Line[];
    readonly media?: string;
  } = {},
): Case => {
  const patch = (id: string, sent: JsonObject, parts: Partial<Line> = {}): Line => ({
    ...{ id, operation: 'updateCase', on: 'a', role: 'test', status: 200, sent: JSON.stringify(sent) },
    ...{ body: { id: 'case_7' }, media: more.media ?? 'application/merge-patch+json', ...parts },
  });
  const look = (observes: 'after' | 'later', body: JsonObject): Line => ({
    ...{ id: observes, observes, operation: 'getCase', role: 'readback', on: 'a', status: 200, body },
  });
  const { after = record, between = [] } = more;
  const { id: _, ...sent } = first;
  return says(
    'CMD-6',
    `a PATCH names one of three members: ${when}`,
    [
      { id: 'a', role: 'setup', status: 201, result: 'case_7' },
      patch('first', sent, more.first),
      look('after', after),
      patch('second', { subject: 'two' }, more.second),
      ...between,
      look('later', later),
    ],
    ...(ruling === undefined ? [] : [ruling.replace(/^\w+(?= \(|$)/, '$& second after later')]),
  );
};

const bare = { id: 'case_7', subject: 'two', version: '3' };

const terms = { tone: 'low', days: 3, tags: ['a', 'b'] };

/** The same with an object, of which the second PATCH names as much as `named` has. */
const keptWithin = (
  when: string,
  {
    named,
    shown,
    ...more
  }: { readonly named: JsonObject | null; readonly shown: JsonObject | null } & {
    readonly media?: string;
    readonly after?: JsonObject;
  },
  ruling?: string,
): Case =>
  kept(when, { id: 'case_7', subject: 'two', terms: shown }, ruling, {
    first: { sent: JSON.stringify({ subject: 'one', terms }) },
    second: { sent: JSON.stringify({ subject: 'two', terms: named }) },
    after: { id: 'case_7', subject: 'one', terms },
    ...more,
  });

const days = { days: 4 };
const within: readonly Case[] = [
  keptWithin('an object keeps what it does not name', { named: days, shown: { ...terms, ...days } }, 'holds'),
  keptWithin('an object keeps all where it names nothing', { named: {}, shown: terms }, 'holds'),
  keptWithin('an object is replaced', { named: days, shown: days }, 'violated'),
  keptWithin(
    'an object is replaced with its defaults',
    { named: {}, shown: { tone: 'mild', days: 7, tags: [] } },
    'violated',
  ),
  keptWithin(
    'an object lost one of two members',
    { named: days, shown: { ...days, tone: 'low' } },
    'inconclusive',
  ),
  // What null clears is of another rule.
  keptWithin('an object is taken away', { named: null, shown: null }, 'holds second later'),
  keptWithin('an object is gone', { named: days, shown: null }),
  keptWithin('an object is replaced by plain JSON', { named: days, shown: days, media: 'application/json' }),
  keptWithin('an object had another form', {
    named: days,
    shown: days,
    after: { id: 'case_7', subject: 'one', terms: { tone: 'LOW', days: 3, tags: ['a'] } },
  }),
];

const marked = 'two asy-0123456789abcdef';

/** The second PATCH names a marked text, and `more`. */
const keptBy = (when: string, is: JsonObject, ruling: string, more: JsonObject = {}): Case =>
  kept(when, { ...record, ...more, subject: marked, ...is }, ruling, {
    second: { sent: JSON.stringify({ subject: marked, ...more }) },
  });

/** A first PATCH sets a member, and the second one, which names a marked text alone, is followed by another value of it. */
const resets = (when: string, name: string, values: readonly [Json, Json], ruling: string): Case =>
  kept(when, { ...record, subject: marked, [name]: values[1] }, ruling, {
    first: { sent: JSON.stringify({ subject: 'one', note: 'kept', [name]: values[0] }) },
    after: { ...record, [name]: values[0] },
    second: { sent: JSON.stringify({ subject: marked }) },
  });

export const keptMemberCases: readonly Case[] = [
  kept('the others are kept', { ...record, subject: 'two' }, 'holds'),
  kept('the others are gone', bare, 'violated'),
  kept('the others are null and empty', { ...bare, note: null, tone: '' }, 'violated'),
  kept('the others have other values', { ...bare, note: 'none', tone: 'high' }, 'violated'),
  kept('the others are gone, and plain JSON does not say that they stay', bare, 'holds (advisory)', {
    media: 'application/json',
  }),
  kept('one of the others is gone from plain JSON', { ...bare, note: 'kept' }, undefined, {
    media: 'application/json; charset=utf-8',
  }),
  kept('one of the others is gone', { ...bare, note: 'kept' }, 'inconclusive'),
  kept('the others are gone, and so is what it names', { ...bare, subject: 'one' }, 'inconclusive'),
  kept('the only other member that was shown is gone', bare, 'inconclusive', {
    after: { ...record, tone: 'LOW' },
  }),
  kept('no other member was shown', bare, undefined, { after: { id: 'case_7', subject: 'one' } }),
  kept('they are gone, and it was only queued', bare, undefined, { second: { status: 202 } }),
  kept('they are gone, and it was refused', bare, undefined, { second: { status: 409 } }),
  kept('they are gone, and the first one was only queued', bare, undefined, { first: { status: 202 } }),
  kept('they are gone, after another command', bare, undefined, {
    between: [{ id: 'close', operation: 'closeCase', on: 'a', status: 200, body: {} }],
  }),
  kept(
    'the attributes of JSON:API are gone',
    { data: { id: 'case_7', attributes: { subject: 'two' } } },
    'violated',
    {
      first: { sent: JSON.stringify({ data: { attributes: { subject: 'one', note: 'a', tone: 'b' } } }) },
      after: { data: { id: 'case_7', attributes: { subject: 'one', note: 'a', tone: 'b' } } },
      second: { sent: JSON.stringify({ data: { attributes: { subject: 'two' } } }) },
      media: 'application/vnd.api+json',
    },
  ),
  ...within,
  keptBy('a marked text alone clears another member', { note: null }, 'violated'),
  keptBy('a marked text alone changes another member', { note: 'other' }, 'inconclusive'),
  resets('a marked text alone unsets a flag', 'giftWrap', [true, false], 'violated'),
  resets('a marked text alone sets a number to zero', 'copies', [4, 0], 'violated'),
  resets('a marked text alone sets a flag', 'giftWrap', [false, true], 'inconclusive'),
  resets('a marked text alone changes a number', 'words', [4, 5], 'inconclusive'),
  resets('a marked text alone takes back a flag of its state', 'isApproved', [true, false], 'inconclusive'),
  keptBy('a marked text and a choice clear another member', { note: null }, 'inconclusive', { tone: 'high' }),
];
