import type { Clause, ClauseCode, WrittenClause } from '../model/clause.ts';
import { credentialClauses } from './aut.ts';
import { resultClauses } from './cmd/results.ts';
import { conflictClauses } from './cnf.ts';
import { errorClauses } from './err.ts';
import { borrowedKeyClauses } from './idm/borrowed-keys.ts';
import { failedAttemptClauses } from './idm/failed-attempts.ts';
import { keyFormClauses } from './idm/key-forms.ts';
import { missingKeyClauses } from './idm/missing-keys.ts';
import { repeatedCommandClauses } from './idm/repeated-commands.ts';
import { precedenceClauses } from './pre.ts';
import { permissionClauses } from './prm.ts';
import { listClauses } from './rds/lists.ts';
import { readClauses } from './rds/reads.ts';
import { requestIdClauses } from './rid.ts';
import { verificationClauses } from './stv.ts';
import { throttlingClauses } from './thr/throttling.ts';
import { waitGuidanceClauses } from './thr/wait-guidance.ts';
import { bodyTextClauses } from './val/body-text.ts';
import { fieldNameClauses } from './val/field-names.ts';
import { invalidBodyClauses } from './val/invalid-bodies.ts';
import { versionClauses } from './ver.ts';

/** Every clause that Assay judges, in the order of reports. A clause is added in the file of its class alone. */
export const clauses: readonly Clause[] = [
  ...requestIdClauses,
  ...credentialClauses,
  ...permissionClauses,
  ...resultClauses,
  ...inOrder(invalidBodyClauses, fieldNameClauses, bodyTextClauses),
  ...inOrder(
    missingKeyClauses,
    repeatedCommandClauses,
    borrowedKeyClauses,
    keyFormClauses,
    failedAttemptClauses,
  ),
  ...conflictClauses,
  ...versionClauses,
  ...verificationClauses,
  ...inOrder(throttlingClauses, waitGuidanceClauses),
  ...inOrder(readClauses, listClauses),
  ...errorClauses,
  ...precedenceClauses,
].map((clause) => ({ ...clause, judges: [clause.judges].flat() }));

export function clauseOf(code: ClauseCode): Clause | undefined {
  return clauses.find((clause) => clause.code === code);
}

/** One class whose clauses are in several files, by number. */
function inOrder(...files: readonly (readonly WrittenClause[])[]): readonly WrittenClause[] {
  const numberOf = (clause: WrittenClause): number => Number(clause.code.split('-')[1]);
  return files.flat().sort((one, other) => numberOf(one) - numberOf(other));
}
