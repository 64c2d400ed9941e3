import { type Contract, creates, type Operation, type OperationId, operationOf } from '../model/contract.ts';
import type { Effects, Exchange, Trace } from '../model/exchange.ts';
import type { Json } from '../model/json.ts';
import { itemId, listOfMade } from '../model/listed.ts';
import { headOf, isCompanion, isWeak, shownMarkers, tokensOf } from '../model/marker.ts';
import { firstPage, isNumbered, largestPage } from '../model/pages.ts';
import { type Principal, scopeOf } from '../model/principal.ts';
import { exactJsonOf, isAccepted } from '../model/response.ts';
import { resultId } from '../model/result-id.ts';
import { bodyNameOf, type Step, stepsOf } from '../model/scenario.ts';
import { isBehindEnd, itemsIn, type NextPage, nextPage } from '../oracle/paging.ts';
import { holders } from '../suite-kit/cast.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { askedOf } from '../suite-kit/target-reads.ts';
import type { OwnMarkers } from './bind.ts';
import type { AttemptOf } from './stage.ts';

/** Which list shows the effects of a trace, in which scope, and to whom. */
export type EffectRead = {
  readonly list: Operation;
  readonly scope: string | undefined;
  readonly reader: Principal;
};

/** The lists that show what the commands of a trace created; empty where the contract declares none, or nobody may read it. */
export function effectReadsOf(planning: Planning, trace: Trace): readonly EffectRead[] {
  const found = new Map<string, EffectRead>();
  for (const step of stepsOf(trace.scenario.waves)) {
    const effectRead = effectReadOf(planning, step);
    if (effectRead !== undefined) found.set(placeName(effectRead), effectRead);
  }
  return [...found.values()];
}

/** The list that shows what a step created, where there is one that somebody may read. */
export function effectReadOf(planning: Planning, step: Step): EffectRead | undefined {
  const list = listOfMade(planning.contract, operationOf(planning.contract, step.operation));
  if (list === undefined) return undefined;
  const scope = scopeOf(planning.principals, step.as);
  const reader = holders(planning, list).find((principal) => principal.scope === scope);
  return reader === undefined ? undefined : { list, scope, reader };
}

/** Ids of the records that accepted commands of a trace made, each with the list and scope that show it. */
export function madeBy(
  planning: Planning,
  trace: Trace,
): readonly { readonly at: string; readonly id: string }[] {
  const steps = new Map(stepsOf(trace.scenario.waves).map((step) => [step.id, step]));
  // What was deleted again need not be there, nor what was made within it; other records like it are.
  const deleting = new Set(
    trace.exchanges.flatMap(({ answer, request, step }) =>
      request.method === 'DELETE' && isAccepted(answer) ? [step] : [],
    ),
  );
  const deleted = new Set(
    [...steps.values()].flatMap(({ id, target = {} }) => (deleting.has(id) ? stepsIn(target) : [])),
  );
  const makers = new Set([...deleted].map((id) => steps.get(id)?.operation));
  return trace.exchanges.flatMap(({ answer, operation: of, step: stepId }) => {
    const step = steps.get(stepId);
    const effectRead = step === undefined ? undefined : effectReadOf(planning, step);
    if (answer === undefined || !isAccepted(answer) || effectRead === undefined) return [];
    if (deleting.size > 0 && (deleted.has(stepId) || !makers.has(of))) return [];
    const operation = operationOf(planning.contract, of);
    const id = resultId(operation, answer);
    return id === undefined ? [] : [{ at: placeName(effectRead), id }];
  });
}

function stepsIn(target: NonNullable<Step['target']>): readonly string[] {
  return Object.values(target).flatMap((ref) => ('step' in ref ? [ref.step] : []));
}

/** How far a list was read: to its end, and without the markers that could not be looked for. */
type Reached = { readonly complete: boolean; readonly unread?: ReadonlySet<string> | undefined };

