import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonSchema } from './json.ts';
import { invalidArbitraryOf, invalidValuesOf } from './mutations.ts';
import { type StudyOptions, study } from './study.ts';
import { validValuesOf } from './values.ts';

type Example = { readonly description: string; readonly data: Json; readonly valid: boolean };
type Group = {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly Example[];
};
type Case = Group & { readonly file: string };

const SEEDS = [1, 2, 3];
const VALUES = 10;

/**
 * Examples on which ajv or the formats of ajv-formats differ from the suite, or which need another
 * vocabulary: the second reading has to agree with the suite on all others.
 */
const OTHER_RULES =
  /optional\/(format\/|dependencies-compatibility|format-assertion|cross-draft)|vocabulary\.json/;

/** The official JSON Schema Test Suite (draft 2020-12): every group of its files, one to a line. */
const official: {
  readonly remotes: Readonly<Record<string, JsonSchema>>;
  readonly cases: readonly Case[];
} = JSON.parse(
  readFileSync(
    new URL('../../fixtures/schemas/json-schema-test-suite/draft2020-12.json', import.meta.url),
    'utf8',
  ),
);
const { cases } = official;
const remotes = Object.fromEntries(
  Object.entries(official.remotes).map(([path, schema]) => [
    `http://localhost:1234/draft2020-12/${path}`,
    schema,
  ]),
);

/** Remotes only for those that refer to them: ajv compiles every one it is given. */
function optionsOf({ file, schema }: Case): StudyOptions {
  const formats = /optional\/format(\/|-assertion)/.test(file) ? 'assert' : 'annotate';
  return JSON.stringify(schema).includes('localhost:1234') ? { remotes, formats } : { formats };
}

describe('the official JSON Schema Test Suite', () => {
  const counts = { satisfiable: 0, supported: 0, ajvDiffers: 0, mutations: 0, broken: 0 };
  const missed: string[] = [];
  const files = [...new Set(cases.map(({ file }) => file))];

  test.each(files)('%s', (file) => {
    for (const group of cases.filter((one) => one.file === file)) tryGroup(group);
  });

  function tryGroup(group: Case): void {
    const name = `${group.file}: ${group.description}`;
    const options = optionsOf(group);
    const satisfiable = group.tests.some(({ valid }) => valid);
    if (satisfiable) counts.satisfiable++;
    const made = study(group.schema, options);
    if ('failure' in made) {
      if (satisfiable) missed.push(`${name} (${made.failure.why})`);
      return;
    }
    const { builder, compiled } = made;
    if (group.tests.some(({ data, valid }) => compiled.valid(data) !== valid)) counts.ajvDiffers++;
    if (!OTHER_RULES.test(group.file)) {
      for (const { data, valid, description } of group.tests) {
        expect(builder.evaluator.holds(builder.index.root, data), `${name}: ${description}`).toBe(valid);
      }
    }
    const values = validValuesOf(made);
    if (values.kind !== 'supported') {
      if (satisfiable) missed.push(`${name} (${values.notes.map(({ why }) => why).join('; ')})`);
      return;
    }
    if (satisfiable) counts.supported++;
    const check = compiled.validate;
    expect(check(values.smallest), name).toEqual([]);
    for (const seed of SEEDS) {
      for (const value of fc.sample(values.arbitrary, { seed, numRuns: VALUES }))
        expect(check(value), name).toEqual([]);
    }
    const { mutations } = invalidValuesOf(made, values.smallest);
    counts.mutations += mutations.length;
    if (mutations.length > 0) counts.broken++;
    for (const { value } of mutations) expect(check(value), name).not.toEqual([]);
    const invalid = invalidArbitraryOf(made);
    if (invalid === undefined) return;
    for (const { value } of fc.sample(invalid, { seed: 4, numRuns: VALUES }))
      expect(check(value), name).not.toEqual([]);
  }

  test('at least 95 % of the satisfiable schemas are supported', () => {
    const share = counts.supported / counts.satisfiable;
    console.info(
      `official suite: ${counts.supported} of ${counts.satisfiable} satisfiable schemas supported (${(100 * share).toFixed(1)} %), ` +
        `${counts.mutations} mutations of ${counts.broken} schemas; ajv differs from the suite on ${counts.ajvDiffers} schemas.\n` +
        `Not supported:\n${missed.map((line) => `  ${line}`).join('\n')}`,
    );
    expect(share).toBeGreaterThanOrEqual(0.95);
  });
});
