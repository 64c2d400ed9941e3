import { specification } from '../clauses/specification.ts';
import type { FooterLine, HeaderLine, ShardOf } from '../evidence/log.ts';
import type { LogEntry, LogProblem } from '../evidence/replay.ts';
import { missingShards, shardName } from '../evidence/shards.ts';
import { type Ledger, makeLedger } from '../judge.ts';
import type { Clause, Context } from '../model/clause.ts';
import type { Contract, OperationId } from '../model/contract.ts';
import { type Trace, triedIn } from '../model/exchange.ts';
import type { PrincipalName } from '../model/principal.ts';
import { isAccepted } from '../model/response.ts';
import type { StopSuspect } from '../model/stop.ts';
import type { Cell } from '../model/verdict.ts';
import { makeContext } from '../oracle/context.ts';
import { makeObserving, type Observing } from '../oracle/observe.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import { makeReportBuilder, type ReportFacts } from '../report/make-report.ts';
import type { Report } from '../report/report.ts';
import { runVerdict } from '../run-verdict.ts';
import { makeAlwaysRefused } from './always-refused.ts';
import { type Created, type CreatedRecordsBuilder, makeCreatedRecords } from './created.ts';
import { harness } from './package.ts';
import { withReasons } from './unreached.ts';
import { weakened } from './weakened.ts';

export type Judged = {
  readonly report: Report;
  /** Each cell with the trace that shows its violation. */
  readonly cells: readonly Cell[];
  readonly problems: readonly LogProblem[];
  readonly failures: readonly string[];
  /** The records that a live run created; who judges a log can read them there. */
  readonly created: readonly Created[] | undefined;
};

/** Builds the report of a run from the entries of its log, read from a file or written by a live run. */
export type Tally = {
  readonly begin: (header: HeaderLine, contract: Contract) => void;
  readonly take: (entry: Exclude<LogEntry, { readonly kind: 'header' }>) => void;
  readonly finish: (
    evidence: Pick<ReportFacts['evidence'], 'file' | 'bytes' | 'lines' | 'sha256'>,
    problems: readonly LogProblem[],
  ) => Judged;
};

/** What a live run has judged already, so that nothing is judged twice. */
export type LiveJudgement = {
  readonly clauses: readonly Clause[];
  readonly ledger: Ledger;
  readonly context: Context;
  /** That of the context; it grows while principals are tried. */
  readonly proven: Set<PrincipalName>;
};

/** Judges a request of preflight that came after the first scenarios. */
export function seeProof({ ledger, proven }: Pick<LiveJudgement, 'ledger' | 'proven'>, trace: Trace): void {
  for (const name of provenIn([trace])) proven.add(name);
  ledger.see(trace);
  ledger.seeEffects(trace);
}

/** Who succeeded in preflight. */
export function provenIn(traces: readonly Trace[]): Set<PrincipalName> {
  return new Set(
    traces.flatMap((trace) => {
      const tried = triedIn(trace);
      return tried !== undefined && isAccepted(tried.answer) ? [tried.principal] : [];
    }),
  );
}

