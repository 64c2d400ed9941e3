import type { Decoded } from './reading.ts';

/** What a secret has at least, in bytes. */
export const fewestBytes = 8;

const sextets = Int8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  return 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(
    letter === '-' ? '+' : letter === '_' ? '/' : letter,
  );
});

/** ASCII, and zeros as in UTF-16. */
const readableBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte >= 32 && byte < 127) || byte === 0 || (byte >= 9 && byte <= 13) ? 1 : 0,
);

function isReadable(byte: number): boolean {
  return readableBytes[byte] === 1;
}

/** For two letters of base64, which of the bytes are readable that begin in the first: one where each is its first, second or third. */
const readablePairs = Uint8Array.from({ length: 64 * 64 }, (_, pair) => {
  const [one, next] = [pair >> 6, pair & 63];
  const bytes = [(one << 2) | (next >> 4), (one << 4) | (next >> 2), (one << 6) | next];
  return bytes.reduce((bits, byte, at) => bits | (isReadable(byte & 255) ? 1 << at : 0), 0);
});

/** Whether a run has a readable part, beginning at any of four letters, all of which one pass follows: ids have none. */
export function readableBase64(text: string, start: number, end: number, blanks: 'skip' | 'plus'): boolean {
  // Readable bytes so far where this letter is the first, second, third or fourth of its group.
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  let one = -1;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    const next = blanks === 'plus' && code === 32 ? 62 : (sextets[code] ?? -1);
    if (next < 0) continue;
    if (one >= 0) {
      const bits = readablePairs[(one << 6) | next] ?? 0;
      first = (bits & 1) === 0 ? 0 : first + 1;
      second = (bits & 2) === 0 ? 0 : second + 1;
      third = (bits & 4) === 0 ? 0 : third + 1;
      if (first >= fewestBytes || second >= fewestBytes || third >= fewestBytes) return true;
    }
    one = next;
    const last = fourth;
    fourth = third;
    third = second;
    second = first;
    first = last;
  }
  return false;
}

/** Whether a run of hexadecimal digits has a readable part, beginning at either digit. */
export function readableHex(text: string, start: number, end: number): boolean {
  let even = 0;
  let odd = 0;
  let before = 0;
  let count = 0;
  for (let at = start; at < end; at += 1) {
    const value = digitAt(text, at);
    if (value < 0) continue;
    if (count > 0) {
      const readable = isReadable((before << 4) | value);
      if ((count & 1) === 1) even = readable ? even + 1 : 0;
      else odd = readable ? odd + 1 : 0;
      if (even === fewestBytes || odd === fewestBytes) return true;
    }
    before = value;
    count += 1;
  }
  return false;
}

/** The value of a hexadecimal digit; -1 for what separates them, and for the zero of `0x61`. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 48 && (text.charCodeAt(at + 1) | 32) === 120) return -1;
  if (code >= 48 && code < 58) return code - 48;
  const letter = (code | 32) - 87;
  return letter >= 10 && letter < 16 ? letter : -1;
}

/** Readable parts of a run of base64, which may begin at any of four letters. */
export function* base64Readings(
  text: string,
  start: number,
  end: number,
  blanks: 'skip' | 'plus',
): Generator<Decoded> {
  const valueAt = (at: number): number => {
    const code = text.charCodeAt(at);
    return blanks === 'plus' && code === 32 ? 62 : (sextets[code] ?? -1);
  };
  const placeOf = placesOf(start, end, valueAt);
  for (let first = 0; first < 4; first += 1) {
    const part = readablePart(end - start, 'base64', (index) => {
      const letter = first + Math.floor((index * 4) / 3);
      return [placeOf(letter, start), placeOf(letter + 1, end - 1) + 1];
    });
    let letter = -1;
    let before = 0;
    for (let at = start; at < end; at += 1) {
      const value = valueAt(at);
      if (value < 0) continue;
      letter += 1;
      const phase = (letter - 1 - first) & 3;
      if (letter > first && phase !== 3) {
        const reading = part.put(((before << (2 + 2 * phase)) | (value >> (4 - 2 * phase))) & 255);
        if (reading !== undefined) yield reading;
      }
      before = value;
    }
    const reading = part.end();
    if (reading !== undefined) yield reading;
  }
}

