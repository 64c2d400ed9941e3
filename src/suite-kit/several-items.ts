import { validator } from '../generate/index.ts';
import { isArray, type Json, type JsonPointer, valueAt, withValueAt } from '../model/json.ts';
import { bulkOf } from '../model/listed.ts';
import type { Scene } from './scene.ts';

/** What stands for a marker in an edit of a body. */
export const markerPlace = '$' + '{marker}';

export type SeveralItems = {
  /** The list of a body, and the place of the marker within an item. */
  readonly at: JsonPointer;
  readonly within: JsonPointer;
  readonly items: readonly Json[];
  readonly set: readonly Json[];
  readonly isValid: (set: readonly Json[]) => boolean;
};

/** Three items, or two, in the body of a command that makes several records at once; each has the marker. */
export function severalItems({ body: bodyFor, operation }: Scene): SeveralItems | undefined {
  const { body, effect } = operation;
  const { marker, value } = bodyFor();
  const [, at, within] = /^(.*)\/0(\/.*)$/.exec(marker ?? '') ?? [];
  const items = at === undefined ? undefined : valueAt(value, at);
  if (bulkOf(effect) === undefined || at === undefined || within === undefined || !isArray(items))
    return undefined;
  const check = validator(body?.schema ?? true, { formats: 'assert' });
  const isValid = (set: readonly Json[]): boolean => check(withValueAt(value, at, [...set])).length === 0;
  const listOf = (count: number, mark: string): readonly Json[] =>
    Array.from({ length: count }, (_, index) =>
      withValueAt(items[0] ?? {}, within, `Conformance ${index + 1} ${mark}`),
    );
  const count = [3, 2].find((each) => isValid(listOf(each, 'asy-0123456789abcdef')));
  return count === undefined ? undefined : { at, within, items, isValid, set: listOf(count, markerPlace) };
}