/** @param by the clauses that judge, or the judgement of a live run, once it has begun */
export function makeTally(
  by: { readonly clauses: readonly Clause[] } | { readonly live: () => LiveJudgement | undefined },
): Tally {
  let header: HeaderLine | undefined;
  let contract: Contract | undefined;
  let ledger: Ledger | undefined;
  let observing: Observing | undefined;
  const early: Trace[] = [];
  let proven = new Set<PrincipalName>();
  const skips: Parameters<Ledger['skip']>[0][] = [];
  /** The last of each shard. */
  const footers = new Map<number, FooterLine>();
  const stops: StopSuspect[] = [];
  let part = 0;
  const shards: ShardOf[] = [];
  const builder = makeReportBuilder();
  let created: CreatedRecordsBuilder | undefined;
  /** Operations for which suites of the run had a use, and those to which something was sent beyond preflight. */
  const planned = new Set<OperationId>();
  const sent = new Set<OperationId>();
  const alwaysRefused = makeAlwaysRefused();
  /** Preflight shows which principals work; until it is over, traces wait. */
  const begin = (): Ledger | undefined => {
    if (ledger !== undefined || header === undefined || contract === undefined) return ledger;
    if ('live' in by) {
      const judged = by.live();
      if (judged === undefined) return undefined;
      observing = makeObserving(judged.context);
      early.length = 0;
      ledger = { ...judged.ledger, see: () => [], seeEffects: () => [] };
      return ledger;
    }
    proven = provenIn(early);
    const context = makeContext({
      contract,
      declared: parsedDeclaration(header.declaration),
      principals: header.principals,
      proven,
    });
    ledger = makeLedger({ clauses: by.clauses, context });
    observing = makeObserving(context);
    for (const skip of skips) ledger.skip(skip);
    for (const trace of early) ledger.see(trace);
    for (const trace of early.splice(0)) ledger.seeEffects(trace);
    return ledger;
  };
  return {
    begin: (givenHeader, givenContract) => {
      header = givenHeader;
      if (header.shard !== undefined) shards.push(header.shard);
      contract = givenContract;
      if ('live' in by) created = makeCreatedRecords(contract, header.principals);
    },
    take: (entry) => {
      if (entry.kind === 'exchange' || entry.kind === 'effects') created?.take(entry);
      if (entry.kind === 'skip') {
        skips.push(entry.skip);
        if (entry.skip.need.kind !== 'inapplicable') planned.add(entry.skip.operation);
      } else if (entry.kind === 'exchange') {
        builder.see(entry.exchange);
      } else if (entry.kind === 'shard') {
        part += 1;
        if (entry.header.shard !== undefined) shards.push(entry.header.shard);
      } else if (entry.kind === 'stop') stops.push(entry.stop);
      else if (entry.kind === 'footer') footers.set(part, entry.footer);
      else if (entry.kind === 'trace') {
        builder.seeTrace(entry.trace);
        if (entry.trace.suite === 'preflight') {
          if (ledger === undefined) early.push(entry.trace);
          else seeProof({ ledger, proven }, entry.trace);
        } else {
          for (const { operation } of entry.trace.exchanges) sent.add(operation);
          alwaysRefused.see(entry.trace);
          begin()?.see(entry.trace);
          observing?.see(entry.trace);
        }
      } else if (entry.kind === 'effects' && entry.trace.suite !== 'preflight')
        begin()?.seeEffects(entry.trace);
    },
    finish: (evidence, problems) => {
      if (header === undefined || contract === undefined) throw new Error('there is no header to report on');
      const finished = begin()?.finish() ?? [];
      const clauses = 'live' in by ? (by.live()?.clauses ?? []) : by.clauses;
      const footer = footerOf([...footers.values()], header.startedAt);
      const missing = shards.length === 0 ? [] : missingShards(shards);
      const ended = problems.length > 0 ? 'interrupted' : (footer?.end ?? 'interrupted');
      const cells = withReasons(finished, header, {
        ended,
        hints: alwaysRefused.hints(contract),
        missingShards: missing,
      });
      const failures = ledger?.failures() ?? [];
      const verdict = runVerdict(cells, {
        partial: header.partial,
        ...(header.narrowing === undefined ? {} : { narrowing: header.narrowing }),
        clauses: header.clauses,
        ended,
        budget: header.budget,
        waivers: header.waivers.length,
        declaredAway: parsedDeclaration(header.declaration).G8.unthrottled ? ['G8'] : [],
        leftOut: (contract.leftOut ?? []).map(({ id }) => id),
        excluded: header.excluded ?? [],
        untouched: [...planned].filter((id) => !sent.has(id)),
        idle: sent.size === 0,
        missingShards: missing,
        failures,
        stops,
        alsoMissing: [...weakened(contract), ...unnamed(header)],
      });
      const report = builder.report({
        header,
        footer,
        stops,
        ...(shards.length === 0
          ? {}
          : { shards: { run: shards[0]?.run ?? '', present: inOrder(shards).map(shardName), missing } }),
        judgedBy: harness(),
        verdict,
        cells,
        clauses,
        contract,
        specification,
        openPoints: observing?.finish() ?? [],
        evidence: { ...evidence, footer: footer?.sha256, problems },
      });
      return { report, cells, problems, failures, created: created?.records() };
    },
  };
}

function inOrder(shards: readonly ShardOf[]): readonly ShardOf[] {
  const place = ({ number }: ShardOf): number => (number === 'last' ? Number.POSITIVE_INFINITY : number);
  return shards.toSorted((one, other) => place(one) - place(other));
}

/** One footer for the shards of a run: it ended as the worst of them did. */
function footerOf(footers: readonly FooterLine[], startedAt: string): FooterLine | undefined {
  const [first, ...others] = footers;
  if (first === undefined || others.length === 0) return first;
  const ends = footers.map(({ end }) => end);
  const endedAt = footers.map((each) => each.endedAt).reduce((one, other) => (one > other ? one : other));
  const cause = footers.find((each) => each.cause !== undefined)?.cause;
  const removed = new Map<string, FooterLine['redaction'][number]>();
  for (const each of footers.flatMap(({ redaction }) => redaction)) {
    const name = `${each.secret} ${each.form}`;
    removed.set(name, { ...each, count: each.count + (removed.get(name)?.count ?? 0) });
  }
  const sum = (of: (footer: FooterLine) => number): number =>
    footers.reduce((total, each) => total + of(each), 0);
  return {
    line: 'footer',
    end: ends.includes('interrupted') ? 'interrupted' : ends.includes('budget') ? 'budget' : 'complete',
    ...(cause === undefined ? {} : { cause }),
    counts: { exchanges: sum(({ counts }) => counts.exchanges), traces: sum(({ counts }) => counts.traces) },
    endedAt,
    elapsedMs: Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)),
    redaction: [...removed.values()],
    sha256: footers.at(-1)?.sha256 ?? first.sha256,
  };
}

/** A certificate names what it is about. */
function unnamed({ target: { product, vendor, version } }: HeaderLine): readonly string[] {
  const missing = Object.entries({ vendor, product, version }).flatMap(([name, value]) =>
    value === undefined ? [`target.${name}`] : [],
  );
  return missing.length === 0 ? [] : [`the configuration does not give ${missing.join(', ')}`];
}
