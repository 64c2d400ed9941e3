import { quotedPrintable, unescapedReadings, withoutNul } from './escapes.ts';
import type { Decoded } from './reading.ts';
import {
  base64Readings,
  decimalReadings,
  fewestBytes,
  hexReadings,
  readableBase64,
  readableHex,
} from './runs.ts';

/** Looks at each character once, and decodes only what can be encoded; one reading at a time, as long texts have many. */
export function readingsOf(text: string, spend: (work: number) => void): Iterable<Decoded> {
  const seen = candidatesIn(text, spend);
  return seen === undefined ? [] : decoded(text, seen);
}

type Run = { readonly start: number; readonly end: number };
type Meant = Run & { readonly meaning: 'skip' | 'plus' };

function* decoded(text: string, seen: Candidates): Generator<Decoded> {
  if (seen.escapes) yield* unescapedReadings(text);
  if (seen.nul) {
    const reading = withoutNul(text);
    if (reading !== undefined) yield { ...reading, same: true };
  }
  for (const { start, end, meaning } of seen.base64) yield* base64Readings(text, start, end, meaning);
  for (const { start, end } of seen.hex) yield* hexReadings(text, start, end);
  if (seen.decimals) yield* decimalReadings(text);
}

const oneMeaning = ['skip'] as const;
const blankMeanings = ['skip', 'plus'] as const;

type Candidates = {
  readonly escapes: boolean;
  readonly nul: boolean;
  readonly base64: readonly Meant[];
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
const shortest = { base64: 13, base64WithBlanks: 11, hex: 16 };

/** Of the runs only those that have a readable part, since nearly all texts have runs, such as IDs; undefined for nothing. */
function candidatesIn(text: string, spend: (work: number) => void): Candidates | undefined {
  let seen = 0;
  let base64Runs: Meant[] | undefined;
  let hexRuns: Run[] | undefined;
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
      if (letters >= (blanks ? shortest.base64WithBlanks : shortest.base64)) {
        spend(at - lettersFrom);
        // Forms decode a plus sign to a blank.
        for (const meaning of blanks ? blankMeanings : oneMeaning)
          if (readableBase64(text, lettersFrom, at, meaning)) {
            base64Runs ??= [];
            base64Runs.push({ start: lettersFrom, end: at, meaning });
          }
      }
      letters = 0;
      blanks = false;
    }
    if ((kind & hex) !== 0) {
      if (digits === 0) digitsFrom = at;
      digits += 1;
    } else if (digits > 0 && (kind & (separator | blank)) === 0) {
      if (digits >= shortest.hex) {
        spend(at - digitsFrom);
        if (readableHex(text, digitsFrom, at)) {
          hexRuns ??= [];
          hexRuns.push({ start: digitsFrom, end: at });
        }
      }
      digits = 0;
    }
    if ((kind & digit) !== 0) {
      if ((before & digit) === 0) numbers += 1;
      if (numbers >= fewestBytes) decimals = true;
    } else if ((kind & blank) === 0 && code !== 44) numbers = 0;
    before = kind;
  }
  const escapes = (seen & escaping) !== 0 && (/[%\\&]/.test(text) || quotedPrintable.test(text));
  const hasNul = (seen & nul) !== 0;
  if (!escapes && !hasNul && !decimals && base64Runs === undefined && hexRuns === undefined) return undefined;
  return { escapes, nul: hasNul, base64: base64Runs ?? [], hex: hexRuns ?? [], decimals };
}
