import type { Operation } from './contract.ts';

/** Whether each of two commands forbids the other on one target. What a DELETE has removed is in no state. */
export function excludeEachOther(one: Operation, other: Operation): boolean {
  if (one.method === 'DELETE' || other.method === 'DELETE') return false;
  const forbids = (first: Operation, second: Operation): boolean =>
    second.conflict?.after === first.id && second.conflict.body === undefined;
  return forbids(one, other) && forbids(other, one);
}
