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

/** How a secret may stand in a text whose escapes are undone, folded as the form is. */
type Needle = { readonly form: string; readonly fold: Fold; readonly text: string };
type Fold = 'case' | 'base64';
type Secret = { readonly name: string; readonly needles: readonly Needle[] };

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
  /** Which secrets have a form that begins so: a text is looked through once, whatever the number of secrets. */
  const beginnings: Beginnings = { all: new Map(), ends: new Uint8Array(2 ** 16) };
  const add = (name: string, value: string): void => {
    const place = placeholder(name);
    if (known.has(value) || value.length < 8) return;
    digests.set(place, createHash('sha256').update(salt).update(value).digest('hex').slice(0, 12));
    const secret: Secret = { name: place, needles: needlesOf(value) };
    known.set(value, secret);
    for (const { text } of secret.needles) {
      const found = beginnings.all.get(text.slice(0, windowLength)) ?? new Set();
      beginnings.all.set(text.slice(0, windowLength), found.add(secret));
      beginnings.ends[endsOf(text, 0)] = 1;
    }
    // Longer secrets first, so that one inside another does not leave a rest behind.
    ordered = [...known].sort(([one], [other]) => other.length - one.length).map(([, secret]) => secret);
    memory.clear();
  };
  for (const { name, value } of secrets) add(name, value);
  const count = (secret: string, form: string): void => {
    const entry = counts.get(`${secret} ${form}`) ?? { secret, form, count: 0 };
    entry.count += 1;
    counts.set(`${secret} ${form}`, entry);
  };
  const redacted = (text: string): string => {
    const suspects = suspectsIn(text, beginnings);
    if (suspects.size === 0) return text;
    let result = text;
    for (const secret of ordered) {
      if (!suspects.has(secret)) continue;
      const spans = spansOf(result, secret.needles);
      for (const { form } of spans) count(secret.name, form);
      // From the end, so that the places before stay what they are.
      for (const { start, end } of spans.toReversed())
        result = `${result.slice(0, start)}$${secret.name}${result.slice(end)}`;
    }
    return result;
  };
  const text = (given: string): string => {
    if (given.length < 8) return given;
    const remembered = memory.get(given);
    if (remembered !== undefined) return remembered;
    // No secret has an end of line in it: a long text is read line by line.
    if (given.length > long) return given.split('\n').map(redacted).join('\n');
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

/** So many characters are a long text. */
const long = 100_000;

/** So many characters of a form tell that it may be there. Secrets have at least eight, and their base64 at least nine. */
const windowLength = 8;

/** The first characters of all forms of all secrets. */
type Beginnings = {
  readonly all: Map<string, Set<Secret>>;
  /** One where a beginning has such a first and last character: most of a text is passed over by looking at two. */
  readonly ends: Uint8Array;
};

function endsOf(text: string, start: number): number {
  return ((text.charCodeAt(start) & 255) << 8) | (text.charCodeAt(start + windowLength - 1) & 255);
}

/** Every encoding in which a secret may come back. */
function needlesOf(value: string): readonly Needle[] {
  const bytes = Buffer.from(value);
  return [
    { form: 'text, percent-encoded or escaped', fold: 'case', text: folds.case(value) },
    { form: 'hexadecimal', fold: 'case', text: bytes.toString('hex') },
    ...[0, 1, 2].map(
      (offset): Needle => ({
        form: 'base64',
        fold: 'base64',
        text: folds.base64(base64Letters(bytes, offset)),
      }),
    ),
  ];
}

/** Base64 and base64url differ in two letters. Folding keeps every character at its place. */
const folds: Readonly<Record<Fold, (text: string) => string>> = {
  case: (text) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  base64: (text) => text.replaceAll('-', '+').replaceAll('_', '/'),
};

/** A text as it may be read, and where each of its characters stands in the original. */
type Reading = {
  readonly text: string;
  readonly starts?: readonly number[];
  readonly ends?: readonly number[];
};

const readingsOf = (text: string): readonly Reading[] =>
  escapes.test(text) ? [{ text }, unescaped(text)] : [{ text }];

/** The secrets that may stand in a text, as it is or once its escapes are undone. */
function suspectsIn(text: string, { all, ends }: Beginnings): ReadonlySet<Secret> {
  const suspects = new Set<Secret>();
  for (const reading of readingsOf(text))
    for (const fold of [folds.case, folds.base64]) {
      const folded = fold(reading.text);
      for (let start = 0; start + windowLength <= folded.length; start += 1) {
        if (ends[endsOf(folded, start)] === 0) continue;
        const found = all.get(folded.slice(start, start + windowLength));
        if (found !== undefined) for (const secret of found) suspects.add(secret);
      }
    }
  return suspects;
}

type Span = { readonly form: string; readonly start: number; readonly end: number };

/** Where the secret stands in the text, in order and apart from each other. */
function spansOf(text: string, needles: readonly Needle[]): readonly Span[] {
  const found: Span[] = [];
  for (const { starts, ends, ...reading } of readingsOf(text))
    for (const { fold, form, text: needle } of needles) {
      const folded = folds[fold](reading.text);
      for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + needle.length)) {
        const last = at + needle.length - 1;
        found.push({ form, start: starts?.[at] ?? at, end: ends?.[last] ?? last + 1 });
      }
    }
  const apart: Span[] = [];
  for (const span of found.sort((one, other) => one.start - other.start || other.end - one.end)) {
    const before = apart.at(-1);
    if (before === undefined || span.start >= before.end) apart.push(span);
    else if (span.end > before.end) apart.splice(-1, 1, { ...before, end: span.end });
  }
  return apart;
}

const escapeSequence = /%(?:25)?([0-9a-f]{2})|\\+u([0-9a-f]{4})|&#x0*([0-9a-f]{1,6});|&#(\d{1,7});|\\+/gi;

/** The text with its percent-encodings (also doubled), JSON escapes (also doubled) and character references undone. */
function unescaped(text: string): Reading {
  const starts: number[] = [];
  const ends: number[] = [];
  let read = '';
  /** Where the next character begins: backslashes before it belong to it. */
  let start = 0;
  const take = (characters: string, end: (index: number) => number): void => {
    for (let index = 0; index < characters.length; index += 1) {
      starts.push(start);
      start = end(index);
      ends.push(start);
    }
    read += characters;
  };
  let at = 0;
  for (const match of text.matchAll(escapeSequence)) {
    const from = at;
    take(text.slice(from, match.index), (index) => from + index + 1);
    at = match.index + match[0].length;
    const digits = match[1] ?? match[2] ?? match[3];
    const code = Number.parseInt(digits ?? match[4] ?? '', digits === undefined ? 10 : 16);
    if (code <= 0x10ffff) take(String.fromCodePoint(code), () => at);
  }
  const from = at;
  take(text.slice(from), (index) => from + index + 1);
  return { text: read, starts, ends };
}

/** `full` stands as ASSAY_TOKEN_FULL. */
export function placeholder(name: string): string {
  return `ASSAY_TOKEN_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
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
