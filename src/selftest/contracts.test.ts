import { expect, test } from 'vitest';
import { operationsFor } from './contracts.ts';

test('a fault is tried on the fewest operations on which all that it breaks passed', () => {
  const passed = ['IDM-4/a', 'IDM-4/b', 'IDM-6/b', 'IDM-6/c', 'VER-1/d'];
  expect(operationsFor(['IDM-4', 'IDM-6'], passed, 7)).toEqual(['b']);
  expect(operationsFor(['IDM-4', 'VER-1'], passed, 0)).toEqual(['a', 'd']);
  expect(operationsFor(['IDM-4', 'VER-1'], passed, 1)).toEqual(['b', 'd']);
});
