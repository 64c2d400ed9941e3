import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ClauseCode } from '../model/clause.ts';
import type { Budget } from '../model/configured.ts';
import type { OperationId } from '../model/contract.ts';
import type { Cell } from '../model/verdict.ts';
import { evidenceFile } from '../run/bundle.ts';
import { conduct } from '../run/conduct.ts';
import { inProcess } from '../run/in-process.ts';
import type { Means } from '../run/means.ts';
import { extendedCatalogue, extendedConfig } from '../run/place.ts';
import { type Loaded, openSession, type ReferenceChange } from '../run/session.ts';
import { inTemporaryFolder } from '../run/temporary-folder.ts';
import { runVerdict } from '../run-verdict.ts';

/** One run of the suites against the reference service, changed in one way. */
export type TrialOf = ReferenceChange & {
  /** The extended catalogue as the vendor of the changed service publishes it. */
  readonly publishes?: (document: string) => string;
  readonly operations: readonly OperationId[];
  readonly seed: number;
  readonly budget: Budget;
  /** Clauses that are to fire; where given, the run ends when all of them have. */
  readonly until?: readonly ClauseCode[];
  /** Where its evidence is to be kept; else none is written. */
  readonly keep?: string;
};

export type TrialResult = {
  readonly outcome: string;
  /** Stated and derived clauses that were violated. */
  readonly fired: readonly ClauseCode[];
  readonly advised: readonly ClauseCode[];
  readonly inconclusive: readonly ClauseCode[];
  readonly requests: number;
  readonly firstRequest: number | undefined;
  readonly firstSeconds: number | undefined;
};

/** Takes every line and keeps none. */
const unwritten: Awaited<ReturnType<Means['openLog']>> = {
  append: () => undefined,
  flush: async () => undefined,
  close: async (footer) => ({
    footer: { line: 'footer', ...footer, sha256: '' },
    totals: { bytes: 0, lines: 0, sha256: '' },
  }),
};

/** Runs the suites against the changed reference service, in this process. @throws InputError */
export type Trials = (of: TrialOf, signal: AbortSignal) => Promise<TrialResult>;

/** Trials that load the usual contract, and the suites with it, once. One that only some combination publishes is let go. */
export function makeTrials(means: () => Means = inProcess): Trials {
  let kept: Loaded | undefined;
  return (of, signal) =>
    inTemporaryFolder('trial', async (folder) => {
      const enough = new AbortController();
      const wanted = new Set(of.until);
      const given = means();
      const work = of.keep === undefined ? { ...given, openLog: async () => unwritten } : given;
      const start = work.clock.monotonic();
      let first: { readonly requests: number; readonly seconds: number } | undefined;
      const { config, usual } = await published(of, folder);
      const session = await openSession(
        config,
        { output: folder, budget: of.budget, seed: of.seed },
        of.declares,
        usual ? kept : undefined,
      );
      if (usual) kept = session.loaded;
      const conducted = await conduct(
        session,
        {
          operations: of.operations,
          reference: of,
          cellsOnly: true,
          onEvent: (event, sent) => {
            if (event.kind !== 'violation') return;
            first ??= { requests: sent, seconds: (work.clock.monotonic() - start) / 1000 };
            if (event.trace.purpose !== 'repeat' && event.violation.ruling.conclusive !== true) return;
            wanted.delete(event.violation.clause.code);
            if (of.until !== undefined && wanted.size === 0) enough.abort();
          },
        },
        AbortSignal.any([signal, enough.signal]),
        work,
      );
      if (conducted.kind === 'void') return nothing(`no report: ${conducted.because}`);
      if (of.keep !== undefined) await copyFile(join(conducted.folder, evidenceFile), of.keep);
      const { outcome } = runVerdict(conducted.cells, {
        partial: true,
        ended: conducted.ended,
        budget: of.budget,
        waivers: 0,
        declaredAway: [],
      });
      return {
        outcome,
        ...codesOf(conducted.cells),
        requests: conducted.requests,
        firstRequest: first?.requests,
        firstSeconds: first?.seconds,
      };
    });
}

/** The extended catalogue as it is published, and the configuration that names it. */
async function published(
  { publishes }: TrialOf,
  folder: string,
): Promise<{ readonly config: string; readonly usual: boolean }> {
  const before = await readFile(extendedCatalogue(), 'utf8');
  const document = publishes?.(before) ?? before;
  if (document === before) return { config: extendedConfig(), usual: true };
  const config = join(folder, basename(extendedConfig()));
  await copyFile(extendedConfig(), config);
  await writeFile(join(folder, basename(extendedCatalogue())), document);
  return { config, usual: false };
}

type JudgedCell = Pick<Cell, 'clause' | 'level' | 'verdict' | 'advisories'>;

/** Which clauses said what in the cells of a run. */
export function codesOf(
  cells: readonly JudgedCell[],
): Pick<TrialResult, 'fired' | 'advised' | 'inconclusive'> {
  const codes = (matches: (cell: JudgedCell) => boolean): readonly ClauseCode[] => [
    ...new Set(cells.filter(matches).map((cell) => cell.clause)),
  ];
  const bad = (cell: JudgedCell): boolean => cell.verdict === 'fail' || cell.verdict === 'unstable';
  return {
    fired: codes((cell) => cell.level !== 'advisory' && bad(cell)),
    advised: codes((cell) => (cell.level === 'advisory' && bad(cell)) || cell.advisories.length > 0),
    inconclusive: codes((cell) => cell.level !== 'advisory' && cell.verdict === 'inconclusive'),
  };
}

export function nothing(outcome: string): TrialResult {
  return {
    outcome,
    fired: [],
    advised: [],
    inconclusive: [],
    requests: 0,
    firstRequest: undefined,
    firstSeconds: undefined,
  };
}
