import { isObject, type Json, type JsonPointer, numberIn, pointerOf } from '../../model/json.ts';
import { exactJsonOf } from '../../model/response.ts';
import type { Answered } from './reading.ts';
import { isBookkeeping } from './removal.ts';

/** By how much each number of a record changed between two reads of it. */
export type AmountChanges = ReadonlyMap<JsonPointer, number>;

export function changesOf(before: Answered | undefined, after: Answered | undefined): AmountChanges {
  const [was, is] = [before, after].map((one) => amountsIn(exactJsonOf(one?.answer)));
  const changes = new Map<JsonPointer, number>();
  for (const [at, amount] of was ?? []) {
    const now = is?.get(at);
    if (now !== undefined && now !== amount && !isBookkeeping(at)) changes.set(at, now - amount);
  }
  return changes;
}

/** Where one record changed by an amount, and another one by as much the other way. */
export function movedTo(one: AmountChanges, other: AmountChanges): JsonPointer | undefined {
  for (const [at, change] of one) {
    const back = other.get(at);
    if (back !== undefined && Math.abs(change + back) < Math.abs(change) * 1e-9) return at;
  }
  return undefined;
}

/** Numbers, and texts that are decimal ones, without those in lists. */
function amountsIn(value: Json | undefined, path: readonly string[] = []): ReadonlyMap<JsonPointer, number> {
  if (isObject(value))
    return new Map(
      Object.entries(value).flatMap(([name, member]) => [...amountsIn(member, [...path, name])]),
    );
  const amount = numberIn(value ?? null);
  return amount === undefined ? new Map() : new Map([[pointerOf(path), amount]]);
}
