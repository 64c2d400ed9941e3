/** A name under `principals:` in the configuration. */
export type PrincipalName = string;

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
};
