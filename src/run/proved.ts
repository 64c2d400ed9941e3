import type { RunEvent } from '../engine/run.ts';

/** The cell that an event proves violated, whatever else follows. */
export function provedBy(event: RunEvent): string | undefined {
  if (event.kind === 'confirmed') return event.cell;
  if (event.kind !== 'violation') return undefined;
  const { clause, passing, ruling } = event.violation;
  const sure = clause.level !== 'advisory' && ruling.conclusive === true && !passing;
  return sure ? `${clause.code} ${ruling.operation}` : undefined;
}
