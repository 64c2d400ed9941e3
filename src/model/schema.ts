import type { JsonObject } from './json.ts';

declare const values: unique symbol;

/** A JSON Schema that knows the type of the values that it describes. */
export type Schema<T = unknown> = JsonObject & { readonly [values]?: () => T };

export type Described<S> = S extends { readonly [values]?: () => infer T } ? T : never;

export type Members = Readonly<Record<string, Schema>>;
type NoMembers = Readonly<Record<never, never>>;

type Flat<T> = { readonly [Name in keyof T]: T[Name] };
/** An object with members that are always there, and others that may be absent. */
export type RecordOf<Required, Optional> = Flat<
  { readonly [Name in keyof Required]: Described<Required[Name]> } & {
    readonly [Name in keyof Optional]?: Described<Optional[Name]> | undefined;
  }
>;

/** A schema of values whose type it cannot say itself. */
export function schemaOf<T>(schema: JsonObject): Schema<T> {
  return schema;
}

function said(description: string): JsonObject {
  return description === '' ? {} : { description };
}

/** An object with required and optional members; nothing is said of others. */
export function openRecord<R extends Members, O extends Members = NoMembers>(
  description: string,
  required: R,
  optional?: O,
): Schema<RecordOf<R, O>> {
  return {
    type: 'object',
    ...said(description),
    properties: { ...required, ...optional },
    ...(Object.keys(required).length === 0 ? {} : { required: Object.keys(required) }),
  };
}

/** An object with required and optional members, and no others. */
export function record<R extends Members, O extends Members = NoMembers>(
  description: string,
  required: R,
  optional?: O,
): Schema<RecordOf<R, O>> {
  return { ...openRecord(description, required, optional), additionalProperties: false };
}

export function list<S extends Schema>(items: S, description = ''): Schema<readonly Described<S>[]> {
  return { type: 'array', ...said(description), items };
}

export function oneOf<const V extends readonly (string | number)[]>(
  values: V,
  description = '',
): Schema<V[number]> {
  return { enum: [...values], ...said(description) };
}

export function described<T>(schema: Schema<T>, description: string): Schema<T> {
  return { ...schema, description };
}
