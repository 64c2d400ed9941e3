import type { JsonObject } from '../../model/json.ts';
import { says } from './says.ts';
import { type Case, type Line, record } from './trace.ts';

type Parts = {
  readonly first?: Partial<Line>;
  readonly second?: Partial<Line>;
  readonly after?: JsonObject;
  readonly other?: Line;
};

/** Two changes of one record in turn, and what it shows behind each of them. */
const twice = (
  when: string,
  [one, other]: readonly [string, string],
  shown: JsonObject,
  ruling: 'violated' | '',
  parts: Parts = {},
): Case => {
  const set = (id: string, subject: string, more: Partial<Line> = {}): Line => ({
    ...{ id, status: 200, operation: 'updateCase', on: 'made', key: id, sent: JSON.stringify({ subject }) },
    ...{ body: record('case_7', shown), ...more },
  });
  const look = (observes: 'before' | 'after', body: JsonObject): Line => ({
    ...{ id: observes, observes, operation: 'getCase', role: 'readback', on: 'made', status: 200 },
    body: record('case_7', body),
  });
  const after = parts.after ?? shown;
  const same = JSON.stringify(shown) === JSON.stringify(after);
  return says(
    'CMD-6',
    `two changes in turn: ${when}`,
    [
      { id: 'made', role: 'setup', status: 201, result: 'case_7' },
      set('first', one, { role: 'control', ...parts.first }),
      look('before', shown),
      set('second', other, { role: 'test', ...parts.second }),
      ...(parts.other === undefined ? [] : [parts.other]),
      look('after', after),
    ],
    same ? 'inconclusive second before after' : 'holds second before after',
    ...(ruling === '' ? [] : ['violated second first before after']),
  );
};
const bare: Partial<Line> = { status: 200, body: '' };

export const neverWrittenCases: readonly Case[] = [
  twice('the record shows neither', ['one', 'two'], { subject: 'none' }, 'violated'),
  twice('it shows neither, and nothing is returned', ['one', 'two'], { subject: 'none' }, 'violated', {
    first: bare,
    second: bare,
  }),
  twice('it shows both', ['one', 'two'], { subject: 'one' }, '', {
    after: { subject: 'two' },
    second: { body: record('case_7', { subject: 'two' }) },
  }),
  twice('it keeps the first one', ['one', 'two'], { subject: 'one' }, ''),
  twice('it had the second one', ['one', 'two'], { subject: 'two' }, ''),
  twice('both set the same', ['one', 'one'], { subject: 'none' }, ''),
  twice('the member is shown in another form', ['one', 'two'], { subject: 1 }, ''),
  twice('another member changes', ['one', 'two'], { subject: 'none', changes: 1 }, '', {
    after: { subject: 'none', changes: 2 },
  }),
  twice('the first one is refused', ['one', 'two'], { subject: 'none' }, '', {
    first: { status: 409, body: {} },
  }),
  twice('the second one is queued', ['one', 'two'], { subject: 'none' }, '', { second: { status: 202 } }),
  twice('the result is another document', ['one', 'two'], { subject: 'none' }, '', {
    second: { body: { state: 'waits for approval' } },
  }),
  twice('another command comes between', ['one', 'two'], { subject: 'none' }, '', {
    other: { id: 'close', status: 200, operation: 'closeCase', on: 'made', body: record('case_7') },
  }),
];
