import { type Operation, operationOf } from '../model/contract.ts';
import type { Effects, Exchange, Trace } from '../model/exchange.ts';
import { isArray, isObject, type Json, parseJson, valueAt } from '../model/json.ts';
import type { Principal } from '../model/principal.ts';
import { type Step, stepsOf } from '../model/scenario.ts';
import { holders } from '../propose/cast.ts';
import type { Planning } from '../propose/suite.ts';
import { markerForm } from './bind.ts';

/** Which list shows the effects of a trace, in which scope, and to whom. */
export type Lookout = {
  readonly list: Operation;
  readonly scope: string | undefined;
  readonly reader: Principal;
};

/** The lists that show what the commands of a trace created; empty where the contract declares none, or nobody may read it. */
export function lookoutsOf(planning: Planning, trace: Trace): readonly Lookout[] {
  const found = new Map<string, Lookout>();
  for (const step of stepsOf(trace.scenario.waves)) {
    const operation = operationOf(planning.contract, step.operation);
    const id = operation.effect?.list;
    if (operation.kind !== 'command' || operation.pathFields.length > 0 || id === undefined) continue;
    const scope = planning.principals.find((principal) => principal.name === step.as)?.scope;
    const list = operationOf(planning.contract, id);
    const reader = holders(planning, list).find((principal) => principal.scope === scope);
    if (reader !== undefined) found.set(`${id} ${scope ?? ''}`, { list, scope, reader });
  }
  return [...found.values()];
}

/** One page of a list, as a step. */
export function pageStep(list: Operation, as: string, index: number, cursor: string | undefined): Step {
  const paging = list.pagination;
  const field = list.queryFields.find((each) => each.name === paging?.limit);
  const most =
    isObject(field?.schema) && typeof field.schema['maximum'] === 'number' ? field.schema['maximum'] : 100;
  const query: (readonly [string, string])[] = paging === undefined ? [] : [[paging.limit, String(most)]];
  if (paging !== undefined && cursor !== undefined) query.push([paging.cursor, cursor]);
  return {
    id: `sweep-${index}`,
    operation: list.id,
    as,
    role: 'readback',
    query,
    key: { use: 'none' },
    body: { use: 'none' },
    deviations: [],
  };
}

/** What a page shows: ids by the markers that their records carry, and where the next page begins. */
export function readPage(
  list: Operation,
  exchange: Exchange,
  index: number,
):
  | { readonly records: ReadonlyMap<string, readonly string[]>; readonly next: string | undefined }
  | undefined {
  const { answer } = exchange;
  if (answer === undefined || answer.status < 200 || answer.status >= 300) return undefined;
  const body = parseJson(answer.body);
  if (body === undefined) return undefined;
  const paging = list.pagination;
  const items = valueAt(body, paging?.items ?? (isArray(body) ? '' : '/items'));
  if (!isArray(items)) return undefined;
  const records = new Map<string, string[]>();
  for (const item of items) {
    const id = isObject(item) && typeof item['id'] === 'string' ? item['id'] : undefined;
    if (id === undefined) continue;
    for (const marker of new Set(JSON.stringify(item).match(markerForm) ?? []))
      records.set(marker, [...(records.get(marker) ?? []), id]);
  }
  return { records, next: nextPage(list, body, items, index) };
}

function nextPage(list: Operation, body: Json, items: readonly Json[], index: number): string | undefined {
  const paging = list.pagination;
  if (paging === undefined || items.length === 0) return undefined;
  if (paging.next !== undefined) {
    const next = valueAt(body, paging.next);
    return typeof next === 'string' && next !== ''
      ? next
      : typeof next === 'number'
        ? String(next)
        : undefined;
  }
  if (paging.style === 'page') return String(index + 2);
  return paging.style === 'offset' ? String((index + 1) * items.length) : undefined;
}

/** The effects of one trace, out of what the sweep saw. */
export function effectsOfTrace(
  trace: Trace,
  records: ReadonlyMap<string, readonly { readonly id: string; readonly exchange: string }[]>,
  complete: boolean,
  last: string | undefined,
): Effects {
  const byMarker: Record<string, readonly string[]> = {};
  const seenIn = new Set<string>();
  for (const marker of new Set(Object.values(trace.bound.markers))) {
    const found = records.get(marker) ?? [];
    byMarker[marker] = [...new Set(found.map((record) => record.id))];
    for (const record of found) seenIn.add(record.exchange);
  }
  if (seenIn.size === 0 && last !== undefined) seenIn.add(last);
  return { byMarker, byTarget: {}, seenIn: [...seenIn], complete };
}
