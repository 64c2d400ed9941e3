import type { ClauseCode } from './clause.ts';
import type { OperationId } from './contract.ts';

/** A violation that is accepted for now: an overlay, which changes no verdict. */
export type Waiver = {
  readonly clause: ClauseCode;
  /** Undefined where it stands for every operation. */
  readonly operation: OperationId | undefined;
  readonly owner: string;
  readonly reason: string;
  /** Where it was decided: the address of an issue. */
  readonly link?: string | undefined;
  /** Last day on which it holds, in UTC: `2027-03-31`. */
  readonly expires: string;
};
