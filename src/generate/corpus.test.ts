import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, type JsonSchema } from './json.ts';
import { study } from './study.ts';
import { validator } from './validator.ts';
import { validValuesOf } from './values.ts';

type Entry = { readonly name: string; readonly schema: JsonSchema };
const corpus: readonly Entry[] = JSON.parse(readFileSync(new URL('./corpus.json', import.meta.url), 'utf8'));

test('the corpus has at least 300 schemas, each with a name of its own', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(300);
  expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length);
  expect(new Set(corpus.map(({ schema }) => canonicalJson(schema))).size).toBe(corpus.length);
});

/** Formats that only annotate change little: a part of the corpus shows it. */
const part = corpus.filter((_, position) => position % 5 === 0);

describe.each([
  ['assert', corpus],
  ['annotate', part],
] as const)('with formats as %s', (formats, entries) => {
  test.each(entries)('valid values of: $name', ({ schema }) => {
    const made = study(schema, { formats });
    if ('failure' in made) throw new Error(made.failure.why);
    const values = validValuesOf(made);
    if (values.kind !== 'supported') throw new Error(JSON.stringify(values));
    const check = formats === 'assert' ? made.compiled.validate : validator(schema, { formats: 'assert' });
    expect(check(values.smallest)).toEqual([]);
    for (const seed of [1, 2, 3, 4]) {
      for (const value of fc.sample(values.arbitrary, { seed, numRuns: 15 })) {
        // What is written has the format even where it is only an annotation: valid by either reading.
        expect(check(value), JSON.stringify(value)).toEqual([]);
      }
    }
  });
});
