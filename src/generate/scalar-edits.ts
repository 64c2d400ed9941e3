import { decimalOf, numberOf } from './decimals.ts';
import type { Edit } from './edit.ts';
import { textFormat } from './formats.ts';
import { isObject, type Json } from './json.ts';
import { matcherOf } from './matching.ts';
import type { SchemaNode } from './references.ts';
import { filled } from './text.ts';

/** Text longer than this is not sent to show that it is too long. */
const LONGEST = 50_000;
const STRANGE = ['~', '!', '#', ' ', 'é', '_', '-', 'A', 'a', '0', '\n'];

/** Text that may break a keyword (JSON Schema validation, sections 6.3 and 7). */
export function stringEdits(node: SchemaNode, keyword: string, value: string, name: string): readonly Edit[] {
  const argument = isObject(node.schema) ? node.schema[keyword] : undefined;
  const points = [...value];
  const edits = (values: readonly string[], describes: string): readonly Edit[] =>
    values.map((text) => ({ value: text, describes: `${name} ${describes}` }));
  switch (keyword) {
    case 'minLength':
      if (typeof argument !== 'number' || argument < 1) return [];
      return edits(
        [points.slice(0, argument - 1).join(''), filled(argument - 1)],
        `has ${argument - 1} characters instead of at least ${argument}`,
      );
    case 'maxLength': {
      if (typeof argument !== 'number' || argument > LONGEST) return [];
      const missing = Math.max(1, argument + 1 - points.length);
      const last = points.at(-1) ?? 'a';
      return edits(
        [value + 'a'.repeat(missing), value + last.repeat(missing), filled(argument + 1)],
        `has ${argument + 1} characters instead of at most ${argument}`,
      );
    }
    case 'pattern': {
      const rest = points.slice(1).join('');
      const swapped = STRANGE.flatMap((strange) => [
        strange + rest,
        points.slice(0, -1).join('') + strange,
        strange.repeat(Math.max(1, points.length)),
      ]);
      // First what a check that ignores case would let pass: no check at all lets it pass as well.
      const broken = [inOtherCase(value), ...swapped, ...STRANGE.map((strange) => value + strange), ''];
      return edits(broken.filter(refusedByAll(String(argument))), `does not match ${String(argument)}`);
    }
    case 'format':
      return edits(
        typeof argument === 'string' ? (textFormat(argument)?.wrong ?? []) : [],
        `is not of format ${String(argument)}`,
      );
    default:
      return [];
  }
}

/** The dialect of patterns is open (6.4): in many `$` matches before a last line break, and `\w` any letter. */
function refusedByAll(pattern: string): (text: string) => boolean {
  const matches = matcherOf(pattern);
  return (text) => {
    const bare = text.replace(/\n$/u, '');
    const elsewhere = /\\[wb]/iu.test(pattern) ? bare.replaceAll('é', 'e') : bare;
    return elsewhere === text || !matches(elsewhere);
  };
}

/** Numbers that may break a keyword (validation, section 6.2). */
export function numberEdits(node: SchemaNode, keyword: string, value: number, name: string): readonly Edit[] {
  const schema = isObject(node.schema) ? node.schema : {};
  const argument: Json | undefined = schema[keyword];
  if (keyword === 'format') {
    const beyond = [2 ** 31, -(2 ** 31) - 1, 0.5];
    return beyond.map((number) => ({
      value: number,
      describes: `${name} is not of format ${String(argument)}`,
    }));
  }
  if (typeof argument !== 'number') return [];
  const step = typeof schema['multipleOf'] === 'number' ? schema['multipleOf'] : 1;
  const edits = (values: readonly number[], describes: string): readonly Edit[] =>
    values
      .filter(Number.isFinite)
      .map((number) => ({ value: exact(number), describes: `${name} ${describes} ${argument}` }));
  switch (keyword) {
    case 'minimum':
      return edits(
        [argument - step, argument - 1, argument - 0.5, lastMultiple(argument, step) - step],
        'is below',
      );
    case 'maximum':
      return edits(
        [argument + step, argument + 1, argument + 0.5, lastMultiple(argument, step) + step],
        'is above',
      );
    case 'exclusiveMinimum':
      return edits([argument, argument - step, argument - 1], 'is not above');
    case 'exclusiveMaximum':
      return edits([argument, argument + step, argument + 1], 'is not below');
    case 'multipleOf':
      return edits(
        [value + 1, value - 1, value + argument / 2, value - argument / 2, value + argument / 4],
        'is not a multiple of',
      );
    default:
      return [];
  }
}

function lastMultiple(value: number, step: number): number {
  return Math.round(value / step) * step;
}

/** Without the noise of binary fractions: 0.1 + 0.2 is 0.3. */
function exact(value: number): number {
  return Math.abs(value) < 1e15 ? numberOf(decimalOf(Number(value.toPrecision(15)))) : value;
}

/** A text in capitals, or in small letters if it is in capitals; the same one where it has no letters. */
export function inOtherCase(text: string): string {
  return text.toUpperCase() === text ? text.toLowerCase() : text.toUpperCase();
}
