import { confirmed, counts, type Repeats, refuted, sumOf } from './judge-repeats.ts';
import type { Clause, Moved, Need, Violated } from './model/clause.ts';
import type { OperationId } from './model/contract.ts';
import type { Trace, TraceId } from './model/exchange.ts';
import type { Ran } from './model/restless.ts';
import type { StepId } from './model/scenario.ts';
import { nothingOfTheKind } from './model/unreached.ts';
import type { Cell, Verdict } from './model/verdict.ts';

/** What speaks against a cell, and what leaves that open. */
export type Against = {
  /** Traces that violated it, each with the valid requests that were accepted there. */
  readonly violatedIn: Map<TraceId, ReadonlySet<StepId>>;
  /** Those that did by a 5xx, each with the requests that failed. */
  readonly passing: Map<TraceId, Set<string>>;
  /** Repeats that left it open. */
  readonly openIn: Set<TraceId>;
  /** Violations that rest on members of a record that read otherwise than before, or on conflicts of these commands. */
  doubtful: {
    readonly trace: TraceId;
    readonly moved: Moved | undefined;
    readonly unwritten: true | undefined;
    readonly ran: Ran;
    readonly conflicts: readonly OperationId[];
  }[];
};

export type Entry = {
  readonly clause: Clause;
  readonly operation: OperationId;
  holds: number;
  violated: number;
  /** Undefined of nearly all cells: empty maps would take more memory than all else that is kept of a run. */
  against: Against | undefined;
  inconclusive: number;
  idsOnly: number;
  /** Rulings that hold by an independent read: of a list, or of the target of a command. */
  counted: number;
  /** Rulings on effects that hold, be it by IDs alone. */
  effects: number;
  conclusive: boolean;
  doubt: string | undefined;
  untested: string | undefined;
  /** Why nothing shows the effects. */
  unseen: string | undefined;
  /** What the clause threw. */
  broken: string | undefined;
  needs: Need[];
  advisories: Map<string, number> | undefined;
  example: { trace: Trace; ruling: Violated } | undefined;
  /** The first violation that rests on a response 5xx. */
  failed: { trace: Trace; ruling: Violated } | undefined;
};

const newAgainst = (): Against => ({
  violatedIn: new Map(),
  passing: new Map(),
  openIn: new Set(),
  doubtful: [],
});

const nothing: Readonly<Against> = newAgainst();

/** What speaks against a cell, to read. */
export function against(entry: Entry): Readonly<Against> {
  return entry.against ?? nothing;
}

/** What speaks against a cell, to add to it. */
export function moreAgainst(entry: Entry): Against {
  entry.against ??= newAgainst();
  return entry.against;
}

export function newEntry(clause: Clause, operation: OperationId): Entry {
  return {
    clause,
    operation,
    holds: 0,
    violated: 0,
    against: undefined,
    inconclusive: 0,
    idsOnly: 0,
    counted: 0,
    effects: 0,
    conclusive: false,
    doubt: undefined,
    untested: undefined,
    unseen: undefined,
    broken: undefined,
    needs: [],
    advisories: undefined,
    example: undefined,
    failed: undefined,
  };
}
function verdictOf(
  entry: Entry,
  repeatsOf: Repeats,
): { readonly verdict: Verdict; readonly because: string } {
  const { doubtful, violatedIn } = against(entry);
  if (entry.violated > 0) {
    const because = entry.example?.ruling.because ?? '';
    // Advisory clauses steer nothing, so nobody repeats them: the report shows what was seen.
    const repeats = sumOf(counts(violatedIn, repeatsOf));
    if (entry.conclusive || repeats.violated > 0 || entry.clause.level === 'advisory')
      return { verdict: 'fail', because };
    // A job of the service may change a record once, at any moment: a refusal that has an effect shows it again.
    if (repeats.of > 0 && doubtful.filter(({ moved }) => moved !== undefined).length === entry.violated)
      return {
        verdict: 'inconclusive',
        because: `A record changed once, and in no repeat, so it may have changed by itself: ${because}`,
      };
    if (repeats.of > 0) return { verdict: 'unstable', because };
    return {
      verdict: 'inconclusive',
      because: `Seen, but never repeated: ${because}`,
    };
  }
  if (entry.broken !== undefined)
    return {
      verdict: 'inconclusive',
      because: `The harness itself failed, which says nothing about the target: ${entry.broken}`,
    };
  if (entry.failed !== undefined && confirmed(against(entry), repeatsOf) !== undefined)
    return { verdict: 'fail', because: entry.failed.ruling.because };
  // A passing failure is one that each repeat answered rightly: then what held elsewhere counts.
  if (entry.failed !== undefined && !(entry.holds > 0 && refuted(against(entry), repeatsOf)))
    return {
      verdict: 'inconclusive',
      because: `The service failed (5xx), but not in every repeat: ${entry.failed.ruling.because}`,
    };
  // That a duplicate was accepted shows nothing of what it did.
  if (entry.unseen !== undefined && entry.effects === 0 && entry.holds === entry.idsOnly)
    return { verdict: 'not-tested', because: entry.unseen };
  if (entry.holds > 0) return { verdict: 'pass', because: '' };
  if (entry.inconclusive > 0) return { verdict: 'inconclusive', because: entry.doubt ?? '' };
  const inapplicable = entry.needs.find((need) => need.kind === 'inapplicable');
  if (inapplicable !== undefined) return { verdict: 'not-applicable', because: inapplicable.remedy };
  const [need] = entry.needs;
  return {
    verdict: 'not-tested',
    because: entry.untested ?? need?.remedy ?? nothingOfTheKind,
  };
}

export function cellOf(entry: Entry, repeatsOf: Repeats): Cell {
  const { verdict, because } = verdictOf(entry, repeatsOf);
  const { passing, violatedIn } = against(entry);
  return {
    clause: entry.clause.code,
    level: entry.clause.level,
    operation: entry.operation,
    verdict,
    because,
    needs: verdict === 'not-tested' ? entry.needs : [],
    idsOnly: verdict === 'pass' && entry.idsOnly > 0 && entry.counted === 0,
    rulings: {
      holds: entry.holds,
      violated: entry.violated + passing.size,
      inconclusive: entry.inconclusive,
    },
    repeats:
      (entry.violated > 0 ? undefined : confirmed(against(entry), repeatsOf)) ??
      sumOf(counts(violatedIn, repeatsOf)),
    advisories: [
      ...[...(entry.advisories ?? [])].map(([text, count]) => ({ text, count })),
      ...(verdict === 'pass' ? untriedOf(entry) : []),
      ...(verdict === 'pass' && entry.failed !== undefined
        ? [{ text: 'returned 5xx, which no repeat showed again', count: passing.size }]
        : []),
    ],
    example: entry.example ?? (verdict === 'fail' ? entry.failed : undefined),
  };
}

/** A pass says which values it is not about. */
function untriedOf({ needs }: Entry): Cell['advisories'] {
  return needs.flatMap(({ kind, remedy }) => (kind === 'value' ? [{ text: remedy, count: 1 }] : []));
}

export function notApplicable(clause: Clause, operation: OperationId): Cell {
  return {
    clause: clause.code,
    level: clause.level,
    operation,
    verdict: 'not-applicable',
    because: 'The contract has no such feature on this operation.',
    needs: [],
    idsOnly: false,
    rulings: { holds: 0, violated: 0, inconclusive: 0 },
    repeats: { violated: 0, of: 0 },
    advisories: [],
    example: undefined,
  };
}
