import {
  type Contract,
  choosesLast,
  type Operation,
  type OperationId,
  operationNamed,
} from '../model/contract.ts';
import { membersAt } from '../model/described-places.ts';
import { isObject, type JsonPointer, type JsonSchema, pointerOf, pointerTokens } from '../model/json.ts';
import { namedTarget } from '../model/named-records.ts';
import { bare, singular } from '../model/path.ts';
import { idPointer } from '../model/result-id.ts';
import { describes, schemasAt } from '../model/schema-places.ts';

export type RecordField = {
  readonly name: string;
  readonly schema: JsonSchema;
  /** The command that makes such records, where the contract says. */
  readonly creator: OperationId | undefined;
};

/** How the service carries out an operation, as far as the contract says. */
export type Handling = {
  readonly does: 'create' | 'change' | 'remove' | 'read' | 'list';
  /** Path fields that name records, outermost first; the last one is the target. */
  readonly recordFields: readonly RecordField[];
  /** The member of the body that names the target instead, and what it names. */
  readonly inBody: (RecordField & { readonly at: JsonPointer }) | undefined;
  /** The path field whose value the caller chooses as the ID. */
  readonly chosen: string | undefined;
  /** The segment after the target: `closure` in `/cases/{caseId}/closure`. */
  readonly tail: string | undefined;
  /** What its records are called where no pattern says: `case` in `/cases`. */
  readonly noun: string;
  /** For a list: whose records it shows. */
  readonly shows: readonly OperationId[];
  /** Where the result of a command holds the ID. */
  readonly idAt: JsonPointer;
  /** Whether the path of an operation takes the ID from the body of the result. */
  readonly linked: boolean;
  /** What each path that names its records allows as their ID, as members of any names. */
  readonly idsInPaths: JsonSchema;
  /** The object that has the ID in the result of a command. */
  readonly idHolder: JsonSchema | undefined;
  /** Headers of the result that hold the ID, and those that hold the address of the record. */
  readonly idHeaders: readonly string[];
  /** For a list: where its items are. */
  readonly itemsAt: JsonPointer;
  /** Where results hold the version, and the header that carries it. */
  readonly versionAt: readonly JsonPointer[];
  readonly versionHeader: string | undefined;
  /** The schema of the record that a command works on, as reads show it. */
  readonly recordSchema: JsonSchema | undefined;
};

export function handlingOf(contract: Contract, operation: Operation): Handling {
  const segments = operation.path.split('/').filter((segment) => segment !== '');
  const last = segments.at(-1) ?? '';
  const targetAt = segments.findLastIndex(isField);
  const sources = contract.operations.flatMap(({ version }) =>
    version === undefined ? [] : [version.source],
  );
  const read = operationNamed(contract, operation.effect?.read);
  return {
    does: doneBy(contract, operation),
    inBody: inBodyOf(operation),
    chosen: operation.pathFields.find(({ chosen }) => chosen)?.name,
    linked: contract.operations.some(({ pathFields }) =>
      pathFields.some(
        ({ source }) => source !== undefined && 'at' in source && source.operation === operation.id,
      ),
    ),
    idsInPaths: { properties: { ...idSchemasOf(contract, operation) } },
    idHolder: idHolderOf(operation),
    idHeaders: idHeadersOf(contract, operation),
    itemsAt: operation.pagination?.items ?? itemsAtOf(operation.success.schema),
    recordFields: operation.pathFields.flatMap((field) => {
      const prefix = operation.path.slice(0, operation.path.indexOf(`/{${field.name}}`));
      const named = operationNamed(contract, field.source?.operation);
      const makers = contract.operations.filter((one) => creates(contract, one));
      const creator = makers.find((one) => one === named) ?? makers.find((one) => bare(one.path) === prefix);
      if (field.chosen === true) return [];
      return [
        {
          name: field.name,
          schema: field.schema,
          creator: named?.kind === 'command' && !makers.includes(named) ? named.id : creator?.id,
        },
      ];
    }),
    tail: targetAt < 0 || isField(last) ? undefined : last,
    noun: singular(segments.findLast((segment) => !isField(segment)) ?? 'record'),
    shows: contract.operations
      .filter((one) =>
        choosesLast(one)
          ? one.effect?.list === operation.id
          : creates(contract, one) &&
            (one.effect?.list === operation.id || bare(one.path) === bare(operation.path)),
      )
      .map(({ id }) => id),
    idAt: idAtOf(contract, operation),
    versionAt: ['/version', ...sources.flatMap((source) => (source.in === 'body' ? [source.at] : []))],
    versionHeader: sources
      .flatMap((source) => (source.in === 'header' && source.operation === operation.id ? [source.name] : []))
      .at(0),
    recordSchema: (read ?? operation).success.schema,
  };
}

