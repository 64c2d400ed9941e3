import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clauses } from '../clauses/catalogue.ts';
import { parseContract } from '../contract/load.ts';
import type { HeaderLine } from '../evidence/log.ts';
import { replay } from '../evidence/replay.ts';
import { type Ledger, makeLedger, runVerdict } from '../judge.ts';
import type { Contract } from '../model/contract.ts';
import type { Trace } from '../model/exchange.ts';
import { InputError } from '../model/input-error.ts';
import { makeContext } from '../oracle/context.ts';
import { makeReport, type Report } from '../report/report.ts';
import { terminalReport } from '../report/terminal.ts';
import type { Output } from './output.ts';

/** Judges the log of an earlier run with today's clauses. No request is sent. @throws InputError where there is no log to judge */
export async function judge(folder: string, output: Output): Promise<number> {
  const file = folder.endsWith('.jsonl') ? folder : join(folder, 'evidence.jsonl');
  const { report, problems } = await judged(file);
  for (const { line, problem } of problems) output.err(`assay: ${file}:${line}: ${problem}\n`);
  output.out(terminalReport(report, output.colours, folder.endsWith('.jsonl') ? undefined : folder));
  if (!folder.endsWith('.jsonl'))
    await writeFile(join(folder, 'report.json'), `${JSON.stringify(report, undefined, 2)}\n`);
  return report.verdict.exitCode;
}

export type Judged = {
  readonly report: Report;
  readonly problems: readonly { readonly line: number; readonly problem: string }[];
};

/** The report that a log amounts to: judge(replay(log)). */
export async function judged(file: string): Promise<Judged> {
  const trouble = (problem: string, remedy: string): InputError =>
    new InputError({ file, position: undefined, problem, remedy });
  if ((await stat(file).catch(() => undefined)) === undefined)
    throw trouble(
      'there is no such log',
      'name the folder of a run, such as reports/2026-01-31T10-00-00-000Z-abc123',
    );
  const { tell, problems } = replay(file);
  let header: HeaderLine | undefined;
  let contract: Contract | undefined;
  let ledger: Ledger | undefined;
  const early: Trace[] = [];
  const skips: Parameters<Ledger['skip']>[0][] = [];
  let last: { readonly end: 'complete' | 'interrupted' | 'budget'; readonly elapsedMs: number } = {
    end: 'interrupted',
    elapsedMs: 0,
  };
  let exchanges = 0;
  let traces = 0;
  /** Preflight tells who is proven; until it is over, traces wait. */
  const begin = (): Ledger | undefined => {
    if (ledger !== undefined || header === undefined || contract === undefined) return ledger;
    const proven = new Set(
      early.flatMap((trace) =>
        trace.exchanges
          .filter(
            (exchange) =>
              exchange.step === 'preflight' &&
              exchange.answer !== undefined &&
              exchange.answer.status < 300 &&
              exchange.answer.status >= 200,
          )
          .map((exchange) => exchange.principal),
      ),
    );
    ledger = makeLedger({
      clauses,
      context: makeContext({
        contract,
        declaration: header.declaration,
        principals: header.principals,
        proven,
      }),
    });
    for (const skip of skips) ledger.skip(skip);
    for (const trace of early) ledger.see(trace);
    for (const trace of early) ledger.seeEffects(trace);
    return ledger;
  };
  for await (const told of tell) {
    if (told.kind === 'header') {
      header = told.header;
      contract = await parseContract(header.contract.text, header.contract.file);
    } else if (told.kind === 'skip') skips.push(told.skip);
    else if (told.kind === 'footer') last = { end: told.footer.end, elapsedMs: told.footer.elapsedMs };
    else if (told.kind === 'trace') {
      exchanges += told.trace.exchanges.length;
      traces += 1;
      if (told.trace.suite === 'preflight') early.push(told.trace);
      else begin()?.see(told.trace);
    } else if (told.trace.suite !== 'preflight') begin()?.seeEffects(told.trace);
  }
  const [unreadable] = problems;
  if (header === undefined || contract === undefined)
    throw trouble(unreadable?.problem ?? 'it is empty', 'name the folder of a run of Assay');
  const cells = (begin() as Ledger).finish();
  const verdict = runVerdict(cells, {
    partial: header.partial,
    ended: problems.length > 0 ? 'interrupted' : last.end,
    budget: header.budget,
    waivers: header.waivers,
    declaredAway: header.declaration.G8 === 'unthrottled' ? ['G8'] : [],
  });
  const report = makeReport({
    run: {
      id: `${header.startedAt.replaceAll(/[:.]/g, '-')}-${header.nonce.slice(0, 6)}`,
      harness: header.harness,
      contract: {
        file: header.contract.file,
        title: header.contract.title,
        version: header.contract.version,
        digest: header.contract.digest,
      },
      configuration: header.configuration,
      target: header.target,
      declaration: header.declaration,
      seed: header.seed,
      budget: header.budget,
      startedAt: header.startedAt,
      elapsedMs: last.elapsedMs,
      ended: problems.length > 0 ? 'interrupted' : last.end,
      exchanges,
      traces,
    },
    verdict,
    cells,
    clauses,
    contract,
  });
  return { report, problems };
}
