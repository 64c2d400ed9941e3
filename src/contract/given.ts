import type { Contract, HeaderField, Operation, OperationId, QueryField } from '../model/contract.ts';
import { isArray, isObject, type Json, type JsonSchema } from '../model/json.ts';
import type { Principal } from '../model/principal.ts';

/** Values of parameters that the configuration gives, by operation and name. */
export type Parameters = Readonly<Record<OperationId, Readonly<Record<string, Json>>>>;

/**
 * The contract with what the configuration gives for its parameters. A path field with a value, or with a choice of
 * values, names no record: its value becomes part of the path. What each principal fills in for itself names none either,
 * and stays open until a request is sent.
 */
export function withParameters(
  contract: Contract,
  parameters: Parameters,
  principals: readonly Pick<Principal, 'parameters'>[] = [],
): Contract {
  const own = new Set(principals.flatMap((one) => Object.keys(one.parameters ?? {})));
  return {
    ...contract,
    operations: contract.operations.map((operation) =>
      leftOpen(
        filled(
          operation,
          Object.hasOwn(parameters, operation.id) ? (parameters[operation.id] ?? {}) : {},
          own,
        ),
        own,
      ),
    ),
  };
}

/** An operation whose caller fills in some parameters for itself. */
function leftOpen(operation: Operation, own: ReadonlySet<string>): Operation {
  const { headerFields = [], pathFields, queryFields } = operation;
  const open = [
    ...pathFields,
    ...[...queryFields, ...headerFields].filter(({ value }) => value === undefined),
  ].flatMap(({ name }) => (own.has(name) ? [name] : []));
  if (open.length === 0) return operation;
  const path = pathFields.reduce(
    (text, { name, style }) =>
      own.has(name) ? text.replace(`{${name}}`, () => `${prefixOf(name, style)}{${name}}`) : text,
    operation.path,
  );
  return {
    ...operation,
    path,
    pathFields: pathFields.filter(({ name }) => !own.has(name)),
    ownParameters: open,
  };
}

function prefixOf(name: string, style: 'label' | 'matrix' | undefined): string {
  return style === 'label' ? '.' : style === 'matrix' ? `;${name}=` : '';
}

function filled(
  operation: Operation,
  values: Readonly<Record<string, Json>>,
  own: ReadonlySet<string>,
): Operation {
  const valueFor = (name: string): Json | undefined =>
    Object.hasOwn(values, name) ? values[name] : undefined;
  let { path } = operation;
  const pathFields = operation.pathFields.filter((field) => {
    const value =
      valueFor(field.name) ??
      (field.source === undefined && !own.has(field.name) ? choiceOf(field.schema) : undefined);
    if (value === undefined) return true;
    path = path.replace(
      `{${field.name}}`,
      () => prefixOf(field.name, field.style) + encodeURIComponent(plain(value)),
    );
    return false;
  });
  const given = <T extends QueryField | HeaderField>(field: T): T => {
    const value = valueFor(field.name);
    return value === undefined ? field : { ...field, value };
  };
  const { headerFields } = operation;
  if (pathFields.length === operation.pathFields.length && Object.keys(values).length === 0) return operation;
  return {
    ...operation,
    path,
    pathFields,
    queryFields: operation.queryFields.map(given),
    ...(headerFields === undefined ? {} : { headerFields: headerFields.map(given) }),
  };
}

/** The first of the values to which a schema limits a field; undefined where it does not. */
function choiceOf(schema: JsonSchema): Json | undefined {
  if (!isObject(schema)) return undefined;
  const { const: only, enum: choices } = schema;
  return only ?? (isArray(choices) ? choices[0] : undefined);
}

function plain(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
