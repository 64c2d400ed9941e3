/** A text as it may be read once one encoding is undone, and where in its original each character comes from. */
export type Reading = {
  readonly text: string;
  /** Another way to see the same characters: it costs no depth. */
  readonly same?: true;
  /** What was undone; undefined for escapes, which are part of the form of a text. */
  readonly form: string | undefined;
  readonly startOf: (index: number) => number;
  /** Where the character at this index ends. */
  readonly endOf: (index: number) => number;
};

/**
 * Looks at each character once, and says what could be encoded: where nothing is, nothing is decoded. Words and ids are
 * candidates too, but short ones.
 */
export function readingsOf(text: string, spend: (work: number) => void): readonly Reading[] {
  const found: Reading[] = [];
  const seen = candidatesIn(text);
  if (seen.escapes) found.push(...unescapedReadings(text));
  if (seen.nul) found.push({ ...withoutNul(text), same: true });
  for (const { start, end, blanks } of seen.base64) {
    spend(end - start);
    found.push(...base64Readings(text, start, end, 'skip'));
    // Forms decode a plus sign to a blank.
    if (blanks) found.push(...base64Readings(text, start, end, 'plus'));
  }
  for (const { start, end } of seen.hex) {
    spend(end - start);
    found.push(...hexReadings(text, start, end));
  }
  if (seen.decimals) found.push(...decimalReadings(text));
  return found;
}

type Run = { readonly start: number; readonly end: number; readonly blanks: boolean };
type Candidates = {
  readonly escapes: boolean;
  readonly nul: boolean;
  readonly base64: readonly Run[];
  readonly hex: readonly Run[];
  readonly decimals: boolean;
};

/** What a character can be part of. */
const escaping = 1;
const base64 = 2;
const hex = 4;
const blank = 8;
const separator = 16;
const digit = 32;
const nul = 64;
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  return (
    (/[%\\&=]/.test(letter) ? escaping : 0) |
    (/[A-Za-z0-9+/_-]/.test(letter) ? base64 : 0) |
    (/[0-9A-Fa-f]/.test(letter) ? hex : 0) |
    (/[ \t\r\n]/.test(letter) ? blank : 0) |
    (/[:;,._\-xX]/.test(letter) ? separator : 0) |
    (/[0-9]/.test(letter) ? digit : 0) |
    (code === 0 ? nul : 0)
  );
});

/** Eight bytes in base64, and in hexadecimal: less holds no secret. Without blanks, base64 itself is found as it is. */
const shortest = { base64: 13, base64WithBlanks: 11, hex: 16, bytes: 8 };

function candidatesIn(text: string): Candidates {
  let seen = 0;
  const runs: { readonly base64: Run[]; readonly hex: Run[] } = { base64: [], hex: [] };
  let letters = 0;
  let lettersFrom = 0;
  let blanks = false;
  let digits = 0;
  let digitsFrom = 0;
  let numbers = 0;
  let decimals = false;
  let before = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 128;
    const kind = code < 128 ? (kinds[code] ?? 0) : 0;
    seen |= kind;
    if ((kind & base64) !== 0) {
      if (letters === 0) lettersFrom = at;
      letters += 1;
    } else if (letters > 0 && (kind & blank) !== 0) blanks = true;
    else if (letters > 0) {
      if (letters >= (blanks ? shortest.base64WithBlanks : shortest.base64))
        runs.base64.push({ start: lettersFrom, end: at, blanks });
      letters = 0;
      blanks = false;
    }
    if ((kind & hex) !== 0) {
      if (digits === 0) digitsFrom = at;
      digits += 1;
    } else if (digits > 0 && (kind & (separator | blank)) === 0) {
      if (digits >= shortest.hex) runs.hex.push({ start: digitsFrom, end: at, blanks: false });
      digits = 0;
    }
    if ((kind & digit) !== 0) {
      if ((before & digit) === 0) numbers += 1;
      if (numbers >= shortest.bytes) decimals = true;
    } else if ((kind & blank) === 0 && code !== 44) numbers = 0;
    before = kind;
  }
  return {
    escapes: (seen & escaping) !== 0 && (/[%\\&]/.test(text) || quotedPrintable.test(text)),
    nul: (seen & nul) !== 0,
    base64: runs.base64,
    hex: runs.hex,
    decimals,
  };
}

const quotedPrintable = /=(?:[0-9A-F]{2}|[ \t]*\r?\n)/i;

/** UTF-16 and UTF-32 read as UTF-8 have zeros between the letters. */
function withoutNul(text: string): Reading {
  return replaced(
    text,
    [...text.matchAll(/\0+/g)].map((match) => [match.index, match[0].length, ''] as const),
    undefined,
  );
}

type Change = readonly [at: number, length: number, by: string];

