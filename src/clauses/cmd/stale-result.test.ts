import { expect, test } from 'vitest';
import type { Operation } from '../../model/contract.ts';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { staleResult } from './stale-result.ts';

const record = (schema: JsonObject, lag?: number) =>
  makeContext({
    contract: {
      ...contract,
      operations: contract.operations.map((operation: Operation) =>
        operation.id === 'updateCase'
          ? { ...operation, success: { ...operation.success, schema } }
          : operation.id === 'getCase'
            ? { ...operation, success: { ...operation.success, schema: whole } }
            : operation,
      ),
    },
    declared: parsedDeclaration(lag === undefined ? {} : { G15: { seconds: lag } }),
    principals,
    proven: new Set(['full']),
  });
const whole = { type: 'object', properties: { id: { type: 'string' }, subject: { type: 'string' } } };

type Change = {
  readonly sent?: JsonObject;
  readonly result: JsonObject;
  readonly is?: JsonObject;
  readonly status?: number;
  readonly schema?: JsonObject;
  readonly lag?: number;
};

/** A PATCH of one record, which is read before and after it. */
const rulings = ({ is, lag, result, schema = whole, sent = { subject: 'new' }, status = 200 }: Change) => {
  const shows = (id: string, body: JsonObject): Line => ({
    ...{ id, status: 200, operation: 'getCase', on: 'a', role: 'readback', observes: 'after' },
    body: { id: 'case_7', status: 'open', ...body },
  });
  const lines: readonly Line[] = [
    { id: 'a', role: 'setup', status: 201, result: 'case_7' },
    shows('before', { subject: 'old', seats: 3 }),
    {
      ...{ id: 'patch', status, operation: 'updateCase', on: 'a', sent: JSON.stringify(sent) },
      body: { id: 'case_7', status: 'open', ...result },
    },
    shows('after', is ?? { subject: 'new', seats: 3 }),
  ];
  return [...staleResult(record(schema, lag), trace(lines))].map(({ verdict }) => verdict);
};

test('the result shows the record as it was before the command that changed it', () => {
  expect(rulings({ result: { subject: 'old', seats: 3 } })).toEqual(['violated']);
  expect(rulings({ result: { subject: 'new', seats: 3 } })).toEqual([]);
});

test.each<[string, Change]>([
  [
    'one of two changes',
    {
      sent: { subject: 'new', seats: 4 },
      result: { subject: 'new', seats: 3 },
      is: { subject: 'new', seats: 4 },
    },
  ],
  ['nothing of what changed', { result: { seats: 3 } }],
  ['the record as the read shows it, too', { result: { subject: 'old' }, is: { subject: 'old', seats: 3 } }],
  ['what is queued', { result: { subject: 'old', seats: 3 }, status: 202 }],
  [
    'another document',
    { result: { subject: 'old' }, schema: { type: 'object', properties: { subject: { type: 'string' } } } },
  ],
  ['what reads see, which lag behind', { result: { subject: 'old', seats: 3 }, lag: 2 }],
  ['any document', { result: { subject: 'old' }, schema: {} }],
])('it shows %s: nothing is violated', (_, change) => {
  expect(rulings(change)).toEqual([]);
});
