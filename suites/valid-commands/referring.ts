import { validator } from '../../src/generate/index.ts';
import { type Json, pointerOf, pointerTokens, valueAt, withValueAt } from '../../src/model/json.ts';
import type { Scenario, Wave } from '../../src/model/scenario.ts';
import { optionalReferences } from '../../src/suite-kit/optional-references.ts';
import { versionNow } from '../../src/suite-kit/readback.ts';
import { type Around, type Scene, scenario, send } from '../../src/suite-kit/scene.ts';
import { madeFor } from '../../src/suite-kit/setup.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

/** So many records are made for one body. */
const most = 3;

/** A valid command whose body names all the records that it may leave out, with a read of what it made or changed. */
export function referring(
  planning: Planning,
  scene: Scene,
  around: Around,
  made: readonly Wave[],
): readonly Scenario[] {
  const { lead, operation } = scene;
  const { body, verification, version } = operation;
  const plain = planning.values(operation).plain ?? null;
  if (verification !== undefined || (made.length === 0 && around.after.length === 0)) return [];
  const fits = validator(body?.schema ?? true, { formats: 'assert' });
  const now = versionNow(planning, scene, 'version-now');
  if (version !== undefined && !version.neutral && now === undefined) return [];
  let value: Json = plain;
  const waves: Wave[] = [];
  let bodies: Scenario['bodies'] = {};
  let target = scene.request('command').target ?? {};
  for (const { record, value: other } of optionalReferences(planning, operation).slice(0, most)) {
    const records = madeFor(planning, record.field, lead, 'named-', {
      ...{ own: [], above: new Map(), operation },
    });
    const at = pointerOf(pointerTokens(record.at).slice(0, 1));
    const grown = withValueAt(value, at, valueAt(other, at) ?? null);
    if (records === undefined || fits(grown).length > 0) continue;
    value = grown;
    waves.push(...records.waves);
    bodies = { ...bodies, ...records.bodies };
    target = { ...target, ...records.target };
  }
  if (waves.length === 0) return [];
  return [
    scenario(
      scene,
      'a valid command that names all the records that it may leave out',
      [
        ...waves,
        ...(made.length > 0 ? [] : around.before),
        ...(now?.waves ?? []),
        send(scene, 'command', {
          role: 'test',
          target,
          ...(now === undefined ? {} : { version: now.version }),
        }),
        ...(made.length > 0 ? made : around.after),
      ],
      { ...bodies, body: scene.body(value) },
    ),
  ];
}
