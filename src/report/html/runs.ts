import { compare } from '../compare.ts';
import type { Report } from '../report.ts';

export type RunEntry = {
  readonly name: string;
  readonly startedAt: string;
  readonly verdict: Report['verdict'];
  readonly counts: Report['counts'];
  readonly contract: string;
  readonly version: string | undefined;
  readonly baseUrl: string;
  readonly environment: string;
  readonly budget: string;
  readonly exchanges: number;
  readonly ended: Report['run']['ended'];
  readonly clauses: number;
  /** Complete, and not narrowed: only such a run speaks for its subject, or is compared with another. */
  readonly whole: boolean;
  /** Since the whole run of the same subject before it; undefined for the first one, and where it is not whole. */
  readonly since: Since | undefined;
};

export type Since = {
  readonly regressions: number;
  readonly fixed: number;
  readonly covered: number;
  readonly lost: number;
  /** False where another contract, or other declarations makes the runs speak of different things. */
  readonly comparable: boolean;
};

/** A folder that is not a run, or whose report cannot be read. */
export type Unreadable = { readonly name: string; readonly problem: string };

export type SubjectRuns = {
  readonly vendor: string | undefined;
  readonly product: string;
  readonly runs: readonly RunEntry[];
};

/** Gathers runs by what they tested. Only the last report of each subject is kept. */
export type Shelf = {
  /** Runs must come in the order of time. */
  readonly put: (name: string, report: Report) => void;
  readonly subjects: () => readonly SubjectRuns[];
};

export function makeShelf(): Shelf {
  const subjects = new Map<
    string,
    {
      readonly vendor: string | undefined;
      readonly product: string;
      readonly runs: RunEntry[];
      last: Report | undefined;
    }
  >();
  return {
    put: (name, report) => {
      const { vendor, product, baseUrl } = report.subject.asserted;
      const key = JSON.stringify([vendor ?? '', product ?? baseUrl]);
      const known = subjects.get(key);
      const whole = isWhole(report);
      const entry = entryOf(name, report, whole ? known?.last : undefined);
      if (known === undefined)
        subjects.set(key, {
          vendor,
          product: product ?? baseUrl,
          runs: [entry],
          last: whole ? report : undefined,
        });
      else {
        known.runs.push(entry);
        if (whole) known.last = report;
      }
    },
    subjects: () =>
      [...subjects.values()]
        .map(({ vendor, product, runs }) => ({ vendor, product, runs }))
        .sort((one, other) => (lastOf(one) < lastOf(other) ? 1 : -1)),
  };
}

/** What a narrowed or interrupted run did not test looks like lost coverage, and what it did not see like a fix. */
function isWhole({ evidence, run, verdict }: Report): boolean {
  return run.ended === 'complete' && !verdict.partial && evidence.problems.length === 0;
}

function lastOf({ runs }: SubjectRuns): string {
  return runs[runs.length - 1]?.startedAt ?? '';
}

function entryOf(name: string, report: Report, before: Report | undefined): RunEntry {
  const { run, verdict, counts, baseline, subject } = report;
  return {
    name,
    startedAt: run.startedAt,
    verdict,
    counts,
    contract: `${baseline.contract.title} ${baseline.contract.version}`,
    version: subject.asserted.version,
    baseUrl: subject.asserted.baseUrl,
    environment: subject.asserted.environment,
    budget: baseline.budget,
    exchanges: run.exchanges,
    ended: run.ended,
    whole: isWhole(report),
    clauses: new Set(report.violations.map(({ clause }) => clause)).size,
    since: before === undefined ? undefined : sinceOf(before, report),
  };
}

function sinceOf(before: Report, after: Report): Since {
  const { changes, obstacles } = compare(before, after);
  const count = (kind: (typeof changes)[number]['kind']): number =>
    changes.filter((change) => change.kind === kind && change.level !== 'advisory').length;
  return {
    regressions: count('regression'),
    fixed: count('fixed'),
    covered: count('newly covered'),
    lost: count('coverage lost'),
    comparable: obstacles.length === 0,
  };
}
