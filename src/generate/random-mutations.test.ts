import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonSchema } from './json.ts';
import { invalidArbitrary } from './mutations.ts';
import { validator } from './validator.ts';

describe('random mutations', () => {
  const schema: JsonSchema = {
    type: 'object',
    required: ['v'],
    properties: {
      v: { type: 'array', items: { type: 'string', minLength: 2, maxLength: 40 }, maxItems: 4 },
      n: { type: 'integer', minimum: 0 },
    },
  };

  test('are invalid, varied, and the same for the same seed', () => {
    const arbitrary = invalidArbitrary(schema);
    if (arbitrary === undefined) throw new Error('no mutations');
    const check = validator(schema);
    const drawn = fc.sample(arbitrary, { seed: 8, numRuns: 300 });
    for (const { value: body } of drawn) expect(check(body)).not.toEqual([]);
    expect(new Set(drawn.map(({ keyword }) => keyword))).toEqual(
      new Set(['type', 'required', 'minLength', 'maxLength', 'maxItems', 'minimum']),
    );
    expect(fc.sample(arbitrary, { seed: 8, numRuns: 300 })).toEqual(drawn);
  });

  test('shrink towards small bodies', () => {
    const arbitrary = invalidArbitrary(schema);
    if (arbitrary === undefined) throw new Error('no mutations');
    const result = fc.check(
      fc.property(arbitrary, ({ keyword }) => keyword !== 'minimum'),
      { seed: 4, numRuns: 1_000 },
    );
    expect(result.counterexample?.[0]).toMatchObject({ pointer: '/n', value: { v: [], n: -1 } });
  });

  test('are not there where nothing can be broken', () => {
    expect(invalidArbitrary(true)).toBeUndefined();
    expect(invalidArbitrary(false)).toBeUndefined();
  });
});
