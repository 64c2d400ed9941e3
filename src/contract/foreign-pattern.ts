/** Classes that other engines know by name, as members of a bracket expression of ASCII. */
const classes: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\s',
  blank: ' \\t',
  xdigit: '0-9A-Fa-f',
  word: '\\w',
  ascii: '\\x00-\\x7F',
  cntrl: '\\x00-\\x1F\\x7F',
  graph: '!-~',
  print: ' -~',
};

/** What begins at a place of a pattern, and what ECMA-262 writes for it, outside and inside of brackets. */
type Rule = {
  readonly syntax: RegExp;
  readonly outside?: (match: RegExpExecArray) => string | undefined;
  readonly inside?: (match: RegExpExecArray) => string | undefined;
};

const named = ([, name = '']: RegExpExecArray): string | undefined => classes[name.toLowerCase()];
const bracketed = (match: RegExpExecArray): string | undefined => {
  const members = named(match);
  return members === undefined ? undefined : `[${members}]`;
};

const rules: readonly Rule[] = [
  { syntax: /^\\A/, outside: () => '^' },
  { syntax: /^\\[zZ]/, outside: () => '$' },
  { syntax: /^\\h/, outside: () => '[ \\t]', inside: () => ' \\t' },
  { syntax: /^\\e/, outside: () => '\\x1B', inside: () => '\\x1B' },
  // Java and Perl know ASCII classes by these names; ECMA-262 knows none of them.
  { syntax: /^\\p\{(?:Is|Posix)?(\w+)\}/, outside: bracketed, inside: named },
  { syntax: /^\[:(\w+):\]/, inside: named },
  { syntax: /^\(\?P</, outside: () => '(?<' },
  { syntax: /^\(\?P=(\w+)\)/, outside: ([, name]) => `\\k<${name}>` },
  { syntax: /^\(\?>/, outside: () => '(?:' },
  // A quantifier that gives nothing back matches no more than the one that does.
  { syntax: /^([*+?]|\{\d+(?:,\d*)?\})\+/, outside: ([, quantifier]) => quantifier },
];

/** A regular expression of another engine as ECMA-262 writes it; undefined where nothing of it is foreign. */
export function translatedPattern(pattern: string): string | undefined {
  const flags = /^(\^?)\(\?([a-z]+)\)/.exec(pattern);
  if (flags !== null && flags[2] !== 'i') return undefined;
  const anyCase = flags !== null;
  let result = flags?.[1] ?? '';
  let inside = false;
  let foreign = anyCase;
  let at = flags?.[0].length ?? 0;
  while (at < pattern.length) {
    const rest = pattern.slice(at);
    const found = translation(rest, inside);
    if (found !== undefined) {
      result += found.text;
      at += found.length;
      foreign = true;
      continue;
    }
    const escaped =
      /^\\(?:[pP]\{[^}]*\}|k<[^>]*>|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{[^}]*\}|c[A-Za-z]|[\s\S])/.exec(rest);
    const group = inside ? null : /^\(\?(?::|[=!]|<[=!]|<\w+>)/.exec(rest);
    const piece = escaped?.[0] ?? group?.[0] ?? rest[0] ?? '';
    if (piece === '[' && !inside) inside = true;
    else if (piece === ']') inside = false;
    if (!anyCase || !/^[A-Za-z]$/.test(piece)) {
      result += piece;
      at += piece.length;
      continue;
    }
    const range = inside ? /^([A-Za-z])-([A-Za-z])/.exec(rest) : null;
    const letters = range?.[0] ?? piece;
    const both = `${letters.toLowerCase()}${letters.toUpperCase()}`;
    result += inside ? both : `[${both}]`;
    at += letters.length;
  }
  return foreign ? result : undefined;
}

function translation(
  rest: string,
  inside: boolean,
): { readonly text: string; readonly length: number } | undefined {
  for (const { syntax, ...write } of rules) {
    const match = syntax.exec(rest);
    const text = match === null ? undefined : (inside ? write.inside : write.outside)?.(match);
    if (match !== null && text !== undefined) return { text, length: match[0].length };
  }
  return undefined;
}
