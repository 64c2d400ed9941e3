import { expect, test } from 'vitest';
import { operationOf } from '../../model/contract.ts';
import { exchange } from '../../testing/literal-run.ts';
import { contract, createCase } from '../cases/contract.ts';
import { mayBeOwnResult } from './own-result.ts';

const claim = {
  ...createCase,
  id: 'claimCase',
  path: '/cases/claim',
  success: { ...createCase.success, status: 200 },
};
const elsewhere = { ...claim, path: '/next-case' };
const note = { ...claim, path: '/notes', success: { ...claim.success, schema: { type: 'object' } } };
const close = operationOf(contract, 'closeCase');

const sent = (operation: typeof close, status: number, record: object, path = operation.path) => {
  const body = JSON.stringify(record);
  return {
    operation,
    exchange: exchange({
      operation: operation.id,
      request: { method: 'POST', path, headers: [], body: undefined },
      answer: { status, headers: [], body, bodyBytes: body.length, truncated: false },
    }),
  };
};
const made = { id: 'case_7', status: 'open' };
const claimed = { id: 'case_7', status: 'closed' };
const first = sent(createCase, 201, made);

test.each([
  ['a command of the collection takes what was made', sent(claim, 200, claimed), true],
  ['it shows it as it was', sent(claim, 200, made), true],
  ['a command elsewhere takes what was made', sent(elsewhere, 200, claimed), true],
  ['the record is the target', sent(close, 200, claimed, '/cases/case_7/close'), true],
  ['a stored result, with the status of the first', sent(claim, 201, made), false],
  ['the target, with the result of the first', sent(close, 201, made, '/cases/case_7/close'), false],
  ['another target', sent(close, 200, claimed, '/cases/case_8/close'), false],
  ['a command that makes records of another kind', sent(note, 200, made), false],
])('%s', (_, again, may) => {
  expect(mayBeOwnResult(first, again, 'case_7')).toBe(may);
});
