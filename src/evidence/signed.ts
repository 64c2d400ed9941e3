import { placeholder } from './gate.ts';

/** The name of the secrets in a header that signing added to a request. */
export function signedName(header: string): string {
  return `signed-${header.toLowerCase()}`;
}

/** What the evidence holds as the value of such a header. */
export function signedValue(header: string): string {
  return `$${placeholder(signedName(header))}`;
}

export function isSigned([name, value]: readonly [string, string]): boolean {
  return value === signedValue(name);
}
