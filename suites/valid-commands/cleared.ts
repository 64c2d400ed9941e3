import { validator } from '../../src/generate/index.ts';
import { membersAt, placesIn } from '../../src/model/described-places.ts';
import {
  isArray,
  isEmpty,
  isObject,
  type Json,
  type JsonPointer,
  pointerOf,
  pointerTokens,
  valueAt,
  withValueAt,
} from '../../src/model/json.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { schemasAt } from '../../src/model/schema-places.ts';
import type { BodyValues } from '../../src/suite-kit/other-values.ts';
import { reading, versionNow } from '../../src/suite-kit/readback.ts';
import { sampled } from '../../src/suite-kit/samples.ts';
import { bodyOf, key, type Scene, scenario, send, when } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { isIdName } from '../../src/suite-kit/texts.ts';

/** Long enough for most lower bounds, and short enough for most upper ones. */
const words = 'A passing remark';

/** A value that one command sets and the next one sets to null, with a read before it and one behind it: a text, and another one. */
export function cleared(planning: Planning, scene: Scene): readonly Scenario[] {
  const { body, method, verification, version } = scene.operation;
  const values = planning.values(scene.operation);
  const { plain } = values;
  if ((method !== 'PATCH' && method !== 'PUT') || verification !== undefined || body === undefined) return [];
  const now = versionNow(planning, scene, 'version-now');
  if (version !== undefined && !version.neutral && now === undefined) return [];
  const before = reading(planning, scene, 'before');
  if (plain === undefined || before.length === 0) return [];
  const isMerge = method === 'PATCH' && /\/merge-patch\+json\b/i.test(body.mediaType);
  const places = [
    ...clearableIn(body.schema, plain, values.valid),
    ...(isMerge ? clearableWithin(body.schema, plain) : []),
  ];
  return places.map(({ at, value }) =>
    scenario(
      scene,
      `a ${typeof value === 'string' ? 'text' : 'value'} at ${at}, and then null`,
      [
        send(scene, 'first', { role: 'setup', key: key('first'), body: bodyOf(scene, 'first') }),
        when('first', 'accepted', [
          ...before,
          ...(now?.waves ?? []),
          send(scene, 'command', { role: 'test', ...(now === undefined ? {} : { version: now.version }) }),
          ...reading(planning, scene, 'after'),
        ]),
      ],
      {
        first: scene.body(withValueAt(plain, at, value)),
        body: scene.body(withValueAt(plain, at, null)),
      },
    ),
  );
}

type Clearable = { readonly at: JsonPointer; readonly value: Json };

/** Members that name no record, and may have a value as well as null, next to those that the plain body has: a text, and another. */
function clearableIn(
  schema: Parameters<typeof schemasAt>[0],
  plain: Json,
  valid: BodyValues['valid'],
): readonly Clearable[] {
  const isClearable = fitting(schema, plain);
  const places = membersAt(schema, '')
    .map((name) => pointerOf([name]))
    .filter((at) => !isIdName(at) && schemasAt(schema, at).length > 0);
  const text = places.map((at) => ({ at, value: words })).find(isClearable);
  const others = sampled(valid).flatMap((sample) =>
    places.flatMap((at): readonly Clearable[] => {
      const value = valueAt(sample, at);
      const isOther = typeof value === 'number' ? value !== 0 : isArray(value) || isObject(value);
      return value !== undefined && isOther && !isEmpty(value) ? [{ at, value }] : [];
    }),
  );
  const other = others.find((each) => each.at !== text?.at && isClearable(each));
  return [text, other].flatMap((each) => each ?? []);
}

/** A text within an object that a merge patch may remove alone: it goes into objects (RFC 7396). */
function clearableWithin(schema: Parameters<typeof schemasAt>[0], plain: Json): readonly Clearable[] {
  const isClearable = fitting(schema, plain);
  const inner = placesIn(schema)
    .flatMap((at) => [at, ...membersAt(schema, at).map((name) => at + pointerOf([name]))])
    .filter((at) => pointerTokens(at).length > 1 && !isIdName(at))
    .map((at) => ({ at, value: words }))
    .find(isClearable);
  return inner === undefined ? [] : [inner];
}

/** Whether a body may have a value in a place, and null as well. */
function fitting(schema: Parameters<typeof schemasAt>[0], plain: Json): (one: Clearable) => boolean {
  const check = validator(schema ?? true, { formats: 'assert' });
  return ({ at, value }) => [value, null].every((one) => check(withValueAt(plain, at, one)).length === 0);
}
