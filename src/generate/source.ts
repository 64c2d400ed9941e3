import type fc from 'fast-check';
import type { Evaluator } from './evaluation.ts';
import type { Expansion } from './expansion.ts';
import { isArray, isObject, type Json, type JsonPointer } from './json.ts';
import type { SchemaIndex, SchemaNode } from './references.ts';

export type Source = {
  readonly arbitrary: fc.Arbitrary<Json>;
  readonly smallest: Json;
  /** A value that says more, where there is one: an example of the schema, a list with an item, a number that is not 0. */
  readonly typical?: Json;
  /** Every value, where there are few. */
  readonly all?: readonly Json[];
  /** Whether a value may still break the schema, and must be checked. */
  readonly loose: boolean;
  /** Scalars in a value, about: keeps nested values from growing beyond use. */
  readonly cost: number;
};

export type Unsupported = { readonly at: JsonPointer; readonly keyword: string; readonly why: string };

/** What the writers of the several types share. */
export type Builder = {
  readonly index: SchemaIndex;
  readonly evaluator: Evaluator;
  readonly expansion: Expansion;
  /** Levels below which only what is required is written. */
  readonly maxDepth: number;
  /** Values that satisfy all the nodes; undefined where there are none that can be found. */
  source(nodes: readonly SchemaNode[], depth: number): Source | undefined;
  /** Some values that satisfy all the nodes, the smallest first; the same every time. */
  samples(nodes: readonly SchemaNode[], depth: number): readonly Json[];
  /** Whether another way to keep clear of a schema may be gone through; for samples so many may. */
  goesOn(): boolean;
  note(node: SchemaNode | undefined, keyword: string, why: string): void;
};

export function typicalOf({ smallest, typical }: Source): Json {
  return typical ?? smallest;
}

/** A measure of values: characters of JSON, with a little more for what nests. */
export function size(value: Json): number {
  return JSON.stringify(value).length + (isArray(value) || isObject(value) ? 1 : 0);
}
