import { suggestion } from '../document/nearest.ts';
import { ofText } from '../model/alternatives.ts';
import type { FieldStyle, HeaderField, Pagination, PathField, QueryField } from '../model/contract.ts';
import type { Json, JsonObject, JsonPointer, JsonSchema } from '../model/json.ts';
import { isArray, isObject, pointerOf } from '../model/json.ts';
import { schemasAt } from '../model/schema-places.ts';
import type { Library, Place } from './library.ts';
import { child, errorAt, follow, items, members, textAt, untestableAt } from './place.ts';
import { examplesIn, type SchemaReading, schemaAt } from './schema.ts';

export type Parameter = {
  readonly place: Place;
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
};

/** The parameters of an operation: those of its path come first, and its own replace them. */
export function parametersOf(
  pathItem: Place,
  place: Place,
  { library }: { readonly library: Library },
): readonly Parameter[] {
  const all = [pathItem, place].flatMap((holder) =>
    items(child(holder, 'parameters')).map((item): Parameter => {
      const at = follow(item, library);
      const name = textAt(at, 'name') ?? '';
      return { place: at, name, in: textAt(at, 'in') ?? '', required: child(at, 'required').value === true };
    }),
  );
  const same = (a: Parameter, b: Parameter): boolean =>
    a.in === b.in && (a.in === 'header' ? a.name.toLowerCase() === b.name.toLowerCase() : a.name === b.name);
  return all.filter((one, index) => !all.slice(index + 1).some((later) => same(one, later)));
}

/** Where the schema of a parameter is, and whether its value is written as JSON. */
function described(parameter: Parameter): { readonly schema: Place; readonly json: boolean } {
  const schema = child(parameter.place, 'schema');
  if (schema.value !== undefined) return { schema, json: false };
  const content = members(child(parameter.place, 'content'));
  const json = content.find(([mediaType]) => /^application\/([^;\s]+\+)?json\s*(;|$)/i.test(mediaType));
  if (json !== undefined) return { schema: child(json[1], 'schema'), json: true };
  const [problem, remedy] = [
    `the parameter '${parameter.name}' ${content.length === 0 ? 'has no schema' : 'is not JSON'}`,
    "describe it by 'schema', or by 'content: application/json'",
  ];
  throw content.length === 0
    ? errorAt(parameter.place, problem, remedy)
    : untestableAt(parameter.place, problem, remedy);
}

function schemaOf(parameter: Parameter, reading: SchemaReading): JsonSchema {
  const { json, schema } = described(parameter);
  if (schema.value === undefined) return true;
  const read = schemaAt(schema, reading, 'value');
  return json ? read : ofText(read);
}

function examplesOf(parameter: Parameter, { library }: SchemaReading): readonly Json[] {
  const schema = follow(described(parameter).schema, library);
  return [
    ...namedExamples(parameter.place, library),
    ...examplesIn(schema),
    ...[child(schema, 'default').value].filter((value) => value !== undefined),
  ];
}

/** The examples of a parameter or of a media type, which may have names (OpenAPI, Example Object). */
export function namedExamples(of: Place, library: Library): readonly Json[] {
  const named = members(child(of, 'examples')).map(
    ([, example]) => child(follow(example, library), 'value').value,
  );
  return [child(of, 'example').value, ...named].filter((value) => value !== undefined);
}

const queryStyles = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const;

function styleOf(parameter: Parameter): FieldStyle {
  const given = textAt(parameter.place, 'style');
  const usual = parameter.in === 'header' ? 'simple' : 'form';
  const style = described(parameter).json
    ? 'json'
    : parameter.in === 'query'
      ? (queryStyles.find((one) => one === given) ?? usual)
      : usual;
  const explode = child(parameter.place, 'explode').value;
  return { style, explode: typeof explode === 'boolean' ? explode : style === 'form' };
}

/**
 * A query field; one for each member in the style `deepObject`, such as `filter[status]` and `page[size]`. Members of an
 * object in the usual style are query fields of their own.
 */
