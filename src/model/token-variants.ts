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

/** Forms that only some careless parsers take for the token, or fail on. */
export const oddTokens = [
  'scheme-twice' /* Bearer Bearer <token> */,
  'late-scheme' /* another word before Bearer <token> */,
  'longer-scheme' /* BearerToken <token> */,
  'colon' /* Bearer: <token> */,
  'unspaced' /* Bearer<token> */,
  'bracketed' /* Bearer <<token>>: signs around a token are no part of its form */,
  'percent-encoded' /* the token with one character as in an address */,
  'base64' /* the token encoded as in Basic */,
  'long' /* the token with thousands of characters behind it: no column and no buffer has room for them */,
  'accented' /* the token with a letter that ASCII lacks, which some comparisons do not take */,
  'dotted' /* three words with dots, as of a JWT: no part of it can be decoded */,
] as const;

/** Further forgeries of a JWT, each of which one kind of careless check lets through. */
export const oddForgeries = [
  'signature-empty' /* checked only if there is one */,
  'signature-missing' /* two parts */,
  'unsigned-signed' /* alg none, with the signature of the token behind it */,
  'unsigned-mixed-case' /* alg nOnE, which is not the none that is refused */,
  'unknown-key' /* a kid that no key has: where none is found, none is asked for */,
  'zero-signature' /* a signature of zeros: valid for any text in a careless ECDSA (CVE-2022-21449) */,
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
  'basic' /* Basic base64(token:token) */,
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
  ...oddTokens,
] as const;
export type TokenVariant =
  | (typeof scriptedTokens)[number]
  | 'lower-case-scheme' /* bearer <token>: legal */
  | 'unsigned'
  | 'payload-altered'
  | (typeof oddForgeries)[number];

/**
 * What a server returns for heads that it has no room for (open point G8), or that are beyond ASCII, before any service sees
 * them.
 */
export const refusedByServers: ReadonlyMap<TokenVariant, readonly number[]> = new Map([
  ['long', [400, 413, 414, 431]],
  ['accented', [400]],
]);
