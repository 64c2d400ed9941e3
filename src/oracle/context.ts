import { type Validator, validator } from '../generate/validator.ts';
import type { Context } from '../model/clause.ts';
import type { JsonSchema } from '../model/json.ts';

/** A context for judging: the given facts, and validators that are compiled once for each schema. */
export function makeContext(facts: Omit<Context, 'schemaErrors'>): Context {
  const compiled = new WeakMap<object, Validator>();
  const validatorOf = (schema: Exclude<JsonSchema, boolean>): Validator => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const made = validator(schema, { formats: 'assert' });
    compiled.set(schema, made);
    return made;
  };
  return {
    ...facts,
    schemaErrors: (schema, value) => {
      if (schema === true) return [];
      if (schema === false) return [{ pointer: '', keyword: 'false', message: 'nothing is valid here' }];
      return validatorOf(schema)(value);
    },
  };
}
