import { createHash } from 'node:crypto';
import type { FooterLine, HeaderLine } from '../evidence/log.ts';
import type { Clause, Sentence } from '../model/clause.ts';
import type { Contract, Operation } from '../model/contract.ts';
import { type Exchange, headerOf, type Trace } from '../model/exchange.ts';
import { canonicalJson, parseJson } from '../model/json.ts';
import type { OpenPoint } from '../model/open-point.ts';
import { writtenPath } from '../model/path.ts';
import type { StopSuspect } from '../model/stop.ts';
import type { Cell, RunVerdict, Verdict } from '../model/verdict.ts';
import { httpDate } from '../oracle/http-date.ts';
import { count, makeFigures } from './figures.ts';
import { findingOf } from './finding.ts';
import { openGroups } from './open.ts';
import type { EvidenceReport, Report, RunRecord, Subject } from './report.ts';
import { reportFormat } from './schema.ts';
import { sentenceReports } from './specification.ts';
import { makePace } from './throttling.ts';
import { waiverOf, waiverReports } from './waivers.ts';

/** Builds what a report says in addition to the cells, in memory that does not grow with the run. */
export type ReportBuilder = {
  readonly see: (exchange: Exchange) => void;
  readonly seeTrace: (trace: Trace) => void;
  readonly report: (facts: ReportFacts) => Report;
};

export type ReportFacts = {
  readonly header: HeaderLine;
  readonly footer: FooterLine | undefined;
  readonly stops?: readonly StopSuspect[];
  readonly shards?: RunRecord['shards'];
  readonly judgedBy: { readonly name: string; readonly version: string };
  readonly verdict: RunVerdict;
  readonly cells: readonly Cell[];
  readonly clauses: readonly Clause[];
  readonly contract: Contract;
  readonly specification?: readonly Sentence[];
  readonly openPoints: readonly OpenPoint[];
  readonly evidence: EvidenceReport;
};

/** Date is cut to whole seconds, so the clock that made it shows half a second more on average. */
function skewOf({ answer, endedAt, startedAt, time }: Exchange): number | undefined {
  const at = httpDate(headerOf(answer?.headers ?? [], 'date') ?? '');
  return at === undefined
    ? undefined
    : Math.round((at + 500 - (Date.parse(time) + endedAt - startedAt)) / 1000);
}

const informative = new Set([
  'server',
  'x-powered-by',
  'via',
  'api-version',
  'x-api-version',
  'x-service-version',
  'x-version',
  'x-contract-version',
]);
const mostObserved = 20;

