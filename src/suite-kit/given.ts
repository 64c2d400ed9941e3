import { study, validValuesOf } from '../generate/index.ts';
import type { FieldStyle, HeaderField, Operation, QueryField } from '../model/contract.ts';
import { asText, isArray, isEmpty, isObject, type Json, pointerOf } from '../model/json.ts';
import { remembered } from '../model/remembered.ts';
import { usualCode } from './codes.ts';

/** What every request of an operation sends in addition to what a step names: its required query fields and headers. */
export type Given = {
  readonly query: readonly { readonly name: string; readonly text: string }[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly cookies: readonly { readonly name: string; readonly text: string }[];
  readonly missing: readonly string[];
};

export const givenOf = remembered((operation: Operation): Given => {
  const missing: string[] = [];
  const valued = <T extends QueryField | HeaderField>(
    fields: readonly T[],
  ): readonly { readonly field: T; readonly value: Json }[] =>
    fields.flatMap((field) => {
      if (!field.required && field.value === undefined) return [];
      const value = field.value ?? valueFor(field);
      if (value === undefined) missing.push(field.name);
      return value === undefined ? [] : [{ field, value }];
    });
  const others = valued(operation.headerFields ?? []);
  return {
    query: valued(operation.queryFields).flatMap(({ field, value }) =>
      queryText(field, value).map((text) => ({ name: field.name, text })),
    ),
    headers: others.flatMap(({ field, value }) =>
      field.in === 'header' ? [[field.name, headerText(field, value)] as const] : [],
    ),
    cookies: others.flatMap(({ field, value }) =>
      field.in === 'cookie'
        ? queryText(field, value).map((text) => ({ name: field.name, text: text.replaceAll('&', '; ') }))
        : [],
    ),
    missing,
  };
});

/** The operation as a principal sends it: query fields and headers have its own values. */
export function asSentBy(operation: Operation, valueFor: (parameter: string) => Json | undefined): Operation {
  const own = new Set(operation.ownParameters);
  const given = <T extends QueryField | HeaderField>(field: T): T => {
    const value = own.has(field.name) ? valueFor(field.name) : undefined;
    return value === undefined ? field : { ...field, value };
  };
  const { headerFields } = operation;
  return {
    ...operation,
    queryFields: operation.queryFields.map(given),
    ...(headerFields === undefined ? {} : { headerFields: headerFields.map(given) }),
  };
}

/** The first example that is valid, else a usual code by its name, a word for a text that may be any, or a typical value. */
export function valueFor({ examples = [], name, schema }: QueryField | HeaderField): Json | undefined {
  const studied = study(schema, { formats: 'assert' });
  if ('failure' in studied) return examples[0];
  const known = [...examples, usualCode(pointerOf([name])), 'assay'];
  // Written in a query, an empty list or object is the absence of the field.
  const fit = known.find((one) => one !== undefined && studied.valid(one) && !isEmpty(one));
  if (fit !== undefined) return fit;
  const values = validValuesOf(studied);
  return values.kind === 'supported' ? values.typical : undefined;
}

type Style = Partial<FieldStyle> & { readonly name: string };

/** The pieces `name=value` of a query field or cookie, percent-encoded (OpenAPI, style examples). */
function queryText(field: Style, value: Json): readonly string[] {
  const { explode = true, name, style = 'form' } = field;
  const encoded = (one: Json): string => encodeURIComponent(asText(one));
  const key = encodeURIComponent(name);
  if (style === 'json') return [`${key}=${encodeURIComponent(JSON.stringify(value))}`];
  if (isArray(value)) {
    if (style === 'form' && explode) return value.map((one) => `${key}=${encoded(one)}`);
    const separator = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ',';
    return [`${key}=${value.map(encoded).join(separator)}`];
  }
  if (isObject(value)) {
    const entries = Object.entries(value);
    if (style === 'deepObject')
      return entries.map(([member, one]) => `${key}%5B${encodeURIComponent(member)}%5D=${encoded(one)}`);
    if (explode) return entries.map(([member, one]) => `${encodeURIComponent(member)}=${encoded(one)}`);
    return [
      `${key}=${entries.flatMap(([member, one]) => [encodeURIComponent(member), encoded(one)]).join(',')}`,
    ];
  }
  return [`${key}=${encoded(value)}`];
}

function headerText({ explode = false, style }: Style, value: Json): string {
  if (style === 'json') return JSON.stringify(value);
  if (isArray(value)) return value.map(asText).join(',');
  if (isObject(value))
    return Object.entries(value)
      .map(([member, one]) => `${member}${explode ? '=' : ','}${asText(one)}`)
      .join(',');
  return asText(value);
}
