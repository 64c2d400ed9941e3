import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { deleted } from './removal.ts';

const context = makeContext({
  contract,
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

const record: JsonObject = { id: 'case_7', status: 'open', subject: 's' };
const other: JsonObject = { ...record, id: 'case_8' };

/** A deletion, and what pages of the list show behind it: the whole list first, then small pages. */
function rulings(...pages: readonly (readonly JsonObject[] | number)[]): readonly string[] {
  return rulingsOf(record, ...pages);
}

function rulingsOf(
  shown: JsonObject,
  ...pages: readonly (readonly JsonObject[] | number)[]
): readonly string[] {
  const read = (id: 'before' | 'after', status: number): Line => ({
    ...{ id, observes: id, operation: 'getCase', on: 'made', role: 'readback', status },
    body: status === 200 ? shown : {},
  });
  const all = trace([
    { id: 'made', role: 'setup', status: 201, result: 'case_7' },
    read('before', 200),
    { id: 'wipe', operation: 'wipeCase', on: 'made', role: 'test', status: 204 },
    read('after', 404),
    ...pages.map(
      (items, index): Line => ({
        ...{ id: `page-${index}`, observes: index === 0 ? 'list-after' : 'removed-page' },
        ...{ operation: 'listCases', role: 'readback', status: typeof items === 'number' ? items : 200 },
        body: typeof items === 'number' ? {} : { items: [...items], nextCursor: index === 0 ? null : 'more' },
      }),
    ),
  ]);
  const stepOf = new Map(all.exchanges.map(({ id, step }) => [id, step]));
  return [...deleted(context, all)].map(
    ({ exchanges, verdict }) => `${verdict} ${exchanges.map((id) => stepOf.get(id)).join(' ')}`,
  );
}

const on = 'wipe before after';

test('no page of a list shows what was deleted', () => {
  expect(rulings([other], [other], [other])).toEqual([`holds ${on} page-0`]);
  expect(rulings([record, other])).toEqual([`violated ${on} page-0`]);
  expect(rulings([other], [other], [record])).toEqual([`violated ${on} page-2`]);
  expect(rulings([other], [record], [other])).toEqual([`violated ${on} page-1`]);
});

test('a page may show it as deleted, or not be there', () => {
  expect(rulings([other], [other], [{ ...record, status: 'deleted' }])).toEqual([`holds ${on} page-0`]);
  expect(rulings([other], [other], 404)).toEqual([`holds ${on} page-0`]);
  expect(rulings(404, 422)).toEqual([`holds ${on}`]);
  expect(rulings(404, [record])).toEqual([`violated ${on} page-1`]);
});

test('a read may have an envelope of any name around what a list shows', () => {
  for (const name of ['payload', 'case_file']) {
    expect(rulingsOf({ [name]: record, took: 3 }, [record, other])).toEqual([`violated ${on} page-0`]);
    expect(rulingsOf({ [name]: record }, [{ ...record, status: 'deleted' }])).toEqual([`holds ${on} page-0`]);
  }
});
