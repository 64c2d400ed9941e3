import type { Clause } from '../model/clause.ts';
import type { Contract } from '../model/contract.ts';
import type { Declaration } from '../model/declaration.ts';
import type { Exchange, HeaderList, Trace } from '../model/exchange.ts';
import { stepsOf } from '../model/scenario.ts';
import type { Cell, RunVerdict, Verdict } from '../model/verdict.ts';
import { reproduction } from './curl.ts';

/** Format of report.json. */
export const reportFormat = 'assay-report/1';

/** What a run was: all that is not a judgement. */
export type RunRecord = {
  readonly id: string;
  readonly harness: { readonly name: string; readonly version: string };
  readonly contract: {
    readonly file: string;
    readonly title: string;
    readonly version: string;
    readonly digest: string;
  };
  readonly configuration: { readonly file: string; readonly digest: string };
  readonly target: {
    readonly baseUrl: string;
    readonly environment: string;
    readonly product: string | undefined;
    readonly vendor: string | undefined;
  };
  readonly declaration: Declaration;
  readonly seed: number;
  readonly budget: string;
  readonly startedAt: string;
  readonly elapsedMs: number;
  readonly ended: 'complete' | 'interrupted' | 'budget';
  readonly exchanges: number;
  readonly traces: number;
};

/** One exchange as a report shows it, redacted and cut. */
export type Excerpt = {
  readonly id: string;
  readonly step: string;
  readonly principal: string;
  readonly time: string;
  readonly request: string;
  readonly status: number | undefined;
  readonly noAnswer: string | undefined;
  readonly requestIds: readonly string[];
  readonly requestHeaders: HeaderList;
  readonly requestBody: string | undefined;
  readonly responseHeaders: HeaderList;
  readonly responseBody: string | undefined;
};

export type ViolationReport = {
  readonly clause: string;
  readonly level: string;
  readonly operation: string;
  readonly verdict: 'fail' | 'unstable';
  readonly text: string;
  readonly source: { readonly where: string; readonly quote: string };
  readonly expected: string;
  readonly actual: string;
  readonly because: string;
  readonly fix: string;
  readonly requestIds: readonly string[];
  readonly repeats: { readonly violated: number; readonly of: number };
  readonly scenario: string;
  readonly suite: string;
  readonly probe: string;
  readonly exchanges: readonly Excerpt[];
  /** Shell commands that show it; tokens stand as environment variables. */
  readonly curl: readonly string[];
  /** Runs the same plan again. */
  readonly reproduce: string;
};

export type CellReport = {
  readonly clause: string;
  readonly level: string;
  readonly operation: string;
  readonly verdict: Verdict;
  readonly idsOnly: boolean;
  readonly because: string;
  readonly needs: readonly { readonly kind: string; readonly remedy: string }[];
  readonly rulings: Cell['rulings'];
  readonly repeats: Cell['repeats'];
  readonly advisories: Cell['advisories'];
};

export type Report = {
  readonly format: typeof reportFormat;
  readonly verdict: RunVerdict;
  readonly run: RunRecord;
  readonly scope: { readonly operations: number; readonly governedOperations: number | undefined };
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly violations: readonly ViolationReport[];
  readonly advisories: readonly ViolationReport[];
  readonly cells: readonly CellReport[];
};

export type ReportFacts = {
  readonly run: RunRecord;
  readonly verdict: RunVerdict;
  readonly cells: readonly Cell[];
  readonly clauses: readonly Clause[];
  readonly contract: Contract;
};

