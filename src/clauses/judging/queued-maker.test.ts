import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { unsettledAround } from './queued-maker.ts';
import { seen } from './reading.ts';

const body = { type: 'object', properties: { subject: { type: 'string' }, count: {}, gift: {}, note: {} } };
const context = makeContext({
  contract: {
    ...contract,
    operations: contract.operations.map((one) =>
      one.id === 'createCase' && one.body !== undefined
        ? { ...one, body: { ...one.body, schema: body } }
        : one,
    ),
  },
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

const text = (value: Json): string => JSON.stringify(value);
const sent = { subject: 'mine', count: 1, gift: false };
const maker: Line = { id: 'made', role: 'setup', status: 202, result: 'case_7', sent: text(sent) };
const refused: Line = {
  ...{ id: 'test', role: 'test', status: 409, operation: 'closeCase', on: 'made' },
  sent: text({ reason: 'done', subject: 'theirs' }),
};
const read = (id: string, shows: JsonObject): Line => ({
  ...{ id, status: 200, operation: 'getCase', on: 'made', role: 'readback' },
  observes: id === 'after' ? 'after' : 'before',
  body: { id: 'case_7', status: 'open', ...shows },
});

type Parts = { readonly made?: Partial<Line>; readonly first?: JsonObject; readonly ahead?: readonly Line[] };

/** The step of the command that may have changed the record, when the reads show this before and after. */
function doubtOf(now: JsonObject, { made, first, ahead = [] }: Parts = {}): string | undefined {
  const lines: readonly Line[] = [
    { ...maker, ...made },
    ...ahead,
    ...(first === undefined ? [] : [read('first', first)]),
    read('before', sent),
    refused,
    read('after', { ...sent, ...now }),
  ];
  const all = seen(context, trace(lines));
  const [before, one, after] = all.slice(-3);
  if (before === undefined || one === undefined || after === undefined) throw new Error('three at least');
  return unsettledAround(all, one, before, after)?.step.id;
}

test('what two reads showed as a queued maker sent it, that maker does not change', () => {
  expect(doubtOf({ count: 40 }, { first: sent })).toBeUndefined();
  expect(doubtOf({ count: 40, note: 'low', version: 2 }, { first: sent })).toBeUndefined();
  expect(doubtOf({ subject: 'theirs' }, { first: sent })).toBeUndefined();
});

test.each<[string, JsonObject, Parts]>([
  ['one read alone showed it', { count: 40 }, {}],
  ['the reads showed two values', { count: 40 }, { first: { ...sent, count: 2 } }],
  ['the state moved as well', { count: 40, status: 'failed' }, { first: sent }],
  ['the maker did not send it', { note: 'late' }, { first: sent }],
  ['a text that nobody sent may be tidied up late', { subject: 'Mine Ltd' }, { first: sent }],
  ['a flag may rise when it is done', { gift: true }, { first: sent }],
  ['the maker got no response', { count: 40 }, { first: sent, made: { status: undefined } }],
  ['the maker failed', { count: 40 }, { first: sent, made: { status: 500, body: { id: 'case_7' } } }],
])('it may where %s', (_, now, parts) => {
  expect(doubtOf(now, parts)).toBe('made');
});

test('another queued command may do more, on this record or on another one', () => {
  const close: Line = { id: 'close', role: 'setup', status: 202, operation: 'closeCase', on: 'made' };
  const other: Line = { id: 'other', role: 'setup', status: 202, result: 'case_8' };
  for (const ahead of [[{ ...close, result: 'case_7' }], [other]])
    expect(doubtOf({ count: 40 }, { first: sent, ahead })).toBe(ahead[0]?.id);
});