/** A text with parts replaced. Nothing is kept for each character: a long text has few escapes, as a rule. */
function replaced(text: string, changes: readonly Change[], form: string | undefined): Reading {
  const pieces: string[] = [];
  /** Where the replacement of each change begins and ends in the result. */
  const from = new Int32Array(changes.length);
  const to = new Int32Array(changes.length);
  let taken = 0;
  let length = 0;
  for (const [index, [at, width, by]] of changes.entries()) {
    pieces.push(text.slice(taken, at), by);
    length += at - taken;
    from[index] = length;
    length += by.length;
    to[index] = length;
    taken = at + width;
  }
  pieces.push(text.slice(taken));
  /** The last change that begins at or before a place in the result; -1 where there is none. */
  const lastBefore = (place: number): number => {
    let low = 0;
    let high = changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((from[middle] ?? 0) <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  };
  const endOfChange = (index: number): number => {
    const [at, width] = changes[index] ?? [0, 0];
    return at + width;
  };
  return {
    text: pieces.join(''),
    form,
    startOf: (place) => {
      let index = lastBefore(place);
      if (index < 0) return place;
      if (place < (to[index] ?? 0)) {
        // What stands for nothing belongs to the character after it: a backslash, or a line that goes on.
        let start = changes[index]?.[0] ?? 0;
        for (index -= 1; index >= 0 && to[index] === from[index] && endOfChange(index) === start; index -= 1)
          start = changes[index]?.[0] ?? 0;
        return start;
      }
      let start = endOfChange(index) + place - (to[index] ?? 0);
      for (; index >= 0 && to[index] === from[index] && endOfChange(index) === start; index -= 1)
        start = changes[index]?.[0] ?? 0;
      return start;
    },
    endOf: (place) => {
      const index = lastBefore(place);
      if (index < 0) return place + 1;
      if (place < (to[index] ?? 0)) return endOfChange(index);
      return endOfChange(index) + place - (to[index] ?? 0) + 1;
    },
  };
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  plus: '+',
  sol: '/',
  equals: '=',
  period: '.',
  lowbar: '_',
  underbar: '_',
  hyphen: '-',
  dash: '-',
  tab: '\t',
  newline: '\n',
  excl: '!',
  num: '#',
  dollar: '$',
  percnt: '%',
  lpar: '(',
  rpar: ')',
  ast: '*',
  midast: '*',
  comma: ',',
  colon: ':',
  semi: ';',
  quest: '?',
  commat: '@',
  lsqb: '[',
  lbrack: '[',
  bsol: '\\',
  rsqb: ']',
  rbrack: ']',
  hat: '^',
  grave: '`',
  lcub: '{',
  lbrace: '{',
  verbar: '|',
  vert: '|',
  verticalline: '|',
  rcub: '}',
  rbrace: '}',
  nbsp: ' ',
};

const always = String.raw`%u(?<u4>[0-9a-f]{4})|%(?:25)*(?<h2>[0-9a-f]{2})|\\+u(?<j4>[0-9a-f]{4})|\\+u\{(?<j6>0*[0-9a-f]{1,6})\}|&(?:amp;?|#0*38;?|#x0*26;?)*(?:#x0*(?<x>[0-9a-f]{1,6});?|#0*(?<d>\d{1,7});?|(?<n>${Object.keys(
  named,
)
  .sort((one, other) => other.length - one.length)
  .join('|')});?)`;
/** What a backslash before a letter or a digit means differs: a control character, or the letter itself. */
const asWritten = String.raw`\\+x(?<x2>[0-9a-f]{2})|\\+(?<o>[0-3]?[0-7]{2})|\\+(?<c>[nrtbfv])`;
const quoted = String.raw`=(?<q>[0-9a-f]{2})|=[ \t]*\r?\n`;
const drop = String.raw`\\+`;
const patterns = {
  plain: new RegExp(`${always}|${drop}`, 'gi'),
  written: new RegExp(`${always}|${asWritten}|${drop}`, 'gi'),
  plainQuoted: new RegExp(`${always}|${quoted}|${drop}`, 'gi'),
  /** JSON as its grammar says, for escapes of other kinds within. */
  json: /\\u(?<j4>[0-9a-f]{4})|\\(?<c>[bfnrt])|\\(?<s>["\\/])/gi,
  writtenQuoted: new RegExp(`${always}|${asWritten}|${quoted}|${drop}`, 'gi'),
};

/** The text with its escapes undone, in each of the ways in which they may be meant. */
function unescapedReadings(text: string): readonly Reading[] {
  const written = /\\[xX0-7nrtbfv]/.test(text);
  const quotes = quotedPrintable.test(text);
  return [
    ...(/[%\\&]/.test(text) ? [patterns.plain] : []),
    ...(written ? [patterns.written] : []),
    ...(text.includes('\\\\') ? [patterns.json] : []),
    ...(quotes ? [patterns.plainQuoted] : []),
    ...(quotes && written ? [patterns.writtenQuoted] : []),
  ].flatMap((pattern) => {
    const changes: Change[] = [];
    for (const match of text.matchAll(pattern)) {
      const by = unescaped(match.groups ?? {});
      if (by !== undefined) changes.push([match.index, match[0].length, by]);
    }
    return changes.length === 0 ? [] : [replaced(text, changes, undefined)];
  });
}

const controls: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '',
  f: '\n',
  v: '\n',
};

function unescaped(groups: Readonly<Record<string, string | undefined>>): string | undefined {
  const { n, d, o, c, s } = groups;
  if (s !== undefined) return s;
  if (n !== undefined) return named[n.toLowerCase()];
  if (c !== undefined) return controls[c.toLowerCase()];
  const digits =
    groups['u4'] ??
    groups['h2'] ??
    groups['j4'] ??
    groups['j6'] ??
    groups['x'] ??
    groups['x2'] ??
    groups['q'];
  if (digits === undefined && d === undefined && o === undefined) return '';
  const code = Number.parseInt(digits ?? d ?? o ?? '', digits !== undefined ? 16 : d !== undefined ? 10 : 8);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

const sextets = Int8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  return 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(
    letter === '-' ? '+' : letter === '_' ? '/' : letter,
  );
});

/** Readable parts of a run of base64, which may begin at any of four letters. */
function base64Readings(
  text: string,
  start: number,
  end: number,
  blanks: 'skip' | 'plus',
): readonly Reading[] {
  const values = new Uint8Array(end - start);
  const places = new Int32Array(end - start);
  let count = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    const value = blanks === 'plus' && code === 32 ? 62 : (sextets[code] ?? -1);
    if (value < 0) continue;
    values[count] = value;
    places[count] = at;
    count += 1;
  }
  const found: Reading[] = [];
  const bytes = new Uint8Array(Math.ceil((count * 3) / 4));
  for (let first = 0; first < 4; first += 1) {
    let length = 0;
    for (let at = first; at + 1 < count; at += 1) {
      const phase = (at - first) & 3;
      if (phase === 3) continue;
      const one = values[at] ?? 0;
      const next = values[at + 1] ?? 0;
      bytes[length] = ((one << (2 + 2 * phase)) | (next >> (4 - 2 * phase))) & 255;
      length += 1;
    }
    found.push(
      ...readableParts(bytes, length, 'base64', (index) => {
        const letter = first + Math.floor((index * 4) / 3);
        return [places[letter] ?? start, (places[letter + 1] ?? end - 1) + 1];
      }),
    );
  }
  return found;
}