/** Readable parts of a run of hexadecimal digits with separators between them, which may begin at either digit. */
export function* hexReadings(text: string, start: number, end: number): Generator<Decoded> {
  const valueAt = (at: number): number => digitAt(text, at);
  const placeOf = placesOf(start, end, valueAt);
  for (let first = 0; first < 2; first += 1) {
    const part = readablePart(end - start, 'hexadecimal', (index) => [
      placeOf(first + 2 * index, start),
      placeOf(first + 2 * index + 1, end - 1) + 1,
    ]);
    let digit = -1;
    let before = 0;
    for (let at = start; at < end; at += 1) {
      const value = valueAt(at);
      if (value < 0) continue;
      digit += 1;
      if (digit > first && ((digit - first) & 1) === 1) {
        const reading = part.put((before << 4) | value);
        if (reading !== undefined) yield reading;
      }
      before = value;
    }
    const reading = part.end();
    if (reading !== undefined) yield reading;
  }
}

/** Readable parts of lists of byte values, as in a printed buffer. */
export function* decimalReadings(text: string): Generator<Decoded> {
  for (const run of text.matchAll(/\d{1,3}(?:[,\s]+\d{1,3}){7,}/g)) {
    const start = run.index;
    const end = start + run[0].length;
    const isFirst = (at: number): boolean =>
      isDigit(text.charCodeAt(at)) && (at === start || !isDigit(text.charCodeAt(at - 1)));
    const placeOf = placesOf(start, end, (at) => (isFirst(at) ? 0 : -1));
    const part = readablePart(end - start, 'decimal bytes', (index) => {
      const from = placeOf(index, start);
      let to = from;
      while (to < end && isDigit(text.charCodeAt(to))) to += 1;
      return [from, to];
    });
    let number = -1;
    for (let at = start; at <= end; at += 1) {
      const code = at < end ? text.charCodeAt(at) : -1;
      if (isDigit(code)) number = Math.max(0, number) * 10 + code - 48;
      else if (number >= 0) {
        const reading = part.put(Math.min(number, 255));
        if (reading !== undefined) yield reading;
        number = -1;
      }
    }
    const reading = part.end();
    if (reading !== undefined) yield reading;
  }
}

function isDigit(code: number): boolean {
  return code >= 48 && code < 58;
}

/** Where the letters of a run are. Counted when first asked for: few runs hold a secret. */
function placesOf(
  start: number,
  end: number,
  valueAt: (at: number) => number,
): (letter: number, otherwise: number) => number {
  let places: Int32Array | undefined;
  const counted = (): Int32Array => {
    const result = new Int32Array(end - start);
    let count = 0;
    for (let at = start; at < end; at += 1) {
      if (valueAt(at) < 0) continue;
      result[count] = at;
      count += 1;
    }
    return result.slice(0, count);
  };
  return (letter, otherwise) => {
    places ??= counted();
    return places[letter] ?? otherwise;
  };
}

/** Kept from run to run, so that decoding leaves little behind. A part is read out before the next begins. */
let bytes = Buffer.alloc(0);

type RunPart = {
  /** Takes the next byte; the part that ends before it, if that can be text. */
  readonly put: (byte: number) => Decoded | undefined;
  readonly end: () => Decoded | undefined;
};

/** Parts of at least eight characters of ASCII, or of zeros as in UTF-16: all else is no text. */
function readablePart(
  most: number,
  form: string,
  placeOf: (index: number) => readonly [start: number, end: number],
): RunPart {
  if (bytes.length < most) bytes = Buffer.alloc(most);
  let length = 0;
  let seen = 0;
  const end = (): Decoded | undefined => {
    const first = seen - length;
    const text = length < fewestBytes ? undefined : bytes.toString('latin1', 0, length);
    length = 0;
    return text === undefined
      ? undefined
      : {
          text,
          form,
          startOf: (index) => placeOf(first + index)[0],
          endOf: (index) => placeOf(first + index)[1],
        };
  };
  return {
    put: (byte) => {
      const reading = isReadable(byte) ? undefined : end();
      if (isReadable(byte)) {
        bytes[length] = byte;
        length += 1;
      }
      seen += 1;
      return reading;
    },
    end,
  };
}
