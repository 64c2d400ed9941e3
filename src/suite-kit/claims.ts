import type { Deviation, Step } from '../model/scenario.ts';

/** Headers in which gateways name the scope of a caller to services. A client must not choose it. */
const headers = ['X-Tenant-Id', 'X-Tenant', 'X-Organization-Id', 'X-Account-Id', 'X-Scope'];
/** Query fields of the same kind, where the contract declares none of these names. */
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