/** Whether every list that would show what a trace created was read to its end; the lists of other traces do not matter. */
export function isSeen(planning: Planning, trace: Trace, walks: ReadonlyMap<string, Reached>): boolean {
  const markers = Object.values(trace.bound.markers);
  return effectReadsOf(planning, trace).every((effectRead) => {
    const walk = walks.get(placeName(effectRead));
    return walk?.complete === true && !markers.some((marker) => walk.unread?.has(marker) === true);
  });
}

/** When the last command that a list is to show had its response. */
export function lastWriteOf(planning: Planning, trace: Trace): number {
  const shown = new Set(
    stepsOf(trace.scenario.waves).flatMap((step) =>
      effectReadOf(planning, step) === undefined ? [] : [step.id],
    ),
  );
  return Math.max(0, ...trace.exchanges.flatMap(({ endedAt, step }) => (shown.has(step) ? [endedAt] : [])));
}

export function placeName({ list, scope }: Pick<EffectRead, 'list' | 'scope'>): string {
  return `${list.id} ${scope ?? ''}`;
}

/** One page of a list, or of what a filter leaves of it, as a step. */
export function pageStep(
  planning: Pick<Planning, 'given' | 'values'>,
  list: Operation,
  as: string,
  index: number,
  cursor: string | undefined,
  filter: readonly (readonly [string, string])[] = [],
): Step {
  const paging = list.pagination;
  const query: (readonly [string, string])[] =
    paging === undefined ? [...filter] : [[paging.limit, String(largestPage(list))], ...filter];
  if (paging !== undefined && cursor !== undefined) query.push([paging.cursor, cursor]);
  return {
    id: `sweep-${index}`,
    operation: list.id,
    as,
    role: 'readback',
    query,
    key: { use: 'none' },
    body: askedOf(planning, list),
    deviations: [],
  };
}

export function ofRead(step: Step, index = 0): Omit<AttemptOf, 'id'> {
  return {
    suite: 'sweep',
    probe: step.operation,
    scenarioIndex: index,
    attempt: 0,
    seed: 0,
    path: undefined,
    purpose: 'first',
    repeats: undefined,
    scenario: { title: 'independent read', bodies: {}, waves: [{ steps: [step] }] },
  };
}

/** A record of a list: its ID, and the markers in it. */
export type ListedRecord = { readonly id: string | undefined; readonly markers: readonly string[] };

export type Page = {
  readonly entries: readonly ListedRecord[];
  readonly records: ReadonlyMap<string, readonly string[]>;
  /** Texts up to a marker, by the marker and the ID of the record. */
  readonly heads: ReadonlyMap<string, string>;
  readonly unmarked: readonly string[];
  /** Markers of records that have no ID where the list has it; the list itself, if one of them has no marker either. */
  readonly nameless: readonly string[];
  readonly items: number;
  readonly next: NextPage;
};

/** Usual markers, of whatever run, and those of this run that have another form. */
function markersIn(item: Json, own: Pick<OwnMarkers, 'formed'> | undefined): readonly string[] {
  const found = new Set<string>(shownMarkers(JSON.stringify(item)));
  if (own !== undefined)
    for (const text of tokensOf(item)) {
      const marker = own.formed(text);
      if (marker !== undefined) found.add(marker);
    }
  return [...found];
}

/** How much of a list was read before, or may lie before a page that no other one led to. */
type ReadBefore = { readonly pages: number; readonly items: number; readonly guessed?: true };

const noPage: Page = {
  entries: [],
  records: new Map(),
  heads: new Map(),
  unmarked: [],
  nameless: [],
  items: 0,
  next: { kind: 'none' },
};

