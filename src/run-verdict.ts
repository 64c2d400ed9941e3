import type { ClauseCode } from './model/clause.ts';
import { isUnsettled, type StopSuspect } from './model/stop.ts';
import type { Cell, RunVerdict } from './model/verdict.ts';

export type RunFacts = {
  /** Narrowed, for example with --suite or --operation. */
  readonly partial: boolean;
  /** How it was narrowed, as on the command line. */
  readonly narrowing?: readonly string[];
  /** The clauses that a narrowed run is about; all where nothing is given. */
  readonly clauses?: readonly ClauseCode[] | undefined;
  readonly ended: 'complete' | 'interrupted' | 'budget';
  readonly budget: 'quick' | 'standard' | 'thorough';
  readonly waivers: number;
  /** Points at which the vendor declared a duty away (`G8: unthrottled`). */
  readonly declaredAway: readonly string[];
  readonly leftOut?: readonly string[];
  /** Those of them that the configuration excludes by name. */
  readonly excluded?: readonly string[];
  /** Operations that were selected and could be tested, but to which nothing was sent beyond preflight. */
  readonly untouched?: readonly string[];
  /** Whether nothing at all was sent beyond preflight. */
  readonly idle?: boolean;
  /** Parts of the plan that other processes were to run, and that are not in the log. */
  readonly missingShards?: readonly string[];
  /** Requests that were there when the target stopped responding. */
  readonly stops?: readonly StopSuspect[];
  /** What clauses threw. */
  readonly failures?: readonly string[];
  /** What else keeps a run from being a certificate: a weakened contract, a subject without a name. */
  readonly alsoMissing?: readonly string[];
};

export function runVerdict(cells: readonly Cell[], facts: RunFacts): RunVerdict {
  const binding = cells.filter((cell) => cell.level !== 'advisory' && cell.verdict !== 'not-applicable');
  const violated = binding.filter((cell) => cell.verdict === 'fail' || cell.verdict === 'unstable');
  const away = new Set(
    facts.declaredAway.includes('G8') ? ['THR-1', 'THR-2', 'THR-3', 'THR-4', 'THR-5', 'THR-6', 'IDM-14'] : [],
  );
  const open = binding.filter(
    (cell) => (cell.verdict === 'not-tested' || cell.verdict === 'inconclusive') && !away.has(cell.clause),
  );
  const openStated = open.filter((cell) => cell.level === 'stated');
  // In a narrowed run cells outside the selection are no shortfall of what was selected.
  const selected = (cell: Cell): boolean =>
    facts.clauses === undefined || facts.clauses.includes(cell.clause);
  const tested = binding.some((cell) => cell.verdict === 'pass' && selected(cell));
  const {
    leftOut = [],
    excluded = [],
    untouched = [],
    failures = [],
    idle = false,
    missingShards = [],
    stops = [],
  } = facts;
  const unsettled = stops.filter(isUnsettled);
  const unverified =
    facts.ended !== 'complete' ||
    !tested ||
    missingShards.length > 0 ||
    failures.length > 0 ||
    untouched.length > 0 ||
    idle ||
    unsettled.length > 0 ||
    (!facts.partial && leftOut.some((id) => !excluded.includes(id))) ||
    (facts.partial ? openOf(openStated, facts.clauses).some(selected) : openStated.length > 0);
  const outcome = violated.length > 0 ? 'violations' : unverified ? 'not fully verified' : 'conformant';
  // A failure of the harness is 2, whatever else is open.
  const exitCodeOtherwise = failures.length > 0 ? 2 : unverified ? 3 : 0;
  const shortfalls = [
    ...(tested || violated.length > 0 ? [] : ['nothing was tested']),
    ...(facts.partial
      ? [`the run was narrowed with ${facts.narrowing?.join(' ') ?? '--suite or --operation'}`]
      : []),
    ...(facts.budget === 'quick' ? ['the budget was quick'] : []),
    ...(facts.ended === 'complete'
      ? []
      : [facts.ended === 'interrupted' ? 'the run was interrupted' : 'the budget ended before the run']),
    ...(violated.length > 0
      ? [`${violated.length} ${violated.length === 1 ? 'cell is' : 'cells are'} violated`]
      : []),
    ...(open.length > 0
      ? [
          `${open.length} applicable ${open.length === 1 ? 'cell was' : 'cells were'} not tested or inconclusive`,
        ]
      : []),
    ...(idle && untouched.length === 0 ? ['nothing was sent beyond preflight'] : []),
    ...(missingShards.length > 0
      ? [
          `${missingShards.length === 1 ? 'a shard is' : 'shards are'} missing: ${missingShards.join(', ')} (assay merge)`,
        ]
      : []),
    ...(untouched.length > 0 ? [`nothing was sent beyond preflight to ${few(untouched)}`] : []),
    ...failures,
    ...(unsettled.length > 0
      ? [`the target stopped responding at ${few([...new Set(unsettled.map(({ operation }) => operation))])}`]
      : []),
    ...(facts.waivers > 0 ? ['there are waivers'] : []),
    ...(leftOut.length > 0 ? [`not testable, and left out: ${few(leftOut)}`] : []),
    ...(facts.alsoMissing ?? []),
    ...facts.declaredAway.map((point) => `the declaration at ${point} lifts a duty`),
  ];
  return {
    outcome,
    partial: facts.partial,
    certifiable: shortfalls.length === 0,
    shortfalls,
    exitCode: outcome === 'violations' ? 1 : exitCodeOtherwise,
    exitCodeOtherwise,
  };
}

/** The first of many names: the cells of the report have them all. */
function few(names: readonly string[]): string {
  const most = 5;
  const rest = names.length - most;
  return rest > 1 ? `${names.slice(0, most).join(', ')} and ${rest} more` : names.join(', ');
}

/** Open cells that count in a narrowed run: what was asked for by name counts as well where the configuration lacks something. */
function openOf(open: readonly Cell[], clauses: readonly ClauseCode[] | undefined): readonly Cell[] {
  return open.filter(
    ({ needs, verdict }) => verdict === 'inconclusive' || (clauses !== undefined && needs.length > 0),
  );
}
