import type { Json, JsonPointer, JsonSchema } from './json.ts';
import { remembered } from './remembered.ts';
import { isAccepted } from './response.ts';

/** `createCase` for an operation with an operationId, `POST /cases` for one without. */
export type OperationId = string;

/** An approved scope of the Governed Command API, read from an OpenAPI 3.1 document. */
export type Contract = {
  readonly title: string;
  /** Contract version, such as `1.27.0` (Versioning, 1). */
  readonly version: string;
  /** How many operations the full contract governs (What the service does, 2); undefined where the document does not say. */
  readonly governedOperations: number | undefined;
  /** SHA-256 of the document's bytes, hexadecimal. */
  readonly digest: string;
  readonly operations: readonly Operation[];
  /** The document is of OpenAPI 3.0. */
  readonly openapi30?: true;
  /** Where each operation is in the document, one-based; operations that another file holds are left out. */
  readonly lines?: Readonly<Record<OperationId, { readonly line: number; readonly column: number }>>;
  /** Tags of the operations that have any. */
  readonly tags?: Readonly<Record<OperationId, readonly string[]>>;
  /** Operations of the document that cannot be tested, and why. */
  readonly leftOut?: readonly LeftOut[];
  /** What was read in another way than it is written: `file:line:column: problem; remedy`. */
  readonly warnings?: readonly string[];
};

/** An operation that the document describes and the harness cannot test. */
export type LeftOut = {
  readonly id: OperationId;
  readonly method: string;
  readonly path: string;
  /** Every reason, each with its place: `file:line:column: problem; remedy`. */
  readonly reasons: readonly string[];
};

export type Operation = {
  readonly id: OperationId;
  readonly method: string;
  /** Path template under the base URL: `/cases/{caseId}`. */
  readonly path: string;
  readonly otherPath?: string; // With another of the values to which a field of the path is limited.
  /** With none of the values to which this field of the path is limited. */
  readonly strangePath?: { readonly path: string; readonly field: string };
  /** A command writes and takes an Idempotency-Key; a read is GET, HEAD, or a POST that the document calls one. */
  readonly kind: 'command' | 'read';
  /** The exact permissions of the security requirement, all of which a caller must hold; undefined for a public operation. */
  readonly permissions: readonly string[] | undefined;
  /** A read that shows the same records to every scope. */
  readonly shared?: true;
  /** The document lets a caller in without the bearer token, by another scheme. */
  readonly otherCredentials?: true;
  readonly summary: string | undefined;
  /** A PUT, PATCH or DELETE at the path of a collection: it acts on a record that its body names, or on several. */
  readonly onCollection?: true;
  readonly pathFields: readonly PathField[];
  readonly queryFields: readonly QueryField[];
  /** Parameters that each caller fills in for itself (`principals.<name>.parameters`); those of the path are no path fields. */
  readonly ownParameters?: readonly string[];
  /** Header fields and cookies that the operation takes, those of the protocol left out. */
  readonly headerFields?: readonly HeaderField[];
  readonly body: RequestBody | undefined;
  /** A member of the body that repeats the ID at the end of the path, and that field of the path. */
  readonly ownId?: { readonly at: JsonPointer; readonly field: string };
  /** Members of the body that name records by their IDs. */
  readonly named?: readonly NamedRecord[];
  /** What its responses may be, where the document declares other JSON than `application/json`. */
  readonly accept?: string;
  readonly success: Success;
  readonly otherSuccesses?: readonly Success[];
  /** Declared failure statuses and their body schemas, where shown. */
  readonly failures: Readonly<Record<string, JsonSchema | undefined>>;
  readonly version: VersionRule | undefined;
  readonly verification: VerificationRule | undefined;
  readonly conflict: ConflictRule | undefined;
  readonly pagination: Pagination | undefined;
  readonly effect: EffectRule | undefined;
  /** Where the ID is in the body of a result, where the document says so; else it is that of `effect`, or `/id`. */
  readonly idAt?: JsonPointer;
  /**
   * A header that names the record of a result. `only` is declared; else it counts where it leads to one of `paths`, before
   * or after the body.
   */
  readonly idHeader?: {
    readonly name: string;
    readonly use: 'only' | 'first' | 'last';
    readonly paths?: readonly string[];
  };
};

