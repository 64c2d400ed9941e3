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
      first = isReadable(((one << 2) | (next >> 4)) & 255) ? first + 1 : 0;
      second = isReadable(((one << 4) | (next >> 2)) & 255) ? second + 1 : 0;
      third = isReadable(((one << 6) | next) & 255) ? third + 1 : 0;
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
export function base64Readings(
  text: string,
  start: number,
  end: number,
  blanks: 'skip' | 'plus',
): readonly Decoded[] {
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
  const found: Decoded[] = [];
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
export function hexReadings(text: string, start: number, end: number): readonly Decoded[] {
  const values = new Uint8Array(end - start);
  const places = new Int32Array(end - start);
  let count = 0;
  for (let at = start; at < end; at += 1) {
    const value = digitAt(text, at);
    if (value < 0) continue;
    values[count] = value;
    places[count] = at;
    count += 1;
  }
  const found: Decoded[] = [];
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
export function decimalReadings(text: string): readonly Decoded[] {
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
): readonly Decoded[] {
  let found: Decoded[] | undefined;
  let from = 0;
  for (let at = 0; at <= length; at += 1) {
    const byte = at < length ? (bytes[at] ?? 255) : 255;
    if (isReadable(byte)) continue;
    if (at - from >= fewestBytes) {
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

const nothing: readonly Decoded[] = [];
