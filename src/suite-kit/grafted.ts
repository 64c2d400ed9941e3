import { affordable } from '../generate/index.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  pointerOf,
  valueAt,
  withValueAt,
} from '../model/json.ts';

type Check = (value: Json) => readonly { readonly pointer: string }[];

type Addition = { readonly at: JsonPointer; readonly value: Json };

const kinds: readonly Json[] = [{}, [], 'x', 1.5, true, null];

/**
 * A drawn body may name a record that is not there: the plain one with the members of the drawn one that it lacks says as much
 * and is accepted. Of another branch of a choice, the schema takes no notice of such members: there the drawn one stays.
 */
export function grafted(plain: Json, drawn: Json, check: Check): Json {
  if (!isObject(plain) || !isObject(drawn)) return drawn;
  const all = additionsOf(plain, drawn, []);
  const ofRoot = all.filter(({ at }) => at.indexOf('/', 1) < 0);
  // An item or a part of another branch than that of the drawn one leaves the members of the root.
  return withAll(plain, all, check) ?? withAll(plain, ofRoot, check) ?? drawn;
}

/** The plain body with the members of a drawn one that are of another branch of a choice, as a whole. */
export function ofOtherBranch(plain: Json, drawn: Json, check: Check): Json | undefined {
  if (!isObject(plain) || !isObject(drawn)) return undefined;
  const inner = additionsOf(plain, drawn, []).flatMap(({ at }) =>
    at.indexOf('/', 1) < 0 ? [] : [at.split('/')[1] ?? ''],
  );
  const members = [...new Set(inner)].map((token) => `/${token}`);
  return withAll(
    plain,
    members.map((at) => ({ at, value: valueAt(drawn, at) ?? null })),
    check,
  );
}

/** What a drawn value has and the plain one lacks, in objects within it too; of lists, in their first items. */
function additionsOf(plain: Json, drawn: Json, path: readonly string[]): readonly Addition[] {
  if (isArray(plain) && isArray(drawn)) {
    const [[mine], [other]] = [plain, drawn];
    return mine === undefined || other === undefined ? [] : additionsOf(mine, other, [...path, '0']);
  }
  if (!isObject(plain) || !isObject(drawn)) return [];
  return Object.entries(drawn).flatMap(([name, value]): readonly Addition[] => {
    const own = Object.hasOwn(plain, name) ? plain[name] : undefined;
    return own === undefined
      ? [{ at: pointerOf([...path, name]), value }]
      : additionsOf(own, value, [...path, name]);
  });
}

/** The plain body with these members, if it is valid and the schema judges each of them. */
function withAll(plain: Json, added: readonly Addition[], check: Check): Json | undefined {
  const whole = added.reduce((body, { at, value }) => withValueAt(body, at, value), plain);
  const isJudged = ({ at }: Addition): boolean =>
    kinds.some((kind) => check(withValueAt(whole, at, kind)).some(({ pointer }) => pointer === at));
  return added.length > 0 &&
    check(whole).length === 0 &&
    affordable(added, Object.keys(whole ?? {}).length).every(isJudged)
    ? whole
    : undefined;
}
