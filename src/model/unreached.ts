/** Why a cell without any ruling was not tested, where nothing else is known. */
export const nothingOfTheKind = 'No response of this run was of the kind that the clause is about.';

const narrowed = 'The run was narrowed';

/** The same for what the filters of a run left out. */
export function narrowedReason(narrowing: readonly string[]): string {
  return `${narrowed}${narrowing.length === 0 ? '' : ` with ${narrowing.join(' ')}`}.`;
}

/** Whether a cell is open only because it was filtered out: then nothing is missing that was asked for. */
export function isFilteredOut(cell: { readonly verdict: string; readonly because: string }): boolean {
  return cell.verdict === 'not-tested' && cell.because.startsWith(narrowed);
}
