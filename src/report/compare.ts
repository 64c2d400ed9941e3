import { canonicalJson } from '../model/json.ts';
import type { Verdict } from '../model/verdict.ts';
import { findingId } from './finding.ts';
import type { CellChange, Comparison, Report, RunSummary } from './report.ts';

/** The kinds of changes, those first that matter most. */
export const changeKinds: readonly CellChange['kind'][] = [
  'regression',
  'newly covered',
  'fixed',
  'coverage lost',
  'not comparable',
  'other',
];

/** What changed from one run to another, cell by cell. */
export function compare(before: Report, after: Report): Comparison {
  const obstacles = obstaclesOf(before, after);
  const altered = alteredOperations(before, after);
  const earlier = new Map(before.cells.map((cell) => [findingId(cell), cell]));
  const later = new Map(after.cells.map((cell) => [findingId(cell), cell]));
  const changes: CellChange[] = [];
  let unchanged = 0;
  for (const id of new Set([...later.keys(), ...earlier.keys()])) {
    const [one, other] = [earlier.get(id), later.get(id)];
    const cell = other ?? one;
    if (cell === undefined) continue;
    if (one?.verdict === other?.verdict) {
      unchanged += 1;
      continue;
    }
    const incomparable = obstacles.length > 0 || altered.has(cell.operation);
    changes.push({
      cell: id,
      clause: cell.clause,
      level: cell.level,
      operation: cell.operation,
      kind: incomparable ? 'not comparable' : kindOf(one?.verdict, other?.verdict),
      before: one?.verdict,
      after: other?.verdict,
      because: altered.has(cell.operation)
        ? `the contract says something else of ${cell.operation}`
        : (other?.because ?? `the later run has no ${cell.operation}`),
    });
  }
  return { before: summary(before), after: summary(after), obstacles, changes, unchanged };
}

/** True where something is violated now that was not before: what a gate must stop. */
export function isWorse({ changes }: Comparison): boolean {
  return changes.some((change) => change.level !== 'advisory' && violatedNow(change));
}

/** A cell that is violated, and was not before. */
export function violatedNow({ after, before, kind }: CellChange): boolean {
  return kind !== 'not comparable' && stateOf(after) === 'violated' && stateOf(before) !== 'violated';
}

/** True where less is known than before, or the two say nothing about each other. */
export function isLess({ changes, obstacles }: Comparison): boolean {
  return (
    obstacles.length > 0 ||
    changes.some(
      ({ level, kind }) => level !== 'advisory' && (kind === 'coverage lost' || kind === 'not comparable'),
    )
  );
}

type CellState = 'holds' | 'violated' | 'open' | 'inapplicable' | 'absent';

function stateOf(verdict: Verdict | undefined): CellState {
  switch (verdict) {
    case 'pass':
      return 'holds';
    case 'fail':
    case 'unstable':
      return 'violated';
    case 'inconclusive':
    case 'not-tested':
      return 'open';
    case 'not-applicable':
      return 'inapplicable';
    default:
      return 'absent';
  }
}

function kindOf(before: Verdict | undefined, after: Verdict | undefined): CellChange['kind'] {
  const [from, to] = [stateOf(before), stateOf(after)];
  const known = (state: CellState): boolean => state === 'holds' || state === 'violated';
  if (known(from) && known(to)) {
    if (from === to) return 'other';
    return to === 'violated' ? 'regression' : 'fixed';
  }
  if (known(to)) return 'newly covered';
  return known(from) ? 'coverage lost' : 'other';
}

/** What makes two runs speak of different things: another contract, or another profile. */
function obstaclesOf(before: Report, after: Report): readonly string[] {
  const [one, other] = [before.baseline, after.baseline];
  const name = ({ contract }: Report['baseline']): string => `${contract.title} ${contract.version}`;
  const declared = ({ declaration }: Report['baseline']): ReadonlyMap<string, string> =>
    new Map(Object.entries(declaration).map(([point, value]) => [point, canonicalJson(value ?? null)]));
  const [earlier, later] = [declared(one), declared(other)];
  return [
    ...(name(one) === name(other) ? [] : [`another contract: ${name(one)}, then ${name(other)}`]),
    ...[...new Set([...earlier.keys(), ...later.keys()])].flatMap((point) => {
      const [was = 'nothing', is = 'nothing'] = [earlier.get(point), later.get(point)];
      return was === is ? [] : [`other declarations: ${point} was declared as ${was}, then as ${is}`];
    }),
  ];
}

/** Operations of both runs of which the contract says different things. */
function alteredOperations(before: Report, after: Report): ReadonlySet<string> {
  const digests = new Map(before.scope.operations.map(({ id, digest }) => [id, digest]));
  return new Set(
    after.scope.operations
      .filter(({ id, digest }) => digests.has(id) && digests.get(id) !== digest)
      .map(({ id }) => id),
  );
}

function summary({ run, verdict, evidence }: Report): RunSummary {
  return {
    id: run.id,
    startedAt: run.startedAt,
    outcome: verdict.outcome,
    evidence: evidence.sha256,
  };
}
