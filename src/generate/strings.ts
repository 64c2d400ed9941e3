import fc from 'fast-check';
import { bounded } from './bounded.ts';
import { codePoints } from './evaluation.ts';
import { textFormat, usualDecimals } from './formats.ts';
import type { Json } from './json.ts';
import { matcherOf } from './matching.ts';
import { patternStrings } from './pattern-strings.ts';
import type { SchemaNode } from './references.ts';
import type { ValueShape } from './shape.ts';
import type { Builder, Source } from './source.ts';
import { freeText, shortestText } from './text.ts';

/** Longer texts than this are not made: a schema may let one be larger than what a process can hold. */
const LONGEST = 100_000;

/** Text within bounds, of every pattern and every format that is known (JSON Schema validation, sections 6.3 and 7). */
export function stringsOf(
  builder: Builder,
  bounds: ValueShape['strings'],
  nodes: readonly SchemaNode[],
): Source | undefined {
  const { patterns, formats, min, max } = bounds;
  if (min > max) {
    builder.note(nodes[0], 'maxLength', `no text has at least ${min} and at most ${max} characters`);
    return undefined;
  }
  if (min > LONGEST) {
    builder.note(nodes[0], 'minLength', `a text of ${min} characters is not made`);
    return undefined;
  }
  const regexes = patterns.map((source) => matcherOf(source));
  const fits = (text: string): boolean => {
    const length = codePoints(text);
    return length >= min && length <= max && regexes.every((matches) => matches(text));
  };
  const formatted = formats.flatMap((name) => {
    const format = textFormat(name);
    if (format === undefined) return [];
    const samples = [format.smallest, ...fc.sample(format.arbitrary, { seed: 1, numRuns: 60 })].filter(fits);
    const smallest =
      samples.find((text) => text === format.smallest) ??
      samples.sort((one, other) => one.length - other.length)[0];
    return smallest === undefined
      ? []
      : [
          {
            arbitrary: bounded(format.arbitrary, fits, smallest),
            smallest,
            typical: format.typical?.find(fits),
            share: samples.length,
          },
        ];
  });
  const easiest = formatted.sort((one, other) => other.share - one.share)[0];
  const exact = patterns.length === 0 && min === 0 && max === Infinity;
  if (easiest !== undefined && easiest.share > 3) {
    return {
      arbitrary: easiest.arbitrary,
      smallest: easiest.smallest,
      ...(easiest.typical === undefined ? {} : { typical: easiest.typical }),
      loose: !exact || formats.length > 1,
      cost: 1,
    };
  }
  const [first] = patterns;
  if (first === undefined) {
    return {
      arbitrary: freeText({ min, max }),
      smallest: shortestText({ min, max }),
      loose: formats.length > 0,
      cost: 1,
    };
  }
  const accepted = (text: Json): boolean => nodes.every((node) => builder.evaluator.holds(node, text));
  const narrow = patterns.length > 1 || formats.length > 0;
  for (const pattern of patterns) {
    const accepts = narrow ? accepted : fits;
    const strings = patternStrings(pattern, { min, max }, accepts);
    if (strings === undefined) continue;
    // Digits alone may be an amount, which a service may want to be above 0.
    const typical = /^[\d.]+$/.test(strings.smallest) ? usualDecimals.find(accepts) : undefined;
    return { ...strings, ...(typical === undefined ? {} : { typical }), loose: formats.length > 0, cost: 1 };
  }
  builder.note(nodes[0], 'pattern', `found no text for ${first} of ${min} to ${max} characters`);
  return undefined;
}
