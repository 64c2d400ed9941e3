import type { Json, JsonSchema } from '../json.ts';
import { invalidValues, type Mutation } from '../mutations.ts';

/** The single-fault mutations of a body, with formats asserted. */
export function mutationsOf(schema: JsonSchema, base: Json): readonly Mutation[] {
  return invalidValues(schema, base, { formats: 'assert' }).mutations;
}

export const value = (member: JsonSchema, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema => ({
  type: 'object',
  required: ['v'],
  properties: { v: member, ...more },
});
