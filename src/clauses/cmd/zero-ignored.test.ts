import { expect, test } from 'vitest';
import type { Operation } from '../../model/contract.ts';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { zeroIgnored } from './zero-ignored.ts';

const properties: JsonObject = {
  subject: { type: 'string' },
  seats: { type: 'integer', format: 'int32' },
  beds: { type: 'number' },
  open: { type: 'boolean' },
  archived: { type: 'boolean' },
  level: { enum: [0, 11, 13] },
  note: { type: 'string' },
  summary: { type: 'string' },
  tags: { type: 'array', items: { type: 'string' } },
};

const context = makeContext({
  contract: {
    ...contract,
    operations: contract.operations.map((operation: Operation) =>
      operation.id === 'updateCase' && operation.body !== undefined
        ? { ...operation, body: { ...operation.body, schema: { type: 'object', properties } } }
        : operation,
    ),
  },
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

type Step = {
  readonly sent: JsonObject;
  /** What the read behind it shows, where that is something else. */
  readonly is?: JsonObject;
  readonly command?: Partial<Line>;
};

/** PATCHes of one record, which is read before the first and after each of them. */
const rulings = (start: JsonObject, ...steps: readonly Step[]): readonly string[] => {
  const shows = (id: string, body: JsonObject): Line => ({
    ...{ id, status: 200, operation: 'getCase', on: 'a', role: 'readback', observes: 'after' },
    body: { id: 'case_7', status: 'open', ...body },
  });
  const lines = steps.flatMap(({ command, is, sent }, index): readonly Line[] => [
    {
      ...{
        id: `patch-${index + 1}`,
        status: 200,
        operation: 'updateCase',
        on: 'a',
        sent: JSON.stringify(sent),
      },
      body: { id: 'case_7' },
      ...command,
    },
    shows(`read-${index + 1}`, is ?? sent),
  ]);
  const all = trace([
    { id: 'a', role: 'setup', status: 201, result: 'case_7' },
    shows('start', start),
    ...lines,
  ]);
  const stepOf = new Map(all.exchanges.map(({ id, step }) => [id, step]));
  return [...zeroIgnored(context, all)].map(
    ({ exchanges, verdict }) => `${verdict} ${exchanges.map((id) => stepOf.get(id)).join(' ')}`,
  );
};

const subjects = ['one', 'two', 'three', 'four'] as const;
const step = (at: number, more: JsonObject, is?: JsonObject, command?: Partial<Line>): Step => ({
  sent: { subject: subjects[at] ?? '', ...more },
  ...(is === undefined ? {} : { is: { subject: subjects[at] ?? '', ...is } }),
  ...(command === undefined ? {} : { command }),
});
const start = { subject: 'zero', seats: 1, open: false };
const lowered = [step(0, { seats: 13 }), step(1, { seats: 11 })];
const opened = step(0, { open: true });

test('a number that was set, and set lower, keeps its value where zero is sent', () => {
  expect(rulings(start, ...lowered, step(2, { seats: 0 }, { seats: 11 }))).toEqual([
    'violated patch-3 read-3',
  ]);
  expect(rulings(start, ...lowered, step(2, { seats: 0 }))).toEqual(['holds patch-3 read-3']);
});

test('a flag that was set keeps its value where false is sent', () => {
  expect(rulings(start, opened, step(1, { open: false }, { open: true }))).toEqual([
    'violated patch-2 read-2',
  ]);
  expect(rulings(start, opened, step(1, { open: false }))).toEqual(['holds patch-2 read-2']);
});

test.each([
  ['a text', [{ note: 'red' }, { note: 'blue' }], { note: '' }],
  ['a list', [{ tags: ['red'] }, { tags: ['blue'] }], { tags: [] }],
] as const)(
  '%s that was set, and set otherwise, is still there when it is emptied',
  (_, [one, two], none) => {
    const before = [step(0, one), step(1, two)];
    expect(rulings(start, ...before, step(2, none, two))).toEqual(['violated patch-3 read-3']);
    expect(rulings(start, ...before, step(2, none))).toEqual(['holds patch-3 read-3']);
    // What was never replaced may be kept for good. A service may show an empty value as null, or leave it out.
    expect(rulings(start, step(0, one), step(1, none, one))).toEqual(['inconclusive patch-2 read-2']);
    expect(rulings(start, ...before, step(2, none, {}))).toEqual([]);
    expect(rulings(start, ...before, step(2, none, { note: null, tags: null }))).toEqual([]);
  },
);

test('an emptied text says nothing of another one that stays, as a flag does', () => {
  const before = [step(0, { note: 'red', summary: 'a' }), step(1, { note: 'blue', summary: 'b' })];
  const last = step(2, { note: '', summary: '' }, { note: 'blue', summary: '' });
  expect(rulings(start, ...before, last)).toEqual(['violated patch-3 read-3']);
  const off = step(2, { note: '', open: false }, { note: 'blue', open: false });
  const flagged = [step(0, { note: 'red', open: true }), step(1, { note: 'blue', open: true })];
  expect(rulings(start, ...flagged, off)).toEqual(['inconclusive patch-3 read-3']);
});

test.each([
  [
    'the number only ever went up',
    [step(0, { seats: 11 }), step(1, { seats: 13 })],
    { seats: 0 },
    { seats: 13 },
  ],
  ['the operation never set it', [step(0, {}, { seats: 1 })], { seats: 0 }, { seats: 1 }],
  ['a flag that is true from the start', [], { archived: false, open: false }, { open: true }],
  [
    'another one that was sent as well was stored',
    [step(0, { seats: 13, beds: 13 }), step(1, { seats: 11, beds: 11 })],
    { seats: 0, beds: 0 },
    { seats: 11, beds: 0 },
  ],
] as const)('%s: nothing is violated', (_, before, sent, is) => {
  const found = rulings({ ...start, open: true }, ...before, step(3, sent, is));
  expect(found.filter((one) => !one.startsWith('inconclusive'))).toEqual([]);
});

test('the value that stays may be the least that the service allows', () => {
  const least = [step(0, { seats: 7 }), step(1, { seats: 5 }), step(2, { seats: 0 }, { seats: 5 })];
  expect(rulings(start, ...least)).toEqual(['inconclusive patch-3 read-3']);
});

test('the record shows a value of the service in place of zero', () => {
  expect(rulings(start, ...lowered, step(2, { seats: 0 }, { seats: 1 }))).toEqual([]);
});

test.each([
  [
    'nothing else of the command is shown',
    { sent: { subject: 'three', seats: 0 }, is: { subject: 'two', seats: 11 } },
  ],
  [
    'the result says more',
    step(2, { seats: 0 }, { seats: 11 }, { body: { id: 'case_7', warnings: ['seats was ignored'] } }),
  ],
] as const)('%s: inconclusive', (_, last) => {
  expect(rulings(start, ...lowered, last)).toEqual(['inconclusive patch-3 read-3']);
});

test.each([
  ['refused', { status: 409 }],
  ['refused as invalid', { status: 422 }],
  ['queued', { status: 202 }],
  ['failed', { status: 500 }],
] as const)('the command is %s: there is nothing to say', (_, command) => {
  expect(rulings(start, ...lowered, step(2, { seats: 0 }, { seats: 11 }, command))).toEqual([]);
});

test.each([
  ['a flag that may stay for good', 'archived', true, false],
  ['a member with fixed values', 'level', 11, 0],
] as const)('%s is not judged', (_, name, value, zero) => {
  const was = name === 'level' ? { level: 13 } : { archived: false };
  expect(
    rulings({ ...start, ...was }, step(0, { [name]: value }), step(1, { [name]: zero }, { [name]: value })),
  ).toEqual([]);
});