/** A record that a member of a body names: `paymentId` of `POST /refunds`. */
export type NamedRecord = {
  readonly at: JsonPointer;
  /** The read of such a record, if there is one, and the field of its path. */
  readonly read?: OperationId;
  readonly field: PathField;
  /** The command acts on it: its version is read there, or the effect of the command. */
  readonly acts?: true;
  /** It is the second of a list of IDs, which most bodies lack. */
  readonly second?: true;
};

export type PathField = {
  readonly name: string;
  /** Its name in the document, where another one says better which record it is. */
  readonly written?: string;
  readonly schema: JsonSchema;
  /** The operation whose result names the target (an OpenAPI link), and where in its response. */
  readonly source: PathSource | undefined;
  /** How the value is written, where it is not written alone (OpenAPI, style values). */
  readonly style?: 'label' | 'matrix';
  /** The command at this path makes the record under an ID that the caller chooses. */
  readonly chosen?: true;
  /** It is a member of the body in place of a part of the path: `POST /cases.get` with `{"id": ...}`. */
  readonly at?: JsonPointer;
};

export type PathSource =
  | { readonly operation: OperationId; readonly at: JsonPointer; readonly whole?: true }
  | { readonly operation: OperationId; readonly header: string; readonly whole?: true }
  /** The operation makes its record under the ID that its own path names. */
  | { readonly operation: OperationId; readonly path: string };

/** How a value is written as text (OpenAPI, style values); `json` is a parameter described by `content`. */
export type FieldStyle = {
  readonly style: 'form' | 'simple' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'json';
  readonly explode: boolean;
};

type Field = {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** Values that the document gives as examples or as the default, in order. */
  readonly examples?: readonly Json[];
  /** What the configuration says to send. */
  readonly value?: Json;
};

export type QueryField = Partial<FieldStyle> &
  Field & {
    /** Where the items of the list have what the field filters by. */
    readonly filters: JsonPointer | undefined;
    /** It is a member of the body of a list by POST: its limit or its cursor. */
    readonly at?: JsonPointer;
    /** The parameter of the document that it is a member of, where the query names the member alone. */
    readonly within?: string;
  };

export type HeaderField = FieldStyle &
  Required<Pick<Field, 'examples'>> &
  Field & { readonly in: 'header' | 'cookie' };

export type RequestBody = {
  readonly mediaType: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** What bodies are made by, where a discriminator says more than the schema. A service need not refuse others. */
  readonly chosenSchema?: JsonSchema;
  /** Bodies that the document gives as examples, in order. */
  readonly examples?: readonly Json[];
};

export type Success = {
  /** Of a range or a default the usual status: 200 for reads, 201 for commands. */
  readonly status: number;
  /** The document names no exact status (`2XX`, `default`). */
  readonly any?: true;
  readonly mediaType: string | undefined;
  /** Further media types that the document declares, ranges such as `text/*` among them. */
  readonly otherMediaTypes?: readonly string[];
  readonly schema: JsonSchema | undefined;
  /** Schemas of further JSON media types, by their names in lower case, where they differ. */
  readonly otherSchemas?: Readonly<Record<string, JsonSchema>>;
  /** The schema as the document has it, where the specification fixes more. */
  readonly written?: JsonSchema;
  /** Headers that it must have, besides X-Request-Id. */
  readonly requiredHeaders?: readonly string[];
  /** Further headers that it may have. */
  readonly otherHeaders?: readonly string[];
  readonly requestId?: { readonly required: boolean; readonly schema: JsonSchema | undefined };
};

/** Whether a success may have the header; generators leave out that it must. */
export function declaresHeader(
  { otherHeaders = [], requiredHeaders = [] }: Success,
  lowercase: string,
): boolean {
  return [...requiredHeaders, ...otherHeaders].some((name) => name.toLowerCase() === lowercase);
}

