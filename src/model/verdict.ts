import type { ClauseCode, Level, Need, Violated } from './clause.ts';
import type { OperationId } from './contract.ts';
import type { Trace } from './exchange.ts';

export type Verdict = 'pass' | 'fail' | 'unstable' | 'inconclusive' | 'not-tested' | 'not-applicable';

export type Cell = {
  readonly clause: ClauseCode;
  readonly level: Level;
  readonly operation: OperationId;
  readonly verdict: Verdict;
  /** Why: the reason of the ruling, or what would test the clause. */
  readonly because: string;
  /** What would test it, for cells that were not tested. */
  readonly needs: readonly Need[];
  /** True where effects were seen through returned IDs alone. */
  readonly idsOnly: boolean;
  readonly rulings: { readonly holds: number; readonly violated: number; readonly inconclusive: number };
  /** How often the violation came again when its scenario was repeated. */
  readonly repeats: { readonly violated: number; readonly of: number };
  /** Tolerated responses and the like, with how often they were seen. */
  readonly advisories: readonly { readonly text: string; readonly count: number }[];
  /** The smallest trace that shows the violation. */
  readonly example: { readonly trace: Trace; readonly ruling: Violated } | undefined;
};

/** The outcome of a run (exit codes 1, 3 and 0; 2 where the harness itself failed). */
export type Outcome = 'violations' | 'not fully verified' | 'conformant';

export type RunVerdict = {
  readonly outcome: Outcome;
  /** True where only a part was selected with --suite or --operation. */
  readonly partial: boolean;
  readonly certifiable: boolean;
  /** Why it is not certifiable; empty where it is. */
  readonly shortfalls: readonly string[];
  readonly exitCode: 0 | 1 | 2 | 3;
  /** The exit code that the run would have without its violations, where a gate accepts them. */
  readonly exitCodeOtherwise: 0 | 2 | 3;
};
