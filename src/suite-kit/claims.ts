import { knownNames, validator } from '../generate/index.ts';
import type { Operation } from '../model/contract.ts';
import { isObject, type Json } from '../model/json.ts';
import type { BodyEdit, Deviation, Step } from '../model/scenario.ts';

/** Headers in which gateways name the scope of a caller to services. A client must not choose it. */
const headers = ['X-Tenant-Id', 'X-Tenant', 'X-Organization-Id', 'X-Account-Id', 'X-Scope'];
/** Query fields and members of bodies of the same kind, where the contract declares none of these names. */
const fields = ['tenant', 'tenantId', 'tenant_id', 'organizationId', 'accountId', 'scope'];

/** Claims another scope in headers. A service ignores them, so that they provoke no failure of their own. */
export function claimedInHeaders(scope: string): {
  readonly headers: NonNullable<Step['headers']>;
  readonly deviations: readonly Deviation[];
} {
  return {
    headers: headers.map((header) => [header, scope] as const),
    deviations: headers.map((header) => ({ kind: 'header-noise', header }) as const),
  };
}

/** Claims another scope in the query. A service may refuse fields that it does not know (G7). */
export function claimedInQuery(
  scope: string,
  declared: readonly { readonly name: string }[],
): { readonly query: NonNullable<Step['query']>; readonly deviations: readonly Deviation[] } {
  const free = fields.filter((field) => declared.every(({ name }) => name !== field));
  return {
    query: free.map((field) => [field, scope] as const),
    deviations: free.map((field) => ({ kind: 'query', field, keyword: 'unknown' }) as const),
  };
}

/** Claims another scope in members that the schema of the body does not name: a service may refuse them (G7). */
export function claimedInBody(
  scope: string,
  { body }: Operation,
  plain: Json | undefined,
): { readonly edit: BodyEdit; readonly deviations: readonly Deviation[] } | undefined {
  if (body === undefined || !isObject(plain)) return undefined;
  const claims = Object.fromEntries(fields.map((field) => [field, scope]));
  const check = validator(body.schema, { formats: 'assert' });
  // A member that the schema names may take the claim for a value of its own.
  const { names, free } = knownNames(body.schema);
  if (fields.some((field) => names.has(field) || field in plain)) return undefined;
  if (check(plain).length > 0 || check({ ...plain, ...claims }).length > 0) return undefined;
  return {
    edit: { all: fields.map((field) => ({ at: `/${field}`, set: scope })) },
    deviations: fields.map(
      (field) => ({ kind: 'unknown-member', at: `/${field}`, ...(free ? { free } : {}) }) as const,
    ),
  };
}
