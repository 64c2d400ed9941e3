import type { Json, JsonSchema } from '../json.ts';
import { invalidValues } from '../mutations.ts';

/** Of a valid body the mutations that break the keywords, one line each: where, what is wrong, the invalid body. */
export type Case = readonly [
  keywords: string,
  schema: JsonSchema,
  base: Json,
  /** The first ones, or none at all. */
  mutations: readonly string[],
];

export function linesOf([keywords, schema, base, mutations]: Case): readonly string[] {
  return invalidValues(schema, base, { formats: 'assert' })
    .mutations.filter(({ keyword }) => keywords.split(', ').includes(keyword))
    .map(({ pointer, describes, value }) => `${pointer} ${describes}: ${JSON.stringify(value)}`)
    .slice(0, Math.max(1, mutations.length));
}
