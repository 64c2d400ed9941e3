import type { Cell } from '../model/verdict.ts';
import type { Waiver } from '../model/waiver.ts';
import { findingId } from './finding.ts';
import type { WaiverReport } from './report.ts';

/** The waiver that covers a cell on a day (`2026-11-21`, UTC); an expired one covers nothing. */
export function waiverOf(
  cell: Pick<Cell, 'clause' | 'operation'>,
  waivers: readonly Waiver[],
  day: string,
): Waiver | undefined {
  return waivers.find((waiver) => waiver.expires >= day && covers(waiver, cell));
}

export function waiverReports(
  waivers: readonly Waiver[],
  cells: readonly Cell[],
  day: string,
): readonly WaiverReport[] {
  return waivers.map((waiver) => {
    const covered = cells.filter((cell) => covers(waiver, cell) && cell.verdict !== 'not-applicable');
    const violated = covered.filter(({ verdict }) => verdict === 'fail' || verdict === 'unstable');
    const state =
      waiver.expires < day ? 'expired' : violated.length > 0 ? 'in effect' : withoutEffect(covered);
    return { ...waiver, state, findings: violated.map(findingId) };
  });
}

/** Only where everything that a waiver covers was tested is it known that nothing violates it. */
function withoutEffect(covered: readonly Cell[]): WaiverReport['state'] {
  if (covered.length === 0) return 'unmatched';
  return covered.every(({ verdict }) => verdict === 'pass') ? 'unused' : 'not tested';
}

function covers(waiver: Waiver, cell: Pick<Cell, 'clause' | 'operation'>): boolean {
  return (
    waiver.clause === cell.clause && (waiver.operation === undefined || waiver.operation === cell.operation)
  );
}
