import type { Alteration, Step, Transport } from '../model/scenario.ts';
import type { TokenVariant } from '../model/token-variants.ts';
import { forged } from './jwt.ts';

/** Where the credential goes: header values as sent, or another place. */
export type Credential = {
  readonly authorization: string | undefined;
  readonly query: readonly (readonly [string, string])[];
  readonly member: readonly [string, string] | undefined;
  readonly cookie: string | undefined;
  /** Other headers, sent where the request has none of the name. */
  readonly headers: readonly (readonly [string, string])[];
  /** Secrets derived from the token, redacted like the token. */
  readonly derived: readonly string[];
};

const plain = { query: [], member: undefined, cookie: undefined, headers: [], derived: [] };

/**
 * Where other APIs have a token. Proxy-Authorization is not among them: it belongs to whatever stands before the service,
 * which may respond in its place.
 */
const otherHeaders = ['X-Api-Key', 'X-Auth-Token', 'X-Access-Token'] as const;

/** Where Assay puts a token in the cookies of a request without Authorization. */
const cookies = ['access_token', 'token'] as const;

/** Servers refuse heads that are too large before they look for a credential, many of them from 8 KB. */
const mostCopied = 2048;

/** Of a token: servers take a head of twice as much, and tokens that list permissions may be nearly as long. */
const longest = 4000;

/** As many of the places as hold copies of the token without making the head much larger than that of a valid request. */
function copied(token: string, places: readonly string[]): readonly string[] {
  return places.slice(0, Math.max(1, Math.floor(mostCopied / token.length)));
}

/** The credential of a step: the token as it is, or one of the ways to get it wrong. `random` gives hexadecimal digits. */
export function credentialOf(token: string, variant: TokenVariant | undefined, random: string): Credential {
  const bearer = (value: string): Credential => {
    const credential = { ...plain, authorization: `Bearer ${value}` };
    return value === token ? credential : { ...credential, derived: [value] };
  };
  switch (variant) {
    case undefined:
      return bearer(token);
    case 'absent':
      return { ...plain, authorization: undefined };
    case 'unknown':
      return bearer(lookalike(token, random));
    case 'empty':
      return { ...plain, authorization: 'Bearer ' };
    case 'scheme-only':
      return { ...plain, authorization: 'Bearer' };
    case 'no-value':
      return { ...plain, authorization: '' };
    case 'last-word':
      return { ...plain, authorization: `Bearer assay ${token}` };
    case 'quoted':
      return { ...plain, authorization: `Bearer "${token}"` };
    case 'two-words':
      return { ...plain, authorization: `Bearer ${token} assay` };
    case 'bare':
      return { ...plain, authorization: token };
    case 'basic':
      return { ...plain, authorization: `Basic ${Buffer.from(`${token}:${token}`).toString('base64')}` };
    case 'basic-raw':
      return { ...plain, authorization: `Basic ${token}` };
    case 'other-scheme':
      return { ...plain, authorization: `Token ${token}` };
    case 'equally-long-scheme':
      return { ...plain, authorization: `ApiKey ${token}` };
    case 'scheme-twice':
      return { ...plain, authorization: `Bearer Bearer ${token}` };
    case 'late-scheme':
      return { ...plain, authorization: `assay Bearer ${token}` };
    case 'longer-scheme':
      return { ...plain, authorization: `BearerToken ${token}` };
    case 'colon':
      return { ...plain, authorization: `Bearer: ${token}` };
    case 'unspaced':
      return { ...plain, authorization: `Bearer${token}` };
    case 'bracketed':
      return { ...plain, authorization: `Bearer <${token}>` };
    case 'percent-encoded':
      return bearer(percentEncoded(token));
    case 'dotted':
      return { ...plain, authorization: 'Bearer assay.assay.assay' };
    case 'long':
      return bearer(token.padEnd(longest, 'a'));
    case 'accented':
      return bearer(`${token.slice(0, -1)}\u00e4`);
    case 'base64':
      return bearer(Buffer.from(token).toString('base64'));
    case 'lower-case-scheme':
      return { ...plain, authorization: `bearer ${token}` };
    case 'flip-case':
    case 'truncated':
    case 'extended':
    case 'middle-changed':
    case 'end-changed':
      return bearer(altered(token, variant));
    case 'prefixed':
      return bearer(`x${token}`);
    case 'start-changed':
      return bearer(changed(token, 0));
    case 'in-query':
      return { ...plain, authorization: undefined, query: [['access_token', token]] };
    case 'in-body':
      return { ...plain, authorization: undefined, member: ['access_token', token] };
    case 'in-cookie':
      return {
        ...plain,
        authorization: undefined,
        cookie: copied(token, cookies)
          .map((name) => `${name}=${token}`)
          .join('; '),
      };
    case 'in-header':
      return {
        ...plain,
        authorization: undefined,
        headers: copied(token, otherHeaders).map((name) => [name, token]),
      };
    case 'null':
    case 'undefined':
      return { ...plain, authorization: `Bearer ${variant}` };
    case 'unsigned':
    case 'unsigned-signed':
    case 'unsigned-mixed-case':
    case 'payload-altered':
    case 'signature-empty':
    case 'signature-missing':
    case 'zero-signature':
    case 'unknown-key':
      return bearer(forged(token, variant));
  }
}

