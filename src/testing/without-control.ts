import type { ClauseCode } from '../model/clause.ts';

const form = 'It speaks of what a response looks like, and a refusal is one whatever caused it.';
const failure = 'It speaks of what a failure looks like, and the failure itself is the situation.';
const throttling = 'It speaks of what a 429 looks like, and the 429 itself is the situation.';

/**
 * Clauses that may pass where nothing was accepted: their situation is the refusal itself, so no accepted request could
 * be its control. Every other clause about refusals or duplicates needs one.
 */
export const withoutControl: Readonly<Record<ClauseCode, string>> = {
  'RID-2': form,
  'RID-3': form,
  'RID-4': form,
  'RID-5': form,
  'RID-6': form,
  'RID-7': form,
  'RID-8': form,
  'AUT-12': 'It speaks of what a 401 looks like, and the 401 itself is the situation.',
  'CNF-2': 'It speaks of what a 409 looks like, and the 409 itself is the situation.',
  'THR-2': throttling,
  'THR-3': throttling,
  'THR-8': throttling,
  'ERR-2': failure,
  'ERR-3': failure,
  'ERR-4': failure,
};
