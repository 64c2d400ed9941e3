import { expect, test } from 'vitest';
import { type Comparison, comparisonOf } from './comparison.ts';

test.each<[string, string, Comparison]>([
  ['status', '/status', 'equal'],
  ['createdFrom', '/createdAt', 'least'],
  ['created_after', '/createdAt', 'least'],
  ['min_price', '/price', 'least'],
  ['price[gte]', '/price', 'least'],
  ['createdTo', '/createdAt', 'most'],
  ['before', '/createdAt', 'most'],
  ['maxPrice', '/price', 'most'],
  ['amount.lt', '/amount', 'most'],
  ['validFrom', '/validFrom', 'equal-or-least'],
  ['valid_from', '/validFrom', 'equal-or-least'],
  ['from', '/from', 'equal-or-least'],
  ['to', '/period/to', 'equal-or-most'],
  ['tone', '/tone', 'equal'],
  ['assignedTo', '/assigneeId', 'equal'],
  ['total', '/sum', 'equal'],
  ['q', '/subject', 'words'],
  ['subject_contains', '/subject', 'words'],
  ['text', '/text', 'equal'],
  ['title', '/title', 'equal'],
])('%s of %s compares by %s', (name, filters, expected) =>
  expect(comparisonOf({ name, filters })).toBe(expected),
);
