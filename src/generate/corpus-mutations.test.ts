import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Json, type JsonPointer, type JsonSchema, pointerOf, pointerTokens, valueAt } from './json.ts';
import { invalidArbitraryOf, invalidValuesOf, type Mutation } from './mutations.ts';
import { study } from './study.ts';
import type { Validator } from './validator.ts';
import { validValuesOf } from './values.ts';

type Entry = { readonly name: string; readonly schema: JsonSchema };
const corpus: readonly Entry[] = JSON.parse(readFileSync(new URL('./corpus.json', import.meta.url), 'utf8'));

/** Schemas that allow everything at their root: nothing of their smallest value can be broken. */
const UNBREAKABLE = ['json value', 'whole body is anything'];
/** Keywords whose pointer may be of a member that is not there. */
const MISSING = ['required', 'dependentRequired'];

function parentOf(pointer: JsonPointer): JsonPointer {
  return pointerOf(pointerTokens(pointer).slice(0, -1));
}

function expectSingleFault(schema: JsonSchema, check: Validator, mutation: Mutation): void {
  const { value, pointer, keyword, schemaPointer, describes } = mutation;
  const said = `${pointer} ${keyword} ${JSON.stringify(value)}`;
  const errors = check(value);
  expect(errors, said).not.toEqual([]);
  expect(
    errors.some((error) => error.pointer === pointer),
    said,
  ).toBe(true);
  const branching = errors.some((error) => ['anyOf', 'oneOf', 'if'].includes(error.keyword));
  if (!branching && keyword !== 'contains' && !keyword.startsWith('unevaluated')) {
    expect(new Set(errors.map((error) => error.pointer)), said).toEqual(new Set([pointer]));
  }
  if (MISSING.includes(keyword)) {
    expect(valueAt(value, pointer), said).toBeUndefined();
    expect(valueAt(value, parentOf(pointer)), said).toBeDefined();
  } else {
    expect(valueAt(value, pointer), said).toBeDefined();
  }
  const owner: Json | undefined = typeof schema === 'boolean' ? schema : valueAt(schema, schemaPointer);
  expect(owner, `${said} at ${schemaPointer}`).toBeDefined();
  expect(describes.length).toBeGreaterThan(5);
}

describe('every mutation of the smallest value, and random ones, break one keyword at one place', () => {
  test.each(corpus)('$name', ({ name, schema }) => {
    const made = study(schema, { formats: 'assert' });
    if ('failure' in made) throw new Error(made.failure.why);
    const values = validValuesOf(made);
    if (values.kind !== 'supported') throw new Error(JSON.stringify(values));
    const check = made.compiled.validate;
    const { mutations } = invalidValuesOf(made, values.smallest);
    const random = invalidArbitraryOf(made);
    if (UNBREAKABLE.includes(name)) {
      expect(mutations).toEqual([]);
      expect(random).toBeUndefined();
      return;
    }
    expect(mutations.length).toBeGreaterThan(0);
    if (random === undefined) throw new Error('no random mutations');
    for (const mutation of mutations) expectSingleFault(schema, check, mutation);
    for (const mutation of fc.sample(random, { seed: 5, numRuns: 10 }))
      expectSingleFault(schema, check, mutation);
  });
});
