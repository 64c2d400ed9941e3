import { affordable, validator } from '../generate/index.ts';
import { isArray, isObject, type Json, type JsonSchema, pointerOf, withValueAt } from '../model/json.ts';
import { basesOf, type LikelyFault } from './likely-faults.ts';
import { isOpenToNull } from './open-to-null.ts';
import { errorsSince } from './since-valid.ts';
import type { OperationValues } from './values.ts';

/**
 * null in place of each member that may be left out: what maps bodies to objects often takes the one for the other. And null in
 * place of an item of each list: what checks the members of items often skips it.
 */
export function nullMembers(
  schema: JsonSchema,
  plain: Json,
  valid: OperationValues['valid'],
): readonly LikelyFault[] {
  const check = validator(schema, { formats: 'assert' });
  const known = new Set<string>();
  const found = basesOf(plain, valid, { schema }).flatMap((base) =>
    affordable(membersOf(base, [])).flatMap((path): readonly LikelyFault[] => {
      const pointer = pointerOf(path);
      if (known.has(pointer)) return [];
      known.add(pointer);
      if (!isItem(pointer) && check(withValueAt(base, pointer, undefined)).length > 0) return [];
      const errorsOf = (value: Json) => errorsSince(schema, check, base, pointer, value);
      const [own] = errorsOf(null);
      return own === undefined || isOpenToNull(errorsOf)
        ? []
        : [{ pointer, keyword: own.keyword, value: withValueAt(base, pointer, null) }];
    }),
  );
  const items = found.filter(({ pointer }) => isItem(pointer));
  const members = found.filter((fault) => !items.includes(fault));
  return [...items.slice(0, 1), ...members, ...items.slice(1)];
}

const isItem = (pointer: string): boolean => pointer.endsWith('/0');

/** Where members of objects and items are; one item stands for all of a list. */
function membersOf(value: Json, path: readonly string[]): readonly (readonly string[])[] {
  if (isArray(value))
    return value.slice(0, 1).flatMap((item) => [[...path, '0'], ...membersOf(item, [...path, '0'])]);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    [...path, name],
    ...membersOf(member, [...path, name]),
  ]);
}
