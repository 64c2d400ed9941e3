import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { linkTo, object, operation } from '../../selftest/shapes/document.ts';
import { contractOf } from '../../testing/contracts.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { changesInList, neighbourHit } from './neighbours.ts';

const context = makeContext({
  contract,
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

const one: JsonObject = { id: 'case_7', subject: 'made one', seats: 1, beds: 1, open: true };
const other: JsonObject = { ...one, id: 'case_8', subject: 'made other' };
const sent: JsonObject = { subject: 'asy-t-body' };

type States = {
  /** The target and the other record before the command, and after it; null where one is gone. */
  readonly was?: readonly [JsonObject, JsonObject];
  readonly is: readonly [JsonObject | null, JsonObject | null];
  readonly command?: Partial<Line>;
  readonly between?: readonly Line[];
};

const patch = (body: JsonObject): Partial<Line> => ({ operation: 'updateCase', sent: JSON.stringify(body) });
const wipe: Partial<Line> = { operation: 'wipeCase', status: 204 };

const lines = (command: Partial<Line> = {}): readonly [Line, Line, Line] => [
  { id: 'b', role: 'setup', status: 201, result: 'case_8' },
  { id: 'a', role: 'setup', status: 201, result: 'case_7' },
  { id: 'command', on: 'a', role: 'test', status: 200, body: {}, ...command },
];

/** A command on one of two records that are read by their IDs. */
const byId = ({ between = [], command = patch(sent), is, was = [one, other] }: States): readonly string[] => {
  const look = (on: string, id: string, observes: Line['observes'], body: JsonObject | null): Line => ({
    ...{ id, on, operation: 'getCase', role: 'readback', status: body === null ? 404 : 200 },
    ...(body === null ? {} : { body }),
    ...(observes === undefined ? {} : { observes }),
  });
  return rulings([
    ...lines(command).slice(0, 2),
    look('b', 'other-before', 'neighbour-before', was[1]),
    look('a', 'before', 'neighbour-before', was[0]),
    lines(command)[2],
    ...between,
    look('b', 'other-after', 'neighbour', is[1]),
    look('a', 'after', 'neighbour', is[0]),
  ]);
};

/** The same with the list of their parent. */
const byList = (
  { command = patch(sent), is, was = [one, other] }: States,
  next?: string,
): readonly string[] => {
  const look = (id: string, observes: 'neighbour-before' | 'neighbour', items: States['is']): Line => ({
    ...{ id, observes, operation: 'listCases', role: 'readback', status: 200 },
    body: { items: items.filter((each) => each !== null), nextCursor: next ?? null },
  });
  const [made, target, change] = lines(command);
  return rulings([
    made,
    target,
    look('before', 'neighbour-before', was),
    change,
    look('after', 'neighbour', is),
  ]);
};

function rulings(parts: readonly Line[]): readonly string[] {
  const all = trace(parts);
  const stepOf = new Map(all.exchanges.map(({ id, step }) => [id, step]));
  return [...neighbourHit(context, all)].map(
    ({ exchanges, verdict }) => `${verdict} ${exchanges.map((id) => stepOf.get(id)).join(' ')}`,
  );
}

const reads = 'command other-before before other-after';
const lists = 'command before after';

test('a deletion of one record leaves the other one', () => {
  expect(byId({ command: wipe, is: [null, other] })).toEqual([`holds ${reads} after`]);
  expect(byId({ command: wipe, is: [null, null] })).toEqual([`violated ${reads} after`]);
  expect(byList({ command: wipe, is: [null, other] })).toEqual([`holds ${lists}`]);
  expect(byList({ command: wipe, is: [null, null] })).toEqual([`violated ${lists}`]);
  // It may be on another page by now.
  expect(byList({ command: wipe, is: [null, null] }, 'more')).toEqual([]);
});

test('the list may be in an envelope, if it has no pages', () => {
  const within = (items: readonly JsonObject[], more: JsonObject = {}): readonly string[] => {
    const look = (observes: 'neighbour-before' | 'neighbour', shown: readonly JsonObject[]): Line => ({
      ...{ id: observes, observes, operation: 'listParts', on: 'a', role: 'readback', status: 200 },
      body: { data: { parts: shown, ...more } },
    });
    const [made, target, command] = lines(wipe);
    return rulings([made, target, look('neighbour-before', [one, other]), command, look('neighbour', items)]);
  };
  expect(within([other])).toEqual(['holds command neighbour-before neighbour']);
  expect(within([])).toEqual(['violated command neighbour-before neighbour']);
  expect(within([], { hasMore: true })).toEqual([]);
});

test('a change of one record does not go to the other one in its place', () => {
  const yours = { ...other, ...sent };
  expect(byId({ is: [one, yours] })).toEqual([`violated ${reads} after`]);
  expect(byList({ is: [one, yours] })).toEqual([`violated ${lists}`]);
  // It may be elsewhere in the target, and the other one may have had it before.
  expect(byId({ is: [{ ...one, draft: sent }, yours] })).not.toContain(`violated ${reads} after`);
  expect(byId({ was: [one, yours], is: [one, yours] })).not.toContain(`violated ${reads} after`);
});

test('a change of one record does not write its text to the other one', () => {
  const [mine, yours] = [
    { ...one, ...sent },
    { ...other, ...sent },
  ];
  expect(byId({ is: [mine, other] })).toEqual([`holds ${reads} after`]);
  expect(byId({ is: [mine, yours] })).toEqual([`violated ${reads} after`]);
  expect(byList({ is: [mine, other] })).toEqual([`holds ${lists}`]);
  expect(byList({ is: [mine, yours] })).toEqual([`violated ${lists}`]);
  expect(byId({ is: [{ data: mine }, { data: yours }] })).toEqual([`violated ${reads} after`]);
});

test('nor all of several values', () => {
  const many = { seats: 7, beds: 9, open: false };
  const command = patch(many);
  expect(
    byList({
      command,
      is: [
        { ...one, ...many },
        { ...other, ...many },
      ],
    }),
  ).toEqual([`violated ${lists}`]);
  expect(byList({ command, is: [{ ...one, ...many }, other] })).toEqual([`holds ${lists}`]);
});

test('records of one parent may share a value', () => {
  const shared = {
    was: [
      { ...one, subject: 'same' },
      { ...other, subject: 'same' },
    ],
  } as const;
  expect(
    byId({
      ...shared,
      is: [
        { ...one, ...sent },
        { ...other, ...sent },
      ],
    }),
  ).toEqual([`inconclusive ${reads} after`]);
  const command = patch({ seats: 7 });
  expect(
    byId({
      command,
      is: [
        { ...one, seats: 7 },
        { ...other, seats: 7 },
      ],
    }),
  ).toEqual([`inconclusive ${reads} after`]);
});

test('nor one value, where the two differed before', () => {
  const command = patch({ seats: 7 });
  const was = [one, { ...other, seats: 3 }] as const;
  const mine = { ...one, seats: 7 };
  expect(byId({ command, was, is: [mine, { ...other, seats: 7 }] })).toEqual([`violated ${reads} after`]);
  expect(byId({ command, was, is: [mine, { ...other, seats: 1 }] })).toEqual([`holds ${reads} after`]);
  expect(byId({ command, was, is: [mine, { ...other, seats: 3 }] })).toEqual([`holds ${reads} after`]);
});

test('a state that the other record takes as well is noted, and accuses nobody', () => {
  const notes = (other: JsonObject): readonly unknown[] => {
    const look = (on: string, id: string, observes: Line['observes'], body: JsonObject): Line => ({
      ...{ id, on, operation: 'getCase', role: 'readback', status: 200, body },
      ...(observes === undefined ? {} : { observes }),
    });
    const was = { id: 'case_8', state: 'new' };
    const all = trace([
      ...lines().slice(0, 2),
      look('b', 'other-before', 'neighbour-before', was),
      look('a', 'before', 'neighbour-before', { id: 'case_7', state: 'new' }),
      lines(patch({}))[2],
      look('b', 'other-after', 'neighbour', { ...was, ...other }),
      look('a', 'after', 'neighbour', { id: 'case_7', state: 'done', version: 2 }),
    ]);
    return [...neighbourHit(context, all)].map((ruling) => [
      ruling.verdict,
      'advisory' in ruling ? ruling.advisory : undefined,
    ]);
  };
  expect(notes({ state: 'done' })).toEqual([
    [
      'inconclusive',
      'after a command on another record of its kind, a record shows "done" at /state as well',
    ],
  ]);
  expect(notes({ state: 'waiting' })).toEqual([]);
  expect(notes({ version: 2 })).toEqual([]);
});

test.each<[string, JsonObject, JsonObject]>([
  ['its place', { seats: 1, beds: 7 }, { seats: 2 }],
  ['a flag that only one may have', { seats: 7, open: true }, { open: false }],
  ['a sum, a version and a time', { seats: 7, beds: 9 }, { total: 16, version: 2, updatedAt: '2027-01-01' }],
  ['the text of the record before it', sent, { previous: { subject: 'asy-t-body' } }],
  ['one of several values', { seats: 7, beds: 9 }, { beds: 9 }],
])('of the other record, %s may move', (what, body, moved) => {
  const found = byId({
    command: patch(body),
    is: [
      { ...one, ...body },
      { ...other, ...moved },
    ],
  });
  expect(found).toEqual([`${what === 'one of several values' ? 'inconclusive' : 'holds'} ${reads} after`]);
});

test('records that name each other may go together', () => {
  const was = [one, { ...other, parent: 'case_7' }] as const;
  expect(byId({ command: wipe, was, is: [null, null] })).toEqual([]);
  expect(byId({ command: wipe, was: [{ ...one, parts: ['case_8'] }, other], is: [null, null] })).toEqual([]);
});

test('a list may leave out a record that a change of another one has put into the background', () => {
  expect(byList({ is: [{ ...one, ...sent }, null] })).toEqual([`inconclusive ${lists}`]);
  expect(byId({ is: [{ ...one, ...sent }, null] })).toEqual([`violated ${reads} after`]);
});

test('what a PUT makes takes the place of no other record', () => {
  const around = (after: readonly JsonObject[], was: readonly JsonObject[] = [other], next?: string) => {
    const keep = (id: string, given: string, role: 'setup' | 'test'): Line => ({
      ...{ id, given, role, operation: 'keepCase', status: 201, sent: JSON.stringify(sent), body: {} },
    });
    const look = (observes: 'neighbour-before' | 'neighbour', items: readonly JsonObject[]): Line => ({
      ...{ id: observes, observes, operation: 'listCases', role: 'readback', status: 200 },
      body: { items, nextCursor: next ?? null },
    });
    return rulings([
      keep('near', 'case_8', 'setup'),
      look('neighbour-before', was),
      keep('command', 'case_7', 'test'),
      look('neighbour', after),
    ]);
  };
  expect(around([other, one])).toEqual(['holds command neighbour-before neighbour']);
  expect(around([one])).toEqual(['violated command neighbour-before neighbour']);
  // It was never there, may be on another page, or the two know of each other.
  expect(around([one], [])).toEqual([]);
  expect(around([one], [other], 'more')).toEqual([]);
  expect(around([one], [{ ...other, next: 'case_7' }])).toEqual([]);
});

test('an action on one record leaves its text on no other one', () => {
  const close: Partial<Line> = { operation: 'closeCase', sent: '{"reason":"asy-t-body"}' };
  const left = { closure: { reason: 'asy-t-body' } };
  const [mine, yours] = [
    { ...one, ...left },
    { ...other, ...left },
  ];
  const acted = 'command other-before other-after after';
  expect(byId({ command: close, is: [mine, other] })).toEqual([`holds ${acted}`]);
  expect(byId({ command: close, is: [mine, yours] })).toEqual([`violated ${acted}`]);
  // A state may move by itself, and nothing shows what the command did.
  const done = { open: false };
  expect(
    byId({
      command: close,
      is: [
        { ...mine, ...done },
        { ...other, ...done },
      ],
    }),
  ).toEqual([`holds ${acted}`]);
  expect(
    byId({
      command: close,
      is: [
        { ...one, ...done },
        { ...other, ...done },
      ],
    }),
  ).toEqual([`inconclusive ${acted}`]);
  expect(byId({ command: close, is: [mine, null] })).toEqual([]);
  expect(byId({ command: close, was: [one, { ...other, parent: 'case_7' }], is: [mine, yours] })).toEqual([]);
});

test('nothing follows from a refused command, a change that nothing shows, or one next to another command', () => {
  const both = [
    { ...one, ...sent },
    { ...other, ...sent },
  ] as const;
  expect(byId({ command: { ...patch(sent), status: 409 }, is: both })).toEqual([]);
  expect(byId({ is: [one, other] })).toEqual([]);
  const close: Line = { id: 'close', operation: 'closeCase', on: 'b', status: 200, body: {} };
  expect(byId({ is: both, between: [close] })).toEqual([]);
  expect(byId({ is: both, between: [{ ...close, status: 409 }] })).toEqual([]);
  // The same command may be refused with other values first.
  const refused: Line = {
    id: 'refused',
    operation: 'updateCase',
    on: 'a',
    role: 'test',
    status: 422,
    body: {},
  };
  expect(byId({ is: both, between: [refused] })).toEqual([`violated ${reads} after`]);
});

test('a change within a record is looked for where the list of that record alone shows it', async () => {
  const within = async (effect: JsonObject): Promise<readonly string[]> => {
    const { operations, ...rest } = await contractOf(
      operation('POST /ports', 'addPort', { result: true, links: linkTo('addBerth', 'port', '/id') }),
      operation('GET /ports/{port}/berths', 'berths', { result: true }),
      operation('GET /ports/{port}/berths/{berth}', 'seeBerth', { result: true }),
      operation('PATCH /ports/{port}/berths/{berth}', 'nameBerth', {
        governed: { effect },
        body: object({ name: { type: 'string' } }),
        result: true,
      }),
    );
    return operations.filter((each) => changesInList({ ...rest, operations }, each)).map(({ id }) => id);
  };
  expect(await within({ list: 'berths' })).toEqual(['nameBerth']);
  expect(await within({ read: 'seeBerth', list: 'berths' })).toEqual([]);
});
