import type { Clause, ClauseCode } from '../model/clause.ts';
import { conflictClauses } from './conflict.ts';
import { credentialClauses } from './credential.ts';
import { errorClauses } from './errors.ts';
import { idempotencyClauses } from './idempotency.ts';
import { permissionClauses } from './permission.ts';
import { precedenceClauses } from './precedence.ts';
import { readClauses } from './reads.ts';
import { requestIdClauses } from './request-id.ts';
import { resultClauses } from './result.ts';
import { throttlingClauses } from './throttling.ts';
import { validationClauses } from './validation.ts';
import { verificationClauses } from './verification.ts';
import { versionClauses } from './version.ts';

/** Every clause that Assay judges, in the order of reports. A clause is added in the file of its class alone. */
export const clauses: readonly Clause[] = [
  ...requestIdClauses,
  ...credentialClauses,
  ...permissionClauses,
  ...resultClauses,
  ...validationClauses,
  ...idempotencyClauses,
  ...conflictClauses,
  ...versionClauses,
  ...verificationClauses,
  ...throttlingClauses,
  ...readClauses,
  ...errorClauses,
  ...precedenceClauses,
];

export function clauseOf(code: ClauseCode): Clause | undefined {
  return clauses.find((clause) => clause.code === code);
}
