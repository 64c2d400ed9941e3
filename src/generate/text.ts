import fc from 'fast-check';

/** Text of a bounded length in code points (JSON Schema validation, section 6.3). */
export type TextBounds = { readonly min: number; readonly max: number };

/** The usual length of free text, where no bound asks for more. */
const LONG = 200;
/** Bounds above this are not tried out to the last character. */
const LONGEST = 10_000;

const AWKWARD = [
  '<script>alert(1)</script>',
  `"double" and 'single'`,
  "Robert'); DROP TABLE cases;--",
  'line one\nline two\ttabbed',
  'Ünïcödé – “quoted”, naïve café',
  '日本語のテキスト',
  'עברית and العربية',
  '👩‍👩‍👧‍👦 family 🇳🇱 🏳️‍🌈',
  '𝒳𝓎𝓏 beyond the BMP',
  'back\\slash / slash % percent {{braces}} <%= x %>',
  'null',
  '0',
  'true',
  ' leading and trailing ',
  'e\u0301 combining',
  '\ufeffbyte order mark',
];

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ';
const OTHERS = '-_.,;:!?\'"<>&/\\()[]{}@#$%^*+=|~`\n\téßñçøÅΩЖдאب日本한국語‐–—“”€£¥😀🎉🚀👍𝒳𠮷';

const unit = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...LETTERS) },
  { weight: 1, arbitrary: fc.constantFrom(...OTHERS) },
);

/** Free text as people send it: words, markup, scripts, emoji; never U+0000, half a surrogate pair, or blanks alone. */
export function freeText({ min, max }: TextBounds): fc.Arbitrary<string> {
  if (max === 0) return fc.constant('');
  const least = Math.max(1, min);
  const lengths = (from: number, to: number): fc.Arbitrary<string> =>
    fc.string({ unit, minLength: from, maxLength: to, size: 'max' }).map(notBlank);
  const usual = Math.min(max, Math.max(least, 24));
  const long = Math.min(max, Math.max(least, LONG));
  const fitting = AWKWARD.filter((text) => within(text, least, max));
  const edge = max <= LONGEST ? [filled(max)] : [];
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 7, arbitrary: lengths(least, usual) },
    { weight: 2, arbitrary: lengths(least, long) },
    ...(fitting.length > 0 ? [{ weight: 2, arbitrary: fc.constantFrom(...fitting) }] : []),
    ...(edge.length > 0 ? [{ weight: 1, arbitrary: fc.constantFrom(...edge) }] : []),
  );
}

/** The shortest text within the bounds that is not blank. */
export function shortestText({ min, max }: TextBounds): string {
  return max === 0 ? '' : 'a'.repeat(Math.max(1, min));
}

/** Text of exactly so many code points. */
export function filled(length: number): string {
  return 'abcdefghij'.repeat(Math.ceil(length / 10)).slice(0, length);
}

function within(text: string, min: number, max: number): boolean {
  const length = [...text].length;
  return length >= min && length <= max;
}

function notBlank(text: string): string {
  return text.trim() === '' ? `a${text.slice(1)}` : text;
}
