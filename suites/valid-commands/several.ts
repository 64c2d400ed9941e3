import { validator } from '../../src/generate/index.ts';
import { isReadById, operationNamed } from '../../src/model/contract.ts';
import { isArray, isObject, type Json, valueAt, withValueAt } from '../../src/model/json.ts';
import { bulkOf } from '../../src/model/listed.ts';
import type { Ref } from '../../src/model/ref.ts';
import type { Scenario, Wave } from '../../src/model/scenario.ts';
import { standIn } from '../../src/suite-kit/cast.ts';
import { targetMadeBy } from '../../src/suite-kit/issued.ts';
import { bodyOf, key, readStep, type Scene, scenario, send, when } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import type { listedWithin } from './shown.ts';

/** A command that makes several records at once, asked for three of them, or two; each has the marker. */
export function severalRecords(
  planning: Planning,
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
  // Two records that are made one by one show that records may have in common what the items have.
  const [item] = items;
  const alone = isObject(item) && Object.keys(item).length > 1 ? ['alone-1', 'alone-2'] : [];
  return [
    scenario(
      scene,
      `${count} records at once`,
      [
        ...alone.map((id) => send(scene, id, { role: 'setup', key: key(id), body: bodyOf(scene, id) })),
        ...before,
        send(scene, 'command', { role: 'test', body: { use: 'named', name: 'body', edit } }),
        ...after,
        ...eachRead(planning, scene, count),
      ],
      { body: scene.body(), ...Object.fromEntries(alone.map((id) => [id, scene.body()])) },
    ),
  ];
}

/** Reads of the records that the result names. */
function eachRead(planning: Planning, { lead, operation, request }: Scene, count: number): readonly Wave[] {
  const read = operationNamed(planning.contract, operation.effect?.read);
  const at = bulkOf(operation.effect);
  const reader = read === undefined ? undefined : standIn(planning, read, lead);
  if (read === undefined || reader === undefined || !isReadById(planning.contract, operation)) return [];
  const target = targetMadeBy(operation, read, 'command', request('command').target ?? {});
  if (target === undefined) return [];
  const own = (ref: Ref, nth: number): Ref =>
    'at' in ref && ref.step === 'command' && ref.at.startsWith(`${at}/0`)
      ? { ...ref, at: `${at}/${nth}${ref.at.slice(`${at}/0`.length)}` }
      : ref;
  const reads = Array.from({ length: count }, (_, nth) =>
    send(
      readStep(
        planning,
        `made-${nth + 1}`,
        read,
        reader,
        Object.fromEntries(Object.entries(target).map(([name, ref]) => [name, own(ref, nth)])),
        'readback',
      ),
    ),
  );
  return [when('command', 'accepted', [{ wait: 'settle' }, ...reads])];
}
