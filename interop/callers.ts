import { createHmac, randomBytes } from 'node:crypto';
import type { Stack } from './stack.ts';

export type Caller = {
  readonly token: string;
  readonly caller: string;
  readonly tenant: string;
  readonly permissions: readonly string[];
  readonly state: 'valid' | 'expired' | 'revoked';
};

type Principal = Omit<Caller, 'token'> & { readonly name: string; readonly use?: 'throttling' };

const both = ['case.create', 'case.read'];

const principals: readonly Principal[] = [
  one('full', both),
  one('full-renewed', both, { caller: 'full' }),
  one('peer', both),
  one('elsewhere', both, { tenant: 'tenant-b' }),
  one('creator', ['case.create']),
  one('reader', ['case.read']),
  one('nobody', []),
  one('near-shorter', ['case.creat', 'case.rea']),
  one('near-longer', ['case.created', 'case.reads']),
  one('near-upper-case', ['CASE.CREATE', 'CASE.READ']),
  one('near-prefix', ['case']),
  one('near-wildcard', ['case.*']),
  one('old', both, { state: 'expired' }),
  one('withdrawn', both, { state: 'revoked' }),
  one('hasty', both, { use: 'throttling' }),
];

function one(name: string, permissions: readonly string[], more: Partial<Principal> = {}): Principal {
  return { name, caller: name, tenant: 'tenant-a', permissions, state: 'valid', ...more };
}

/** The callers that a stack can know: nobody revokes a JWT there. */
export function callersOf(
  tokens: Stack['tokens'],
  jwtSecret: string,
): readonly (Caller & { readonly name: string; readonly use?: 'throttling' })[] {
  return principals
    .filter(({ state }) => tokens === 'opaque' || state !== 'revoked')
    .map((principal) => ({
      ...principal,
      token: tokens === 'opaque' ? randomBytes(24).toString('base64url') : jwt(principal, jwtSecret),
    }));
}

function jwt({ caller, tenant, permissions, state }: Principal, secret: string): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    sub: caller,
    jti: randomBytes(9).toString('base64url'),
    tenant,
    permissions,
    iat: now - 7200,
    exp: state === 'expired' ? now - 3600 : now + 7200,
  };
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims].map(encoded).join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
