import { type ClauseCode, codesOf } from '../../model/clause.ts';
import { credentialFaults } from './credential.ts';
import { errorFaults } from './errors.ts';
import type { Fault, SeededFault } from './fault.ts';
import { borrowedKeyFaults } from './idm/borrowed-keys.ts';
import { failedAttemptFaults } from './idm/failed-attempts.ts';
import { keyFormFaults } from './idm/key-forms.ts';
import { missingKeyFaults } from './idm/missing-keys.ts';
import { repeatedCommandFaults } from './idm/repeated-commands.ts';
import { listFaults } from './lists.ts';
import { permissionFaults } from './permission.ts';
import { requestIdFaults } from './request-id.ts';
import { resultFaults } from './results.ts';
import { targetFaults } from './target.ts';
import { textFaults } from './texts.ts';
import { throttlingFaults } from './throttling.ts';
import { validationFaults } from './validation.ts';

export const faults: readonly Fault[] = [
  ...requestIdFaults,
  ...credentialFaults,
  ...permissionFaults,
  ...validationFaults,
  ...textFaults,
  ...missingKeyFaults,
  ...repeatedCommandFaults,
  ...borrowedKeyFaults,
  ...failedAttemptFaults,
  ...keyFormFaults,
  ...targetFaults,
  ...resultFaults,
  ...listFaults,
  ...errorFaults,
  ...throttlingFaults,
].map((fault: SeededFault) => ({
  operations: ['createCase'],
  ...fault,
  breaks: codesOf(fault.breaks),
  also: fault.also === undefined ? [] : codesOf(fault.also),
}));

/** Clauses that no fault can show, and why. */
export const unshown: Readonly<Record<ClauseCode, string>> = {
  'AUT-12': 'Advisory: many services leave the challenge out.',
  'AUT-13': 'Advisory, and never a violation.',
  'THR-8': 'Advisory: it compares guidance that most services give once.',
};
