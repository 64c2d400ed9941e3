import { affordable, validator } from '../generate/index.ts';
import { isArray, isObject, type Json, type JsonSchema, pointerOf, withValueAt } from '../model/json.ts';
import { basesOf, type LikelyFault } from './likely-faults.ts';
import { isOpenToNull } from './open-to-null.ts';
import type { OperationValues } from './values.ts';

/** null in place of each member that may be left out: what maps bodies to objects often takes the one for the other. */
export function nullMembers(
  schema: JsonSchema,
  plain: Json,
  valid: OperationValues['valid'],
): readonly LikelyFault[] {
  const check = validator(schema, { formats: 'assert' });
  const known = new Set<string>();
  return basesOf(plain, valid, { schema }).flatMap((base) =>
    affordable(membersOf(base, [])).flatMap((path): readonly LikelyFault[] => {
      const pointer = pointerOf(path);
      if (known.has(pointer)) return [];
      known.add(pointer);
      if (check(withValueAt(base, pointer, undefined)).length > 0) return [];
      const value = withValueAt(base, pointer, null);
      const own = check(value).find((error) => error.pointer === pointer);
      return own === undefined || isOpenToNull(check, base, pointer)
        ? []
        : [{ pointer, keyword: own.keyword, value }];
    }),
  );
}

/** Where members of objects are; one item stands for all of a list. */
function membersOf(value: Json, path: readonly string[]): readonly (readonly string[])[] {
  if (isArray(value)) return value.slice(0, 1).flatMap((item) => membersOf(item, [...path, '0']));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    [...path, name],
    ...membersOf(member, [...path, name]),
  ]);
}
