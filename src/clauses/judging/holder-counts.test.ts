import { expect, test } from 'vitest';
import type { Operation } from '../../model/contract.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { isOfCommand } from './holder-counts.ts';
import { seen } from './reading.ts';

/** Whether a number of the record that holds parts is that of what `addPart` makes, where its result names the ID so. */
function isOf(idAt: string, at: string, step = 1, sent?: string): boolean {
  const named = (one: Operation): Operation => (one.id === 'addPart' ? { ...one, idAt } : one);
  const context = makeContext({
    contract: { ...contract, operations: contract.operations.map(named) },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const made: Line = { id: 'made', role: 'setup', status: 201, result: 'case_7' };
  const first: Line = {
    id: 'first',
    role: 'control',
    status: 201,
    operation: 'addPart',
    on: 'made',
    key: 'key',
    ...(sent === undefined ? {} : { operation: 'addStep', sent }),
  };
  const look: Line = {
    id: 'look',
    role: 'readback',
    observes: 'holder',
    operation: 'getCase',
    on: 'made',
    status: 200,
  };
  const [, one, holder] = seen(context, trace([made, first, look]));
  return one !== undefined && holder !== undefined && isOfCommand(one, holder, at, step);
}

test.each<[string, string]>([
  ['/entryId', '/entryCount'],
  ['/data/entry_id', '/state/entry_count'],
  ['/entryID', '/openEntryCount'],
  ['/reviewId', '/reviewCount'],
  ['/threadId', '/openThreads'],
  ['/id', '/partCount'],
])('where the ID is at %s, %s counts what the command makes', (idAt, at) => {
  expect(isOf(idAt, at)).toBe(true);
});

test.each<[string, string, number?]>([
  ['/id', '/entryCount'],
  ['/valid', '/valCount'],
  ['/entryId', '/entryRequests'],
  ['/entryId', '/visits'],
  ['/visitId', '/visitCount'],
  ['/requestId', '/requestCount'],
  ['/entryId', '/entryCount', 3],
])('where the ID is at %s, %s may count something else', (idAt, at, step) => {
  expect(isOf(idAt, at, step)).toBe(false);
});

test.each<[string, string, number, boolean]>([
  ['{"hours":3}', '/hours', 3, true],
  ['{"line":{"hours":3}}', '/state/hours', -3, true],
  ['{"hours":3}', '/hours', 4, false],
  ['{"hours":1}', '/hours', 1, false],
  ['{"amount":3}', '/hours', 3, false],
])('where %s was sent, %s is moved by %s: %s', (sent, at, step, expected) => {
  expect(isOf('/id', at, step, sent)).toBe(expected);
});

test('what makes a record of a list is named at the end of its path, where its body names what holds it', () => {
  const context = makeContext({
    contract: {
      ...contract,
      operations: contract.operations.map((one) =>
        one.id === 'addPart' ? { ...one, path: '/v2/permits', pathFields: [], idAt: '/permitNo' } : one,
      ),
    },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const [, one, holder] = seen(
    context,
    trace([
      { id: 'made', role: 'setup', status: 201, result: 'case_7' },
      { id: 'first', role: 'control', status: 201, operation: 'addPart', on: 'made', key: 'key' },
      {
        ...{ id: 'look', role: 'readback', observes: 'holder', operation: 'getCase' },
        ...{ on: 'made', status: 200 },
      },
    ]),
  );
  const isCount = (at: string): boolean =>
    one !== undefined && holder !== undefined && isOfCommand(one, holder, at, 1);
  expect(['/permitCount', '/permitRequests', '/partCount'].map(isCount)).toEqual([true, false, false]);
});
