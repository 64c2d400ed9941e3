import type { Context } from '../model/clause.ts';
import { type Contract, type Operation, type Success, successesOf } from '../model/contract.ts';
import { isArray, isObject, type Json, type JsonPointer, type JsonSchema } from '../model/json.ts';
import { showsIn } from '../model/listed.ts';
import { makeContext } from '../oracle/context.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';

/** Values that the schemas of POST /cases must refuse, from the specification. */
const requests: readonly Witness[] = [
  [{}, 'does not require subject', '/subject'],
  ...[1, true, null, [], {}].map(
    (subject): Witness => [{ subject }, 'allows a subject that is not a string', '/subject'],
  ),
  ...['text', 1, true, null, []].map((body): Witness => [body, 'allows a body that is not an object']),
];
const requestIds: readonly Witness[] = ['other_1', 'REQ_1', 'x req_1'].map((id) => [
  id,
  'allows an X-Request-Id without the prefix req_',
]);
/** What a document allows besides `open` it may name itself. */
const responses = (named: readonly string[]): readonly Witness[] => [
  [{ status: 'open' }, 'does not require an ID in its result', '/id'],
  ...['other_1', 'Case_1', 'x case_1', 'case_', 1, null].map(
    (id): Witness => [{ id, status: 'open' }, 'allows an ID that is not case_ plus an identifier', '/id'],
  ),
  [{ id: 'case_1' }, 'does not require a status in its result', '/status'],
  ...['closed', 'Open', 'reopened', '', null, true, ...named].map(
    (status): Witness => [{ id: 'case_1', status }, 'allows a status other than open on creation', '/status'],
  ),
];

/** Where the document requires less than the specification. A pass under such a contract certifies nothing. */
export function weakened(contract: Contract): readonly string[] {
  const { schemaErrors } = makeContext({
    contract,
    declared: parsedDeclaration({}),
    principals: [],
    proven: new Set(),
  });
  return contract.operations.flatMap((operation) => {
    const name = `${operation.method} ${operation.path}`;
    return [...anywhere(operation), ...ofCases(contract, operation, schemaErrors)].map(
      (what) => `the contract is weakened: ${name} ${what}`,
    );
  });
}

function anywhere({ otherCredentials, permissions }: Operation): readonly string[] {
  if (permissions === undefined) return ['requires no bearer token'];
  return [
    ...(permissions.length === 0 ? ['requires no exact permission'] : []),
    ...(otherCredentials === true ? ['can be called without a bearer token, by another scheme'] : []),
  ];
}

/** A document may write the end of its base URL in front of each path: `/api/v1/cases`. */
const casesPath = /^(?:\/(?:api|rest|v\d+(?:\.\d+)*))*\/cases$/i;

type Errors = Context['schemaErrors'];
/** @property at the member that is wrong: that the witness lacks others, which the document requires, refuses nothing */
type Witness = readonly [value: Json, what: string, at?: JsonPointer];

function ofCases({ operations }: Contract, operation: Operation, errors: Errors): readonly string[] {
  const { body, effect, kind, method, path, permissions = [] } = operation;
  if (method !== 'POST' || !casesPath.test(path)) return [];
  const exact = permissions.length === 0 || (permissions.length === 1 && permissions[0] === 'case.create');
  const isShared = operations.some(
    ({ id, shared }) => shared === true && (effect?.read === id || showsIn(effect, id)),
  );
  const what = [
    ...(isShared ? ['shows its records to every scope'] : []),
    ...(kind === 'read' ? ['is declared a read, so it requires no Idempotency-Key'] : []),
    ...(exact ? [] : [`requires ${permissions.join(' and ')} in place of case.create`]),
    ...(body?.required === true ? [] : ['does not require a body']),
    ...accepted(errors, body?.schema, requests),
    ...successesOf(operation).flatMap((success) => [
      ...(success.any === true ? ['declares no exact status'] : []),
      ...(success.status === 201 ? [] : [`declares ${success.status} in place of 201`]),
      ...ofRequestId(success, errors),
      ...accepted(errors, success.schema, responses(textsIn(success.schema ?? true))),
    ]),
  ];
  return [...new Set(what)];
}

/** Every text in a schema but `open`: whatever another status is called, it is among them. */
function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return value === 'open' ? [] : [value];
  if (isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

function ofRequestId({ requestId }: Success, errors: Errors): readonly string[] {
  if (requestId === undefined) return ['does not declare X-Request-Id in its response'];
  return [
    ...(requestId.required ? [] : ['does not require X-Request-Id in its response']),
    ...accepted(errors, requestId.schema, requestIds),
  ];
}

/** The witnesses that a schema accepts; all of them if there is no schema. */
function accepted(
  errors: Errors,
  schema: JsonSchema | undefined,
  witnesses: readonly Witness[],
): readonly string[] {
  return witnesses.flatMap(([value, what, at]) =>
    errors(schema ?? true, value).some(
      ({ keyword, pointer }) => at === undefined || pointer === at || keyword !== 'required',
    )
      ? []
      : [what],
  );
}
