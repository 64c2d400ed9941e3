import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { operationOf } from '../model/contract.ts';
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
