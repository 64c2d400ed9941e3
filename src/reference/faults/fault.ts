import type { ClauseCode, Codes } from '../../model/clause.ts';
import type { OperationId } from '../../model/contract.ts';
import type { Declaration } from '../../model/declaration.ts';
import type { Behaviour, Settings } from '../behaviour.ts';

/** One narrow way to break the contract: the reference service with one decision changed. */
export type Fault = {
  readonly id: string;
  readonly describes: string;
  /** Clauses that it breaks: all of them must fire. */
  readonly breaks: readonly ClauseCode[];
  /** Clauses that may fire as well: true consequences. */
  readonly also: readonly ClauseCode[];
  readonly change: Partial<Behaviour>;
  readonly settings?: Partial<Settings>;
  /** Operations of the extended catalogue at which it shows; the fewer, the quicker it is tried. */
  readonly operations: readonly OperationId[];
  readonly declares?: Declaration;
  /** True from the day it is written until `npm run accuracy` has measured it; a release has none. */
  readonly unmeasured?: true;
};

/** A fault as it is written: by default nothing else fires, and it shows at `createCase`. */
export type SeededFault = Omit<Fault, 'breaks' | 'also' | 'operations'> &
  Partial<Pick<Fault, 'operations'>> & { readonly breaks: Codes; readonly also?: Codes };

export function at(operation: OperationId, faults: readonly SeededFault[]): readonly SeededFault[] {
  return faults.map((fault) => ({ ...fault, operations: [operation] }));
}
