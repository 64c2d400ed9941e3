import type { Operation } from './contract.ts';
import type { Json } from './json.ts';
import { asText } from './json.ts';

/** A name under `principals:` in the configuration. */
export type PrincipalName = string;

/** What signs requests: a module, or a shell command. */
export type SignerOrigin = { readonly module: string } | { readonly command: string };

/** Where a token comes from: what a command that is printed can take it from. */
export type TokenOrigin = { readonly env: string } | { readonly file: string } | { readonly command: string };

/** A credential issued to the harness, as declared; its token is known to the wire alone. */
export type Principal = {
  readonly name: PrincipalName;
  readonly permissions: readonly string[];
  /** Scope (tenant) of the identity; undefined where the vendor names none. */
  readonly scope: string | undefined;
  readonly state: 'valid' | 'expired' | 'revoked';
  /** Two principals of one identity hold two tokens of the same caller. */
  readonly identity: string;
  /** `throttling` keeps a principal for the throttling suite alone. */
  readonly use: 'any' | 'throttling';
  /** Values of parameters that each caller fills in for itself, such as the tenant in a path. */
  readonly parameters?: Readonly<Record<string, Json>>;
};

export function scopeOf(
  principals: readonly Principal[],
  name: PrincipalName | undefined,
): Principal['scope'] {
  return principals.find((one) => one.name === name)?.scope;
}

export function isPermitted(
  { permissions }: Pick<Principal, 'permissions'>,
  { permissions: needed = [] }: Pick<Operation, 'permissions'>,
): boolean {
  return needed.every((name) => permissions.includes(name));
}

/** The value that a parameter has in the requests of a principal: its own, or else that of another one of its scope, or of any. */
export function ownValue(
  principals: readonly Principal[],
  name: PrincipalName,
  parameter: string,
): Json | undefined {
  const by = principals.find((one) => one.name === name);
  const near = principals.filter(({ scope }) => by !== undefined && scope === by.scope);
  return [...(by === undefined ? [] : [by]), ...near, ...principals]
    .map(({ parameters = {} }) => (Object.hasOwn(parameters, parameter) ? parameters[parameter] : undefined))
    .find((value) => value !== undefined);
}

/** The path of an operation with what its caller fills in for itself; undefined where a value is missing. */
export function ownPath(
  { ownParameters = [], path }: Pick<Operation, 'ownParameters' | 'path'>,
  valueFor: (parameter: string) => Json | undefined,
): string | undefined {
  let filled = path;
  for (const name of ownParameters) {
    const segment = ownSegment(valueFor(name));
    if (segment === undefined && path.includes(`{${name}}`)) return undefined;
    filled = filled.replace(`{${name}}`, () => segment ?? '');
  }
  return filled;
}

/** A value as it is written in a path. */
export function ownSegment(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : encodeURIComponent(asText(value));
}
