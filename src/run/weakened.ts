import type { Context } from '../model/clause.ts';
import type { Contract, Operation, Success } from '../model/contract.ts';
import type { Json, JsonSchema } from '../model/json.ts';
import { makeContext } from '../oracle/context.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';

/** Values that the schemas of POST /cases must refuse, from the specification. */
const requests: readonly (readonly [Json, string])[] = [
  [{}, 'does not require subject'],
  [{ subject: 1 }, 'allows a subject that is not a string'],
];
const responses: readonly (readonly [Json, string])[] = [
  [{ status: 'open' }, 'does not require id in its result'],
  [{ id: 'other_1', status: 'open' }, 'allows an id without the prefix case_'],
  [{ id: 'case_1' }, 'does not require status in its result'],
  [{ id: 'case_1', status: 'closed' }, 'allows another status than open on creation'],
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
    return [...anywhere(operation), ...ofCases(operation, schemaErrors)].map(
      (what) => `the contract is weakened: ${name} ${what}`,
    );
  });
}

function anywhere({ permissions }: Operation): readonly string[] {
  if (permissions === undefined) return ['requires no bearer token'];
  return permissions.length === 0 ? ['requires no exact permission'] : [];
}

type Errors = Context['schemaErrors'];

function ofCases({ body, method, path, success }: Operation, errors: Errors): readonly string[] {
  if (method !== 'POST' || path !== '/cases') return [];
  return [
    ...(success.status === 201 ? [] : [`declares ${success.status} in place of 201`]),
    ...accepted(errors, body?.schema, requests),
    ...ofRequestId(success, errors),
    ...accepted(errors, success.schema, responses),
  ];
}

function ofRequestId({ requestId }: Success, errors: Errors): readonly string[] {
  if (requestId === undefined) return ['does not declare X-Request-Id in its response'];
  return [
    ...(requestId.required ? [] : ['does not require X-Request-Id in its response']),
    ...accepted(errors, requestId.schema, [['other_1', 'allows an X-Request-Id without the prefix req_']]),
  ];
}

/** The witnesses that a schema accepts; all of them if there is no schema. */
function accepted(
  errors: Errors,
  schema: JsonSchema | undefined,
  witnesses: typeof requests,
): readonly string[] {
  return witnesses.flatMap(([value, what]) => (errors(schema ?? true, value).length === 0 ? [what] : []));
}
