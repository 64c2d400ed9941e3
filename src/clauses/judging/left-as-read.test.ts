import { expect, test } from 'vitest';
import type { Operation } from '../../model/contract.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { reuse, trace } from '../cases/trace.ts';
import { duplicates } from './duplicates.ts';
import { unmoved } from './left-as-read.ts';

/** What is said of a case that is closed twice under one key, and that nobody reads. */
function saidOf(effect: Operation['effect'], body: string): string | undefined {
  const context = makeContext({
    contract: {
      ...contract,
      operations: contract.operations.map((one) => (one.id === 'closeCase' ? { ...one, effect } : one)),
    },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const close = { operation: 'closeCase', on: 'made', key: 'key', status: 200, body: JSON.parse(body) };
  const closed = trace([
    { id: 'made', role: 'setup', status: 201, result: 'case_7' },
    { ...close, id: 'first' },
    { ...close, id: 'again', role: 'test', deviations: [reuse('first')] },
  ]);
  const [duplicate] = duplicates(context, closed, 'none');
  const ruling = duplicate === undefined ? undefined : unmoved(context, closed, duplicate);
  return ruling === undefined ? undefined : `${ruling.verdict}: ${ruling.because}`;
}

test('a duplicate on a record that nobody read leaves it as it was, as far as IDs show it', () => {
  const unread = 'holds: The record was not read.';
  expect(saidOf({ read: 'getCase', list: undefined, id: '/id' }, '{}')).toBe(unread);
  expect(saidOf(undefined, '{"id":"case_7"}')).toBe(unread);
  expect(saidOf(undefined, '{}')).toBe(
    'not-tested: The result of closeCase has no ID, and the contract names no read that shows what it does: name one in x-governed.effect.',
  );
});
