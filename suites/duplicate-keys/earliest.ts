import { type Operation, operationNamed } from '../../src/model/contract.ts';
import { valueAt } from '../../src/model/json.ts';
import type { BodySpec, Wave } from '../../src/model/scenario.ts';
import { standIn } from '../../src/suite-kit/cast.ts';
import { filtersOf, ownFilter } from '../../src/suite-kit/filters.ts';
import { targetMadeBy } from '../../src/suite-kit/issued.ts';
import { sizeOf } from '../../src/suite-kit/readback.ts';
import { bodyOf, readStep, type Scene, send, when } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

/** Requests that look for a young record right after it was made, and for both, and what both are made with. */
type Sought = {
  readonly bodies: Readonly<Record<string, BodySpec>>;
  readonly atOnce: readonly Wave[];
  readonly later: readonly Wave[];
};

/**
 * The first of many records and the last one, each looked for by a filter of their list: by its own text where the list has a
 * filter for that, else by a value that the others need not have. The read of the first shows that it has the value. The last one
 * is looked for at once as well: others may make as many records while a list settles.
 */
export function earliest(planning: Planning, scene: Scene, old: string, young: string): Sought | undefined {
  const { operation } = scene;
  const list = operationNamed(planning.contract, operation.effect?.list);
  const read = operationNamed(planning.contract, operation.effect?.read);
  if (list === undefined || read === undefined || list.pathFields.length > 0) return undefined;
  const [lister, reader] = [list, read].map((one) => standIn(planning, one, scene.lead));
  const target = targetMadeBy(operation, read, old, {});
  if (lister === undefined || reader === undefined || target === undefined) return undefined;
  const [own, another] = [old, young].map((name) => ownFilter(list, operation, scene.body(), name));
  const rare = own === undefined ? rareValue(planning, scene, list) : undefined;
  const [first, last] = [own ?? rare?.query, another ?? rare?.query];
  if (first === undefined || last === undefined) return undefined;
  const look = (id: string, field: readonly [string, string]): Wave =>
    send({ ...readStep(planning, id, list, lister, {}, 'readback'), query: [...sizeOf(list), field] });
  const edited = (name: string): BodySpec =>
    rare === undefined ? bodyOf(scene, name) : { use: 'named', name, edit: rare.edit };
  const shown = send({
    ...readStep(planning, 'first-shown', read, reader, target, 'readback'),
    observes: 'made',
  });
  return {
    bodies: { [old]: edited(old), [young]: edited(young) },
    atOnce: [when(young, 'accepted', [look('last-at-once', last)])],
    later: [
      when(old, 'accepted', [
        look('first-sought', first),
        ...(rare === undefined ? [look('last-sought', last)] : []),
        shown,
      ]),
    ],
  };
}

type Edit = NonNullable<Extract<BodySpec, { use: 'named' }>['edit']>;

/** A value by which the list filters, and which plain bodies do not have. */
function rareValue(
  planning: Planning,
  scene: Scene,
  list: Operation,
): { readonly edit: Edit; readonly query: readonly [string, string] } | undefined {
  const plain = scene.body().value;
  for (const { excluded, field, match } of filtersOf(planning, list, scene).trials)
    for (const spec of [match, excluded]) {
      const edit = spec?.use === 'named' ? spec.edit : undefined;
      if (edit === undefined || !('set' in edit) || edit.at === '' || typeof edit.set === 'object') continue;
      if (valueAt(plain, edit.at) !== edit.set) return { edit, query: [field.name, String(edit.set)] };
    }
  return undefined;
}
