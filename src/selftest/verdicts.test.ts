import { expect, test } from 'vitest';
import type { ClauseCode } from '../model/clause.ts';
import { isObject } from '../model/json.ts';
import type { Call } from '../reference/behaviour.ts';
import { conforming } from '../reference/conforming.ts';
import { faults } from '../reference/faults/catalogue.ts';
import { remember } from '../reference/records.ts';
import type { ReferenceChange } from '../run/session.ts';
import { verdictsOn } from '../testing/verdicts-on.ts';

const again = faults.find(({ id }) => id === 'I07')?.change ?? {};
/** A business rule of which the schema says nothing. */
const modest: ReferenceChange['change'] = {
  validateBody: (call, value, schema) => {
    const count = isObject(value) ? value['count'] : undefined;
    return conforming.validateBody(call, typeof count === 'number' && count > 1e6 ? {} : value, schema);
  },
};

test.concurrent.each<[string, string, ReferenceChange['change'], string]>([
  ['a second record with the first ID is seen', 'transfer', again, 'fail'],
  ['one record is one effect', 'meter-reading', {}, 'pass'],
  ['what a business rule refuses marks nothing', 'meter-reading', modest, 'pass (ids only)'],
])('a body without free text: %s', async (_, shape, change, verdict) => {
  expect(await verdictsOn(shape, 'createNote', ['IDM-4', 'IDM-8'], change)).toEqual([
    `IDM-4 ${verdict}`,
    `IDM-8 ${verdict}`,
  ]);
});

/** Moves a count in the note that holds what a command is about. */
const move = (call: Call, name: string, by: number): void => {
  const { clock, records, settings } = call.service;
  const note = records.find(call.pathValues['noteId'] ?? call.pathValues['bookId'] ?? '');
  if (note === undefined) return;
  note.fields = { ...note.fields, [name]: Number(note.fields[name] ?? 0) + by };
  remember(note, clock.monotonic(), settings.readLagMs);
};
const countTag = (call: Call): void => move(call, 'tagCount', 1);
const counting: ReferenceChange['change'] = {
  insert: (call, record) => {
    conforming.insert(call, record);
    countTag(call);
  },
};
const countingAgain: ReferenceChange['change'] = {
  ...counting,
  onDuplicateFinished: (call, entry, answer) => {
    countTag(call);
    return conforming.onDuplicateFinished(call, entry, answer);
  },
};

test.concurrent.each<[string, ReferenceChange['change'], string]>([
  ['each command once', counting, 'pass'],
  ['each duplicate as well', countingAgain, 'fail'],
])('a count in the record that holds what is made: %s', async (_, change, verdict) => {
  expect(await verdictsOn('nested', 'addTag', ['IDM-4', 'IDM-8'], change)).toEqual([
    `IDM-4 ${verdict}`,
    'IDM-8 pass',
  ]);
});

const written = (id: string): ReferenceChange['change'] =>
  faults.find((fault) => fault.id === id)?.change ?? {};
/** A new record has the codes that commands send first. */
const graded: ReferenceChange['change'] = {
  insert: (call, record) => {
    record.fields = { grade: 'low', rating: 'low', ...record.fields };
    conforming.insert(call, record);
  },
};

test.concurrent.each<[string, string, ClauseCode, ReferenceChange['change'], string]>([
  ['what changes nothing', 'rateNote', 'CNF-1', graded, 'pass'],
  ['a conflict of state', 'rateNote', 'CNF-1', { ...graded, ...written('C80') }, 'fail'],
  ['what changes nothing', 'gradeNote', 'VER-1', graded, 'pass'],
  ['a stale version', 'gradeNote', 'VER-1', { ...graded, ...written('C81') }, 'fail'],
])('a refused command that can send codes alone: %s', async (_, command, clause, change, verdict) => {
  expect(await verdictsOn('coded-changes', command, [clause], change)).toEqual([`${clause} ${verdict}`]);
});

/** What a refused command moves all the same. */
const refusing = (status: number, name: string, by: number): ReferenceChange['change'] => ({
  ...counting,
  onRefusal: (call, refused) => {
    if (refused.status === status && ['addTag', 'closeTag'].includes(call.operation.id)) move(call, name, by);
  },
});

test.concurrent.each<[string, string, string, ClauseCode, ReferenceChange['change'], string]>([
  ['no 403', 'nested', 'addTag', 'PRM-6', counting, 'pass'],
  ['each 403', 'nested', 'addTag', 'PRM-6', refusing(403, 'tagCount', 1), 'fail'],
  ['each 403 to a closure', 'nested-closing', 'closeTag', 'PRM-6', refusing(403, 'openTags', -1), 'fail'],
  ['no 422', 'nested', 'addTag', 'VAL-7', counting, 'pass'],
  ['each 422', 'nested', 'addTag', 'VAL-7', refusing(422, 'tagCount', 1), 'fail'],
  ['no conflict', 'nested-closing', 'closeTag', 'CNF-1', {}, 'pass'],
  ['each conflict', 'nested-closing', 'closeTag', 'CNF-1', refusing(409, 'openTags', -1), 'fail'],
])(
  'a count in the record above a refused command: %s',
  async (_, shape, command, clause, change, verdict) => {
    expect(await verdictsOn(shape, command, [clause], change)).toEqual([`${clause} ${verdict}`]);
  },
);

/** A page is counted in its book when it is put there first, and an amount is added to the total each time that it is set. */
const putting: ReferenceChange['change'] = {
  insert: (call, record) => {
    conforming.insert(call, record);
    if (call.operation.id === 'putPage') move(call, 'pageCount', 1);
  },
};
const movingAgain = (...moves: Parameters<typeof move> extends [Call, ...infer Rest] ? Rest : never) => ({
  ...putting,
  beforeCommit: (call: Call) => {
    if (call.operation.id === 'setLine') move(call, ...moves);
    return conforming.beforeCommit(call);
  },
  onDuplicateFinished: (...[call, entry, answer]: Parameters<typeof conforming.onDuplicateFinished>) => {
    if (['setLine', 'putPage'].includes(call.operation.id)) move(call, ...moves);
    return conforming.onDuplicateFinished(call, entry, answer);
  },
});

test.concurrent.each<[string, string, string, ReferenceChange['change'], string]>([
  ['a page that is put once', 'client-chosen-within', 'putPage', putting, 'pass'],
  ['a page that is put again', 'client-chosen-within', 'putPage', movingAgain('pageCount', 1), 'fail'],
  ['an amount that is set again', 'nested-amounts', 'setLine', movingAgain('total', 5), 'fail'],
])('a count in the record above a PUT or PATCH: %s', async (_, shape, command, change, verdict) => {
  expect(await verdictsOn(shape, command, ['IDM-4'], change)).toEqual([`IDM-4 ${verdict}`]);
});

/** A list in which nothing is: not found, in place of none. */
const missingWhileEmpty: ReferenceChange['change'] = {
  finish: (incoming, answer) =>
    incoming.operation?.kind === 'read' && /^\[\]$|:\[\]/.test(String(answer.body ?? ''))
      ? { ...answer, status: 404, body: '{"code":"not_found"}' }
      : answer,
};

test.concurrent.each<[string, ReferenceChange['change'], string]>([
  ['is shown', {}, 'pass'],
  ['is not found', missingWhileEmpty, 'fail'],
])('an empty list within a record %s', async (_, change, verdict) => {
  expect(await verdictsOn('nested', 'listTags', ['RDS-1'], change)).toEqual([`RDS-1 ${verdict}`]);
});
