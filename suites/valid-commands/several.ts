import { validator } from '../../src/generate/index.ts';
import { isArray, type Json, valueAt, withValueAt } from '../../src/model/json.ts';
import { bulkOf } from '../../src/model/listed.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { type Scene, scenario, send } from '../../src/suite-kit/scene.ts';
import type { listedWithin } from './shown.ts';

/** A command that makes several records at once, asked for three of them, or two; each has the marker. */
export function severalRecords(
  scene: Scene,
  { after, before }: ReturnType<typeof listedWithin>,
): readonly Scenario[] {
  const { body, effect } = scene.operation;
  const { marker, value } = scene.body();
  const [, at, within] = /^(.*)\/0(\/.*)$/.exec(marker ?? '') ?? [];
  const items = at === undefined ? undefined : valueAt(value, at);
  if (bulkOf(effect) === undefined || at === undefined || within === undefined || !isArray(items)) return [];
  const check = validator(body?.schema ?? true, { formats: 'assert' });
  const listOf = (count: number, mark: string): Json =>
    Array.from({ length: count }, (_, index) =>
      withValueAt(items[0] ?? {}, within, `Conformance ${index + 1} ${mark}`),
    );
  const count = [3, 2].find(
    (each) => check(withValueAt(value, at, listOf(each, 'asy-0123456789abcdef'))).length === 0,
  );
  if (count === undefined) return [];
  const edit = { at, set: listOf(count, '$' + '{marker}') };
  return [
    scenario(scene, `${count} records at once`, [
      ...before,
      send(scene, 'command', { role: 'test', body: { use: 'named', name: 'body', edit } }),
      ...after,
    ]),
  ];
}
