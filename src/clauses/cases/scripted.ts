import type { Clause, Judge, Ruling } from '../../model/clause.ts';
import type { OperationId } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import type { Cell } from '../../model/verdict.ts';
import { trace } from './trace.ts';

/** What a clause says to each trace, by its ID. */
export type RulingsByTrace = Readonly<Record<string, readonly Partial<Ruling>[]>>;

export function ruling(more: Partial<Ruling>): Ruling {
  return {
    operation: 'createCase',
    verdict: 'holds',
    exchanges: [],
    expected: '',
    actual: '',
    because: '',
    ...more,
  };
}

export const violated = { verdict: 'violated', because: 'it was seen' } as const;
export const inconclusive = { verdict: 'inconclusive', because: 'in doubt' } as const;

export const over = (kind: 'trace' | 'effects', script: RulingsByTrace): Judge => ({
  over: kind,
  rule: (_, { id }) => (script[id] ?? []).map(ruling),
});

/** A clause on createCase that says what its script says. */
export function clause(judges: RulingsByTrace | readonly Judge[], more: Partial<Clause> = {}): Clause {
  return {
    code: 'X-1',
    level: 'stated',
    text: '',
    source: { where: '', quote: '' },
    test: '',
    violation: '',
    fix: '',
    applies: (_, operation) => operation.id === 'createCase',
    judges: isJudges(judges) ? judges : [over('trace', judges)],
    ...more,
  };
}

function isJudges(judges: RulingsByTrace | readonly Judge[]): judges is readonly Judge[] {
  return Array.isArray(judges);
}

export const attempt = (id: string, more: Partial<Trace> = {}): Trace => trace([], { id, ...more });
export const repeat = (id: string, repeats: string, more: Partial<Trace> = {}): Trace =>
  attempt(id, { purpose: 'repeat', repeats, ...more });

/** A cell that nothing was said of. */
export const untouched: Omit<Cell, 'verdict' | 'because'> = {
  clause: 'X-1',
  level: 'stated',
  operation: 'createCase',
  needs: [],
  idsOnly: false,
  rulings: { holds: 0, violated: 0, inconclusive: 0 },
  repeats: { violated: 0, of: 0 },
  advisories: [],
  example: undefined,
};

/** What gathers rulings. */
type Hearing = {
  readonly see: (trace: Trace) => unknown;
  readonly seeEffects: (trace: Trace) => unknown;
  readonly finish: () => readonly Cell[];
};

/** The cells of an operation after these traces, each judged when it ended and once read. */
export function cellsAfter(
  ledger: Hearing,
  traces: readonly Trace[],
  of: OperationId = 'createCase',
): readonly Cell[] {
  for (const each of traces) {
    ledger.see(each);
    ledger.seeEffects(each);
  }
  return ledger.finish().filter(({ operation }) => operation === of);
}