/** What a page shows: ids by the markers that their records carry, ids of the others, and where the next page begins. */
export function readPage(
  contract: Contract,
  list: Operation,
  exchange: Exchange,
  before: ReadBefore,
  own?: Pick<OwnMarkers, 'formed'>,
): Page | undefined {
  const { answer } = exchange;
  const mayBeBehind = before.pages > 0 || before.guessed === true;
  if (answer !== undefined && mayBeBehind && isBehindEnd(list, answer, before.guessed)) return noPage;
  if (answer === undefined || !isAccepted(answer)) return undefined;
  const body = exactJsonOf(answer);
  if (body === undefined) return undefined;
  const items = itemsIn(list, body, before.items);
  if (items === undefined) return undefined;
  const records = new Map<string, string[]>();
  const unmarked: string[] = [];
  const idOf = itemId(contract, list.id);
  const heads = new Map<string, string>();
  const entries = items.map((item): ListedRecord => {
    const [id, markers] = [idOf(item), markersIn(item, own)];
    for (const marker of markers) {
      const head = headOf(item, marker);
      if (head !== undefined) heads.set(`${marker} ${id}`, head);
    }
    return { id, markers };
  });
  const nameless = entries.flatMap(({ id, markers }) =>
    id !== undefined ? [] : markers.length > 0 ? markers : [list.id],
  );
  for (const { id, markers } of entries) {
    if (id === undefined) continue;
    for (const marker of markers) records.set(marker, [...(records.get(marker) ?? []), id]);
    if (markers.length === 0) unmarked.push(`${list.id} ${id}`);
  }
  const page = nextPage(list, answer);
  const next = page.kind === 'unknown' ? counted(list, before, items.length) : page;
  return { entries, records, heads, unmarked, nameless, items: items.length, next };
}

/** The row ends with an empty page; page 1 is read where counting may begin at 0: it is the second, or the first again. */
function counted(list: Operation, before: ReadBefore, items: number): NextPage {
  const { pagination } = list;
  if (!isNumbered(list)) return { kind: 'unknown' };
  if (items === 0) return { kind: 'none' };
  return {
    kind: 'at',
    cursor: String(
      (firstPage(list) ?? 0) + (pagination?.style === 'page' ? before.pages + 1 : before.items + items),
    ),
  };
}

type Found = { readonly id: string; readonly exchange: string; readonly list: OperationId };

export function emptySighting(): {
  readonly records: Map<string, readonly Found[]>;
  readonly bearers: Map<string, readonly string[]>;
  readonly heads: Map<string, string>;
  readonly unmarked: Set<string>;
  readonly nameless: Set<string>;
} {
  return {
    records: new Map(),
    bearers: new Map(),
    heads: new Map(),
    unmarked: new Set(),
    nameless: new Set(),
  };
}

export function note(
  { bearers, heads, nameless, records, unmarked }: ReturnType<typeof emptySighting>,
  page: Page,
  exchange: string,
  list: OperationId,
): void {
  for (const [marker, ids] of page.records) {
    const known = records.get(marker) ?? [];
    // A record that was seen before the marker was bound has its number by chance.
    const older = (id: string): boolean => isWeak(marker) && unmarked.has(`${list} ${id}`);
    const added = ids.filter(
      (id) => known.every((record) => record.id !== id || record.list !== list) && !older(id),
    );
    if (added.length > 0) records.set(marker, [...known, ...added.map((id) => ({ id, exchange, list }))]);
    for (const id of added) {
      const name = `${list} ${id}`;
      bearers.set(name, [...(bearers.get(name) ?? []), marker]);
    }
  }
  for (const [key, head] of page.heads) heads.set(key, head);
  for (const id of page.unmarked) unmarked.add(id);
  for (const marker of page.nameless) nameless.add(marker);
}

/** What a sweep saw: records by the markers that they carry, and list and id of those that carry none. */
export type SweptRecords = {
  readonly records: ReadonlyMap<string, readonly Found[]>;
  /** The markers that a record carries, by its list and ID. */
  readonly bearers: ReadonlyMap<string, readonly string[]>;
  readonly heads?: ReadonlyMap<string, string>;
  readonly unmarked: ReadonlySet<string>;
  /** Markers of records that nobody can name, nor tell from each other, and lists with records that have no marker either. */
  readonly nameless?: ReadonlySet<string>;
  readonly complete: boolean;
  readonly unsure?: OwnMarkers['unsure'];
  readonly last: string | undefined;
};

