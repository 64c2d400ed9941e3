import { expect, test } from 'vitest';
import { clauses } from '../clauses/catalogue.ts';
import { declaresSchema } from '../config/declares.ts';
import { isObject } from '../model/json.ts';
import { openPoints } from './open-points/register.ts';

test('nineteen points, each of which can be declared, with clauses that there are', () => {
  expect(openPoints.map((entry) => entry.point)).toEqual(
    Array.from({ length: 19 }, (_, index) => `G${index + 1}`),
  );
  const properties = declaresSchema['properties'];
  expect(isObject(properties) ? Object.keys(properties) : []).toEqual(openPoints.map((entry) => entry.point));
  const known = new Set(clauses.map((clause) => clause.code));
  for (const entry of openPoints)
    for (const code of entry.clauses)
      expect([entry.point, code, known.has(code)]).toEqual([entry.point, code, true]);
});