export function makeReportBuilder(): ReportBuilder {
  const figures = makeFigures();
  const pace = makePace();
  const named = new Map<string, number>();
  let skew: number | undefined;
  let exchanges = 0;
  let traces = 0;
  return {
    see: (exchange) => {
      exchanges += 1;
      figures.see(exchange);
      pace.see(exchange);
      skew ??= skewOf(exchange);
      for (const [name, value] of exchange.answer?.headers ?? []) {
        const header = name.toLowerCase();
        if (!informative.has(header)) continue;
        const key = `${header}\n${value.slice(0, 200)}`;
        if (named.has(key) || named.size < mostObserved) count(named, key);
      }
    },
    seeTrace: (trace) => {
      traces += 1;
      pace.seeTrace(trace);
    },
    report: (facts) => {
      const { header, footer, cells, contract, verdict, evidence } = facts;
      const day = header.startedAt.slice(0, 10);
      const setting = {
        baseUrl: header.target.baseUrl,
        contract,
        principals: header.principals,
        configuration: header.configuration.file,
        signedBy: header.target.signedBy,
        seed: header.seed,
        budget: header.budget,
        program: header.environment.program,
        production: header.target.environment === 'production',
      };
      const findings = cells.flatMap((cell) => {
        const clause = facts.clauses.find((one) => one.code === cell.clause);
        if (clause === undefined) return [];
        return findingOf(cell, clause, setting, waiverOf(cell, header.waivers, day)) ?? [];
      });
      const counts = countsOf(cells);
      const elapsedMs = footer?.elapsedMs ?? 0;
      return {
        format: reportFormat,
        verdict,
        run: {
          id: runId(header),
          ...(header.ranBy === undefined ? {} : { ranBy: header.ranBy }),
          startedAt: header.startedAt,
          endedAt: footer?.endedAt,
          elapsedMs,
          ended: evidence.problems.length > 0 ? 'interrupted' : (footer?.end ?? 'interrupted'),
          ...(footer?.cause === undefined ? {} : { cause: footer.cause }),
          ...((facts.stops ?? []).length === 0 ? {} : { stops: facts.stops }),
          exchanges,
          traces,
          ...(facts.shards === undefined ? {} : { shards: facts.shards }),
        },
        subject: {
          asserted: assertedOf(header),
          observed: observedOf(named),
          ...(skew === undefined ? {} : { clockSkewSeconds: skew }),
          ...(header.target.certificate === undefined ? {} : { certificate: header.target.certificate }),
        },
        baseline: {
          harness: header.harness,
          judgedBy: facts.judgedBy,
          contract: {
            file: header.contract.file,
            title: header.contract.title,
            version: header.contract.version,
            digest: header.contract.digest,
          },
          configuration: header.configuration,
          suites: header.suites,
          declaration: header.declaration,
          seed: header.seed,
          budget: header.budget,
          ...(header.challenge === undefined ? {} : { challenge: header.challenge }),
          environment: header.environment,
          selfTest: header.selfTest,
        },
        scope: {
          operations: contract.operations.map((operation) => ({
            id: operation.id,
            method: operation.method,
            path: writtenPath(operation),
            kind: operation.kind,
            digest: operationDigest(operation),
            ...positionOf(contract, operation),
          })),
          governedOperations: contract.governedOperations,
        },
        counts,
        openPoints: facts.openPoints,
        violations: findings.filter((finding) => finding.level !== 'advisory'),
        advisories: findings.filter((finding) => finding.level === 'advisory'),
        cells: cells.map(({ example: _example, ...cell }) => cell),
        clauses: facts.clauses.map(({ code, level, text, source }) => ({ code, level, text, source })),
        ...(facts.specification === undefined
          ? {}
          : { specification: sentenceReports(facts.specification, cells) }),
        waivers: waiverReports(header.waivers, cells, day),
        limits: {
          partial: header.partial,
          budget: {
            name: header.budget,
            ...header.limits,
            requests: exchanges,
            seconds: Math.round(elapsedMs / 1000),
          },
          open: openGroups(cells),
        },
        operations: figures.finish(contract.operations.map((operation) => operation.id)),
        throttling: pace.finish(),
        redaction: {
          removals: footer?.redaction ?? [],
          digests: header.principals.map(({ name, token }) => ({
            principal: name,
            digest: token.split(' ')[1] ?? '',
          })),
        },
        evidence,
      };
    },
  };
}

/** The name of a run and of its folder: when it started, and the first digits of its nonce. */
export function runId(header: Pick<HeaderLine, 'startedAt' | 'nonce'>): string {
  return `${header.startedAt.replaceAll(/[:.]/g, '-')}-${header.nonce.slice(0, 6)}`;
}

function countsOf(cells: readonly Cell[]): Readonly<Record<Verdict, number>> {
  const counts: Record<Verdict, number> = {
    pass: 0,
    fail: 0,
    unstable: 0,
    inconclusive: 0,
    'not-tested': 0,
    'not-applicable': 0,
  };
  for (const cell of cells) if (cell.level !== 'advisory') counts[cell.verdict] += 1;
  return counts;
}

function assertedOf({ target }: HeaderLine): Subject['asserted'] {
  return {
    vendor: target.vendor,
    product: target.product,
    version: target.version,
    ...(target.approvedScope === undefined ? {} : { approvedScope: target.approvedScope }),
    baseUrl: target.baseUrl,
    environment: target.environment,
  };
}

function observedOf(named: ReadonlyMap<string, number>): Subject['observed'] {
  return [...named]
    .map(([key, times]) => {
      const [header = '', value = ''] = key.split('\n');
      return { header, value, count: times };
    })
    .sort((one, other) => other.count - one.count);
}

function positionOf(
  { lines }: Contract,
  { id }: Operation,
): { readonly position?: { readonly line: number; readonly column: number } } {
  const place = lines?.[id];
  return place === undefined ? {} : { position: { line: place.line, column: place.column } };
}

function operationDigest(operation: Operation): string {
  const text = canonicalJson(parseJson(JSON.stringify(operation)) ?? null);
  return createHash('sha256').update(text).digest('hex');
}