/** Readable parts of a run of hexadecimal digits with separators between them, which may begin at either digit. */
function hexReadings(text: string, start: number, end: number): readonly Reading[] {
  const values = new Uint8Array(end - start);
  const places = new Int32Array(end - start);
  let count = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (((kinds[code] ?? 0) & hex) === 0) continue;
    // The zero of 0x61.
    if (code === 48 && (text.charCodeAt(at + 1) | 32) === 120) continue;
    values[count] = code < 58 ? code - 48 : (code | 32) - 87;
    places[count] = at;
    count += 1;
  }
  const found: Reading[] = [];
  const bytes = new Uint8Array(count >> 1);
  for (let first = 0; first < 2; first += 1) {
    let length = 0;
    for (let at = first; at + 1 < count; at += 2) {
      bytes[length] = ((values[at] ?? 0) << 4) | (values[at + 1] ?? 0);
      length += 1;
    }
    found.push(
      ...readableParts(bytes, length, 'hexadecimal', (index) => [
        places[first + 2 * index] ?? start,
        (places[first + 2 * index + 1] ?? end - 1) + 1,
      ]),
    );
  }
  return found;
}

/** Readable parts of lists of byte values, as in a printed buffer. */
function decimalReadings(text: string): readonly Reading[] {
  return [...text.matchAll(/\d{1,3}(?:[,\s]+\d{1,3}){7,}/g)].flatMap((run) => {
    const numbers = [...run[0].matchAll(/\d+/g)];
    const bytes = Uint8Array.from(numbers, ([number]) => (Number(number) > 255 ? 255 : Number(number)));
    return readableParts(bytes, bytes.length, 'decimal bytes', (index) => {
      const from = run.index + (numbers[index]?.index ?? 0);
      return [from, from + (numbers[index]?.[0].length ?? 0)];
    });
  });
}

/** Parts of at least eight characters of ASCII, or of zeros as in UTF-16: all else is no text. */
function readableParts(
  bytes: Uint8Array,
  length: number,
  form: string,
  placeOf: (index: number) => readonly [start: number, end: number],
): readonly Reading[] {
  let found: Reading[] | undefined;
  let from = 0;
  for (let at = 0; at <= length; at += 1) {
    const byte = at < length ? (bytes[at] ?? 255) : 255;
    if ((byte >= 32 && byte < 127) || byte === 0 || (byte >= 9 && byte <= 13)) continue;
    if (at - from >= shortest.bytes) {
      const first = from;
      found ??= [];
      found.push({
        text: Buffer.from(bytes.subarray(from, at)).toString('latin1'),
        form,
        startOf: (index) => placeOf(first + index)[0],
        endOf: (index) => placeOf(first + index)[1],
      });
    }
    from = at + 1;
  }
  return found ?? nothing;
}

const nothing: readonly Reading[] = [];
