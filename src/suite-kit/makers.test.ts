import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { type Operation, operationOf } from '../model/contract.ts';
import { planningOf } from '../testing/plans.ts';
import { makerOf } from './makers.ts';

test('a list within a record is filled by a command that makes several there at once', () => {
  const operations = contract.operations.filter(({ id }) => id !== 'addPart');
  const planning = planningOf({ ...contract, operations });
  expect(makerOf(planning, operationOf(planning.contract, 'listParts'))?.id).toBe('addParts');
});

test('what HEAD asks for is made by the command that makes what GET shows there', () => {
  const asked = { ...operationOf(contract, 'getCase'), id: 'headCase', method: 'HEAD' };
  const planning = planningOf({ ...contract, operations: [...contract.operations, asked] });
  expect(makerOf(planning, asked)?.id).toBe('createCase');
});

test('a PUT to a path makes what a read of the path shows, but for a list or what a POST adds to', () => {
  const list = operationOf(contract, 'listNotes');
  const one = { ...list, pagination: undefined };
  const post = operationOf(contract, 'createNote');
  const put = { ...post, id: 'putNotes', method: 'PUT' };
  const makerAmong = (read: Operation, ...commands: readonly Operation[]): string | undefined =>
    makerOf(planningOf({ ...contract, operations: [read, ...commands] }), read)?.id;
  expect(makerAmong(one, put)).toBe('putNotes');
  expect(makerAmong(list, put)).toBeUndefined();
  expect(makerAmong(one, put, post)).toBeUndefined();
});
