import type { WrittenClause } from '../model/clause.ts';
import { provokesRefusal } from '../oracle/allowed.ts';
import { about } from './judging/about.ts';
import { noEffect } from './judging/effects.ts';
import {
  faultsOf,
  find,
  holds,
  inconclusive,
  isAccepted,
  isControlled,
  isFailed,
  isThrottled,
  notApplicable,
  unattributed,
  violated,
} from './judging/reading.ts';
import { byResponses, eachAnswer, everywhere, guarded, withBody } from './judging/rules.ts';

const classes = {
  where: 'Errors, rule 1',
  quote:
    'Clients treat authentication, permission, conflict, validation, throttling, and service failures as separate classes.',
};

export const precedenceClauses: readonly WrittenClause[] = [
  {
    code: 'PRE-1',
    level: 'derived',
    text: 'A bad credential returns 401, whatever else is wrong.',
    source: { where: 'Authentication, 3', quote: 'A missing, expired, or invalid credential gives `401`.' },
    test: 'A bad credential is combined with each other client error.',
    violation: 'The other error is reported to a caller who is not authenticated.',
    fix: 'Authenticate before everything else.',
    applies: guarded,
    judges: about('credential').refusal(
      (step) => find(step, 'credential') !== undefined && faultsOf(step).length > 1,
    ),
  },
  {
    code: 'PRE-2',
    level: 'derived',
    text: 'A missing permission returns 403, whatever else is wrong.',
    source: {
      where: 'Authentication, 2',
      quote: 'The identity must hold the exact permission and scope; otherwise the result is `403`.',
    },
    test: 'A missing permission is combined with a bad body, a used key, a stale version, an absent record and a conflict of state. Without a declaration (G11), 422 is tolerated with a note for errors in the body or the query, a missing key or verification, and a missing or malformed version. For a missing key, the status that a missing key alone returns is also allowed (G2).',
    violation:
      'A caller who may not run the operation learns about the schema, the key, the version or existing records.',
    fix: 'Check the permission before the body is validated and the key is looked up.',
    applies: (contract, operation) =>
      guarded(contract, operation) && (operation.kind === 'command' || operation.queryFields.length > 0),
    judges: about('permission').refusal(
      (step) =>
        find(step, 'permission') !== undefined &&
        find(step, 'credential') === undefined &&
        faultsOf(step).some((fault) =>
          [
            'body',
            'body-syntax',
            'key',
            'key-reuse',
            'version',
            'media-type',
            'query',
            'conflict',
            'target',
          ].includes(fault.kind),
        ),
    ),
  },
  {
    code: 'PRE-3',
    level: 'derived',
    text: 'A bad body under a used key returns 422 or 409; a bad body without a key returns the status of a missing key.',
    source: {
      where: 'POST /cases, rules 3 and 4',
      quote:
        'When the body does not match the published schema, the result is `422` and names the offending fields.',
    },
    test: 'A bad body is combined with a used key, and with a missing key.',
    violation: 'Success, 5xx, or another class.',
    fix: 'Return the same status for an error, whether or not the request has other errors.',
    applies: withBody,
    judges: about('body').refusal(
      (step) =>
        find(step, 'body') !== undefined &&
        faultsOf(step).length === 2 &&
        faultsOf(step).some(
          (fault) =>
            (fault.kind === 'key-reuse' && fault.difference === 'request') ||
            (fault.kind === 'key' && fault.how === 'absent'),
        ),
    ),
  },
  {
    code: 'PRE-4',
    level: 'derived',
    text: 'Combined client errors never succeed, never cause 5xx, and have no effect.',
    source: { where: 'good practice; Errors, rule 1', quote: classes.quote },
    test: 'All pairs of client errors are sent, and larger random sets.',
    violation: 'Success, 5xx, or a record.',
    fix: 'Stop at the first error.',
    applies: everywhere,
    judges: [
      byResponses(
        eachAnswer((one, context, trace) => {
          if (
            one.step.role !== 'test' ||
            faultsOf(one.step).filter((fault) => provokesRefusal(context, one.step, fault)).length < 2 ||
            isThrottled(one.answer)
          )
            return notApplicable;
          const expected = 'a refusal (4xx)';
          if (isAccepted(one.answer))
            return violated([one], {
              expected,
              because: 'A request with several client errors was accepted.',
              conclusive: true,
            });
          if (isFailed(one.answer))
            return violated([one], {
              expected,
              because: 'The service failed on a request with several client errors.',
            });
          return isControlled(context, trace, one)
            ? holds([one], { expected, because: 'The request was refused.' })
            : inconclusive([one], unattributed);
        }),
      ),
      noEffect((step) => faultsOf(step).length >= 2 && find(step, 'key-reuse') === undefined),
    ],
  },
];
