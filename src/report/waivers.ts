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

/** Each waiver with what it covers. */
export function waiverReports(
  waivers: readonly Waiver[],
  cells: readonly Cell[],
  day: string,
): readonly WaiverReport[] {
  const violated = cells.filter((cell) => cell.verdict === 'fail' || cell.verdict === 'unstable');
  return waivers.map((waiver) => {
    const findings = violated.filter((cell) => covers(waiver, cell)).map(findingId);
    const state = waiver.expires < day ? 'expired' : findings.length > 0 ? 'in effect' : 'unused';
    return { ...waiver, state, findings };
  });
}

function covers(waiver: Waiver, cell: Pick<Cell, 'clause' | 'operation'>): boolean {
  return (
    waiver.clause === cell.clause && (waiver.operation === undefined || waiver.operation === cell.operation)
  );
}
