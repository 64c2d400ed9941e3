import type { Context } from '../../model/clause.ts';
import type { Operation } from '../../model/contract.ts';
import { isObject, type JsonPointer, parentOf, pointerOf, pointerTokens } from '../../model/json.ts';
import { describes, schemasAt } from '../../model/schema-places.ts';

/**
 * Whether a member belongs to some of the alternatives at its place alone: a service that refuses unknown members (G7) may
 * compare a wrong body with another one.
 */
export function mayBeUnknown({ declared }: Context, { body }: Operation, field: JsonPointer): boolean {
  if (declared.G7 === 'ignore' || body === undefined || !isObject(body.schema)) return false;
  const { $defs = {} } = body.schema;
  const member = pointerOf(pointerTokens(field).slice(-1));
  return schemasAt(body.schema, parentOf(field)).some(({ anyOf = [], oneOf = [] }) =>
    [anyOf, oneOf].flat().some((branch) => !isObject(branch) || !describes({ ...branch, $defs }, member)),
  );
}

export function unknownInBranch(field: JsonPointer): string {
  return `The response names ${field}, which not all alternatives of the body have. The service may have compared the body with another one, and may refuse unknown members (G7).`;
}

/**
 * Whether a member counts as unknown once another one is wrong: `unevaluatedProperties` knows what the schemas next to it
 * evaluated, and of a schema that fails nothing is known (JSON Schema core, 7.7.1 and 11.3).
 */
export function mayBeUnevaluated({ body }: Operation, wrong: JsonPointer, field: JsonPointer): boolean {
  const around = parentOf(field);
  return (
    wrong.startsWith(`${around}/`) &&
    schemasAt(body?.schema, around).some(({ unevaluatedProperties: rest = true }) => rest !== true)
  );
}

export function unevaluated(field: JsonPointer): string {
  return `The response names ${field}. By JSON Schema, 'unevaluatedProperties' refuses it as long as another member is wrong.`;
}