function percentEncoded(token: string): string {
  const [first = ''] = token;
  return `%${first.charCodeAt(0).toString(16).toUpperCase()}${token.slice(1)}`;
}

/**
 * How a step is sent. Some servers, such as Jetty, keep header lines of a connection, and find them again in any letter case: on a
 * connection that has had the right token, the service would be given that one.
 */
export function transportOf({ token, transport }: Step): Transport {
  return transport ?? (token === 'flip-case' ? 'fresh' : 'pooled');
}

/** Another secret that resembles the given one. */
export function altered(secret: string, how: Alteration): string {
  switch (how) {
    case 'flip-case':
      return flipped(secret);
    case 'truncated':
      return shortened(secret);
    case 'extended':
      // Two digits: they are another byte where a token is decoded as hexadecimal or base64, and one digit may be dropped.
      return `${secret.replace(/=+$/, '')}aa`;
    case 'middle-changed':
      return changed(secret, Math.floor(secret.length / 2));
    case 'end-changed':
      return changedEnd(secret);
  }
}

/** In the other case: of a JWT its signature alone, since in its other parts no service would find JSON. */
function flipped(secret: string): string {
  const at = secret.lastIndexOf('.') + 1;
  const [head, tail] = caseMatters(secret.slice(at)) ? [secret.slice(0, at), secret.slice(at)] : ['', secret];
  return (
    head +
    [...tail]
      .map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()))
      .join('')
  );
}

/** Only in one word does each character count, and only in one with letters of both cases the case. */
export function alteredVerification(issued: string, how: Alteration): string {
  const [upper, lower] = [/[A-Z]/g, /[a-z]/g].map((letters) => issued.match(letters)?.length ?? 0);
  if (!/^[\w.~+/-]+=*$/.test(issued)) return `x${issued}`;
  // What people type may lose all but its digits.
  if (how === 'extended' && /^\d+$/.test(issued)) return `${issued}00`;
  return how === 'flip-case' && !(caseMatters(issued) && Math.min(upper ?? 0, lower ?? 0) > 2)
    ? altered(issued, 'middle-changed')
    : altered(issued, how);
}

/** Without its last character; a decoder may drop one by itself where the length is none of hexadecimal or base64. */
function shortened(token: string): string {
  const text = token.replace(/=+$/, '');
  const last = text.slice(text.lastIndexOf('.') + 1);
  const isOdd = last.length % 4 === 1 || (last.length % 2 === 1 && /^[0-9a-f]+$/i.test(last));
  return text.slice(0, isOdd ? -2 : -1);
}

/** A token of the same length and alphabet that was never issued. */
function lookalike(token: string, random: string): string {
  return [...token]
    .map((letter, index) => {
      const digit = Number.parseInt(random[index % random.length] ?? '0', 16) + index;
      if (/\d/.test(letter)) return String(digit % 10);
      if (/[a-z]/.test(letter)) return String.fromCharCode(97 + ((digit * 7) % 26));
      if (/[A-Z]/.test(letter)) return String.fromCharCode(65 + ((digit * 7) % 26));
      return letter;
    })
    .join('');
}

function changed(token: string, at: number): string {
  const letter = token[at] ?? 'a';
  return `${token.slice(0, at)}${letter === 'a' || letter === 'A' ? 'b' : 'a'}${token.slice(at + 1)}`;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const highestBit = 32;

/** With another last character. In base64 only its highest bits may stand for something, and padding stands for nothing. */
function changedEnd(secret: string): string {
  const text = secret.replace(/=+$/, '');
  const last = text.slice(-1);
  if (/^\d+$/.test(text)) return `${text.slice(0, -1)}${(Number(last) + 5) % 10}`;
  const value = alphabet.indexOf({ '+': '-', '/': '_' }[last] ?? last);
  if (value < 0) return changed(secret, Math.max(0, text.length - 2));
  return `${text.slice(0, -1)}${alphabet[value ^ highestBit] ?? ''}${secret.slice(text.length)}`;
}

/** True where flipping the case of letters makes another token: hexadecimal digits, UUIDs and base32 mean the same in both. */
export function caseMatters(token: string): boolean {
  const isOneCase = token === token.toUpperCase() || token === token.toLowerCase();
  const base32 = /^(?:[0-9a-hjkmnp-tv-z]{26}|[a-z2-7]{16,}=*)$/i;
  return /[a-zA-Z]/.test(token) && !/^[0-9a-fA-F-]+$/.test(token) && !(isOneCase && base32.test(token));
}
