import type { Decoded } from './reading.ts';

export const quotedPrintable = /=(?:[0-9A-F]{2}|[ \t]*\r?\n)/i;

/** UTF-16 and UTF-32 text, read as UTF-8, has zeros between the letters. */
export function withoutNul(text: string): Decoded | undefined {
  return replaced(text, nulAt);
}

/** What stands for something else: so many characters of the text. One object for all, since a text may have many. */
type Escape = {
  width: number;
  /** A code point; -1 for nothing, -2 where what is written is kept. */
  meaning: number;
};
type EscapeAt = (text: string, at: number, found: Escape) => boolean;

const nothing = -1;
const asItIs = -2;
const found: Escape = { width: 0, meaning: nothing };
const mostCodePoint = 0x10ffff;

/** Kept from text to text, so that decoding leaves little behind. Nothing is read from them once a reading is made. */
let letters = Buffer.alloc(0);
let changes = new Int32Array(0);

/** A text with parts replaced. Positions are kept for each change, not for each character: long texts have few. */
function replaced(text: string, escapeAt: EscapeAt): Decoded | undefined {
  if (letters.length < 2 * text.length) letters = Buffer.alloc(2 * text.length);
  let length = 0;
  let count = 0;
  let wide = false;
  const put = (unit: number): void => {
    letters[2 * length] = unit & 255;
    letters[2 * length + 1] = unit >> 8;
    if (unit > 255) wide = true;
    length += 1;
  };
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code > 127 || starts[code] === 0 || !escapeAt(text, at, found)) {
      put(code);
      at += 1;
      continue;
    }
    const { width, meaning } = found;
    if (meaning === asItIs) {
      for (const end = at + width; at < end; at += 1) put(text.charCodeAt(at));
      continue;
    }
    if (changes.length < 4 * (count + 1)) changes = grown(changes);
    changes[4 * count] = at;
    changes[4 * count + 1] = width;
    changes[4 * count + 2] = length;
    if (meaning > 0xffff) {
      put(0xd800 + ((meaning - 0x10000) >> 10));
      put(0xdc00 + ((meaning - 0x10000) & 0x3ff));
    } else if (meaning >= 0) put(meaning);
    changes[4 * count + 3] = length;
    count += 1;
    at += width;
  }
  if (count === 0) return undefined;
  return {
    text: wide ? letters.toString('utf16le', 0, 2 * length) : narrow(length),
    form: undefined,
    ...placesOf(changes.slice(0, 4 * count)),
  };
}

/** The text in `letters`, all of it Latin-1: half the memory of UTF-16. */
function narrow(length: number): string {
  for (let at = 1; at < length; at += 1) letters[at] = letters[2 * at] ?? 0;
  return letters.toString('latin1', 0, length);
}

function grown(given: Int32Array): Int32Array<ArrayBuffer> {
  const result = new Int32Array(Math.max(1024, 2 * given.length));
  result.set(given);
  return result;
}