/** The schema of a result as its document has it: what the specification adds to one says nothing of what two have in common. */
export function writtenSchema({ success }: Pick<Operation, 'success'>): JsonSchema | undefined {
  return success.written ?? success.schema;
}

/** A field of a request: a header by name, or a member of the body. */
export type Carrier =
  | { readonly in: 'header'; readonly name: string }
  | { readonly in: 'body'; readonly at: JsonPointer };

/** The command needs the current version of its target (Versioning, 3). */
export type VersionRule = {
  readonly carrier: Carrier;
  /** Where the current version is seen: in the result of the operation that made the target, or of a read of it. */
  readonly source:
    | { readonly operation: OperationId; readonly in: 'body'; readonly at: JsonPointer }
    | { readonly operation: OperationId; readonly in: 'header'; readonly name: string };
  /** True where a success leaves the version as it is. */
  readonly neutral: boolean;
  /** The schema of the body, or the header parameter, lets it be left out: then nobody need send it. */
  readonly optional?: true;
};

/** The command needs stronger verification (What the service does, 4; its form is not shown: the hook obtains one). */
export type VerificationRule = {
  readonly carrier: Carrier;
  readonly hook: string;
  readonly singleUse: boolean;
  readonly boundToTarget: boolean;
};

/** How a conflict of state is provoked: by running a command on the target first (Errors table, 409). */
export type ConflictRule = { readonly after: OperationId; readonly body: JsonSchema | undefined };

export type Pagination = {
  readonly limit: string;
  readonly cursor: string;
  readonly style: 'cursor' | 'offset' | 'page' | 'link';
  readonly items: JsonPointer;
  /** Where the next cursor is in the response body; undefined for offset, page and Link paging. */
  readonly next: JsonPointer | undefined;
};

export type EffectRule = {
  /** A read by ID, and a list, of what the command creates or changes. */
  readonly read: OperationId | undefined;
  readonly list: OperationId | undefined;
  /** Further lists that show what the command creates. Effects are read in the first alone. */
  readonly otherLists?: readonly OperationId[];
  /** Where the ID is in the command's own result. */
  readonly id: JsonPointer;
};

/**
 * An ID as text: some services count their records. JSON.parse takes larger numbers for their neighbours, so these name
 * no record.
 */
export function idText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number' || Math.abs(value) > Number.MAX_SAFE_INTEGER) return undefined;
  return String(value);
}

/** Whether an ID is but a number: another kind of record, and another scope, may have one of the same number. */
export function isCount(id: string): boolean {
  return /^\d+$/.test(id);
}

/** Whether the path of an operation names the scope of its caller: `/tenants/{tenantId}/cases`. */
export function isPlaced({ ownParameters = [], path }: Operation): boolean {
  return ownParameters.some((name) => path.includes(`{${name}}`));
}

/** What follows from the contract alone about an operation is found out once: every exchange asks for it. */
export function onceForEach<Result>(
  of: (contract: Contract, operation: Operation) => Result,
): (contract: Contract, operation: Operation) => Result {
  const known = new WeakMap<
    Operation,
    { readonly within: Contract['operations']; readonly result: Result }
  >();
  return (contract, operation) => {
    const before = known.get(operation);
    if (before?.within === contract.operations) return before.result;
    const result = of(contract, operation);
    known.set(operation, { within: contract.operations, result });
    return result;
  };
}

/** A contract may have thousands of operations, and every exchange asks for its own. */
const byId = remembered(
  (operations: Contract['operations']): ReadonlyMap<OperationId, Operation> =>
    new Map(operations.map((operation) => [operation.id, operation])),
);

export function operationOf(contract: Pick<Contract, 'operations'>, id: OperationId): Operation {
  const found = operationNamed(contract, id);
  if (found === undefined) throw new Error(`the contract has no operation '${id}'`);
  return found;
}

/** The same of an ID that may be that of no operation, or none. */
export function operationNamed(
  { operations }: Pick<Contract, 'operations'>,
  id: OperationId | undefined,
): Operation | undefined {
  return id === undefined ? undefined : byId(operations).get(id);
}