/** The report of a run: a pure projection of its cells. */
export function makeReport({ run, verdict, cells, clauses, contract }: ReportFacts): Report {
  const counts: Record<Verdict, number> = {
    pass: 0,
    fail: 0,
    unstable: 0,
    inconclusive: 0,
    'not-tested': 0,
    'not-applicable': 0,
  };
  for (const cell of cells) if (cell.level !== 'advisory') counts[cell.verdict] += 1;
  const shown = cells.flatMap((cell) => violationOf(cell, run, clauses));
  return {
    format: reportFormat,
    verdict,
    run,
    scope: { operations: contract.operations.length, governedOperations: contract.governedOperations },
    counts,
    violations: shown.filter((violation) => violation.level !== 'advisory'),
    advisories: shown.filter((violation) => violation.level === 'advisory'),
    cells: cells.map(
      ({
        clause,
        level,
        operation,
        verdict: cellVerdict,
        idsOnly,
        because,
        needs,
        rulings,
        repeats,
        advisories,
      }) => ({
        clause,
        level,
        operation,
        verdict: cellVerdict,
        idsOnly,
        because,
        needs,
        rulings,
        repeats,
        advisories,
      }),
    ),
  };
}

function violationOf(cell: Cell, run: RunRecord, clauses: readonly Clause[]): readonly ViolationReport[] {
  const clause = clauses.find((one) => one.code === cell.clause);
  if (
    (cell.verdict !== 'fail' && cell.verdict !== 'unstable') ||
    cell.example === undefined ||
    clause === undefined
  )
    return [];
  const { trace, ruling } = cell.example;
  const proof = proofOf(trace, ruling.exchanges);
  return [
    {
      clause: cell.clause,
      level: cell.level,
      operation: cell.operation,
      verdict: cell.verdict,
      text: clause.text,
      source: clause.source,
      expected: ruling.expected,
      actual: ruling.actual,
      because: ruling.because,
      fix: clause.explain.fix,
      requestIds: [...new Set(proof.flatMap((exchange) => exchange.requestIds))],
      repeats: cell.repeats,
      scenario: trace.scenario.title,
      suite: trace.suite,
      probe: trace.probe,
      exchanges: proof.map(excerpt),
      curl: reproduction(trace, proof, run.target.baseUrl),
      reproduce: `assay run --seed ${run.seed} --budget ${run.budget} --suite ${trace.suite} --operation ${cell.operation}`,
    },
  ];
}

const mostShown = 14;

/** The exchanges that a ruling names, and those that they build on (first uses of their keys, makers of their targets), in the order in which they were sent. */
function proofOf(trace: Trace, ids: readonly string[]): readonly Exchange[] {
  const steps = new Map(stepsOf(trace.scenario.waves).map((step) => [step.id, step]));
  const wanted = new Set<string>();
  const add = (id: string): void => {
    const step = steps.get(id);
    if (step === undefined || wanted.has(id)) return;
    wanted.add(id);
    for (const deviation of step.deviations) if (deviation.kind === 'key-reuse') add(deviation.of);
    for (const ref of Object.values(step.target ?? {})) if (!('literal' in ref)) add(ref.step);
  };
  const named = trace.exchanges.filter((exchange) => ids.includes(exchange.id));
  for (const exchange of named) add(exchange.step);
  const also = trace.exchanges.filter((exchange) => exchange.ordinal === 0 && wanted.has(exchange.step));
  return [...new Set([...named, ...also])]
    .sort((one, other) => one.startedAt - other.startedAt)
    .slice(0, mostShown);
}

const bodyShown = 2000;

function excerpt(exchange: Exchange): Excerpt {
  return {
    id: exchange.id,
    step: exchange.step,
    principal: exchange.principal,
    time: exchange.time,
    request: `${exchange.request.method} ${exchange.request.path}`,
    status: exchange.answer?.status,
    noAnswer:
      exchange.noAnswer === undefined
        ? undefined
        : `${exchange.noAnswer.reason}: ${exchange.noAnswer.detail}`,
    requestIds: exchange.requestIds,
    requestHeaders: exchange.request.headers,
    requestBody: exchange.request.body?.slice(0, bodyShown),
    responseHeaders: exchange.answer?.headers ?? [],
    responseBody: exchange.answer?.body.slice(0, bodyShown),
  };
}
