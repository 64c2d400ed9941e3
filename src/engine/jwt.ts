import type { oddForgeries } from '../model/token-variants.ts';

/** True where a token has three parts that decode to a JWT's header and payload. */
export function isJwt(token: string): boolean {
  const parts = token.split('.');
  return parts.length === 3 && parts.slice(0, 2).every((part) => decoded(part) !== undefined);
}

function decoded(part: string): object | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

export type Forgery = 'unsigned' | 'payload-altered' | (typeof oddForgeries)[number];

/** A JWT that nobody signed, made from one that is valid. */
export function forged(token: string, how: Forgery): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const under = (changes: object): string => encoded({ ...decoded(header), ...changes });
  switch (how) {
    case 'unsigned':
      return `${under({ alg: 'none' })}.${payload}.`;
    case 'unsigned-mixed-case':
      return `${under({ alg: 'nOnE' })}.${payload}.`;
    case 'unsigned-signed':
      return `${under({ alg: 'none' })}.${payload}.${signature}`;
    case 'unknown-key':
      return `${under({ kid: 'assay-unknown' })}.${payload}.${signature}`;
    case 'payload-altered':
      return `${header}.${encoded({ ...decoded(payload), assay: 'altered' })}.${signature}`;
    case 'signature-empty':
      return `${header}.${payload}.`;
    case 'signature-missing':
      return `${header}.${payload}`;
    case 'zero-signature':
      // As long as that of ES256.
      return `${header}.${payload}.${'A'.repeat(86)}`;
  }
}