export function queryFieldsOf(
  parameter: Parameter,
  filters: JsonPointer | undefined,
  paging: Pick<Pagination, 'limit' | 'cursor'> | undefined,
  reading: SchemaReading,
): readonly QueryField[] {
  const examples = examplesOf(parameter, reading);
  const whole = {
    name: parameter.name,
    required: parameter.required,
    schema: schemaOf(parameter, reading),
    filters,
    ...(examples.length === 0 ? {} : { examples }),
    ...styleOf(parameter),
  };
  const { explode, schema, style } = whole;
  const isSpread = style === 'form' && explode;
  const isPaging = [paging?.limit, paging?.cursor].some((name) => name?.startsWith(`${parameter.name}[`));
  if (!(isSpread || style === 'deepObject') || !isObject(schema)) return [whole];
  // OpenAPI does not say how a list is written there: only where the document gives a member a meaning is it sent.
  const isMeant = isSpread || filters !== undefined || isPaging;
  const alternatives = schemasAt(schema, '').filter((one) => one['$ref'] === undefined && isSaying(one));
  const [object, ...others] = [...alternatives].sort((one, two) => rankOf(one) - rankOf(two));
  const { properties, required } = object ?? {};
  // Stripe has `created[gte]` next to `created`, for a time between others and for one alone.
  const isMixed = style === 'deepObject' && others.length > 0 && others.every(isOfScalar);
  // One that has to come with another cannot be sent alone.
  const isTogether = (parameter.required && !isSpread) || (isArray(required) && required.length > 0);
  if ((others.length > 0 && !isMixed) || !isObject(properties) || isTogether) return [whole];
  const members = Object.entries(properties).flatMap(([name, member]): readonly QueryField[] => {
    if (!isObject(member) || member['type'] === 'object') return [];
    if (!isMeant && schemasAt(member, '').some((one) => one['type'] === 'array')) return [];
    const own = examples.flatMap((example) => (isObject(example) ? (example[name] ?? []) : []));
    return [
      {
        name: isSpread ? name : `${parameter.name}[${name}]`,
        required: false,
        schema: ofText(schema['$defs'] === undefined ? member : { ...member, $defs: schema['$defs'] }),
        filters: filters === undefined ? undefined : filters + pointerOf([name]),
        ...(own.length === 0 ? {} : { examples: own }),
        style,
        explode: true,
        ...(isSpread ? { within: parameter.name } : {}),
      },
    ];
  });
  return isMixed || members.length === 0 ? [whole, ...members] : members;
}

/** A schema that only lists alternatives says nothing itself. */
const isSaying = ({ anyOf, oneOf, properties, type }: JsonObject): boolean =>
  type !== undefined || properties !== undefined || (anyOf === undefined && oneOf === undefined);

const rankOf = ({ properties }: JsonObject): number => (isObject(properties) ? 0 : 1);

const isOfScalar = ({ type }: JsonObject): boolean =>
  type !== undefined && [type].flat().every((one) => one !== 'object' && one !== 'array');

/** Headers that OpenAPI leaves to the protocol (4.8.12.1), and the key, which each command sends. */
const ownHeaders = ['accept', 'authorization', 'content-type', 'idempotency-key'];

/** @param carriers names, in lower case, of headers that carry a version or a verification */
export function headerFieldsOf(
  parameters: readonly Parameter[],
  carriers: readonly string[],
  reading: SchemaReading,
): readonly HeaderField[] {
  return parameters.flatMap((one): readonly HeaderField[] => {
    if (one.in !== 'header' && one.in !== 'cookie') return [];
    const name = one.name.toLowerCase();
    if (one.in === 'header' && (ownHeaders.includes(name) || carriers.includes(name))) return [];
    return [
      {
        in: one.in,
        name: one.name,
        required: one.required,
        schema: schemaOf(one, reading),
        examples: examplesOf(one, reading),
        ...styleOf(one),
      },
    ];
  });
}

export function pathFieldsOf(
  path: string,
  place: Place,
  parameters: readonly Parameter[],
  reading: SchemaReading,
): readonly PathField[] {
  const declared = parameters.filter((one) => one.in === 'path');
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
  for (const one of declared) {
    if (names.includes(one.name)) continue;
    throw errorAt(one.place, `the path '${path}' has no field '${one.name}'`, suggestion(one.name, names));
  }
  return names.map((name) => {
    const found = declared.find((one) => one.name === name);
    if (found === undefined)
      throw errorAt(
        place,
        `the path field '${name}' is not declared`,
        `add the parameter { name: ${name}, in: path, required: true, schema: { type: string } }`,
      );
    const style = textAt(found.place, 'style');
    return {
      name,
      schema: schemaOf(found, reading),
      source: undefined,
      ...(style === 'label' || style === 'matrix' ? { style } : {}),
    };
  });
}
