import { isArray, isObject, parseJson } from '../model/json.ts';
import type { Comparison, Finding, Report } from './report.ts';

/** Which violations make a run end with 1. It changes no verdict and no certificate, and never the codes 2 and 3. */
export type FailOn = 'any' | 'stated' | 'unwaived' | 'new';
export const failOnPolicies: readonly FailOn[] = ['any', 'stated', 'unwaived', 'new'];

export type GatePolicy = {
  readonly failOn: FailOn;
  /** Whether a violation that no repeat showed again fails the gate. */
  readonly unstable: 'fail' | 'pass';
};

export type CiGate = {
  readonly policy: GatePolicy;
  readonly passed: boolean;
  /** Of the process: 0, 1 or 3. */
  readonly exitCode: number;
  readonly failures: readonly string[];
  /** Violations that the policy lets through, and why: `3 waived, 1 known`. */
  readonly accepted: readonly { readonly finding: string; readonly because: Acceptance }[];
};

const acceptances = ['waived', 'known', 'derived', 'unstable'] as const;
export type Acceptance = (typeof acceptances)[number];

/** What a pipeline makes of a report. `comparison` is the one with the baseline; `new` needs it. */
export function gateOf(report: Report, policy: GatePolicy, comparison: Comparison | undefined): CiGate {
  const accepted: CiGate['accepted'][number][] = [];
  const failures: string[] = [];
  const known = knownCells(report, comparison);
  for (const finding of report.violations) {
    const because = acceptance(finding, policy, known);
    if (because === undefined) failures.push(`${finding.id}: ${finding.text}`);
    else accepted.push({ finding: finding.id, because });
  }
  if (policy.failOn !== 'any') failures.push(...waiverFailures(report));
  if (policy.failOn === 'new') failures.push(...baselineFailures(comparison));
  const passed = failures.length === 0;
  const { outcome, exitCode } = report.verdict;
  return {
    policy,
    passed,
    failures,
    accepted,
    exitCode: passed
      ? outcome === 'violations'
        ? report.verdict.exitCodeOtherwise
        : exitCode
      : Math.max(1, outcome === 'violations' ? 1 : exitCode),
  };
}

/** The gate in the text of a gate.json; undefined where it is none. */
export function parseGate(text: string): CiGate | undefined {
  const value = parseJson(text);
  if (!isObject(value) || !isObject(value['policy'])) return undefined;
  const { policy, passed, exitCode, failures, accepted } = value;
  const failOn = failOnPolicies.find((one) => one === policy['failOn']);
  const unstable = policy['unstable'];
  if (
    failOn === undefined ||
    (unstable !== 'fail' && unstable !== 'pass') ||
    typeof passed !== 'boolean' ||
    typeof exitCode !== 'number' ||
    !isArray(failures) ||
    !isArray(accepted)
  )
    return undefined;
  return {
    policy: { failOn, unstable },
    passed,
    exitCode,
    failures: failures.flatMap((each) => (typeof each === 'string' ? [each] : [])),
    accepted: accepted.flatMap((each) => {
      const because = isObject(each) ? acceptances.find((one) => one === each['because']) : undefined;
      const finding = isObject(each) ? each['finding'] : undefined;
      return because === undefined || typeof finding !== 'string' ? [] : [{ finding, because }];
    }),
  };
}

/** `violations (gate passed: 3 waived)`; the outcome alone where the policy is the usual one. */
export function gateWords(report: Report, gate: CiGate | undefined): string {
  const outcome = `${report.verdict.partial ? 'PARTIAL: ' : ''}${report.verdict.outcome}`;
  if (gate === undefined || (gate.policy.failOn === 'any' && gate.policy.unstable === 'fail')) return outcome;
  const counts = new Map<Acceptance, number>();
  for (const { because } of gate.accepted) counts.set(because, (counts.get(because) ?? 0) + 1);
  const what = gate.passed
    ? [...counts].map(([because, count]) => `${count} ${because}`)
    : [`${gate.failures.length} ${gate.failures.length === 1 ? 'reason' : 'reasons'}`];
  return `${outcome} (gate ${gate.passed ? 'passed' : 'failed'}${what.length === 0 ? '' : `: ${what.join(', ')}`})`;
}

function acceptance(
  finding: Finding,
  { failOn, unstable }: GatePolicy,
  known: ReadonlySet<string>,
): Acceptance | undefined {
  if (failOn !== 'any' && finding.waiver !== undefined) return 'waived';
  if (failOn === 'new' && known.has(finding.id)) return 'known';
  if (failOn === 'stated' && finding.level !== 'stated') return 'derived';
  if (unstable === 'pass' && finding.verdict === 'unstable') return 'unstable';
  return undefined;
}

/** Cells that were violated before as well. A cell that was not tested then is new now. */
function knownCells(report: Report, comparison: Comparison | undefined): ReadonlySet<string> {
  if (comparison === undefined || comparison.obstacles.length > 0) return new Set();
  const before = new Map(comparison.changes.map((change) => [change.cell, change]));
  return new Set(
    report.violations
      .filter(({ id }) => {
        const change = before.get(id);
        return (
          change === undefined ||
          (change.kind !== 'not comparable' && (change.before === 'fail' || change.before === 'unstable'))
        );
      })
      .map(({ id }) => id),
  );
}

/** A waiver that no longer covers anything hides that the vendor fixed it, or that the date went by. */
function waiverFailures({ waivers }: Report): readonly string[] {
  return waivers.flatMap(({ clause, expires, operation, owner, state }) => {
    const waiver = `the waiver of ${clause}${operation === undefined ? '' : `/${operation}`} (${owner})`;
    if (state === 'expired') return [`${waiver} expired on ${expires}: fix the violation or renew it`];
    if (state === 'unused') return [`${waiver} is stale: its violation is gone, so remove it`];
    if (state === 'unmatched')
      return [`${waiver} is unmatched: the clause applies to no such operation, so remove it`];
    return [];
  });
}

function baselineFailures(comparison: Comparison | undefined): readonly string[] {
  if (comparison === undefined) return ['there is no earlier run to compare with: name one with --against'];
  return [
    ...comparison.obstacles.map((obstacle) => `the earlier run cannot be compared: ${obstacle}`),
    ...comparison.changes
      .filter(({ level, kind }) => level !== 'advisory' && kind === 'coverage lost')
      .map(
        ({ cell, before, after }) => `${cell} lost coverage: ${before ?? 'absent'}, now ${after ?? 'absent'}`,
      ),
  ];
}
