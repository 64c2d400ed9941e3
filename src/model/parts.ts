import { type Contract, type Operation, onceForEach, operationNamed, writtenSchema } from './contract.ts';
import { isList, membersAt } from './described-places.ts';
import {
  canonicalJson,
  isArray,
  type Json,
  type JsonObject,
  type JsonPointer,
  type JsonSchema,
  parentOf,
  pointerOf,
  pointerTokens,
  valueAt,
} from './json.ts';
import { plainName } from './listed.ts';
import { bare, writtenName } from './path.ts';
import { envelopes, idAt, idPointer } from './result-id.ts';
import { schemasAt } from './schema-places.ts';

/** The read of a record, and the member that shows the parts within it, as `/lines` of an order does. */
export type PartsShown = { readonly read: Operation; readonly at: JsonPointer };

/**
 * Where the declared read of a record shows what a command makes, puts or deletes within it, though no list and no read of its own
 * does: `lines` of `GET /orders/{orderId}` for `POST /orders/{orderId}/lines`. The items have the schema of the result. A read that
 * can be asked for more may leave them out.
 */
export const partsShown = onceForEach((contract: Contract, operation: Operation): PartsShown | undefined => {
  const { effect, kind, method } = operation;
  const read = operationNamed(contract, effect?.read);
  if (kind !== 'command' || effect?.list !== undefined || read?.kind !== 'read') return undefined;
  if (read.queryFields.length > 0) return undefined;
  const name = collectionIn(read, operation);
  const { schema } = read.success;
  const at = ['', ...envelopes.map((one) => pointerOf([one]))]
    .flatMap((around) => membersAt(schema, around).map((member) => around + pointerOf([member])))
    .find((place) => plainName(pointerTokens(place).at(-1) ?? '') === name && isList(schema, place));
  if (name === undefined || at === undefined) return undefined;
  const items = schemasAt(schema, `${at}/0`);
  const written = writtenSchema(operation);
  const isItem = ['', parentOf(idPointer(operation))].some(
    (around) => described(schemasAt(written, around)) === described(items),
  );
  const isNamed = namesOf(operation).some((id) => membersAt(schema, `${at}/0`).includes(id));
  return isNamed && (method === 'DELETE' || isItem) ? { read, at } : undefined;
});

/** The collection within the record of a read in which a command makes, puts or deletes something. */
function collectionIn(read: Operation, { method, path, pathFields }: Operation): string | undefined {
  const own = bare(path);
  const above = `${bare(read.path)}/`;
  const end = method === 'POST' ? '' : `/{${pathFields.at(-1)?.name}}`;
  if (!own.startsWith(above) || !own.endsWith(end)) return undefined;
  const name = own.slice(above.length, own.length - end.length);
  return name === '' || /[/{}]/.test(name) ? undefined : plainName(name);
}

/** Members of a part that may have its ID: where the result has it, or as the path names it. */
function namesOf(operation: Operation): readonly string[] {
  const last = operation.pathFields.at(-1);
  const own =
    operation.method === 'POST'
      ? pointerTokens(idPointer(operation)).slice(-1)
      : last === undefined
        ? []
        : [writtenName(last)];
  return [...own, 'id'];
}

/** The parts that a record shows; undefined where it shows no list of them. */
export function partsIn({ at }: PartsShown, record: Json | undefined): readonly Json[] | undefined {
  const parts = valueAt(record, at);
  return isArray(parts) ? parts : undefined;
}

/** The ID of a part, as a command names it. */
export function partId(operation: Operation, part: Json): string | undefined {
  return namesOf(operation)
    .map((name) => idAt(part, pointerOf([name])))
    .find((id) => id !== undefined);
}

/** The schema of the parts in a record. */
export function partSchema({ at, read }: PartsShown): JsonSchema {
  return {
    allOf: [...schemasAt(read.success.schema, `${at}/0`)],
    ...(read.success.schema instanceof Object && '$defs' in read.success.schema
      ? { $defs: read.success.schema['$defs'] as JsonObject }
      : {}),
  };
}

/** What schemas say of a value: a reference says only where another one is, which is there as well. */
export function described(schemas: readonly JsonObject[]): string {
  const own = schemas.map((schema) =>
    Object.entries(schema).filter(([keyword]) => !ofReference.test(keyword)),
  );
  return canonicalJson(
    own.filter((entries) => entries.length > 0).map((entries) => Object.fromEntries(entries)),
  );
}

const ofReference = /^(\$ref|\$defs|description|summary|title)$/;
