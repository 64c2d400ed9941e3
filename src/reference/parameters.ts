import type { HeaderField, QueryField } from '../model/contract.ts';
import { isObject, type Json, type JsonSchema, parseJson } from '../model/json.ts';
import type { Call } from './behaviour.ts';
import { headerValues, type Mismatch } from './message.ts';
import type { Schemas } from './schemas.ts';

export function queryFindings(call: Call, field: QueryField): readonly Mismatch[] {
  const { query } = call.request;
  return findingsOf(call, 'query', field, query.getAll(field.name), () => {
    if (field.style === 'deepObject')
      return [...query].flatMap(([name, text]) => {
        const member = name.startsWith(`${field.name}[`) && name.endsWith(']');
        return member ? [[name.slice(field.name.length + 1, -1), text] as const] : [];
      });
    const named = call.service.schemas.membersOf(field.schema);
    const others = new Set(call.operation.queryFields.map(({ name }) => name));
    return field.explode === false
      ? []
      : [...query].filter(([name]) => (named.size > 0 ? named.has(name) : !others.has(name)));
  });
}

export function headerFindings(call: Call, field: HeaderField): readonly Mismatch[] {
  if (field.in === 'header')
    return findingsOf(call, 'header', field, headerValues(call.request, field.name), (texts) =>
      field.explode
        ? pairsOf(texts.flatMap((text) => text.split(/,\s*/)).flatMap((text) => text.split('=')))
        : [],
    );
  const crumbs = headerValues(call.request, 'Cookie')
    .flatMap((line) => line.split('; '))
    .map((pair): readonly [name: string, text: string] => {
      const [name = '', ...rest] = pair.split('=');
      return [name, decodeURIComponent(rest.join('='))];
    });
  const texts = crumbs.filter(([name]) => name === field.name).map(([, text]) => text);
  return findingsOf(call, 'cookie', field, texts, () => crumbs);
}

type Pairs = readonly (readonly [name: string, text: string])[];

/** What is wrong with a field, of which some texts came under its own name, and others under those of its members. */
function findingsOf(
  call: Call,
  place: Mismatch['in'],
  field: QueryField | HeaderField,
  texts: readonly string[],
  membersIn: (texts: readonly string[]) => Pairs,
): readonly Mismatch[] {
  const { schemas } = call.service;
  const finding = (keyword: string, message: string): Mismatch => ({
    in: place,
    at: field.name,
    keyword,
    message,
  });
  const types = typesOf(field.schema);
  const named = schemas.membersOf(field.schema);
  const isRecord = named.size > 0 || types.includes('object');
  const pairs = isRecord && field.style !== 'json' ? membersIn(texts) : [];
  if (texts.length === 0 && pairs.length === 0)
    return field.required ? [finding('required', 'is required')] : [];
  const value = (schema: JsonSchema, text: string): Json =>
    meant(text, (one) => schemas.faultsOf(schema, one).length === 0);
  const record = (members: Pairs): Json =>
    Object.fromEntries(
      members.map(([name, text]) => [name, meant(text, named.get(name)?.accepts ?? (() => false))]),
    );
  const items = schemas.itemsOf(field.schema, '');
  const parts = partsOf(field, texts);
  const [first = ''] = texts;
  const readings: readonly Json[] =
    field.style === 'json'
      ? [parseJson(first) ?? first]
      : pairs.length > 0
        ? [record(pairs)]
        : [
            ...(texts.length === 1 ? [value(field.schema, first)] : []),
            parts.map((text) => value(items, text)),
            ...(isRecord ? [record(pairsOf(parts))] : []),
          ];
  const faults = readings.map((reading) => schemas.faultsOf(field.schema, reading));
  if (faults.some((each) => each.length === 0)) return [];
  if (texts.length > 1 && types.length > 0 && !types.includes('array'))
    return [finding('maxItems', 'must be given once')];
  const apt = faults.find((each) => !each.some(({ at, keyword }) => at === '' && keyword === 'type'));
  return (apt ?? faults[0] ?? []).map((fault) => finding(fault.keyword, fault.message));
}

/** Whether a text is valid for the schema of the field that it fills: `20` where a number is asked for, too. */
export function fits(schemas: Schemas, schema: JsonSchema, text: string): boolean {
  const valid = (value: Json): boolean => schemas.faultsOf(schema, value).length === 0;
  return valid(meant(text, valid));
}

/** A text as the schema would have it: `20` is a number only where one is asked for. */
function meant(text: string, accepts: (value: Json) => boolean): Json {
  if (accepts(text)) return text;
  return text === text.trim() ? (parseJson(text) ?? text) : text;
}

/** The items of a list, in the style of the field. */
function partsOf(field: QueryField | HeaderField, texts: readonly string[]): readonly string[] {
  if (field.style === 'spaceDelimited') return texts.flatMap((text) => text.split(' '));
  if (field.style === 'pipeDelimited') return texts.flatMap((text) => text.split('|'));
  return field.explode === false ? texts.flatMap((text) => text.split(',')) : texts;
}

function pairsOf(parts: readonly string[]): Pairs {
  return parts.flatMap((name, index) => (index % 2 === 0 ? [[name, parts[index + 1] ?? ''] as const] : []));
}

function typesOf(schema: JsonSchema): readonly Json[] {
  const type = isObject(schema) ? schema['type'] : undefined;
  return type === undefined ? [] : [type].flat();
}
