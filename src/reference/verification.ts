import { problem } from './answer.ts';
import type { Call, Service, Verification, VerificationDecisions } from './behaviour.ts';
import { callerOf } from './call.ts';
import type { Refusal } from './message.ts';
import { randomHex } from './service.ts';
import { carried } from './version.ts';

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
  // One response for all: which of them it was would help an attacker guess.
  refuseVerification: () =>
    problem(409, 'The command needs stronger verification, valid for this caller, command and target.', {
      members: { conflict: 'approval' },
    }),
  spendVerification: (call, sent) => {
    const verification = sent === undefined ? undefined : call.service.verifications.get(sent);
    if (verification !== undefined) verification.spent = true;
  },
};

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

export function issueVerification(service: Service, verification: Omit<Verification, 'spent'>): string {
  const value = `ver_${randomHex(service, 16)}`;
  service.verifications.set(value, { ...verification, spent: false });
  return value;
}
