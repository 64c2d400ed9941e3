import { problemAt } from '../document/document.ts';
import type { InputProblem } from '../model/input-error.ts';
import type { Place } from './library.ts';
import { unicodePattern } from './pattern.ts';
import { errorAt } from './place.ts';

/** A pattern of the document as one of ECMA-262 with the u flag. @throws InputError where it is none */
export function patternAt(place: Place, pattern: string, warnings: InputProblem[]): string {
  const made = unicodePattern(pattern);
  if (made === undefined) {
    throw errorAt(
      place,
      'this is not a regular expression of ECMA-262 with the u flag',
      'correct it; write no flags, and escape only what needs it',
    );
  }
  if (made !== pattern)
    warnings.push(
      problemAt(
        place.document,
        place.pointer,
        'this pattern is not one of ECMA-262 with the u flag',
        `write it as ${made}, which is how it is read`,
      ),
    );
  return made;
}
