import { makeBuilder } from './builder.ts';
import { evaluator } from './evaluation.ts';
import { expansion } from './expansion.ts';
import type { Json, JsonSchema } from './json.ts';
import { schemaIndex } from './references.ts';
import type { Builder, Unsupported } from './source.ts';
import { type Compiled, compiled, type SchemaOptions } from './validator.ts';

export type StudyOptions = SchemaOptions & {
  /** Levels of nesting below which only required members and items are written (5). */
  readonly maxDepth?: number;
};

/** A schema made ready for generating: compiled and indexed once, for any number of values. */
export type Study = {
  readonly builder: Builder;
  readonly compiled: Compiled;
  readonly assertsFormats: boolean;
  readonly notes: readonly Unsupported[];
  /** Whether nothing can satisfy the schema, by its own words. */
  readonly contradictory: boolean;
  /** Whether ajv and the second reading both accept a value. */
  readonly valid: (value: Json) => boolean;
};

const DEPTH = 5;

/** Compiles a schema (milliseconds) and indexes it; a failure where ajv cannot compile it. */
export function study(
  schema: JsonSchema,
  options: StudyOptions = {},
): Study | { readonly failure: Unsupported } {
  const copy: JsonSchema = JSON.parse(JSON.stringify(schema));
  const notes: Unsupported[] = [];
  try {
    const ajv = compiled(schema, options);
    const index = schemaIndex(copy, options.remotes, ajv.lookup);
    const evaluate = evaluator(index, options.formats === 'assert' ? ajv.hasFormat : () => true);
    const expand = expansion(index);
    return {
      builder: makeBuilder(index, evaluate, expand, options.maxDepth ?? DEPTH, notes),
      compiled: ajv,
      assertsFormats: options.formats === 'assert',
      notes,
      contradictory: copy === false || expand.expand([index.root]).length === 0,
      valid: (value) => ajv.valid(value) && evaluate.holds(index.root, value),
    };
  } catch (error) {
    return {
      failure: { at: '', keyword: '$schema', why: error instanceof Error ? error.message : String(error) },
    };
  }
}
