import { expect, test } from 'vitest';
import type { Violated } from '../../model/clause.ts';
import type { Operation } from '../../model/contract.ts';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { neverStored } from './never-stored.ts';

const text: JsonObject = { type: 'string' };
const nullable: JsonObject = { type: ['string', 'null'] };
const format: JsonObject = { enum: ['csv', 'xlsx', 'pdf'], type: 'string' };
const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required: [...required],
});

type Shape = {
  readonly body?: JsonObject;
  readonly shown?: JsonObject;
  readonly action?: JsonObject;
  readonly patch?: JsonObject;
};
const making = object({ subject: text, note: text, comment: text, label: text, format }, [
  'subject',
  'label',
  'format',
]);
const shownBy = object({
  id: text,
  status: text,
  subject: text,
  note: nullable,
  comment: nullable,
  label: text,
  format,
});

function contextOf({ action = object({}), body = making, patch = object({}), shown = shownBy }: Shape) {
  const bodies: { readonly [id: string]: JsonObject | undefined } = {
    createCase: body,
    closeCase: action,
    approveCase: object({}),
    updateCase: patch,
  };
  const adapted = (operation: Operation): Operation => {
    const schema = bodies[operation.id];
    if (operation.id === 'getCase') return { ...operation, success: { ...operation.success, schema: shown } };
    return schema === undefined || operation.body === undefined
      ? operation
      : { ...operation, body: { ...operation.body, schema } };
  };
  return makeContext({
    contract: { ...contract, operations: contract.operations.map(adapted) },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
}

/** A record that is made with this, and what its read shows. */
const made = (
  sent: JsonObject,
  is: JsonObject,
  command: Partial<Line> = {},
  late: Partial<Line> = {},
): readonly Line[] => [
  {
    ...{ id: 'a', status: 201, sent: JSON.stringify(sent), result: 'case_9', role: 'test' },
    body: { id: 'case_9', status: 'open', ...sent, ...is },
    ...command,
  },
  {
    ...{ id: 'read', status: 200, operation: 'getCase', observes: 'made', on: 'a', role: 'readback' },
    body: { id: 'case_9', status: 'open', ...sent, ...is },
    ...late,
  },
];

function rulings(traces: readonly (readonly Line[])[], shape: Shape = {}): readonly string[] {
  const fold = neverStored();
  const context = contextOf(shape);
  return traces.flatMap((lines, index) =>
    [...fold.see(context, trace(lines, { id: `t${index}`, scenarioIndex: index }))].map((ruling) =>
      `t${index} ${ruling.verdict} ${(ruling as Violated).within?.id ?? ''}`.trim(),
    ),
  );
}

const each = (
  name: string,
  values: readonly string[],
  is: (value: string) => JsonObject,
  more: JsonObject = {},
) =>
  values.map((value, index) => made({ subject: `The ${index}. of them`, ...more, [name]: value }, is(value)));
const [one, two] = ['A first remark', 'Quite another thing'] as const;

test.each(['note', 'comment'])('a %s that no record has a value for is found', (name) => {
  expect(rulings(each(name, [one, two], () => ({ [name]: null })))).toEqual(['t1 violated']);
  expect(rulings(each(name, [one, two], () => ({ [name]: '' })))).toEqual(['t1 violated']);
});

test('so is one that a body must have, where every record shows the same value', () => {
  expect(rulings(each('label', [one, two], () => ({ label: 'Export' })))).toEqual(['t1 violated']);
  expect(rulings(each('format', ['xlsx', 'pdf'], () => ({ format: 'csv' })))).toEqual(['t1 violated']);
  expect(rulings(each('format', ['csv', 'xlsx', 'pdf'], () => ({ format: 'csv' })))).toEqual(['t2 violated']);
});

test('so are numbers that are always zero, or always their default, and choices of the caller', () => {
  const seats = (is: number) => [7, 9].map((seats) => made({ subject: 'Seats', seats }, { seats: is }));
  const number: JsonObject = { type: 'integer', default: 4 };
  const shape = {
    body: object({ subject: text, seats: number }),
    shown: object({ id: text, subject: text, seats: number }),
  };
  expect([0, 4].map((is) => rulings(seats(is), shape))).toEqual([['t1 violated'], ['t1 violated']]);
  expect(rulings(seats(5), shape)).toEqual([]);
  const chosen = (name: string) => {
    const members = object({
      id: text,
      subject: text,
      [name]: { type: 'string', enum: ['wide', 'tall', 'flat'] },
    });
    const shape = { body: object({ ...(members['properties'] as JsonObject), other: text }), shown: members };
    return rulings(
      each(name, ['tall', 'flat'], () => ({ [name]: 'wide' })),
      shape,
    );
  };
  expect(['layout', 'plan'].map(chosen)).toEqual([['t1 violated'], []]);
});

test('so is what an object that may be left out must have, next to a member that is shown', () => {
  const money = object({ amount: { type: 'integer' }, currency: format }, ['amount', 'currency']);
  const all = { subject: text, price: money };
  const shape = { body: object(all), shown: object({ id: text, ...all }) };
  const priced = (values: readonly string[], is: (amount: number, currency: string) => JsonObject) =>
    values.map((currency, index) =>
      made({ subject: 'Priced', price: { amount: 7 + index, currency } }, { price: is(7 + index, currency) }),
    );
  const kept = (amount: number): JsonObject => ({ amount, currency: 'csv' });
  expect(rulings(priced(['xlsx', 'pdf'], kept), shape)).toEqual(['t1 violated']);
  expect(rulings(priced(['xlsx'], kept), shape)).toEqual([]);
  // The service may have put an object of its own in its place, or must not have the member.
  expect(
    rulings(
      priced(['xlsx', 'pdf'], () => kept(1)),
      shape,
    ),
  ).toEqual([]);
  const optional = { subject: text, price: object({ amount: { type: 'integer' }, currency: format }) };
  expect(
    rulings(priced(['xlsx', 'pdf'], kept), {
      body: object(optional),
      shown: object({ id: text, ...optional }),
    }),
  ).toEqual([]);
});

test('so is a flag that a body must have, where every record shows one value of it', () => {
  const flagged = (name: string, values: readonly boolean[], is: (value: boolean) => boolean) => {
    const all = { subject: text, [name]: { type: 'boolean' } };
    const traces = values.map((value) => made({ subject: 'Flagged', [name]: value }, { [name]: is(value) }));
    const required = { body: object(all, ['subject', name]), shown: object({ id: text, ...all }) };
    return {
      required: rulings(traces, required),
      optional: rulings(traces, { ...required, body: object(all) }),
    };
  };
  const never = () => false;
  expect(flagged('laminated', [false, true, true], never).required).toEqual([]);
  expect(flagged('giftWrap', [false, true, true], never)).toEqual({
    required: ['t2 violated'],
    optional: [],
  });
  expect(flagged('giftWrap', [true, false, false], () => true).required).toEqual(['t2 violated']);
  // One command alone, or the other value was never sent, or some record has it.
  expect(flagged('giftWrap', [false, true], never).required).toEqual([]);
  expect(flagged('giftWrap', [true, true, true], never).required).toEqual([]);
  let turns = 0;
  expect(flagged('giftWrap', [false, true, true, true], (value) => value && turns++ === 0).required).toEqual(
    [],
  );
  // It may say what became of the record.
  for (const name of ['isActive', 'isPublic', 'termsAccepted', 'newsletter'])
    expect(flagged(name, [false, true, true], never).required).toEqual([]);
});

test.each<[string, readonly (readonly Line[])[], Shape?]>([
  ['one value alone was sent', each('note', [one, one], () => ({ note: null }))],
  [
    'one record shows what was sent',
    each('note', [one, two, 'A third'], (value) => ({ note: value === one ? one : null })),
  ],
  ['records show it in another form', each('note', [one, two], (value) => ({ note: `${value}.` }))],
  [
    'records show a text of their own for what may be left out',
    each('note', [one, two], () => ({ note: 'None' })),
  ],
  [
    'records show different texts',
    each('label', [one, two], (value) => ({ label: value === one ? 'Export' : 'Import' })),
  ],
  [
    'numbers may have a limit',
    [700, 900].map((seats) => made({ subject: 'Seats', seats }, { seats: 365 })),
    {
      body: object({ subject: text, seats: { type: 'integer' } }, ['seats']),
      shown: object({ id: text, subject: text, seats: { type: 'integer' } }),
    },
  ],
  ['values are hidden', each('label', [one, two], () => ({ label: '******' }))],
  [
    'only one of two choices is shown as another',
    each('format', ['xlsx', 'pdf', 'csv'], (value) => ({ format: value === 'pdf' ? 'csv' : value })),
  ],
  [
    'records need not show it',
    each('note', [one, two], () => ({})).map((lines) =>
      lines.map((line) => ({
        ...line,
        body: {
          id: 'case_9',
          status: 'open',
          subject: (JSON.parse(lines[0]?.sent ?? '{}') as JsonObject)['subject'] ?? null,
        },
      })),
    ),
  ],
  ['nothing else of the command is shown', [one, two].map((note) => made({ note }, { note: null }))],
  [
    'the record declares no such member',
    each('note', [one, two], () => ({ note: null })),
    { shown: object({ id: text, subject: text }) },
  ],
  [
    'one schema stands for bodies and records',
    each('note', [one, two], () => ({ note: null })),
    { body: shownBy },
  ],
  [
    'not everybody is shown it',
    each('note', [one, two], () => ({ note: null })),
    {
      shown: object({
        ...(shownBy['properties'] as JsonObject),
        note: { ...nullable, description: 'For staff only.' },
      }),
    },
  ],
  [
    'an action may be what sets it',
    each('note', [one, two], () => ({ note: null })),
    { action: object({ note: text }) },
  ],
])('nothing is said where %s', (_, traces, shape) => {
  expect(rulings(traces, shape)).toEqual([]);
});

test('what a PATCH sets as well is not that of an action alone', () => {
  const shape = { action: object({ note: text }), patch: object({ note: text }) };
  expect(
    rulings(
      each('note', [one, two], () => ({ note: null })),
      shape,
    ),
  ).toEqual(['t1 violated']);
});

test('what was queued is looked at once its work is over', () => {
  const queued = (at: number) =>
    [one, two].map((note) =>
      made(
        { subject: 'One of them', note },
        { note: null },
        { status: 202, at: 0 },
        { at, body: { id: 'case_9', status: 'done', subject: 'One of them', note: null } },
      ),
    );
  expect(rulings(queued(6000))).toEqual(['t1 violated']);
  expect(rulings(queued(1000))).toEqual([]);
});

/** A PUT of what is there but once below each record: its read is made possible by it, and has its path. */
test('settings that a PUT makes under the path of a record are known by that path', () => {
  const members = { subject: text, note: text };
  const shape = { patch: object(members), shown: object({ id: text, ...members, note: nullable }) };
  const { contract: adapted, ...context } = contextOf(shape);
  const operations = adapted.operations.map((operation): Operation => {
    if (operation.id === 'updateCase') return { ...operation, method: 'PUT', version: undefined };
    return operation.id === 'getCase'
      ? {
          ...operation,
          pathFields: operation.pathFields.map((field) => ({
            ...field,
            source: { operation: 'updateCase', path: field.name },
          })),
        }
      : operation;
  });
  const settings = { contract: { ...adapted, operations }, declared: context.declared, principals };
  const put = (note: string, given: string, read: string): readonly Line[] => [
    {
      ...{ id: 'put', status: 200, operation: 'updateCase', given, role: 'test', body: {} },
      sent: JSON.stringify({ subject: 'Settings', note }),
    },
    {
      ...{ id: 'after', status: 200, operation: 'getCase', observes: 'after', given: read, role: 'readback' },
      body: { subject: 'Settings', note: null },
    },
  ];
  const said = (read: string): readonly string[] => {
    const fold = neverStored();
    const known = makeContext({ ...settings, proven: new Set(['full']) });
    return [one, two].flatMap((note, index) =>
      [...fold.see(known, trace(put(note, 'case_3', read), { id: `t${index}` }))].map(
        ({ verdict }) => verdict,
      ),
    );
  };
  expect(said('case_3')).toEqual(['violated']);
  expect(said('case_4')).toEqual([]);
});

const moment: JsonObject = { type: 'string', format: 'date-time' };
const timed: Shape = {
  body: object({ subject: text, takenAt: moment, timestamp: moment }, ['subject', 'takenAt', 'timestamp']),
  shown: object({ id: text, status: text, subject: text, takenAt: moment, timestamp: moment }),
};
const dated: Partial<Line> = { headers: [['Date', 'Sun, 29 Nov 2026 01:24:00 GMT']] };
/** Records that are made with times, and show others. */
const taken = (
  times: readonly string[],
  is: (sent: string) => string,
  name = 'takenAt',
  command: Partial<Line> = dated,
) =>
  times.map((sent, index) =>
    made({ subject: `The ${index}. of them`, [name]: sent }, { [name]: is(sent) }, command),
  );
const [past, future] = ['2024-01-01T10:00:00Z', '2044-02-02T02:02:02+02:00'];
const soon = (sent: string): string => (sent === past ? '2026-11-29T01:24:00.120Z' : '2026-11-29T01:24:01Z');

test('a time that a body must have, and that always gives way to that of the command, is found', () => {
  expect(rulings(taken([past, future], soon), timed)).toEqual(['t1 violated']);
});

test.each<[string, readonly string[], string, readonly string[]]>([
  ['today', ['2024-01-01', '2044-02-02'], '2026-11-29', ['t1 violated']],
  ['the day in another zone', ['2024-01-01', '2044-02-02'], '2026-11-28', ['t1 violated']],
  ['today in place of days in the past', ['2024-01-01', '2025-02-02'], '2026-11-29', []],
  ['today in place of days nearby', ['2026-11-27', '2026-12-01'], '2026-11-29', []],
  ['another day', ['2024-01-01', '2044-02-02'], '2026-11-26', []],
])('of dates that a body must have, records show %s', (_, sent, shown, expected) => {
  const day: JsonObject = { type: 'string', format: 'date' };
  const days: Shape = {
    body: object({ subject: text, openedOn: day, date: day }, ['subject', 'openedOn', 'date']),
    shown: object({ id: text, status: text, subject: text, openedOn: day, date: day }),
  };
  const all = (name: string) =>
    rulings(
      taken(sent, () => shown, name),
      days,
    );
  expect(all('openedOn')).toEqual(expected);
  expect(all('date')).toEqual([]);
  expect(
    rulings(
      taken(sent, (value) => value, 'openedOn'),
      days,
    ),
  ).toEqual([]);
});

test.each<[string, readonly (readonly Line[])[]]>([
  ['the times are stored', taken([past, future], (sent) => sent)],
  [
    'one of the times is stored',
    taken(['2025-05-05T05:05:05Z', past, future], (sent) =>
      sent === '2025-05-05T05:05:05Z' ? sent : soon(sent),
    ),
  ],
  ['only times in the past give way', taken([past, '2025-05-05T05:05:05Z'], soon)],
  ['the member may be the time of the request', taken([past, future], soon, 'timestamp')],
  ['no response has a date', taken([past, future], soon, 'takenAt', {})],
  ['the records show another time', taken([past, future], () => '2026-11-29T03:24:00Z')],
])('nothing is said of times where %s', (_, traces) => {
  expect(rulings(traces, timed)).toEqual([]);
});

test('an address that a new record must have is found, where all records show the one that a command sent', () => {
  const mail: Shape = {
    body: object({ subject: text, email: text }, ['subject', 'email']),
    shown: object({ id: text, status: text, subject: text, email: text }),
  };
  const sent = ['first@a.example', 'second@b.example', 'third@c.example'];
  const shows = (email: string) =>
    rulings(
      each('email', sent, () => ({ email })),
      mail,
    );
  expect(shows('first@a.example')).toEqual(['t2 violated']);
  expect(shows('office@d.example')).toEqual([]);
  expect(
    rulings(
      each('email', sent, (email) => ({ email })),
      mail,
    ),
  ).toEqual([]);
  expect(
    rulings(
      each('email', sent, () => ({ email: null })),
      mail,
    ),
  ).toEqual([]);
});

test('nothing is said where all records show a code that a service knows', () => {
  expect(rulings(each('label', ['Export', one, two], () => ({ label: 'Export' })))).toEqual([]);
});
