import { affordable } from '../generate/index.ts';
import { isObject, type Json, pointerOf, withValueAt } from '../model/json.ts';

type Check = (value: Json) => readonly { readonly pointer: string }[];

const kinds: readonly Json[] = [{}, [], 'x', 1.5, true, null];

/**
 * A drawn body may name a record that is not there: the plain one with the members of the drawn one that it lacks says as much
 * and is accepted. Of another branch of a choice, the schema takes no notice of such members: there the drawn one stays.
 */
export function grafted(plain: Json, drawn: Json, check: Check): Json {
  if (!isObject(plain) || !isObject(drawn)) return drawn;
  const names = Object.keys(drawn).filter((name) => !Object.hasOwn(plain, name));
  const whole: Json = { ...plain, ...Object.fromEntries(names.map((name) => [name, drawn[name] ?? null])) };
  const isJudged = (name: string): boolean => {
    const at = pointerOf([name]);
    return kinds.some((kind) => check(withValueAt(whole, at, kind)).some(({ pointer }) => pointer === at));
  };
  return names.length > 0 &&
    check(whole).length === 0 &&
    affordable(names, Object.keys(whole).length).every(isJudged)
    ? whole
    : drawn;
}
