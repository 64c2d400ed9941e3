import type fc from 'fast-check';
import {
  faultsSince,
  invalidArbitraryOf,
  invalidValuesOf,
  type Mutation,
  type Skip,
  study,
  type Unsupported,
  type ValidValues,
  validValuesOf,
} from '../generate/index.ts';
import type { Json, JsonObject, JsonPointer, JsonSchema } from '../model/json.ts';
import { remembered } from '../model/remembered.ts';

/** What mutations leave out, and a text that is equal only where they leave out the same. */
export type Without = { readonly skip: Skip; readonly text: string };

/** What follows from a schema alone: found out once for all operations that share it, which takes seconds for a large one. */
export type Studied = {
  readonly valid: (value: Json) => boolean;
  readonly values: ValidValues;
  /** The keywords that a value breaks at a place since another one was valid: of alternatives, those of the one that held. */
  readonly brokenSince: (before: Json, after: Json, at: JsonPointer) => ReadonlySet<string>;
  readonly mutations: (base: Json, without?: Without) => readonly Mutation[];
  /** Of a study of its own for each call: what is drawn for one operation does not depend on what was drawn for others. */
  readonly invalid: () => fc.Arbitrary<Mutation> | undefined;
};

type Failed = { readonly failure: Unsupported };

/** Of a schema with its formats. */
export function studiedOf(schema: JsonSchema): Studied | Failed {
  return typeof schema === 'boolean' ? newlyStudied(schema) : known(schema);
}

const known = remembered((schema: JsonObject) => newlyStudied(schema));

function newlyStudied(schema: JsonSchema): Studied | Failed {
  const own = study(schema, { formats: 'assert' });
  if ('failure' in own) return own;
  const made = new Map<string, readonly Mutation[]>();
  return {
    valid: own.valid,
    values: validValuesOf(own),
    brokenSince: (before, after, at) =>
      new Set(
        faultsSince(own, before, after)
          .filter(({ pointer }) => pointer === at)
          .map(({ keyword }) => keyword),
      ),
    mutations: (base, without) => {
      const text = JSON.stringify([base, without?.text]);
      const mutations = made.get(text) ?? invalidValuesOf(own, base, without?.skip).mutations;
      made.set(text, mutations);
      return mutations;
    },
    invalid: () => {
      const again = study(schema, { formats: 'assert' });
      return 'failure' in again ? undefined : invalidArbitraryOf(again);
    },
  };
}
