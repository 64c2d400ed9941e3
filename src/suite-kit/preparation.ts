import type { Operation, OperationId } from '../model/contract.ts';
import type { Json } from '../model/json.ts';

/** What a new target record needs before a command accepts it: an order without lines cannot be approved, say. */
export type Preparation = {
  /** Bodies of the commands that make it, in place of the plain ones. */
  readonly bodies: ReadonlyMap<OperationId, Json>;
  /** Commands on it that come first, in sequence. */
  readonly first: readonly OperationId[];
};

/** By command, what its target record needs. */
export type Preparations = ReadonlyMap<OperationId, Preparation>;

export function bodyFor(prepared: Preparation | undefined, maker: Operation): Json | undefined {
  return prepared?.bodies.get(maker.id);
}
