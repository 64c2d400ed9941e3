import { expect, test } from 'vitest';
import type { Operation } from '../../model/contract.ts';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { changed } from '../judging/changes.ts';
import { contradicted } from './contradicted.ts';

const whole: JsonObject = { type: 'object', properties: { tags: { type: 'array' } } };

type Set = {
  readonly was: JsonObject;
  readonly sent: JsonObject;
  readonly result?: JsonObject;
  readonly is: JsonObject;
  readonly schema?: JsonObject;
  readonly path?: string;
  readonly method?: Operation['method'];
  readonly status?: number;
};

/** What belongs to a case is set under a path of its own, and read there before and after. */
const setting = ({ path = '/cases/{caseId}/tags', schema = whole, method = 'PUT' }: Partial<Set>) =>
  makeContext({
    contract: {
      ...contract,
      operations: contract.operations.map((operation) =>
        operation.id === 'getCase'
          ? { ...operation, path, success: { ...operation.success, schema: whole } }
          : operation.id === 'closeCase'
            ? {
                ...operation,
                ...{ method, path, effect: { read: 'getCase', list: undefined, id: '/id' } },
                success: { ...operation.success, schema },
              }
            : operation,
      ),
    },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });

const traceOf = ({ is, result, sent, status = 200, was }: Set, id = 't') => {
  const shows = (observes: 'before' | 'after', body: JsonObject): Line => ({
    ...{ id: observes, status: 200, operation: 'getCase', on: 'a', role: 'readback', observes, body },
  });
  const made = trace(
    [
      { id: 'a', role: 'setup', status: 201, result: 'case_7' },
      shows('before', was),
      {
        ...{ id: 'put', status, operation: 'closeCase', on: 'a', role: 'test' },
        ...{ sent: JSON.stringify(sent), body: result ?? sent },
      },
      shows('after', is),
    ],
    { id },
  );
  const placed = made.exchanges.map((one) =>
    one.operation === 'createCase'
      ? one
      : { ...one, request: { ...one.request, path: '/cases/case_7/tags' } },
  );
  return { ...made, exchanges: placed };
};

const rulings = (one: Set) =>
  [...changed(setting(one), traceOf(one))].map(({ verdict }) => verdict).join(' ');

const [none, one, two] = [[], ['a'], ['b', 'c']].map((tags): JsonObject => ({ tags }));

test('a PUT of the one value that belongs to a record stores what its result shows', () => {
  expect(rulings({ was: one ?? {}, sent: two ?? {}, is: one ?? {} })).toBe('violated');
  expect(rulings({ was: one ?? {}, sent: none ?? {}, is: one ?? {} })).toBe('violated');
  expect(rulings({ was: one ?? {}, sent: two ?? {}, is: two ?? {} })).toBe('holds');
});

test.each<[string, Partial<Set>]>([
  ['the result is that of another document', { schema: { type: 'object' } }],
  ['the result shows it as it was', { result: one ?? {} }],
  ['it is what the record had', { sent: one ?? {} }],
  ['it is an action', { method: 'POST' }],
  ['it is only queued', { status: 202 }],
  ['it may wait for a confirmation', { path: '/cases/{caseId}/emails' }],
])('nothing is known where %s', (_, parts) => {
  expect(rulings({ was: one ?? {}, sent: two ?? {}, is: one ?? {}, ...parts })).toBe('inconclusive');
});

test('what a read stores of such a value for one record, it stores for another', () => {
  const found = (parts: Partial<Set>): readonly string[] => {
    const fold = contradicted();
    const sets: readonly Set[] = [
      { was: none ?? {}, sent: one ?? {}, is: one ?? {} },
      { was: none ?? {}, sent: two ?? {}, is: { tags: ['b'] } },
    ];
    return sets.flatMap((each, index) =>
      [...fold.see(setting(parts), traceOf({ ...each, ...parts }, `t${index}`))].map(
        ({ verdict }) => `t${index} ${verdict}`,
      ),
    );
  };
  expect(found({})).toEqual(['t1 violated']);
  expect(found({ schema: { type: 'object' } })).toEqual([]);
});
