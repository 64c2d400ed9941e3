/** A form in which a secret can occur. Its first eight characters show that it may be there. */
export type Needle = {
  readonly secret: string;
  readonly form: string;
  readonly fold: LetterFolding;
  /** At least `windowLength` characters, folded. */
  readonly text: string;
};
/** `case`: letters are equal in both cases; `base64`: so are the letters of base64 and base64url. */
export type LetterFolding = 'case' | 'base64';

export type Hit = {
  readonly secret: string;
  readonly form: string;
  readonly start: number;
  readonly end: number;
};

/** Finds many needles in one pass over a text, most of which it skips (Wu and Manber). */
export type Matcher = {
  readonly add: (needle: Needle) => void;
  /** In order of where they begin; they may overlap. */
  readonly find: (text: string) => readonly Hit[];
};

const windowLength = 8;
const block = 3;
const farthest = windowLength - block + 1;

export function makeMatcher(): Matcher {
  /** How far the window may move where it ends in three characters of these classes. */
  const shifts = new Uint8Array(1 << 18).fill(farthest);
  const buckets = new Map<number, Needle[]>();
  return {
    add: (needle) => {
      const { text } = needle;
      for (let end = block; end <= windowLength; end += 1) {
        const hash = blockAt(text, end - 1);
        shifts[hash] = Math.min(shifts[hash] ?? 0, windowLength - end);
      }
      const key = windowAt(text, 0);
      const bucket = buckets.get(key);
      if (bucket === undefined) buckets.set(key, [needle]);
      else bucket.push(needle);
    },
    find: (text) => {
      let hits: Hit[] | undefined;
      for (let last = windowLength - 1; last < text.length; ) {
        const shift = shifts[blockAt(text, last)] ?? 0;
        if (shift > 0) {
          last += shift;
          continue;
        }
        const start = last - windowLength + 1;
        last += 1;
        for (const { secret, form, fold, text: needle } of buckets.get(windowAt(text, start)) ?? [])
          if (occursAt(text, start, needle, fold)) {
            hits ??= [];
            hits.push({ secret, form, start, end: start + needle.length });
          }
      }
      return hits ?? none;
    },
  };
}

const none: readonly Hit[] = [];

/** Sixty-four classes of characters: those that any fold makes equal are in one. */
const classes = Uint8Array.from({ length: 2 ** 16 }, (_, code) => {
  if (code > 127) return 38 + (code % 26);
  const letter = String.fromCharCode(code);
  if (/[A-Za-z]/.test(letter)) return (code & 31) - 1;
  if (/[0-9]/.test(letter)) return 26 + code - 48;
  if (letter === '+' || letter === '-') return 36;
  if (letter === '/' || letter === '_') return 37;
  return 38 + (code % 26);
});

function classAt(text: string, at: number): number {
  return classes[text.charCodeAt(at)] ?? 0;
}

function blockAt(text: string, last: number): number {
  return (classAt(text, last - 2) << 12) | (classAt(text, last - 1) << 6) | classAt(text, last);
}

function windowAt(text: string, start: number): number {
  let key = 0;
  for (let at = start; at < start + windowLength; at += 1) key = key * 64 + classAt(text, at);
  return key;
}

function occursAt(text: string, start: number, needle: string, fold: LetterFolding): boolean {
  if (start + needle.length > text.length) return false;
  for (let at = 0; at < needle.length; at += 1)
    if (foldedCode(text.charCodeAt(start + at), fold) !== needle.charCodeAt(at)) return false;
  return true;
}

function foldedCode(code: number, fold: LetterFolding): number {
  if (fold === 'case') return code >= 65 && code <= 90 ? code + 32 : code;
  return code === 45 ? 43 : code === 95 ? 47 : code;
}

/** Every form of a secret that is found without decoding: as text, in hexadecimal, and in base64 at each offset. */
export function needlesOf(secret: string, value: string): readonly Needle[] {
  const bytes = Buffer.from(value);
  const found: Needle[] = [
    { secret, form: 'text, percent-encoded or escaped', fold: 'case', text: folded(value, 'case') },
    { secret, form: 'hexadecimal', fold: 'case', text: bytes.toString('hex') },
    ...[0, 1, 2].map(
      (offset): Needle => ({
        secret,
        form: 'base64',
        fold: 'base64',
        text: folded(base64Letters(bytes, offset), 'base64'),
      }),
    ),
  ];
  // Decoded bytes are read as Latin-1.
  const latin1 = folded(bytes.toString('latin1'), 'case');
  return latin1 === found[0]?.text
    ? found
    : [...found, { secret, form: 'bytes', fold: 'case', text: latin1 }];
}

function folded(text: string, fold: LetterFolding): string {
  let result = '';
  for (let at = 0; at < text.length; at += 1)
    result += String.fromCharCode(foldedCode(text.charCodeAt(at), fold));
  return result;
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
