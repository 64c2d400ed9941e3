import { createHash } from 'node:crypto';

/** What was removed, by which rule, how often. */
export type Removal = { readonly secret: string; readonly form: string; readonly count: number };

export type Redactor = {
  /** The text with every secret replaced by `$ASSAY_TOKEN_NAME`, in whatever encoding it stands. */
  readonly text: (text: string) => string;
  /** For text that was redacted in its parts: looks for plain secrets alone, and redacts it all where one is found. */
  readonly guard: (text: string) => string;
  /** Learns of one more secret, such as a token that the harness changed in one place. */
  readonly add: (name: string, secret: string) => void;
  readonly manifest: () => readonly Removal[];
  /** The first 12 hexadecimal digits of SHA-256(salt, secret): two occurrences can be told to be the same. */
  readonly digestOf: (name: string) => string | undefined;
};

type Form = { readonly form: string; readonly pattern: string; readonly ignoreCase: boolean };
type Secret = {
  readonly name: string;
  readonly forms: readonly { readonly form: string; readonly expression: RegExp }[];
};

/** Secrets are replaced in all forms; values under 8 characters are refused by the configuration. */
export function makeRedactor(
  secrets: readonly { readonly name: string; readonly value: string }[],
  salt: string,
): Redactor {
  const known = new Map<string, Secret>();
  const digests = new Map<string, string>();
  const counts = new Map<string, { readonly secret: string; readonly form: string; count: number }>();
  /** Short texts such as header values come again and again. */
  const memory = new Map<string, string>();
  let ordered: readonly Secret[] = [];
  /** Which secrets have a form that begins so: texts without escapes are looked through once, whatever the number of secrets. */
  const beginnings = new Map<string, Set<Secret>>();
  const add = (name: string, value: string): void => {
    const place = placeholder(name);
    if (known.has(value) || value.length < 8) return;
    digests.set(place, createHash('sha256').update(salt).update(value).digest('hex').slice(0, 12));
    const forms = formsOf(value).map(({ form, pattern, ignoreCase }) => ({
      form,
      expression: new RegExp(pattern, ignoreCase ? 'gi' : 'g'),
    }));
    const secret: Secret = { name: place, forms };
    known.set(value, secret);
    for (const plain of plainForms(value)) {
      const found = beginnings.get(plain.slice(0, windowLength)) ?? new Set();
      beginnings.set(plain.slice(0, windowLength), found.add(secret));
    }
    // Longer secrets first, so that one inside another does not leave a rest behind.
    ordered = [...known].sort(([one], [other]) => other.length - one.length).map(([, secret]) => secret);
    memory.clear();
  };
  for (const { name, value } of secrets) add(name, value);
  const redacted = (text: string): string => {
    let result = text;
    const suspects = escapes.test(text) ? undefined : suspectsIn(text, beginnings);
    if (suspects?.size === 0) return text;
    for (const secret of ordered) {
      if (suspects !== undefined && !suspects.has(secret)) continue;
      for (const { form, expression } of secret.forms) {
        expression.lastIndex = 0;
        if (!expression.test(result)) continue;
        expression.lastIndex = 0;
        result = result.replace(expression, () => {
          const entry = counts.get(`${secret.name} ${form}`) ?? { secret: secret.name, form, count: 0 };
          entry.count += 1;
          counts.set(`${secret.name} ${form}`, entry);
          return `$${secret.name}`;
        });
      }
    }
    return result;
  };
  const text = (given: string): string => {
    if (given.length < 8) return given;
    const remembered = memory.get(given);
    if (remembered !== undefined) return remembered;
    const result = redacted(given);
    // What holds a secret is not kept, and is counted each time.
    if (given.length < 120 && result === given) {
      if (memory.size > 5000) memory.clear();
      memory.set(given, result);
    }
    return result;
  };
  return {
    text,
    guard: (given) => ([...known.keys()].some((secret) => given.includes(secret)) ? redacted(given) : given),
    add,
    manifest: () => [...counts.values()].map((entry) => ({ ...entry })),
    digestOf: (name) => digests.get(placeholder(name)),
  };
}

/** Where none of these stands, no character is encoded. */
const escapes = /[%\\&]/;

/** So many characters of a form tell that it may be there. Secrets have at least eight, and their base64 at least nine. */
const windowLength = 8;

/** The forms of a secret without escapes, as they stand in a folded text. */
function plainForms(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [
    value.toLowerCase(),
    bytes.toString('hex'),
    ...[0, 1, 2].map((offset) => foldedBase64(base64Letters(bytes, offset))),
  ];
}

/** Base64 and base64url differ in two letters. */
function foldedBase64(text: string): string {
  return text.replaceAll('-', '+').replaceAll('_', '/');
}

function suspectsIn(text: string, beginnings: ReadonlyMap<string, ReadonlySet<Secret>>): ReadonlySet<Secret> {
  const suspects = new Set<Secret>();
  for (const folded of [text.toLowerCase(), foldedBase64(text)])
    for (let start = 0; start + windowLength <= folded.length; start += 1) {
      const found = beginnings.get(folded.slice(start, start + windowLength));
      if (found !== undefined) for (const secret of found) suspects.add(secret);
    }
  return suspects;
}

/** `full` stands as ASSAY_TOKEN_FULL. */
export function placeholder(name: string): string {
  return `ASSAY_TOKEN_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
}

const special = /[.*+?^${}()|[\]\\/-]/g;

function escaped(text: string): string {
  return text.replaceAll(special, '\\$&');
}

/** Every encoding in which a secret may come back, as patterns. */
function formsOf(value: string): readonly Form[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  // Each character plain, percent-encoded, as a JSON escape (also doubled), or as a character reference.
  const mixed = [...value]
    .map((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      const digits = code.toString(16).padStart(2, '0');
      return `(?:${escaped(letter)}|%(?:25)?${digits}|\\\\+u${code.toString(16).padStart(4, '0')}|&#${code};|&#x0*${code.toString(16)};|\\\\+${escaped(letter)})`;
    })
    .join('');
  return [
    { form: 'text, percent-encoded or escaped', pattern: mixed, ignoreCase: true },
    { form: 'hexadecimal', pattern: hex, ignoreCase: true },
    ...[0, 1, 2].map(
      (offset): Form => ({ form: 'base64', pattern: base64Core(bytes, offset), ignoreCase: false }),
    ),
  ];
}

/** The characters of a base64 text that depend on the secret alone when it begins `offset` bytes into a group of three. */
function base64Letters(bytes: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const first = offset === 0 ? 0 : offset === 1 ? 2 : 3;
  const whole = Math.floor(((offset + bytes.length) * 8) / 6);
  return encoded.slice(first, whole);
}

function base64Core(bytes: Buffer, offset: number): string {
  return [...base64Letters(bytes, offset)]
    .map((letter) =>
      letter === '+' || letter === '-'
        ? '(?:[+-]|%2[bBdD])'
        : letter === '/' || letter === '_'
          ? '(?:[/_]|%2[fF]|%5[fF]|\\\\/)'
          : letter,
    )
    .join('');
}
