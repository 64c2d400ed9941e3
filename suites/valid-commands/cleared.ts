import { validator } from '../../src/generate/index.ts';
import { membersAt } from '../../src/model/described-places.ts';
import { type Json, pointerOf, withValueAt } from '../../src/model/json.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { schemasAt } from '../../src/model/schema-places.ts';
import { reading, versionNow } from '../../src/suite-kit/readback.ts';
import { bodyOf, key, type Scene, scenario, send, when } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { isIdName } from '../../src/suite-kit/texts.ts';

/** Long enough for most lower bounds, and short enough for most upper ones. */
const words = 'A passing remark';

/** A text that one command sets and the next one sets to null, with a read before it and one behind it. */
export function cleared(planning: Planning, scene: Scene): readonly Scenario[] {
  const { body, method, verification, version } = scene.operation;
  const { plain } = planning.values(scene.operation);
  if ((method !== 'PATCH' && method !== 'PUT') || verification !== undefined || body === undefined) return [];
  const now = versionNow(planning, scene, 'version-now');
  if (version !== undefined && !version.neutral && now === undefined) return [];
  const before = reading(planning, scene, 'before');
  const at = plain === undefined ? undefined : clearableIn(body.schema, plain);
  if (plain === undefined || at === undefined || before.length === 0) return [];
  return [
    scenario(
      scene,
      `a text at ${at}, and then null`,
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
        first: scene.body(withValueAt(plain, at, words)),
        body: scene.body(withValueAt(plain, at, null)),
      },
    ),
  ];
}

/** A member that names no record, and may have a text as well as null, next to one that the plain body has. */
function clearableIn(schema: Parameters<typeof schemasAt>[0], plain: Json): string | undefined {
  const check = validator(schema ?? true, { formats: 'assert' });
  return membersAt(schema, '')
    .map((name) => pointerOf([name]))
    .find(
      (at) =>
        !isIdName(at) &&
        schemasAt(schema, at).length > 0 &&
        [words, null].every((value) => check(withValueAt(plain, at, value)).length === 0),
    );
}
