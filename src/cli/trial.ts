import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pc from 'picocolors';
import type { Budget } from '../config/config.ts';
import type { ClauseCode } from '../model/clause.ts';
import type { OperationId } from '../model/contract.ts';
import { extendedConfig } from './place.ts';
import { run } from './run.ts';
import type { ReferenceChange } from './session.ts';

/** One run of the suites against the reference service, changed in one way. */
export type TrialOf = ReferenceChange & {
  readonly operations: readonly OperationId[];
  readonly seed: number;
  readonly budget: Budget;
  /** Clauses that are to fire; where given, the run ends when all of them have. */
  readonly until?: readonly ClauseCode[];
};

/** What came of it. */
export type TrialResult = {
  readonly outcome: string;
  /** Stated and derived clauses that were violated. */
  readonly fired: readonly ClauseCode[];
  /** Those of them that no repeat confirmed. */
  readonly unstable: readonly ClauseCode[];
  /** Clauses about which something advisory was said. */
  readonly advised: readonly ClauseCode[];
  readonly inconclusive: readonly ClauseCode[];
  readonly requests: number;
  readonly seconds: number;
  /** Requests sent when the first violation was seen. */
  readonly firstRequest: number | undefined;
  readonly firstSeconds: number | undefined;
};

/** Runs the suites against the changed reference service, in this process. @throws InputError */
export async function trial(of: TrialOf, signal: AbortSignal): Promise<TrialResult> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-trial-'));
  const enough = new AbortController();
  const wanted = new Set(of.until);
  const start = performance.now();
  let requests = 0;
  let first: { readonly requests: number; readonly seconds: number } | undefined;
  let said = '';
  try {
    const { report } = await run(
      extendedConfig(),
      {
        overrides: { output: folder, budget: of.budget, seed: of.seed },
        suites: undefined,
        operations: of.operations,
        quiet: true,
        reference: of,
        tell: (event, sent) => {
          requests = sent;
          if (event.kind !== 'violation') return;
          first ??= { requests: sent, seconds: (performance.now() - start) / 1000 };
          if (event.trace.purpose !== 'repeat' && event.violation.ruling.conclusive !== true) return;
          wanted.delete(event.violation.clause.code);
          if (of.until !== undefined && wanted.size === 0) enough.abort();
        },
      },
      {
        out: () => undefined,
        err: (text) => {
          said += text;
        },
        live: false,
        columns: 80,
        colours: pc.createColors(false),
      },
      AbortSignal.any([signal, enough.signal]),
    );
    const cells = report?.cells ?? [];
    const codes = (matches: (cell: (typeof cells)[number]) => boolean): readonly ClauseCode[] => [
      ...new Set(cells.filter(matches).map((cell) => cell.clause)),
    ];
    const bad = (cell: (typeof cells)[number]): boolean =>
      cell.verdict === 'fail' || cell.verdict === 'unstable';
    return {
      outcome: report?.verdict.outcome ?? `no report: ${said.trim()}`,
      fired: codes((cell) => cell.level !== 'advisory' && bad(cell)),
      unstable: codes((cell) => cell.level !== 'advisory' && cell.verdict === 'unstable'),
      advised: codes((cell) => (cell.level === 'advisory' && bad(cell)) || cell.advisories.length > 0),
      inconclusive: codes((cell) => cell.level !== 'advisory' && cell.verdict === 'inconclusive'),
      requests,
      seconds: (performance.now() - start) / 1000,
      firstRequest: first?.requests,
      firstSeconds: first?.seconds,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