/** The effects of one trace, out of what the sweep saw. A body by whose marker nobody could know its record is left out. */
export function effectsOfTrace(planning: Planning, trace: Trace, sighting: SweptRecords): Effects {
  const { complete, heads, last, nameless, records, unsure } = sighting;
  const byMarker: Record<string, readonly string[]> = {};
  const seenIn = new Set<string>();
  const { blind, foreign, listed, shownBy } = unseen(planning, trace, sighting);
  for (const marker of new Set(Object.values(trace.bound.markers))) {
    // A list of what a record is within may show its texts as well.
    const shown = (records.get(marker) ?? []).filter(({ list }) => shownBy.get(marker)?.has(list) !== false);
    const heading = shown.map(({ id }) => heads?.get(`${marker} ${id}`));
    // What the service makes along with a record is no second one.
    const found = shown.filter((_, index) => !isCompanion(heading[index], heading));
    const unnamed = [marker, ...(shownBy.get(marker) ?? [])].some((one) => nameless?.has(one) === true);
    const unknown = blind.has(marker) || unnamed;
    if ((found.length === 0 && unknown) || unsure?.(marker) === true) continue;
    byMarker[marker] = [...new Set(found.map((record) => record.id))];
    for (const record of found) seenIn.add(record.exchange);
  }
  if (seenIn.size === 0 && last !== undefined) seenIn.add(last);
  return {
    byMarker,
    byTarget: {},
    seenIn: [...seenIn],
    complete,
    ...(listed.length === 0 ? {} : { listed }),
    ...(foreign.length === 0 ? {} : { foreign }),
  };
}

/** Markers whose records no list shows, their IDs, and the lists that are to show the others. */
function unseen(
  planning: Planning,
  trace: Trace,
  { bearers, unmarked }: Pick<SweptRecords, 'bearers' | 'unmarked'>,
): {
  readonly blind: ReadonlySet<string>;
  readonly foreign: readonly string[];
  readonly listed: readonly string[];
  readonly shownBy: ReadonlyMap<string, ReadonlySet<OperationId>>;
} {
  const blind = new Set<string>();
  const listed: string[] = [];
  const foreign: string[] = [];
  const markers = new Set(Object.values(trace.bound.markers));
  const shownBy = new Map<string, ReadonlySet<OperationId>>();
  const steps = new Map(stepsOf(trace.scenario.waves).map((step) => [step.id, step]));
  for (const { answer, operation: id, ordinal, step: stepId } of trace.exchanges) {
    const step = steps.get(stepId);
    const operation = operationOf(planning.contract, id);
    const body = step === undefined ? undefined : bodyNameOf(step.body);
    if (step === undefined || body === undefined) continue;
    const effectRead = effectReadOf(planning, step);
    if (!creates(operation) && listOfMade(planning.contract, operation) === undefined) continue;
    const name = ordinal === 0 ? body : `${body}#${ordinal}`;
    const marker = trace.bound.markers[name];
    if (marker === undefined) continue;
    const result = answer !== undefined && isAccepted(answer) ? resultId(operation, answer) : undefined;
    const bare = result !== undefined && unmarked.has(`${effectRead?.list.id} ${result}`);
    if (bare) listed.push(result);
    else if (result !== undefined && isForeign(bearers.get(`${effectRead?.list.id} ${result}`), markers))
      foreign.push(result);
    if (bare || effectRead === undefined) blind.add(marker);
    else shownBy.set(marker, new Set([...(shownBy.get(marker) ?? []), effectRead.list.id]));
  }
  return { blind, foreign, listed, shownBy };
}

/** Whether a record that a list shows carries markers, but none of the trace that names it: another one has made it. */
function isForeign(bearers: readonly string[] = [], markers: ReadonlySet<string>): boolean {
  return bearers.length > 0 && bearers.every((marker) => !markers.has(marker));
}
