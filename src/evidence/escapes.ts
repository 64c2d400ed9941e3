import type { Decoded } from './reading.ts';

export const quotedPrintable = /=(?:[0-9A-F]{2}|[ \t]*\r?\n)/i;

/** UTF-16 and UTF-32 text, read as UTF-8, has zeros between the letters. */
export function withoutNul(text: string): Decoded {
  return replaced(
    text,
    [...text.matchAll(/\0+/g)].map((match) => [match.index, match[0].length, ''] as const),
    undefined,
  );
}

type Change = readonly [at: number, length: number, by: string];

/** A text with parts replaced. Positions are kept for each change, not for each character: long texts have few. */
function replaced(text: string, changes: readonly Change[], form: string | undefined): Decoded {
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
        // A part that is replaced by nothing belongs to the next character: a backslash, or a continued line.
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

/** The text with its escapes decoded, in each way that they may be meant. */
export function unescapedReadings(text: string): readonly Decoded[] {
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
