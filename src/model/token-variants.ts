/** A valid token with a change. */
export const mutatedTokens = [
  'flip-case',
  'truncated',
  'extended',
  'prefixed',
  'middle-changed',
  'start-changed',
  'end-changed',
] as const;

/** Those that a scripted suite may ask for. */
export const scriptedTokens = [
  'absent',
  'unknown',
  'empty' /* "Bearer " */,
  'scheme-only' /* "Bearer" */,
  'no-value' /* the header without a value */,
  'two-words' /* the token and another word */,
  'last-word' /* another word and the token */,
  'quoted' /* "<token>": quotes are no part of the form of a token */,
  'bare' /* the token alone */,
  'basic' /* Basic base64(token:) */,
  'basic-raw' /* Basic <token> */,
  'other-scheme' /* Token <token> */,
  'equally-long-scheme' /* ApiKey <token>: what cuts off seven characters finds the token */,
  ...mutatedTokens,
  'in-query',
  'in-body',
  'in-cookie',
  'in-header' /* in headers that other APIs have for a token */,
  'null' /* Bearer null: what a client sends that has no token */,
  'undefined' /* Bearer undefined */,
] as const;
export type TokenVariant =
  | (typeof scriptedTokens)[number]
  | 'lower-case-scheme' /* bearer <token>: legal */
  | 'unsigned'
  | 'payload-altered';
