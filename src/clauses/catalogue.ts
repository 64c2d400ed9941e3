import type { Clause, ClauseCode } from '../model/clause.ts';
import { conflictClauses } from './conflict.ts';
import { credentialClauses } from './credential.ts';
import { errorClauses } from './errors.ts';
import { borrowedKeyClauses } from './idempotency/borrowed-keys.ts';
import { failedAttemptClauses } from './idempotency/failed-attempts.ts';
import { keyFormClauses } from './idempotency/key-forms.ts';
import { missingKeyClauses } from './idempotency/missing-keys.ts';
import { repeatedCommandClauses } from './idempotency/repeated-commands.ts';
import { listClauses } from './lists.ts';
import { permissionClauses } from './permission.ts';
import { precedenceClauses } from './precedence.ts';
import { readClauses } from './reads.ts';
import { requestIdClauses } from './request-id.ts';
import { resultClauses } from './result.ts';
import { throttlingClauses } from './throttling.ts';
import { bodyTextClauses } from './validation/body-text.ts';
import { fieldNameClauses } from './validation/field-names.ts';
import { invalidBodyClauses } from './validation/invalid-bodies.ts';
import { verificationClauses } from './verification.ts';
import { versionClauses } from './version.ts';
import { waitGuidanceClauses } from './wait-guidance.ts';

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
];

export function clauseOf(code: ClauseCode): Clause | undefined {
  return clauses.find((clause) => clause.code === code);
}

/** One class whose clauses stand in several files, by number. */
function inOrder(...files: readonly (readonly Clause[])[]): readonly Clause[] {
  const numberOf = (clause: Clause): number => Number(clause.code.split('-')[1]);
  return files.flat().sort((one, other) => numberOf(one) - numberOf(other));
}