/** True where the operation makes a record of its own: a command without a target that acts on no other. */
export function creates(operation: Operation): boolean {
  return operation.kind === 'command' && operation.pathFields.length === 0 && !actsOnOne(operation);
}

/** Whether the declared read of one record is that of the record which a command makes: its result says which one. */
export const isReadById = onceForEach((contract: Contract, { effect, id }: Operation): boolean => {
  const read = operationNamed(contract, effect?.read);
  return read?.pathFields.at(-1)?.source?.operation === id;
});

/**
 * Whether a member of the body is, is within, or holds one that the engine puts in: the version, or the verification. The
 * ID of the path is put in too, before the body is edited, so what holds it counts as any other member.
 */
export function isCarried(operation: Operation, pointer: JsonPointer): boolean {
  if (operation.ownId?.at === pointer) return true;
  return [operation.version?.carrier, operation.verification?.carrier].some(
    (carrier) =>
      carrier?.in === 'body' &&
      (`${pointer}/`.startsWith(`${carrier.at}/`) ||
        (pointer !== '' && carrier.at.startsWith(`${pointer}/`))),
  );
}

/** True where a caller chooses every id of the path: the command makes or replaces a record of the caller's own scope. */
export function choosesRecord({ kind, pathFields }: Operation): boolean {
  return kind === 'command' && pathFields.length > 0 && pathFields.every(({ chosen }) => chosen === true);
}

/** True where a caller chooses the ID of the record itself, be it within a record that is there: `PUT /books/{bookId}/pages/{pageId}`. */
export function choosesLast({ kind, pathFields }: Operation): boolean {
  return kind === 'command' && pathFields.at(-1)?.chosen === true;
}

/** True where a command replaces, changes or removes the one record that its path is: `PUT /settings`. */
export function isSingleton({ kind, method, onCollection, pathFields }: Operation): boolean {
  return kind === 'command' && method !== 'POST' && pathFields.length === 0 && onCollection !== true;
}

/**
 * True where all commands of an operation act on one record, that of its path or one that its body names. A POST that needs a
 * version, or a state, makes none of its own (`POST /cases.close`) unless a list shows it; nor does a PUT to a collection.
 */
export function actsOnOne({ conflict, effect, kind, method, pathFields, version }: Operation): boolean {
  if (kind !== 'command' || pathFields.length > 0) return false;
  const acts = effect?.list === undefined && (version !== undefined || conflict !== undefined);
  return acts || method !== 'POST';
}

export function successesOf({ otherSuccesses = [], success }: Operation): readonly Success[] {
  return [success, ...otherSuccesses];
}

/** Whether the contract declares a success with a body: nothing is said of the result of a `204`. */
export function declaresResult(
  operation: Operation,
  part: 'schema' | 'mediaType' | 'requiredHeaders',
): boolean {
  return successesOf(operation).some((success) => success[part] !== undefined);
}

export function isDeclared(operation: Operation, status: number): boolean {
  return found(operation, status) !== undefined;
}

/** The declared success of that status, and the first one where none is. */
export function declaredSuccess(operation: Operation, status: number | undefined): Success {
  return (status === undefined ? undefined : found(operation, status)) ?? operation.success;
}

/** An exact status comes before a range. */
function found(operation: Operation, status: number): Success | undefined {
  const all = successesOf(operation);
  return (
    all.find((one) => one.any === undefined && one.status === status) ??
    all.find((one) => one.any === true && isAccepted({ status }))
  );
}

/** Whether commands act on records that are there: they may hide, move or remove what others made. */
export function changesRecords({ operations }: Pick<Contract, 'operations'>): boolean {
  return operations.some(({ kind, pathFields }) => kind === 'command' && pathFields.length > 0);
}

/** The statuses of success as the document declares them: `200 or 201`. */
export function successWords(operation: Operation): string {
  return successesOf(operation)
    .map(({ any, status }) => (any === true ? '2xx' : String(status)))
    .join(' or ');
}
