import type { Contract, Operation } from '../../model/contract.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  type JsonSchema,
  pointerOf,
  pointerTokens,
} from '../../model/json.ts';
import { requires, schemasAt } from '../../model/schema-places.ts';
import { readSchemasAt } from '../judging/enveloped.ts';
import type { Seen } from '../judging/reading.ts';

/** Sentences of a caller's own, which no service has a rule for. */
const prose = /(comment|description|memo|message|notes?|reason|remarks?|summary)$/i;
/** The one of several choices behind which callers say what they mean. */
const open = /other|custom|misc|else/i;
const special = ['const', 'writeOnly', 'deprecated'];
/** What a description says of values that not everybody sees, or not yet. */
const hidden = /hidden|visib|internal|shown|moderat|publish|staff|confidential|private|audit|logged|only/i;

/** Whether a place in a body is a free text of the caller's own words. */
export function isSentence(schema: JsonSchema | undefined, at: JsonPointer): boolean {
  const own = schemasAt(schema, at);
  return (
    prose.test(pointerTokens(at).at(-1) ?? '') &&
    own.length > 0 &&
    !own.some((each) => ['enum', 'format', 'pattern'].some((keyword) => keyword in each))
  );
}

/** Whether a schema says of a place that its value is fixed, or that not everybody is shown it. */
export function isSpecial(schema: JsonObject): boolean {
  const { description, title } = schema;
  return (
    special.some((keyword) => keyword in schema) ||
    [description, title].some((words) => typeof words === 'string' && hidden.test(words))
  );
}

/** Whether what a body sends at a place may stand at a place of the record as well: it has the same types and choices there. */
export function isAlike(sent: readonly JsonObject[], shown: readonly JsonObject[]): boolean {
  const [mine, its] = [typesOf(sent), typesOf(shown)];
  const choices = (schemas: readonly JsonObject[]): string =>
    JSON.stringify(
      schemas
        .flatMap((each) => (isArray(each['enum']) ? each['enum'] : []))
        .filter((value) => value !== null),
    );
  const forms = (schemas: readonly JsonObject[]): readonly Json[] =>
    schemas.flatMap((each) => each['format'] ?? []);
  return (
    mine !== '' &&
    mine === its &&
    choices(sent) === choices(shown) &&
    forms(shown).every((form) => forms(sent).includes(form))
  );
}

function typesOf(schemas: readonly JsonObject[]): string {
  const all = schemas.flatMap(({ type }): readonly Json[] =>
    isArray(type) ? type : type === undefined ? [] : [type],
  );
  return [...new Set(all.filter((type) => type !== 'null'))].toSorted().join();
}

/** Whether a body chose none of several values, or the one for what the others are not: words may only count with that one. */
export function isUnrestricted(schema: JsonSchema | undefined, sent: Json | undefined): boolean {
  return Object.entries(isObject(sent) ? sent : {}).every(([name, value]) => {
    const choices = schemasAt(schema, pointerOf([name])).flatMap((each) =>
      isArray(each['enum']) ? each['enum'] : [],
    );
    const named = choices.filter((choice) => typeof choice === 'string' && open.test(choice));
    return named.length === 0 || named.includes(value);
  });
}

/** A comment or a reason that a record shows under the same name is meant for it, and a text as any other. */
export function ownWords(at: JsonPointer): JsonPointer {
  return at.replace(/(comment|message|reason)$/i, 'note');
}

/** Whether a body must have a member, or has it in the caller's own words: no service drops either. */
export function isMeant({ body }: Operation, at: JsonPointer): boolean {
  return isSentence(body?.schema, at) || requires(body?.schema, at);
}

/**
 * Whether the contract declares a member alike for a body and for its record. A schema that bodies and records share may have
 * members for bodies alone.
 */
export function isDeclaredForBoth(
  { body }: Operation,
  read: Pick<Seen, 'operation'>,
  at: JsonPointer,
): boolean {
  const { schema } = read.operation.success;
  const [own, its] = [schemasAt(body?.schema, at), readSchemasAt(read, at)];
  return (
    isAlike(own, its) &&
    ![...own, ...its].some(isSpecial) &&
    canonicalJson(body?.schema ?? null) !== canonicalJson(schema ?? null)
  );
}

/**
 * Whether a member of a record may be that of an action alone, which has it in its body under the same name; what a PUT or a PATCH
 * sets as well is the record's own.
 */
export function isSetByAction(
  { operations }: Contract,
  { id }: Operation,
  read: Operation,
  at: JsonPointer,
): boolean {
  const others = operations.filter(
    (other) => other.id !== id && other.kind === 'command' && other.effect?.read === read.id,
  );
  const sets = ({ body }: Operation, place: JsonPointer): boolean =>
    schemasAt(body?.schema, place).length > 0;
  const places = [at, pointerOf(pointerTokens(at).slice(-1))];
  return (
    others.some(
      (other) =>
        other.method === 'POST' && other.pathFields.length > 0 && places.some((place) => sets(other, place)),
    ) && !others.some((other) => ['PUT', 'PATCH'].includes(other.method) && sets(other, at))
  );
}

/** Whether another command on the records of a read has a body of the same schema. */
export function isShared(contract: Contract, { body, id }: Operation, read: Operation): boolean {
  return contract.operations.some(
    (other) =>
      other.id !== id &&
      other.effect?.read === read.id &&
      other.body !== undefined &&
      canonicalJson(other.body.schema) === canonicalJson(body?.schema ?? null),
  );
}