/** @param changes of each, where it begins and how long it is, and where what it means begins and ends in the result */
function placesOf(changes: Int32Array): Pick<Decoded, 'startOf' | 'endOf'> {
  const from = (index: number): number => changes[4 * index + 2] ?? 0;
  const to = (index: number): number => changes[4 * index + 3] ?? 0;
  /** The last change that begins at or before a place in the result; -1 where there is none. */
  const lastBefore = (place: number): number => {
    let low = 0;
    let high = changes.length / 4;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (from(middle) <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  };
  const startOfChange = (index: number): number => changes[4 * index] ?? 0;
  const endOfChange = (index: number): number => startOfChange(index) + (changes[4 * index + 1] ?? 0);
  /** A part that is replaced by nothing belongs to the next character: a backslash, or a continued line. */
  const withEmptyBefore = (last: number, place: number): number => {
    let start = place;
    for (
      let index = last;
      index >= 0 && to(index) === from(index) && endOfChange(index) === start;
      index -= 1
    )
      start = startOfChange(index);
    return start;
  };
  return {
    startOf: (place) => {
      const index = lastBefore(place);
      if (index < 0) return place;
      return place < to(index)
        ? withEmptyBefore(index - 1, startOfChange(index))
        : withEmptyBefore(index, endOfChange(index) + place - to(index));
    },
    endOf: (place) => {
      const index = lastBefore(place);
      if (index < 0) return place + 1;
      if (place < to(index)) return endOfChange(index);
      return endOfChange(index) + place - to(index) + 1;
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

/** What an escape may begin with. */
const starts = Uint8Array.from({ length: 128 }, (_, code) =>
  '%\\&=\0'.includes(String.fromCharCode(code)) ? 1 : 0,
);
const percent = 37;
const ampersand = 38;
const equals = 61;
const backslash = 92;

const reference = new RegExp(
  String.raw`&(?:amp;?|#0*38;?|#x0*26;?)*(?:#x0*([0-9a-f]{1,6});?|#0*(\d{1,7});?|(${Object.keys(named)
    .sort((one, other) => other.length - one.length)
    .join('|')});?)`,
  'iy',
);

/** The text with its escapes decoded, in each way that they may be meant. */
export function* unescapedReadings(text: string): Generator<Decoded> {
  const written = /\\[xX0-7nrtbfv]/.test(text);
  const quoted = quotedPrintable.test(text);
  const ways = [
    ...(/[%\\&]/.test(text) ? [escapeIn({ written: false, quoted: false })] : []),
    ...(written ? [escapeIn({ written: true, quoted: false })] : []),
    ...(text.includes('\\\\') ? [jsonAt] : []),
    ...(quoted ? [escapeIn({ written: false, quoted: true })] : []),
    ...(quoted && written ? [escapeIn({ written: true, quoted: true })] : []),
  ];
  for (const escapeAt of ways) {
    const reading = replaced(text, escapeAt);
    if (reading !== undefined) yield reading;
  }
}

/** `written`: a backslash makes a control character, not the letter itself. An equals sign means something when quoted. */
function escapeIn(way: { readonly written: boolean; readonly quoted: boolean }): EscapeAt {
  return (text, at, found) => {
    const code = text.charCodeAt(at);
    if (code === percent) return percentAt(text, at, found);
    if (code === backslash) return backslashAt(text, at, way.written, found);
    if (code === ampersand) return referenceAt(text, at, found);
    return way.quoted && code === equals && quotedAt(text, at, found);
  };
}

/** `%41`, `%252541` and `%u0041`. */
function percentAt(text: string, at: number, found: Escape): boolean {
  if (isLetter(text, at + 1, 'u')) {
    const value = hexAt(text, at + 2, 4);
    if (value >= 0) return is(found, 6, value);
  }
  let end = at + 1;
  while (text.startsWith('25', end)) end += 2;
  const value = hexAt(text, end, 2);
  if (value >= 0) return is(found, end + 2 - at, value);
  return end > at + 1 && is(found, end - at, percent);
}

/** `\u0041`, `\u{41}`, `\x41`, `\101` and `\n` behind any number of backslashes, or these alone, which mean nothing. */
function backslashAt(text: string, at: number, written: boolean, found: Escape): boolean {
  let end = at + 1;
  while (text.charCodeAt(end) === backslash) end += 1;
  const width = end - at;
  if (isLetter(text, end, 'u')) {
    const value = hexAt(text, end + 1, 4);
    if (value >= 0) return is(found, width + 5, value);
    if (bracedAt(text, end + 1, found)) {
      found.width += width + 1;
      return true;
    }
  }
  if (written) {
    const value = isLetter(text, end, 'x') ? hexAt(text, end + 1, 2) : -1;
    if (value >= 0) return is(found, width + 3, value);
    const digits = octalDigitsAt(text, end);
    if (digits > 0) return is(found, width + digits, Number.parseInt(text.slice(end, end + digits), 8));
    const control = controlAt(text, end);
    if (control !== undefined) return is(found, width + 1, control);
  }
  return is(found, width, nothing);
}

/** `{0041}`: up to six digits behind any number of zeros. What is no character is kept. */
function bracedAt(text: string, at: number, found: Escape): boolean {
  if (text[at] !== '{') return false;
  let from = at + 1;
  while (text[from] === '0') from += 1;
  let end = from;
  let value = 0;
  for (let digit = hexAt(text, end, 1); digit >= 0 && end - from < 6; digit = hexAt(text, end, 1)) {
    value = value * 16 + digit;
    end += 1;
  }
  if (text[end] !== '}' || end === at + 1) return false;
  return is(found, end + 1 - at, value <= mostCodePoint ? value : asItIs);
}

/** JSON as its grammar says, for escapes of other kinds within. */
function jsonAt(text: string, at: number, found: Escape): boolean {
  if (text.charCodeAt(at) !== backslash) return false;
  const value = isLetter(text, at + 1, 'u') ? hexAt(text, at + 2, 4) : -1;
  if (value >= 0) return is(found, 6, value);
  const control = isLetter(text, at + 1, 'v') ? undefined : controlAt(text, at + 1);
  if (control !== undefined) return is(found, 2, control);
  const next = text[at + 1];
  return (next === '"' || next === '\\' || next === '/') && is(found, 2, next.charCodeAt(0));
}

/** A character reference, its ampersand written as one itself any number of times. */
function referenceAt(text: string, at: number, found: Escape): boolean {
  reference.lastIndex = at;
  const match = reference.exec(text);
  if (match === null) return false;
  const [whole, hex, decimal, name] = match;
  const value =
    name !== undefined
      ? (named[name.toLowerCase()] ?? '').charCodeAt(0)
      : Number.parseInt(hex ?? decimal ?? '', hex === undefined ? 10 : 16);
  return is(found, whole.length, value <= mostCodePoint ? value : asItIs);
}

/** `=41`, and the end of a line that continues. */
function quotedAt(text: string, at: number, found: Escape): boolean {
  const value = hexAt(text, at + 1, 2);
  if (value >= 0) return is(found, 3, value);
  let end = at + 1;
  while (text[end] === ' ' || text[end] === '\t') end += 1;
  if (text[end] === '\r') end += 1;
  return text[end] === '\n' && is(found, end + 1 - at, nothing);
}

function nulAt(text: string, at: number, found: Escape): boolean {
  let end = at;
  while (text.charCodeAt(end) === 0) end += 1;
  return end > at && is(found, end - at, nothing);
}

function is(found: Escape, width: number, meaning: number): true {
  found.width = width;
  found.meaning = meaning;
  return true;
}

function isLetter(text: string, at: number, letter: string): boolean {
  return (text.charCodeAt(at) | 32) === letter.charCodeAt(0);
}

/** The value of so many hexadecimal digits; -1 where there are others. */
function hexAt(text: string, at: number, digits: number): number {
  let value = 0;
  for (let index = at; index < at + digits; index += 1) {
    const code = text.charCodeAt(index);
    const letter = (code | 32) - 87;
    if (code >= 48 && code < 58) value = value * 16 + code - 48;
    else if (letter >= 10 && letter < 16) value = value * 16 + letter;
    else return -1;
  }
  return value;
}

/** Two octal digits, or three up to 377; 0 where there are fewer. */
function octalDigitsAt(text: string, at: number): number {
  let digits = 0;
  while (digits < 3 && isOctal(text.charCodeAt(at + digits))) digits += 1;
  if (digits < 2) return 0;
  return digits === 3 && text.charCodeAt(at) > 51 ? 2 : digits;
}

function isOctal(code: number): boolean {
  return code >= 48 && code < 56;
}

/** A backspace is left out. */
const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: nothing, f: 10, v: 10 };

/** The control character that a letter behind a backslash stands for. */
function controlAt(text: string, at: number): number | undefined {
  const letter = text[at]?.toLowerCase();
  return letter === undefined ? undefined : controls[letter];
}
