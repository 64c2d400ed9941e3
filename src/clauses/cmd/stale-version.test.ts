import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { staleVersion } from './stale-version.ts';

type Version = { readonly tag?: string; readonly version?: string };
type Change = {
  readonly was?: Version;
  readonly result: Version;
  readonly is?: Version;
  readonly subject?: string;
  readonly status?: number;
  readonly lag?: number;
  readonly path?: string;
};

/** A PATCH of one record with a version, in a header or in the body, which is read before and after it. */
const rulings = ({
  is = { tag: '"2"' },
  lag,
  path,
  result,
  status = 200,
  subject = 'new',
  was = { tag: '"1"' },
}: Change) => {
  const context = makeContext({
    contract: {
      ...contract,
      operations: contract.operations.map((operation) =>
        operation.id === 'updateCase' && path !== undefined ? { ...operation, path } : operation,
      ),
    },
    declared: parsedDeclaration(lag === undefined ? {} : { G15: { seconds: lag } }),
    principals,
    proven: new Set(['full']),
  });
  const of = ({ tag, version }: Version, body: JsonObject): Pick<Line, 'body' | 'headers'> => ({
    body: { id: 'case_7', ...body, ...(version === undefined ? {} : { version }) },
    headers: tag === undefined ? [] : [['ETag', tag]],
  });
  const reads = (id: string, shown: Version, text: string): Line => ({
    ...{ id, status: 200, operation: 'getCase', on: 'a', role: 'readback', observes: 'after' },
    ...of(shown, { subject: text }),
  });
  const lines: readonly Line[] = [
    { id: 'a', role: 'setup', status: 201, result: 'case_7' },
    reads('before', was, 'old'),
    {
      ...{ id: 'patch', status, operation: 'updateCase', on: 'a', role: 'test' },
      sent: '{"subject":"new"}',
      ...of(result, { subject: 'new' }),
    },
    reads('after', is, subject),
  ];
  return [...staleVersion(context, trace(lines))].map(({ verdict }) => verdict);
};

test('the result has the version that the record had before the command', () => {
  expect(rulings({ result: { tag: '"1"' } })).toEqual(['violated']);
  const counted = { was: { version: '1' }, is: { version: '2' } };
  expect(rulings({ ...counted, result: { version: '1' } })).toEqual(['violated']);
  expect(rulings({ ...counted, result: { version: '2' } })).toEqual([]);
  expect(rulings({ result: { tag: '"2"' } })).toEqual([]);
});

test.each<[string, Change]>([
  ['no version', { result: {} }],
  ['a version of its own', { result: { tag: '"x"' } }],
  ['the version that the record keeps', { result: { tag: '"1"' }, is: { tag: '"1"' } }],
  ['an old version of a record that does not show the change', { result: { tag: '"1"' }, subject: 'old' }],
  ['an old version of what is queued', { result: { tag: '"1"' }, status: 202 }],
  ['what reads see, which lag behind', { result: { tag: '"1"' }, lag: 2 }],
  ['the version of another resource', { result: { tag: '"1"' }, path: '/cases/{caseId}/subject' }],
])('the result has %s: nothing is violated', (_, change) => {
  expect(rulings(change)).toEqual([]);
});
