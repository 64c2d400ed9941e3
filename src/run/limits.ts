import { type Limits, usualLimits } from '../engine/budget.ts';
import { trouble } from '../model/input-error.ts';
import type { Resumable } from './resume.ts';
import type { Session } from './session.ts';

/** What earlier segments left of the limits. @throws InputError where nothing is left */
export function leftOf(limits: Limits, resume: Resumable | undefined): Limits {
  if (resume === undefined) return limits;
  const left = {
    maxRequests: limits.maxRequests - resume.exchanges,
    maxSeconds: limits.maxSeconds - resume.activeMs / 1000,
  };
  if (left.maxRequests <= 0 || left.maxSeconds <= 0)
    throw trouble(resume.folder, 'the run cannot be resumed: its budget was spent', 'run again');
  return left;
}

export function limitsOf({ config, contract }: Session): Limits {
  const usual = usualLimits(config.budget, contract.operations.length);
  return {
    maxRequests: config.maxRequests ?? usual.maxRequests,
    maxSeconds: config.maxSeconds ?? usual.maxSeconds,
  };
}

/** Most requests that shrinking one violation may take. */
export const shrinkRequests = { quick: 30, standard: 90, thorough: 300 };