/** A read has the ID where the result of a command has it, if its schema has none at the usual place. */
function idAtOf(contract: Contract, operation: Operation): JsonPointer {
  const usual = idPointer(operation);
  const { schema } = operation.success;
  if (operation.kind === 'command' || describes(schema, usual)) return usual;
  const others = contract.operations.flatMap((one) =>
    one.effect?.read === operation.id ? [idPointer(one)] : [],
  );
  return others.find((at) => describes(schema, at)) ?? usual;
}

function inBodyOf(operation: Operation): Handling['inBody'] {
  const target = operation.onCollection === true ? namedTarget(operation) : undefined;
  if (target === undefined) return undefined;
  const { name, schema, source } = target.field;
  return { at: target.at, name, schema, creator: source?.operation };
}

function doneBy(contract: Contract, operation: Operation): Handling['does'] {
  if (operation.kind === 'read') {
    const shows = contract.operations.some(({ effect }) => effect?.list === operation.id);
    return shows || operation.pagination !== undefined || showsArray(operation.success.schema)
      ? 'list'
      : 'read';
  }
  // A deletion in a collection that names no record in its body does not take the collection away.
  if (operation.method === 'DELETE' && (operation.onCollection !== true || inBodyOf(operation) !== undefined))
    return 'remove';
  return creates(contract, operation) ? 'create' : 'change';
}

/** Whether a command makes a record, rather than changing the one that its path names. */
function creates(contract: Contract, operation: Operation): boolean {
  const { effect, id, kind, method, path, pathFields } = operation;
  if (kind === 'read' || method !== 'POST' || bare(path).endsWith('}')) return false;
  if (pathFields.length === 0) return true;
  const read = operationNamed(contract, effect?.read);
  if (read !== undefined) return read.pathFields.length > pathFields.length;
  return contract.operations.some(
    (one) =>
      one.pathFields.some((field) => field.source?.operation === id) ||
      (one.kind === 'read' &&
        bare(one.path) === bare(path) &&
        (one.pagination !== undefined || effect?.list === one.id)),
  );
}

function idSchemasOf(contract: Contract, { id }: Operation): readonly JsonSchema[] {
  return contract.operations
    .flatMap(({ pathFields }) => pathFields)
    .filter(
      ({ schema, source }) => source?.operation === id && isObject(schema) && schema['$defs'] === undefined,
    )
    .map(({ schema }) => schema);
}

function idHolderOf(operation: Operation): JsonSchema | undefined {
  const { schema } = operation.success;
  const [leaf = '', ...around] = pointerTokens(idPointer(operation)).toReversed();
  if (around.length === 0 || !isObject(schema)) return schema;
  const holder = schemasAt(schema, pointerOf(around.toReversed())).find(
    ({ properties }) => isObject(properties) && Object.hasOwn(properties, leaf),
  );
  return holder === undefined ? undefined : { ...holder, $defs: schema['$defs'] ?? {} };
}

function idHeadersOf(contract: Contract, { id }: Operation): readonly string[] {
  const sources = contract.operations.flatMap(({ pathFields }) => pathFields.map(({ source }) => source));
  return [
    ...new Set(
      sources.flatMap((source) =>
        source !== undefined && 'header' in source && source.operation === id ? [source.header] : [],
      ),
    ),
  ];
}

/** The member of an object that is its one array; the root where there is none. */
function itemsAtOf(schema: JsonSchema | undefined): JsonPointer {
  if (showsArray(schema)) return '';
  const arrays = membersAt(schema, '')
    .map((name) => pointerOf([name]))
    .filter((at) => schemasAt(schema, at).some(showsArray));
  return arrays.length === 1 ? (arrays[0] ?? '') : '';
}

function showsArray(schema: JsonSchema | undefined): boolean {
  return isObject(schema) && [schema['type']].flat().includes('array');
}

function isField(segment: string): boolean {
  return segment.startsWith('{');
}
