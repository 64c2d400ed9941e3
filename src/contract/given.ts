import {
  type Contract,
  type HeaderField,
  type Operation,
  type OperationId,
  operationNamed,
  type PathField,
  type QueryField,
} from '../model/contract.ts';
import { asText, isArray, isObject, type Json, type JsonSchema } from '../model/json.ts';
import { writtenName } from '../model/path.ts';
import type { Principal } from '../model/principal.ts';

/** Values of parameters that the configuration gives, by operation and name. */
export type Parameters = Readonly<Record<OperationId, Readonly<Record<string, Json>>>>;

/** A path field with given values names no record: they become part of the path. Those of principals stay open. */
export function withParameters(
  contract: Contract,
  parameters: Parameters,
  principals: readonly Pick<Principal, 'parameters'>[] = [],
): Contract {
  const own = new Set(principals.flatMap((one) => Object.keys(one.parameters ?? {})));
  const valuesOf = ({ id }: Operation): Readonly<Record<string, Json>> =>
    Object.hasOwn(parameters, id) ? (parameters[id] ?? {}) : {};
  /** A field that a link fills from the path of another operation has the value that it has there. */
  const inPathOf = (
    operation: Operation,
    { schema, source, ...field }: PathField,
    depth = 0,
  ): Json | undefined => {
    const name = writtenName(field);
    const values = valuesOf(operation);
    if (Object.hasOwn(values, name)) return values[name];
    if (own.has(name)) return undefined;
    if (source === undefined) return choiceOf(schema);
    const maker = 'path' in source ? operationNamed(contract, source.operation) : undefined;
    const above = maker?.pathFields.find((one) => 'path' in source && one.name === source.path);
    return maker === undefined || above === undefined || depth > contract.operations.length
      ? undefined
      : inPathOf(maker, above, depth + 1);
  };
  return {
    ...contract,
    operations: contract.operations.map((operation) =>
      leftOpen(
        filled(operation, valuesOf(operation), (field) => inPathOf(operation, field)),
        own,
      ),
    ),
  };
}

/** An operation whose caller fills in some parameters for itself. */
function leftOpen(operation: Operation, own: ReadonlySet<string>): Operation {
  const { headerFields = [], pathFields, queryFields } = operation;
  const open = [
    ...pathFields.map(writtenName),
    ...[...queryFields, ...headerFields].flatMap(({ name, value }) => (value === undefined ? [name] : [])),
  ].filter((name) => own.has(name));
  if (open.length === 0) return operation;
  const path = pathFields.reduce(
    (text, { name, style, written = name }) =>
      own.has(written) ? text.replace(`{${name}}`, () => `${prefixOf(written, style)}{${written}}`) : text,
    operation.path,
  );
  return {
    ...operation,
    path,
    pathFields: pathFields.filter((field) => !own.has(writtenName(field))),
    ownParameters: open,
  };
}

function prefixOf(name: string, style: 'label' | 'matrix' | undefined): string {
  return style === 'label' ? '.' : style === 'matrix' ? `;${name}=` : '';
}

function filled(
  operation: Operation,
  values: Readonly<Record<string, Json>>,
  inPath: (field: PathField) => Json | undefined,
): Operation {
  let { path } = operation;
  let otherPath: string | undefined;
  let strangePath: Operation['strangePath'];
  const pathFields = operation.pathFields.filter((field) => {
    const value = inPath(field);
    if (value === undefined) return true;
    const withValue = (of: string, one: Json): string =>
      of.replace(
        `{${field.name}}`,
        () => prefixOf(writtenName(field), field.style) + encodeURIComponent(asText(one)),
      );
    const choices = choicesOf(field.schema);
    const other = choices.find((one) => asText(one) !== asText(value));
    if (choices.length > 0) strangePath = { path: withValue(path, strangeChoice), field: field.name };
    else if (strangePath !== undefined)
      strangePath = { ...strangePath, path: withValue(strangePath.path, value) };
    otherPath = other === undefined ? otherPath && withValue(otherPath, value) : withValue(path, other);
    path = withValue(path, value);
    return false;
  });
  const given = <T extends QueryField | HeaderField>(field: T): T => {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    return value === undefined ? field : { ...field, value };
  };
  const { headerFields } = operation;
  if (pathFields.length === operation.pathFields.length && Object.keys(values).length === 0) return operation;
  return {
    ...operation,
    path,
    ...(otherPath === undefined ? {} : { otherPath }),
    ...(strangePath === undefined ? {} : { strangePath }),
    pathFields,
    queryFields: operation.queryFields.map(given),
    ...(headerFields === undefined ? {} : { headerFields: headerFields.map(given) }),
  };
}

/** A segment that no enumeration has. */
const strangeChoice = 'assay-none-of-these';

/** The first of the values to which a schema limits a field; undefined where it does not. */
function choiceOf(schema: JsonSchema): Json | undefined {
  if (!isObject(schema)) return undefined;
  const { const: only } = schema;
  return only ?? choicesOf(schema)[0];
}

function choicesOf(schema: JsonSchema): readonly Json[] {
  const choices = isObject(schema) ? schema['enum'] : undefined;
  return isArray(choices) ? choices : [];
}
