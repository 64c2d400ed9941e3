import type { Moved } from './clause.ts';
import type { OperationId } from './contract.ts';
import type { JsonPointer } from './json.ts';

/** What records do by themselves: members that differ between two reads though no command came between them. */
export function makeRestless(): {
  readonly note: (moves: readonly Moved[]) => void;
  /** Whether all that moved is known to move by itself. */
  readonly movesAlone: (moved: Moved) => boolean;
} {
  const restless = new Map<OperationId, Set<JsonPointer>>();
  return {
    note: (moves) => {
      for (const { at, read } of moves) {
        const known = restless.get(read) ?? new Set();
        restless.set(read, known);
        for (const pointer of at) known.add(pointer);
      }
    },
    movesAlone: ({ at, read }) => {
      const known = restless.get(read);
      return known !== undefined && at.every((pointer) => known.has(pointer));
    },
  };
}
