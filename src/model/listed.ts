import { type Contract, type EffectRule, idText, type OperationId } from './contract.ts';
import { isObject, type Json, valueAt } from './json.ts';
import { bare } from './path.ts';

/** Whether a list shows what a command creates. */
export function showsIn(effect: EffectRule | undefined, list: OperationId): boolean {
  return effect?.list === list || effect?.otherLists?.includes(list) === true;
}

/**
 * The ID of an item of a list: under its name in the results of the commands that the list shows, as `id`, or under the
 * name that the path of a read of one item has for it; else under one of these names in another spelling (`Id`, `case_id`).
 */
export function itemId(contract: Contract, list: OperationId): (item: Json) => string | undefined {
  const known =
    itemIds.get(contract.operations) ?? new Map<OperationId, (item: Json) => string | undefined>();
  itemIds.set(contract.operations, known);
  const made = known.get(list) ?? itemIdOf(contract, list);
  known.set(list, made);
  return made;
}

const itemIds = new WeakMap<Contract['operations'], Map<OperationId, (item: Json) => string | undefined>>();

function itemIdOf(contract: Contract, list: OperationId): (item: Json) => string | undefined {
  const shown = contract.operations.filter(({ effect }) => showsIn(effect, list));
  const best = shown.find(({ kind, method }) => kind === 'command' && method === 'POST') ?? shown[0];
  const name = best?.effect?.id.split('/').at(-1);
  const path = bare(contract.operations.find(({ id }) => id === list)?.path ?? '');
  const fields = contract.operations.flatMap((one) => {
    const field = one.pathFields.at(-1)?.name;
    return one.kind === 'read' && field !== undefined && bare(one.path) === `${path}/{${field}}`
      ? [`/${field}`]
      : [];
  });
  const places = [name === undefined || name === '' ? '/id' : `/${name}`, '/id', ...fields];
  const spelled = places.map(plainName);
  return (item) => {
    const found = places.map((place) => valueAt(item, place)).find((value) => (value ?? null) !== null);
    if (found !== undefined || !isObject(item)) return idText(found);
    return idText(Object.entries(item).find(([other]) => spelled.includes(plainName(other)))?.[1]);
  };
}

function plainName(name: string): string {
  return name.replaceAll(/[/_-]/g, '').toLowerCase();
}
