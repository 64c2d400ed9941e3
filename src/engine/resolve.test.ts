import { expect, test } from 'vitest';
import { trace } from '../clauses/cases/trace.ts';
import { resolve } from './resolve.ts';

/** What leads on from a page that was asked for with this query, and showed so many items. */
function behind(by: 'page' | 'items', query: string, items: number, status = 200): string | undefined {
  const body = { items: Array.from({ length: items }, (_, index) => ({ id: `case_${index}` })) };
  const seen = trace([{ id: 'page-1', operation: 'listCases', status, query, body }]);
  return resolve(seen, { step: 'page-1', behind: by, field: 'at', items: '/items', first: 1 });
}

test('pages are counted on from what was served, not from what was asked for', () => {
  expect(behind('items', 'limit=100', 20)).toBe('20');
  expect(behind('items', 'limit=100&at=20', 20)).toBe('40');
  expect(behind('items', 'limit=100&at=40', 3)).toBe('43');
  expect(behind('page', 'limit=100', 20)).toBe('2');
  expect(behind('page', 'limit=100&at=7', 1)).toBe('8');
});

test('nothing is behind an empty page, or one that was not served', () => {
  expect(behind('items', 'limit=100&at=43', 0)).toBeUndefined();
  expect(behind('page', 'at=8', 0)).toBeUndefined();
  expect(behind('items', 'limit=100', 2, 422)).toBeUndefined();
});
