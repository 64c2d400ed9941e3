/** A regular expression (ECMA-262, flag u), taken apart as far as writing matching text needs. */
export type Pattern =
  | { readonly kind: 'character'; readonly from: readonly string[] }
  | { readonly kind: 'sequence'; readonly items: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly options: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly item: Pattern; readonly min: number; readonly max: number }
  | { readonly kind: 'group'; readonly names: readonly string[]; readonly item: Pattern }
  | { readonly kind: 'backreference'; readonly to: string }
  /** Adds no text. Only a positive lookahead says what must come. */
  | {
      readonly kind: 'assertion';
      readonly is: 'start' | 'end' | 'boundary' | 'ahead' | 'other';
      readonly item?: Pattern;
    };

/** Takes a pattern apart; undefined where it is not one, or has syntax unknown here. */
export function parsePattern(source: string): Pattern | undefined {
  try {
    new RegExp(source, 'u');
  } catch {
    return undefined;
  }
  const reader: Reader = { source, at: 0, groups: 0 };
  const pattern = readChoice(reader);
  return reader.at === source.length ? pattern : undefined;
}

type Reader = { readonly source: string; at: number; groups: number };

/** Characters tried against a class, most ordinary first. */
const POOL = [
  ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_. ,:;/@#+!?\'"()[]{}<>&%$*=|~^`\\',
  ...'éßñøÅçΩλЖдאبशไ中日本한カあ€£§©«»°±²½…–—“”😀🚀👍𝒳𠮷\u00a0٣Ⅷ',
];

/** Tried where none of the pool will do: controls, and what shows nothing by itself. */
const ODD = [...'\t\n\r\v\f\u001b\u007f\ufeff\u200d\u0301\u2028'];

function readChoice(reader: Reader): Pattern {
  const options = [readSequence(reader)];
  while (take(reader, '|')) options.push(readSequence(reader));
  const [only] = options;
  return options.length === 1 && only !== undefined ? only : { kind: 'choice', options };
}

function readSequence(reader: Reader): Pattern {
  const items: Pattern[] = [];
  while (
    reader.at < reader.source.length &&
    !reader.source.startsWith('|', reader.at) &&
    !reader.source.startsWith(')', reader.at)
  ) {
    items.push(readQuantified(reader));
  }
  return { kind: 'sequence', items };
}

function readQuantified(reader: Reader): Pattern {
  const item = readAtom(reader);
  const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/u.exec(reader.source.slice(reader.at));
  if (found === null) return item;
  reader.at += found[0].length;
  const [, sign, low, comma, high] = found;
  if (sign === undefined) {
    const min = Number(low);
    return { kind: 'repeat', item, min, max: high !== '' ? Number(high) : comma === ',' ? Infinity : min };
  }
  return { kind: 'repeat', item, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
}

function readAtom(reader: Reader): Pattern {
  const { source, at } = reader;
  if (take(reader, '^')) return { kind: 'assertion', is: 'start' };
  if (take(reader, '$')) return { kind: 'assertion', is: 'end' };
  if (take(reader, '(')) return readGroup(reader);
  if (take(reader, '[')) {
    while (!take(reader, ']')) reader.at += source.startsWith('\\', reader.at) ? 2 : 1;
    return charactersOf(source.slice(at, reader.at));
  }
  if (take(reader, '.')) return charactersOf('.');
  if (source.startsWith('\\', at)) return readEscape(reader);
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  reader.at += character.length;
  return { kind: 'character', from: [character] };
}

function readGroup(reader: Reader): Pattern {
  const opening = /^\?(?:[:=!]|<[=!]|<([^>]+)>)/u.exec(reader.source.slice(reader.at));
  const sign = opening?.[0] ?? '';
  reader.at += sign.length;
  const name = opening?.[1];
  const captures = sign === '' || name !== undefined;
  if (captures) reader.groups++;
  const number = String(reader.groups);
  const item = readChoice(reader);
  take(reader, ')');
  if (sign === '?=') return { kind: 'assertion', is: 'ahead', item };
  if (sign === '?!' || sign === '?<=' || sign === '?<!') return { kind: 'assertion', is: 'other' };
  if (!captures) return item;
  return { kind: 'group', names: name === undefined ? [number] : [number, name], item };
}

function readEscape(reader: Reader): Pattern {
  const rest = reader.source.slice(reader.at);
  const found =
    /^\\(?:k<([^>]+)>|([1-9]\d*)|[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[\s\S])/u.exec(
      rest,
    );
  const text = found?.[0] ?? rest;
  reader.at += text.length;
  const to = found?.[1] ?? found?.[2];
  if (to !== undefined) return { kind: 'backreference', to };
  if (text === '\\b') return { kind: 'assertion', is: 'boundary' };
  if (text === '\\B') return { kind: 'assertion', is: 'other' };
  return charactersOf(text);
}

/** The characters of a class or escape: those of the pool that it matches, and those that it names. */
function charactersOf(source: string): Pattern {
  const matcher = new RegExp(`^${source}$`, 'u');
  const matched = (characters: readonly string[]): readonly string[] =>
    characters.filter((character) => matcher.test(character));
  const ordinary = matched([...POOL, ...namedIn(source)]);
  const from = ordinary.length > 0 ? ordinary : matched(ODD);
  return { kind: 'character', from: [...new Set(from)] };
}

function namedIn(source: string): readonly string[] {
  const codes = [...source.matchAll(/\\u\{([\da-fA-F]+)\}|\\u([\da-fA-F]{4})|\\x([\da-fA-F]{2})/gu)].map(
    (found) => Number.parseInt(found[1] ?? found[2] ?? found[3] ?? '0', 16),
  );
  const pairs = [...source.matchAll(/\\u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})/gu)].map(
    ([, high = '', low = '']) => String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)),
  );
  const controls = [...source.matchAll(/\\c([a-zA-Z])/gu)].map(([, letter = '']) =>
    String.fromCodePoint(letter.charCodeAt(0) % 32),
  );
  const literal = [...source];
  const points = [...codes, ...literal.map((character) => character.codePointAt(0) ?? 0)];
  const near = points
    .flatMap((code) => [code, code + 1, code - 1])
    .filter((code) => code > 0 && code < 0x110000);
  const texts = near
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code));
  return [...pairs, ...controls, ...texts, ...(source.includes('\\0') ? ['\u0000'] : [])];
}

function take(reader: Reader, character: string): boolean {
  if (!reader.source.startsWith(character, reader.at)) {
    if (reader.at >= reader.source.length && character === ']')
      throw new SyntaxError(`unterminated class in ${reader.source}`);
    return false;
  }
  reader.at += character.length;
  return true;
}
