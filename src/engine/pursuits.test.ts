import { describe, expect, test } from 'vitest';
import type { Violation } from '../judge.ts';
import type { Level } from '../model/clause.ts';
import { cellOf, makePursuits } from './pursuits.ts';

const violation = (code: string, operation = 'createCase', level: Level = 'derived'): Violation => ({
  clause: {
    code,
    level,
    text: '',
    source: { where: '', quote: '' },
    test: '',
    violation: '',
    fix: '',
    applies: () => true,
    judges: [],
  },
  ruling: { operation, verdict: 'violated', exchanges: ['x1'], expected: '', actual: '', because: '' },
  passing: false,
});
const absent = violation('RID-3');

describe('a violated cell', () => {
  test('is pursued once, on each operation by itself', () => {
    const { take } = makePursuits();
    expect(take([absent, violation('RID-3', 'closeCase')]).map(cellOf)).toEqual([
      'RID-3 createCase',
      'RID-3 closeCase',
    ]);
    expect(take([absent, violation('RID-1')]).map(cellOf)).toEqual(['RID-1 createCase']);
  });

  test('of an advisory clause is not', () => {
    expect(makePursuits().take([violation('RID-8', 'createCase', 'advisory')])).toEqual([]);
  });

  test('that no repeat showed is pursued in two more situations', () => {
    const { miss, take } = makePursuits();
    const pursued = [1, 2, 3, 4].map(() => {
      const taken = take([absent]).length;
      if (taken > 0) miss('RID-3 createCase');
      return taken;
    });
    expect(pursued).toEqual([1, 1, 1, 0]);
  });

  test('is pursued where it was passed over, if the repeats of the situation that had it were in vain', () => {
    const { confirm, passedOver, reopen, take } = makePursuits<string>();
    expect(take([absent], 'by chance')).toHaveLength(1);
    expect(take([absent], 'each time')).toEqual([]);
    expect(passedOver()).toEqual([]);
    reopen('RID-3 createCase');
    expect(passedOver()).toEqual(['each time']);
    expect(take([absent])).toHaveLength(1);
    confirm('RID-3 createCase');
    expect(passedOver()).toEqual([]);
  });

  test('that was confirmed is left alone, though a repeat of another situation missed it', () => {
    const { confirm, miss, take } = makePursuits();
    take([absent]);
    miss('RID-3 createCase');
    confirm('RID-3 createCase');
    miss('RID-3 createCase');
    expect(take([absent])).toEqual([]);
  });

  test('may be opened again', () => {
    const { reopen, take } = makePursuits();
    take([absent]);
    reopen('RID-3 createCase');
    expect(take([absent])).toEqual([absent]);
  });
});

test('a cell is proved by a repeat, or by one trace', () => {
  const { confirm, proved, take } = makePursuits();
  take([absent]);
  expect(proved('RID-3 createCase')).toBe(false);
  confirm('RID-3 createCase');
  expect(proved('RID-3 createCase')).toBe(true);
  const alone = violation('IDM-8');
  take([{ ...alone, ruling: { ...alone.ruling, conclusive: true } }]);
  expect(proved('IDM-8 createCase')).toBe(true);
  expect(proved('IDM-8 closeCase')).toBe(false);
});
