import { join } from 'node:path';
import { clauses } from '../clauses/catalogue.ts';
import { suggestion } from '../document/nearest.ts';
import type { PlannedProbe } from '../engine/plan.ts';
import type { HeaderLine } from '../evidence/log.ts';
import { replay } from '../evidence/replay.ts';
import { trouble } from '../model/input-error.ts';
import type { Scenario } from '../model/scenario.ts';
import type { Cell, Verdict } from '../model/verdict.ts';
import { findingId } from '../report/finding.ts';
import { formats } from '../report/formats.ts';
import type { Report } from '../report/report.ts';
import { evidenceFile, writeBundle } from './bundle.ts';
import { conduct } from './conduct.ts';
import { judged } from './rejudge.ts';
import type { Session } from './session.ts';
import type { Conduct, Conducted } from './work.ts';

/** The smallest scenario that showed a violation: all that is needed to send it again. */
export type MinimalCase = {
  readonly finding: string;
  readonly suite: string;
  readonly probe: string;
  readonly seed: number;
  readonly scenario: Scenario;
  /** A race, or a violation that no repeat reproduced: one attempt says little. */
  readonly uncertain?: boolean;
};

/** A violation of an earlier run, with the trace that shows it best. */
export type Reproducible = {
  readonly cell: Cell;
  readonly header: HeaderLine;
  readonly report: Report;
  readonly minimal: MinimalCase;
};

/** A violation in the evidence of a run; the first one where none is named. @throws InputError where there is none */
export async function violationIn(folder: string, finding: string | undefined): Promise<Reproducible> {
  const file = join(folder, evidenceFile);
  const { cells, report } = await judged(file);
  const known = [...report.violations, ...report.advisories].map(({ id }) => id);
  const id = known.find((one) => one.toLowerCase() === finding?.toLowerCase()) ?? finding ?? known[0];
  const cell = cells.find((one) => findingId(one) === id && one.example !== undefined);
  if (id === undefined || cell?.example === undefined)
    throw trouble(
      file,
      id === undefined ? 'the run violated nothing' : `the run has no finding '${id}'`,
      known.length === 0 || id === undefined ? 'name the folder of another run' : suggestion(id, known),
    );
  const { trace } = cell.example;
  const { scenario, suite, probe, seed } = trace;
  const races = scenario.waves.some((wave) => 'steps' in wave && wave.steps.length > 1);
  // Some violations show only in several traces together.
  const many = clauses.some(
    ({ code, judges }) => code === cell.clause && judges.some(({ over }) => over === 'run'),
  );
  return {
    cell,
    header: await headerOf(file),
    report,
    minimal: {
      finding: id,
      suite,
      probe,
      seed,
      scenario,
      ...(races || many || cell.verdict === 'unstable' ? { uncertain: true } : {}),
    },
  };
}

async function headerOf(file: string): Promise<HeaderLine> {
  for await (const entry of replay(file).entries) if (entry.kind === 'header') return entry.header;
  throw new Error(`${file} has no header`);
}

export type Reproduced = {
  readonly outcome: 'reproduced' | 'not reproduced' | 'inconclusive';
  readonly verdict: Verdict;
  readonly because: string;
  readonly expected: string | undefined;
  readonly actual: string | undefined;
  readonly requestIds: readonly string[];
  /** Conclusions of the clause, and how many of them were violations. */
  readonly attempts: { readonly violated: number; readonly of: number };
  readonly folder: string;
};

/** How often a case is sent that may or may not reproduce. */
const tries = 10;

/** Sends a minimal case with new keys, and judges it; a reason where nothing could be sent. @throws InputError */
export async function sendAgain(
  session: Session,
  minimal: MinimalCase,
  of: Pick<Conduct, 'begin' | 'onEvent' | 'selfTest' | 'runName' | 'reference'>,
  signal: AbortSignal,
): Promise<Reproduced | Extract<Conducted, { readonly kind: 'void' }>> {
  const { clause, operation } = partsOf(minimal.finding);
  if (!session.contract.operations.some(({ id }) => id === operation))
    throw trouble(
      session.config.contract,
      `the contract no longer has an operation '${operation}'`,
      'use the configuration of the run, with --config',
    );
  const conducted = await conduct(
    session,
    {
      ...of,
      suites: undefined,
      operations: undefined,
      clauses: [clause],
      narrowing: [`reproduce ${minimal.finding}`],
      probe: probeOf(minimal, clause, operation),
    },
    signal,
  );
  if (conducted.kind === 'void') return conducted;
  const { report, cells } = conducted.judged();
  await writeBundle(conducted.folder, report, formats, conducted.clean);
  const cell = cells.find((one) => findingId(one) === minimal.finding);
  return { ...seen(cell, report), folder: conducted.folder };
}

function seen(cell: Cell | undefined, report: Report): Omit<Reproduced, 'folder'> {
  const finding = [...report.violations, ...report.advisories].find(
    ({ id }) => cell !== undefined && id === findingId(cell),
  );
  const verdict = cell?.verdict ?? 'not-tested';
  const { holds = 0, violated = 0, inconclusive = 0 } = cell?.rulings ?? {};
  // It was seen before, so one more time is enough.
  const again = verdict === 'fail' || verdict === 'unstable';
  return {
    outcome: again ? 'reproduced' : verdict === 'pass' ? 'not reproduced' : 'inconclusive',
    verdict,
    because: cell?.because ?? '',
    expected: finding?.expected,
    actual: finding?.actual,
    requestIds: finding?.requestIds ?? [],
    attempts: { violated, of: holds + violated + inconclusive },
  };
}

function partsOf(finding: string): { readonly clause: string; readonly operation: string } {
  const at = finding.indexOf('/');
  return { clause: finding.slice(0, at), operation: finding.slice(at + 1) };
}

function probeOf(
  { probe, scenario, seed, suite, uncertain = false }: MinimalCase,
  clause: string,
  operation: string,
): PlannedProbe {
  const bursts = scenario.waves.some((wave) => 'repeat' in wave);
  return {
    suite,
    seed,
    probe: {
      kind: 'probe',
      id: probe,
      operation,
      clauses: [clause],
      scenarios: Array.from({ length: uncertain ? tries : 1 }, () => scenario),
      ...(uncertain ? { concurrent: true } : {}),
      ...(bursts ? { alone: true as const } : {}),
    },
  };
}
