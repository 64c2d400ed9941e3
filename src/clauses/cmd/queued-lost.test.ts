import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { readById } from '../cases/read-by-id.ts';
import { type Line, trace } from '../cases/trace.ts';
import { queuedLost } from './queued-lost.ts';

const read = (id: string, status: number, body?: JsonObject): Line => ({
  ...{ id, status, operation: 'getCase', observes: 'made', on: 'a', role: 'readback' },
  ...(body === undefined ? {} : { body }),
});

const record = (status: string): JsonObject => ({ id: 'case_9', status });

/** A queued command, and what reads of its record return. */
const queued = (reads: readonly Line[], command: Partial<Line> = {}): readonly Line[] => [
  { ...{ id: 'a', status: 202, role: 'test', result: 'case_9', body: record('open') }, ...command },
  ...reads,
];
const isThere = queued([read('made', 200, record('open'))]);
const isDone = queued([read('made', 200, record('done'))]);
const isLate = queued([read('made', 404), read('again', 200, record('open'))]);
const isNever = queued([read('made', 404), read('again', 404)]);

function rulings(traces: readonly (readonly Line[])[]): readonly string[] {
  const fold = queuedLost();
  return traces.flatMap((lines, index) =>
    [...fold.see(readById, trace(lines, { id: `t${index}` }))].map(({ verdict }) => `t${index} ${verdict}`),
  );
}

test('a work record that no read shows is found, where others are there before their work is done', () => {
  expect(rulings([isThere, isThere, isNever])).toEqual(['t2 violated']);
});

test('but not where records are made when the work is done, or later than a read', () => {
  expect(rulings([isThere, isNever])).toEqual([]);
  expect(rulings([isDone, isDone, isDone, isNever])).toEqual([]);
  expect(rulings([isThere, isThere, isLate, isNever])).toEqual([]);
});

test('one read is too few, and so is one by another caller, or of what another command was run on', () => {
  expect(rulings([isThere, isThere, queued([read('made', 404)])])).toEqual([]);
  const byOther = [read('made', 404), { ...read('again', 404), as: 'peer' }];
  expect(rulings([isThere, isThere, queued(byOther)])).toEqual([]);
  const closed: Line = { id: 'b', status: 200, operation: 'closeCase', on: 'a', result: 'case_9' };
  expect(rulings([isThere, isThere, [...isNever.slice(0, 1), closed, ...isNever.slice(1)]])).toEqual([]);
});

test('a command that is not queued is for the read by its ID', () => {
  expect(rulings([isThere, isThere, queued(isNever.slice(1), { status: 201 })])).toEqual([]);
});
