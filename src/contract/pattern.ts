import { translatedPattern } from './foreign-pattern.ts';

/** For the `u` flag, which JSON Schema asks for: foreign syntax is translated, escapes are put right; else undefined. */
export function unicodePattern(pattern: string): string | undefined {
  if (compiles(pattern, 'u')) return pattern;
  // Without the flag, `\\A` would be the letter A.
  return ecmaPattern(translatedPattern(pattern) ?? pattern);
}

function ecmaPattern(pattern: string): string | undefined {
  if (compiles(pattern, 'u')) return pattern;
  if (!compiles(pattern, '')) return undefined;
  const rewritten = rewrittenPattern(pattern);
  return compiles(rewritten, 'u') ? rewritten : undefined;
}

function compiles(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}

/** Characters that may follow a backslash under `u`, letters with a meaning and digits included. */
const escapable = /[\^$\\.*+?()[\]{}|/0-9bBcdDfknpPrsStuvwWx]/;
const quantifier = /^\{\d+(,\d*)?\}/;

function rewrittenPattern(pattern: string): string {
  let result = '';
  let inside = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? '';
    if (character === '\\') {
      const next = pattern[at + 1] ?? '';
      result += escapable.test(next) || (inside && next === '-') ? `\\${next}` : next;
      at += 1;
    } else if (inside) {
      if (character === ']') inside = false;
      // `[\w-.]` is no range: one of its ends is a class.
      const classBefore = /\\[dDsSwW]$/.test(result);
      const classAfter = /^\\[dDsSwW]/.test(pattern.slice(at + 1));
      result += character === '-' && (classBefore || classAfter) ? '\\-' : character;
    } else if (character === '[') {
      inside = true;
      result += character;
    } else if (character === '{' && quantifier.test(pattern.slice(at)) && result !== '') {
      const [whole = ''] = quantifier.exec(pattern.slice(at)) ?? [];
      result += whole;
      at += whole.length - 1;
    } else
      result += character === '{' || character === '}' || character === ']' ? `\\${character}` : character;
  }
  return result;
}
