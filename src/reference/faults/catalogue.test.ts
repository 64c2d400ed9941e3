import { expect, test } from 'vitest';
import { clauses } from '../../clauses/catalogue.ts';
import { faults, unshown } from './catalogue.ts';

test('every fault has an ID of its own, and names clauses that there are', () => {
  expect(new Set(faults.map((fault) => fault.id)).size).toBe(faults.length);
  const known = new Set(clauses.map((clause) => clause.code));
  for (const fault of faults)
    for (const code of [...fault.breaks, ...fault.also])
      expect([fault.id, code, known.has(code)]).toEqual([fault.id, code, true]);
});

test('every clause has a fault that breaks it, or the reason why none can', () => {
  const broken = new Set(faults.flatMap((fault) => fault.breaks));
  const without = clauses.filter((clause) => !broken.has(clause.code) && unshown[clause.code] === undefined);
  expect(without.map((clause) => clause.code)).toEqual([]);
  for (const code of Object.keys(unshown))
    expect(clauses.find((clause) => clause.code === code)?.level).toBe('advisory');
});
