import type { OperationId } from '../model/contract.ts';
import { problem } from './answer.ts';
import { type Call, callerOf, type Refusal } from './call.ts';
import { randomHex, type Service } from './service.ts';
import { carried } from './version.ts';

/** A stronger verification: for one caller, one operation and one target, until it expires. */
export type Verification = {
  readonly identity: string;
  readonly operation: OperationId;
  /** Id of the target, undefined for a command without one. */
  readonly target: string | undefined;
  /** On the monotonic clock. */
  readonly expiresAt: number;
  spent: boolean;
};

/** By value. */
export type Verifications = Map<string, Verification>;

export type VerificationFault = 'absent' | 'unknown' | 'expired' | 'foreign' | 'other-command' | 'used';

/** Some commands need stronger verification (What the service does, 4). */
export type VerificationDecisions = {
  /** What is wrong with the verification sent, undefined where it serves. */
  readonly checkVerification: (call: Call, sent: string | undefined) => VerificationFault | undefined;
  readonly refuseVerification: (call: Call, fault: VerificationFault) => Refusal;
  /** At the moment of commit. */
  readonly spendVerification: (call: Call, sent: string | undefined) => void;
};

export const verificationDecisions: VerificationDecisions = {
  checkVerification: (call, sent) => {
    if (sent === undefined || sent === '') return 'absent';
    const verification = call.service.verifications.get(sent);
    if (verification === undefined) return 'unknown';
    if (verification.identity !== callerOf(call).identity) return 'foreign';
    if (verification.operation !== call.operation.id) return 'other-command';
    if (verification.target !== call.target?.id) return 'other-command';
    if (call.service.clock.monotonic() >= verification.expiresAt) return 'expired';
    return verification.spent && call.operation.verification?.singleUse === true ? 'used' : undefined;
  },
  // One answer for all: which of them it was would help whoever guesses.
  refuseVerification: () =>
    problem(409, 'The command needs stronger verification, valid for this caller, command and target.', {
      members: { conflict: 'approval' },
    }),
  spendVerification: (call, sent) => {
    const verification = sent === undefined ? undefined : call.service.verifications.get(sent);
    if (verification !== undefined) verification.spent = true;
  },
};

/** Stage: refuses where the stronger verification is missing or does not serve. */
export function checkStrongerVerification(call: Call): Refusal | undefined {
  const { checkVerification, refuseVerification } = call.service.behaviour;
  if (call.operation.verification === undefined) return undefined;
  const fault = checkVerification(call, sentVerification(call));
  return fault === undefined ? undefined : refuseVerification(call, fault);
}

export function sentVerification(call: Call): string | undefined {
  const rule = call.operation.verification;
  return rule === undefined ? undefined : carried(call, rule.carrier);
}

/** Issues a verification and returns its value. */
export function issueVerification(service: Service, verification: Omit<Verification, 'spent'>): string {
  const value = `ver_${randomHex(service, 16)}`;
  service.verifications.set(value, { ...verification, spent: false });
  return value;
}
