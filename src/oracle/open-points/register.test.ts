import { expect, test } from 'vitest';
import { contextOf } from '../../clauses/cases/judged.ts';
import { again, first } from '../../clauses/cases/repeats.ts';
import { contradicted } from '../../clauses/cases/sight.ts';
import { negative, type Part, reuse, trace } from '../../clauses/cases/trace.ts';
import type { Context } from '../../model/clause.ts';
import type { Operation } from '../../model/contract.ts';
import type { Json } from '../../model/json.ts';
import { makeContext } from '../context.ts';
import { openPointOf, sightsOf } from './register.ts';

test('what says nothing about declarations contradicts none', () => {
  expect(contradicted('G1', 'replay', [first, again(201, { result: 'case_2' })])).toEqual([undefined]);
  expect(contradicted('G2', 422, negative({ kind: 'key', how: 'absent' }, 201, { key: 'none' }))).toEqual([
    undefined,
  ]);
  expect(
    contradicted('G18', 'caller', [
      first,
      again(403, { as: 'peer', deviations: [reuse('first', 'caller')] }),
    ]),
  ).toEqual([undefined]);
  // The owner was refused as well, so the 404 may have another cause.
  const both = negative({ kind: 'scope' }, 404, { operation: 'closeCase', on: 'first' }, { status: 404 });
  expect(contradicted('G9', 403, [first, ...both])).toEqual([undefined]);
  const redirected = negative({ kind: 'scope' }, 404, { operation: 'closeCase' }, { status: 300 });
  expect(contradicted('G9', 403, [...redirected])).toEqual([undefined]);
  expect(contradicted('G1', 'replay', [first, again(409), { id: 'c', controls: '*', status: 199 }])).toEqual([
    undefined,
  ]);
});

test('every point at once where none is named', () => {
  const shown = [...sightsOf(contextOf(), trace([first, again(201)]))];
  expect(shown.map(({ point, one }) => `${point} ${one.step.id}`)).toEqual([
    'G17 first',
    'G1 again',
    'G3 again',
  ]);
});

test('a point is found by its code', () => {
  expect(openPointOf('G14')?.clauses).toEqual(['VAL-13', 'VAL-14', 'VAL-6']);
  expect(openPointOf('G20')).toBeUndefined();
});

test('an accepted fault contradicts, whatever became of its control', () => {
  const strange = negative({ kind: 'unknown-member', at: '/strange' }, 201, {}, { status: 422 });
  expect(contradicted('G7', 'refuse', strange)).toEqual([true]);
  const syntax = negative({ kind: 'body-syntax' }, 400, {}, { status: 422 });
  expect(contradicted('G14', 415, syntax)).toEqual([undefined]);
});

test('ids and versions are where the contract says', () => {
  const context = contextOf();
  const having = (more: Partial<Operation>): Context => {
    const operations = context.contract.operations.map((each) => ({ ...each, ...more }));
    return makeContext({ ...context, contract: { ...context.contract, operations } });
  };
  const answer = (id: string): Json => ({ id: 'case_1', result: { id } });
  const parts = [{ ...first, body: answer('a') }, again(201, { body: answer('b') })];
  const observed = (one: Context, point: string, lines: readonly Part[]): readonly string[] =>
    [...sightsOf(one, trace(lines))].flatMap((each) => (each.point === point ? [each.sight.text] : []));
  expect(observed(having({ effect: undefined }), 'G1', parts)).toEqual(['2xx with the same ID']);
  expect(
    observed(having({ effect: { read: undefined, list: undefined, id: '/result/id' } }), 'G1', parts),
  ).toEqual(['2xx with another ID']);
  const carried = having({
    version: {
      carrier: { in: 'body', at: '/version' },
      source: { operation: 'getCase', in: 'body', at: '/version' },
      neutral: false,
    },
  });
  const stale = negative({ kind: 'version', how: 'stale' }, 409, { operation: 'updateCase' });
  expect(observed(carried, 'G6', stale)).toEqual(['body /version, stale: 409']);
});
