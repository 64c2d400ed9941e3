import type { Contract, HeaderField, Operation, OperationId, QueryField } from '../model/contract.ts';
import { isArray, isObject, type Json, type JsonSchema } from '../model/json.ts';

/** Values of parameters that the configuration gives, by operation and name. */
export type Parameters = Readonly<Record<OperationId, Readonly<Record<string, Json>>>>;

/**
 * The contract with what the configuration gives for its parameters. A path field with a value, or with a choice of
 * values, names no record: its value becomes part of the path.
 */
export function withParameters(contract: Contract, parameters: Parameters): Contract {
  return {
    ...contract,
    operations: contract.operations.map((operation) =>
      filled(operation, Object.hasOwn(parameters, operation.id) ? (parameters[operation.id] ?? {}) : {}),
    ),
  };
}

function filled(operation: Operation, values: Readonly<Record<string, Json>>): Operation {
  const valueFor = (name: string): Json | undefined =>
    Object.hasOwn(values, name) ? values[name] : undefined;
  let { path } = operation;
  const pathFields = operation.pathFields.filter((field) => {
    const value = valueFor(field.name) ?? (field.source === undefined ? choiceOf(field.schema) : undefined);
    if (value === undefined) return true;
    const prefix = field.style === 'label' ? '.' : field.style === 'matrix' ? `;${field.name}=` : '';
    path = path.replace(`{${field.name}}`, () => prefix + encodeURIComponent(plain(value)));
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
