import type { Json, JsonPointer, JsonSchema } from './json.ts';

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
};

export type Operation = {
  readonly id: OperationId;
  readonly method: string;
  /** Path template under the base URL: `/cases/{caseId}`. */
  readonly path: string;
  /** A command writes and takes an Idempotency-Key; a read is GET or HEAD. */
  readonly kind: 'command' | 'read';
  /** The exact permissions of the security requirement, all of which a caller must hold; undefined for a public operation. */
  readonly permissions: readonly string[] | undefined;
  readonly summary: string | undefined;
  readonly pathFields: readonly PathField[];
  readonly queryFields: readonly QueryField[];
  readonly body: RequestBody | undefined;
  readonly success: Success;
  /** Declared failure statuses and their body schemas, where shown. */
  readonly failures: Readonly<Record<string, JsonSchema | undefined>>;
  readonly version: VersionRule | undefined;
  readonly verification: VerificationRule | undefined;
  readonly conflict: ConflictRule | undefined;
  readonly pagination: Pagination | undefined;
  readonly effect: EffectRule | undefined;
};

export type PathField = {
  readonly name: string;
  readonly schema: JsonSchema;
  /** The operation whose result names the target (an OpenAPI link), and where in its response body. */
  readonly source: { readonly operation: OperationId; readonly at: JsonPointer } | undefined;
};

export type QueryField = {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly filters: JsonPointer | undefined;
};

export type RequestBody = {
  readonly mediaType: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
};

export type Success = {
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly schema: JsonSchema | undefined;
};

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
};

/** The command needs stronger verification (What the service does, 4; its form is not shown: the hook obtains one). */
export type VerificationRule = {
  readonly carrier: Carrier;
  readonly hook: string;
  readonly singleUse: boolean;
};

/** How a conflict of state is provoked: by running a command on the target first (Errors table, 409). */
export type ConflictRule = { readonly after: OperationId; readonly body: JsonSchema | undefined };

export type Pagination = {
  readonly limit: string;
  readonly cursor: string;
  readonly style: 'cursor' | 'offset' | 'page' | 'link';
  readonly items: JsonPointer;
  /** Where the next cursor stands in the response body; undefined for offset, page and Link paging. */
  readonly next: JsonPointer | undefined;
};

/** Which reads show the effect of a command. */
export type EffectRule = {
  /** A read by id, and a list, of what the command creates or changes. */
  readonly read: OperationId | undefined;
  readonly list: OperationId | undefined;
  /** Where the id stands in the command's own result. */
  readonly id: JsonPointer;
};

/** Where the id stands in an item of a list: under the name that it bears in the results of the commands that the list shows. */
export function itemIdAt(contract: Contract, list: OperationId): JsonPointer {
  const shown = contract.operations.filter(({ effect }) => effect?.list === list);
  const best = shown.find(({ kind, method }) => kind === 'command' && method === 'POST') ?? shown[0];
  const name = best?.effect?.id.split('/').at(-1);
  return name === undefined || name === '' ? '/id' : `/${name}`;
}

/** An id as text: some services count their records. */
export function idText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** Whether an id is but a number: another kind of record, and another scope, may have one of the same number. */
export function isCount(id: string): boolean {
  return /^\d+$/.test(id);
}

export function operationOf(contract: Contract, id: OperationId): Operation {
  const found = contract.operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`the contract has no operation '${id}'`);
  return found;
}

/** True where the operation makes a record of its own: a command without a target. */
export function creates(operation: Operation): boolean {
  return operation.kind === 'command' && operation.pathFields.length === 0;
}
