import type { Moved, MovedAlone } from './clause.ts';
import type { OperationId } from './contract.ts';
import type { Trace } from './exchange.ts';
import type { JsonPointer } from './json.ts';
import { isAccepted, isDecided } from './response.ts';
import { stepsOf } from './scenario.ts';

/** The commands that may have run on a record; undefined where other traces may have sent some to it. */
export type Ran = ReadonlySet<OperationId> | undefined;

/** Members that differ between two reads without a command in between; one that ran may still be at work. */
export function makeRestless(): {
  readonly note: (moves: readonly MovedAlone[]) => void;
  /** Whether all that moved is known to move by itself, on a record on which these commands ran. */
  readonly movesAlone: (moved: Moved, ran: Ran) => boolean;
} {
  const restless = new Map<OperationId, Map<JsonPointer, Map<string, readonly OperationId[]>>>();
  return {
    note: (moves) => {
      for (const { after, at, read } of moves) {
        const known = restless.get(read) ?? new Map<JsonPointer, Map<string, readonly OperationId[]>>();
        restless.set(read, known);
        for (const pointer of at)
          known.set(pointer, new Map([...(known.get(pointer) ?? []), [after.toSorted().join(' '), after]]));
      }
    },
    movesAlone: ({ at, read }, ran) => {
      const known = restless.get(read);
      return at.every((pointer) =>
        [...(known?.get(pointer)?.values() ?? [])].some(
          (after) => ran === undefined || after.every((id) => ran.has(id)),
        ),
      );
    },
  };
}

/** The commands that may have run on the records that a trace made; a record that was there before is open to others. */
export function ranIn({ exchanges, scenario }: Trace): Ran {
  const shared = stepsOf(scenario.waves).some(
    ({ role, target }) => role === 'readback' && !Object.values(target ?? {}).some((ref) => 'step' in ref),
  );
  return shared
    ? undefined
    : new Set(
        exchanges.flatMap(({ answer, operation }) =>
          isAccepted(answer) || !isDecided(answer) ? [operation] : [],
        ),
      );
}
