import { type Validator, validator } from '../generate/index.ts';
import type { Operation } from '../model/contract.ts';
import type { Json, JsonSchema } from '../model/json.ts';

/** What bodies are made by: what a discriminator says of them as well, unless it binds nobody. */
export function bodyCheck(operation: Operation, plain: Json): Validator | undefined {
  const schema = bodySchema(operation, plain);
  return schema === undefined ? undefined : validator(schema, { formats: 'assert' });
}

/** The schema by which bodies are made. What is to be accepted must satisfy it. */
export function bodySchema({ body }: Operation, plain: Json | undefined): JsonSchema | undefined {
  const chosen = body?.chosenSchema;
  if (chosen === undefined || plain === undefined) return body?.schema;
  return validator(chosen, { formats: 'assert' })(plain).length === 0 ? chosen : body?.schema;
}
