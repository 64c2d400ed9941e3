import { describe, expect, test } from 'vitest';
import type { Violated } from '../model/clause.ts';
import type { Operation } from '../model/contract.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { makeContext } from '../oracle/context.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import { contract, principals } from './cases/contract.ts';
import { type Line, trace } from './cases/trace.ts';
import { memberIgnored } from './member-ignored.ts';

const text = { type: 'string' };
const settable: JsonObject = {
  subject: text,
  notes: text,
  seeds: { type: 'integer' },
  kind: { enum: ['a', 'b'] },
  site: { type: 'string', format: 'uri' },
};
const shownToo: JsonObject = { id: text, status: text, version: { type: 'integer' }, email: text };

function contextOf(
  properties: JsonObject = settable,
  making: JsonObject = { type: 'object' },
  { named, shown = {} }: { readonly named?: Operation['named']; readonly shown?: JsonObject } = {},
) {
  const bodies: JsonObject = { updateCase: { type: 'object', properties }, createCase: making };
  const schemaOf = (operation: Operation): Operation =>
    operation.body !== undefined && bodies[operation.id] !== undefined
      ? { ...operation, body: { ...operation.body, schema: bodies[operation.id] as JsonObject } }
      : operation.id === 'getCase'
        ? {
            ...operation,
            success: {
              ...operation.success,
              schema: { type: 'object', properties: { ...settable, ...shownToo, ...shown } },
            },
          }
        : operation;
  return makeContext({
    contract: {
      ...contract,
      operations: contract.operations
        .map(schemaOf)
        .map((one) => (one.kind === 'command' && named !== undefined ? { ...one, named } : one)),
    },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
}

const json = (value: Json): string => JSON.stringify(value);
const record = (id: string, more: JsonObject): JsonObject => ({ id, status: 'open', ...more });

/** A record that is made with this, and read. */
const made = (more: JsonObject, read: JsonObject = more): readonly Line[] => [
  { id: 'a', status: 201, sent: json(more), result: 'case_9', body: record('case_9', more) },
  {
    ...{ id: 'read', status: 200, operation: 'getCase', observes: 'made', on: 'a', role: 'readback' },
    body: record('case_9', { version: 1, ...read }),
  },
];

type Change = {
  readonly was?: JsonObject;
  readonly result?: JsonObject | '';
  readonly command?: Partial<Line>;
  readonly between?: Line;
};

/** A PATCH of a record that is read before and after it. */
const changed = (
  sent: JsonObject,
  is: JsonObject,
  { between, command, result, was = { subject: 'old' } }: Change = {},
): readonly Line[] => {
  const shows = (id: string, body: JsonObject): Line => ({
    ...{ id, status: 200, operation: 'getCase', on: 'a', role: 'readback' },
    observes: id === 'before' ? 'before' : 'after',
    body: record('case_7', body),
  });
  return [
    { id: 'a', role: 'setup', status: 201, result: 'case_7' },
    shows('before', { version: 1, ...was }),
    {
      ...{ id: 'patch', role: 'test', status: 200, operation: 'updateCase', on: 'a', sent: json(sent) },
      body: result ?? record('case_7', { version: 2, ...is }),
      ...command,
    },
    ...(between === undefined ? [] : [between]),
    shows('after', { version: 2, ...is }),
  ];
};

const whole = { subject: 'whole', notes: 'seen', seeds: 1, site: 'https://a.test/' };
const one = changed({ subject: 'first', notes: 'one note' }, { subject: 'first' });
const two = changed({ subject: 'second', notes: 'another' }, { subject: 'second' });

function rulings(
  traces: readonly (readonly Line[])[],
  context: ReturnType<typeof contextOf> = contextOf(),
): readonly string[] {
  const fold = memberIgnored();
  return traces.flatMap((lines, index) =>
    [...fold.see(context, trace(lines, { id: `t${index}` }))].map((ruling) =>
      `t${index} ${ruling.verdict}${(ruling as Violated).conclusive === true ? ' conclusive' : ''} ${(ruling as Violated).within?.id ?? ''}`.trim(),
    ),
  );
}

test('a member that no PATCH stores is found, if a read shows it of another record', () => {
  expect(rulings([made(whole), one, two])).toEqual(['t2 violated']);
  expect(rulings([made(whole), one, two, two])).toEqual(['t2 violated', 't3 violated']);
  expect(rulings([one, two, made(whole), two])).toEqual(['t2 violated conclusive t1']);
});

test('a member that keeps an earlier value, and a number, are found as well', () => {
  const kept = (subject: string, notes: string) =>
    changed({ subject, notes }, { subject, notes: 'before' }, { was: { subject: 'old', notes: 'before' } });
  expect(rulings([made(whole), kept('1st', 'some'), kept('2nd', 'other')])).toEqual(['t2 violated']);
  const count = (subject: string, seeds: number) =>
    changed({ subject, seeds }, { subject, seeds: 5 }, { was: { subject: 'old', seeds: 5 } });
  expect(rulings([made(whole), count('1st', 700), count('2nd', 900)])).toEqual(['t2 violated']);
});

test.each<[string, readonly (readonly Line[])[]]>([
  ['one value alone was sent', [made(whole), one, one]],
  ['no record shows such a member', [made({ subject: 'whole' }), one, two]],
  ['records show it otherwise than it was sent', [made(whole, { ...whole, notes: 'Seen.' }), one, two]],
  ['only records in another state show it', [made({ ...whole, status: 'closed' } as JsonObject), one, two]],
  ['only records that have other members show it', [made({ ...whole, owner: 'me' }), one, two]],
  [
    'another PATCH stored it',
    [
      made(whole),
      changed({ subject: 'third', notes: 'stored' }, { subject: 'third', notes: 'stored' }),
      one,
      two,
    ],
  ],
])('nothing is said where %s', (_, traces) => {
  expect(rulings(traces)).toEqual([]);
});

const second = { subject: 'second', notes: 'another' };
test.each<[string, readonly Line[]]>([
  ['the read may be stale', changed(second, { subject: 'old' })],
  ['another member of the record moved', changed(second, { subject: 'second', pending: true })],
  ['the value is shown in another form', changed(second, { subject: 'second', notes: 'Another!' })],
  [
    'the record had it in another form',
    changed(second, { subject: 'second', notes: 'ANOTHER' }, { was: { subject: 'old', notes: 'ANOTHER' } }),
  ],
  [
    'the result says more',
    changed(second, { subject: 'second' }, { result: { id: 'case_7', warnings: ['notes need approval'] } }),
  ],
  [
    'the result says more around the record',
    changed(
      second,
      { subject: 'second' },
      { result: { data: record('case_7', { subject: 'second' }), warnings: ['no notes'] } },
    ),
  ],
  ['the command was queued', changed(second, { subject: 'second' }, { command: { status: 202 } })],
  ['the command was refused', changed(second, { subject: 'second' }, { command: { status: 409 } })],
  [
    'another command came between',
    changed(
      second,
      { subject: 'second' },
      { between: { id: 'close', status: 200, operation: 'closeCase', on: 'a' } },
    ),
  ],
  ['the text has markup', changed({ ...second, notes: '<b>another</b>' }, { subject: 'second' })],
])('nothing is said of a command where %s', (_, last) => {
  expect(rulings([made(whole), one, last])).toEqual([]);
});

test('nothing is said of what may wait, or depends on more than the command', () => {
  const set = (name: string, value: Json, subject: string) =>
    changed({ subject, [name]: value }, { subject });
  const all: JsonObject = { ...whole, kind: 'a', email: 'a@b.test', apiKey: 'k' };
  const without = (name: string, one: Json, other: Json) =>
    rulings([made(all), set(name, one, '1st'), set(name, other, '2nd')]);
  expect(without('site', 'https://b.test/', 'https://c.test/')).toEqual([]);
  expect(without('kind', 'a', 'b')).toEqual([]);
  expect(without('email', 'c@b.test', 'd@b.test')).toEqual([]);
  expect(without('apiKey', 'one', 'two')).toEqual([]);
});

test('nothing is said of a member that the schema of the body does not describe', () => {
  expect(rulings([made(whole), one, two], contextOf({ subject: text }))).toEqual([]);
});

/** A record that is made with a subject and notes, and read; the result and the read show the same of it. */
const makes = (sent: JsonObject, shown: JsonObject, more: Partial<Line> = {}): readonly Line[] => [
  { id: 'a', status: 201, sent: json(sent), result: 'case_9', body: record('case_9', shown), ...more },
  {
    ...{ id: 'read', status: 200, operation: 'getCase', observes: 'made', on: 'a', role: 'readback' },
    body: record('case_9', shown),
  },
];
const stored = changed({ subject: 'x', notes: 'set later' }, { subject: 'x', notes: 'set later' });
const dropped = (subject: string, notes: string, more: Partial<Line> = {}) =>
  makes({ subject, notes }, { subject }, more);
const making: JsonObject = { type: 'object', properties: { subject: text, notes: text, tone: text } };

test('a member that no command stores which makes records is found, if a read shows it of another record', () => {
  const context = contextOf(settable, making);
  expect(rulings([dropped('1st', 'one'), dropped('2nd', 'two'), stored], context)).toEqual([
    't2 violated conclusive t1',
  ]);
  expect(rulings([stored, dropped('1st', 'one'), dropped('2nd', 'two')], context)).toEqual(['t2 violated']);
  const empty = makes({ subject: '2nd', notes: 'two' }, { subject: '2nd', notes: null });
  expect(rulings([stored, dropped('1st', 'one'), empty], context)).toEqual(['t2 violated']);
});

test.each<[string, readonly (readonly Line[])[], JsonObject?]>([
  ['one value alone was sent', [stored, dropped('1st', 'one'), dropped('2nd', 'one')]],
  ['no read shows such a member', [dropped('1st', 'one'), dropped('2nd', 'two')]],
  [
    'another one stored it',
    [
      stored,
      makes({ subject: 'a', notes: 'b' }, { subject: 'a', notes: 'b' }),
      dropped('1st', 'one'),
      dropped('2nd', 'two'),
    ],
  ],
  [
    'the record has another value',
    ['1st', '2nd']
      .map((subject) => makes({ subject, notes: subject }, { subject, notes: 'usual' }))
      .concat([stored]),
  ],
  [
    'the record lacks another member as well',
    [stored, ...['1st', '2nd'].map((subject) => makes({ subject, notes: subject, tone: 'x' }, { subject }))],
  ],
  ['nothing else was sent', [stored, ...['1st', '2nd'].map((notes) => makes({ notes }, {}))]],
  [
    'the result says more',
    [
      stored,
      ...['1st', '2nd'].map((subject) =>
        dropped(subject, subject, { body: { id: 'case_9', warnings: ['no notes'] } }),
      ),
    ],
  ],
  [
    'another caller, who may see more, reads such a member',
    [stored.map((line) => ({ ...line, as: 'peer' })), dropped('1st', 'one'), dropped('2nd', 'two')],
  ],
  [
    'it was only queued',
    [stored, dropped('1st', 'one', { status: 202 }), dropped('2nd', 'two', { status: 202 })],
  ],
  [
    'the bodies of both commands are described alike',
    [stored, dropped('1st', 'one'), dropped('2nd', 'two')],
    { type: 'object', properties: settable },
  ],
  [
    'the body does not describe it',
    [stored, dropped('1st', 'one'), dropped('2nd', 'two')],
    { type: 'object', properties: { subject: text } },
  ],
])('nothing is said of commands that make records where %s', (_, traces, schema = making) => {
  expect(rulings(traces, contextOf(settable, schema))).toEqual([]);
});

test('a member that the body requires is for the command that makes records, however others are described', () => {
  const shared = { type: 'object', required: ['notes'], properties: settable };
  const context = contextOf(settable, shared);
  const contract = {
    ...context.contract,
    operations: context.contract.operations.map((one) =>
      one.id === 'updateCase' && one.body !== undefined
        ? { ...one, body: { ...one.body, schema: shared } }
        : one,
    ),
  };
  expect(rulings([stored, dropped('1st', 'one'), dropped('2nd', 'two')], { ...context, contract })).toEqual([
    't2 violated',
  ]);
});

describe('a reference to a record that the run made', () => {
  const refs: JsonObject = { ...settable, folderId: { type: 'string', format: 'uuid' }, nextFolderId: text };
  const named = ['folderId', 'nextFolderId'].map((name) => ({
    at: `/${name}`,
    field: { name, schema: text, source: { operation: 'createCase', at: '/id' } },
  }));
  const referring = (making: JsonObject = { type: 'object' }) =>
    contextOf(refs, making, { named, shown: refs });
  const [first, second] = ['0190b3a2-7c1d-7e00-8a4f-1c2d3e4f5a6b', '0190b3a2-7c1d-7e00-8a4f-1c2d3e4f5a6c'];
  const kept = changed(
    { subject: 'moved', folderId: second },
    { subject: 'moved', folderId: first },
    { was: { subject: 'old', folderId: first } },
  );
  const other = made({ subject: 'whole', folderId: first });

  test('is found where one command leaves it as it was, or never sets it', () => {
    expect(rulings([other, kept], referring())).toEqual(['t1 violated']);
    const unset = changed({ subject: 'moved', folderId: second }, { subject: 'moved', folderId: null });
    expect(rulings([other, unset], referring())).toEqual(['t1 violated']);
  });

  test('is not where no read shows one, the operation stored one, or somebody may have to agree', () => {
    expect(rulings([kept], referring())).toEqual([]);
    const stored = changed({ subject: 'x', folderId: second }, { subject: 'x', folderId: second });
    expect(rulings([other, stored, kept], referring())).toEqual([]);
    const asked = changed({ subject: 'x', nextFolderId: second }, { subject: 'x' });
    expect(rulings([made({ subject: 'whole', nextFolderId: first }), asked], referring())).toEqual([]);
  });

  test('is not where one schema stands for all bodies', () => {
    expect(rulings([other, kept], referring({ type: 'object', properties: refs }))).toEqual([]);
  });

  test('is not where nothing says that it names a record', () => {
    expect(rulings([other, kept], contextOf(refs, undefined, { shown: refs }))).toEqual([]);
  });
});
