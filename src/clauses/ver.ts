import type { WrittenClause } from '../model/clause.ts';
import type { Contract, Operation } from '../model/contract.ts';
import { about } from './judging/about.ts';
import { currentVersion } from './judging/current-version.ts';
import { duplicateRule, singleEffect } from './judging/duplicates.ts';
import { mayBeCurrent } from './judging/own-version.ts';
import { overlapped } from './judging/race.ts';
import {
  type Answered,
  answered,
  faultsOf,
  holds,
  inconclusive,
  isAccepted,
  isControlled,
  isDecided,
  isThrottled,
  only,
  sameTarget,
  seen,
  unattributed,
  violated,
} from './judging/reading.ts';
import {
  isAbsent,
  mayBeRemoved,
  mayMeanAbsent,
  notCurrent,
  perhapsAbsent,
  perhapsRemoved,
  removes,
  staleAfterRemoval,
  targetGone,
} from './judging/removed-target.ts';
import { byResponses } from './judging/rules.ts';
import {
  acceptedUnmoved,
  isAcceptedLater,
  mayLeaveVersion,
  movedOn,
  unmoved,
  unmovedRead,
} from './judging/unmoved-version.ts';

const versioning = {
  where: 'Versioning, 3',
  quote: 'Some writes require the current version of the target record (a conflict gives `409`).',
};

const versioned = (_: Contract, operation: Operation): boolean => operation.version !== undefined;

export const versionClauses: readonly WrittenClause[] = [
  {
    code: 'VER-1',
    level: 'stated',
    text: 'A version that is not the current one returns 409 and has no effect.',
    source: versioning,
    test: 'A command changes the version. Another command is sent with the old version, and with the version of another record.',
    violation:
      'It is accepted (the last write wins), or another class is returned. (RFC 9110 says 412 for If-Match; this contract says 409.)',
    fix: 'Compare the version in the transaction that writes, and return 409.',
    applies: versioned,
    judges: [
      byResponses(
        about('version').refusal(
          (step, context, trace) =>
            notCurrent(step) &&
            !targetGone(context, trace, step) &&
            !answered(context, trace).some(
              (one) => one.step.id === step.id && mayBeRemoved(context, trace, one),
            ) &&
            !mayBeCurrent(context, trace, step) &&
            unmoved(context, trace, step) === undefined,
        ),
      ),
      { over: 'trace', needs: ['version'], rule: staleAfterRemoval },
      { over: 'trace', needs: ['version'], rule: acceptedUnmoved },
      about('version').noEffect(notCurrent, (context, trace, { step }) =>
        // With other values it is sent without a control of its own.
        seen(context, trace).some(
          (one) => notCurrent(one.step) && sameTarget(one.step, step) && isControlled(context, trace, one),
        ),
      ),
    ],
  },
  {
    code: 'VER-2',
    level: 'stated',
    text: 'The current version succeeds.',
    source: versioning,
    test: 'The current version is read and sent.',
    violation: 'A refusal of the current version, while a later command with it succeeds.',
    fix: 'Let reads show the version that commands accept.',
    applies: versioned,
    judges: { over: 'trace', rule: currentVersion },
  },
  {
    code: 'VER-3',
    level: 'derived',
    text: 'A missing version is refused, without effect.',
    source: versioning,
    test: 'The command is sent without its version.',
    violation: 'It is accepted.',
    fix: 'Refuse a command without the version that the contract declares (422 or 409; 428 is tolerated), unless its schema or parameter makes it optional.',
    applies: (contract, operation) => versioned(contract, operation) && operation.version?.optional !== true,
    judges: [
      byResponses(about('version').refusal((step) => only(step, 'version')?.how === 'absent')),
      about('version').noEffect((step) => only(step, 'version')?.how === 'absent'),
    ],
  },
  {
    code: 'VER-4',
    level: 'derived',
    text: 'A version that never existed is refused.',
    source: versioning,
    test: "Values such as '9999', 'abc' and '*' are sent as the version.",
    violation: 'The command is accepted.',
    fix: 'Compare for equality with the current version; do not treat * as a wildcard.',
    applies: versioned,
    judges: about('version').refusal((step) => only(step, 'version')?.how === 'garbage'),
  },
  {
    code: 'VER-5',
    level: 'derived',
    text: 'If two parallel commands send one version, exactly one succeeds.',
    source: versioning,
    test: 'Two commands with different keys and the same version are sent at once.',
    violation: 'Both succeed: one write is lost.',
    fix: 'Compare and write in one atomic step.',
    applies: (contract, operation) => versioned(contract, operation) && operation.version?.neutral === false,
    judges: {
      over: 'trace',
      needs: ['together'],
      *rule(context, trace) {
        for (const wave of trace.scenario.waves) {
          if (!('steps' in wave)) continue;
          const valid = answered(context, trace).filter(
            (one) =>
              wave.steps.includes(one.step) &&
              one.operation.version !== undefined &&
              one.step.version?.use === 'of' &&
              faultsOf(one.step).length === 0,
          );
          const [first] = valid;
          if (first === undefined) continue;
          const members = valid.filter((one) => sameTarget(one.step, first.step));
          if (members.length < 2) continue;
          const accepted = members.filter((one) => isAccepted(one.answer));
          const others = members.filter((one) => !isAccepted(one.answer));
          // A verification that the first one used up may be refused in its own class (G4).
          const wrong = others.find(
            (one) =>
              one.answer.status !== 409 &&
              !isThrottled(one.answer) &&
              !sharesVerification(one, members) &&
              !(removes(one) && accepted.length > 0 && isAbsent(context, one.answer)),
          );
          const gone = wrong !== undefined && accepted.length > 0 && mayBeRemoved(context, trace, wrong);
          const expected = removes(first) ? 'one 2xx, the others 409, 404 or 410' : 'one 2xx, the others 409';
          const actual = members.map((one) => one.answer.status).join(', ');
          if (accepted.length > 1 && mayLeaveVersion(context, trace, accepted))
            yield inconclusive(
              members,
              'Several commands were accepted on one version. They are queued (202), or may have set what the record had, so nothing shows that the version moved between them.',
            );
          else if (accepted.length > 1)
            yield violated(members, {
              expected,
              actual,
              because: 'Several commands were accepted on one version: the first write is lost.',
              conclusive: true,
            });
          else if (accepted.length === 0)
            yield inconclusive(members, `No command was accepted (${actual}), so there was no winner.`);
          else if (gone) yield inconclusive(members, perhapsRemoved);
          else if (wrong !== undefined && removes(wrong) && mayMeanAbsent(wrong.answer))
            yield inconclusive(members, perhapsAbsent);
          else if (wrong !== undefined)
            yield violated(members, {
              expected,
              actual,
              because: 'One command won the race, but the other did not get 409.',
            });
          else if (others.some((one) => sharesVerification(one, members)))
            yield inconclusive(
              members,
              'The commands shared one verification, so the loser may be refused because it was used.',
            );
          else if (!overlapped(members))
            yield inconclusive(members, 'The responses did not overlap in time, so there was no race.');
          else
            yield holds(members, {
              expected,
              actual,
              because:
                others.length === 0 ? 'One command was accepted.' : 'One command was accepted, and no other.',
            });
        }
      },
    },
  },
  {
    code: 'VER-6',
    level: 'derived',
    text: 'After a success the old version is stale.',
    source: versioning,
    test: 'The version is compared before and after an accepted command, and the old one is sent again with a new key. Another command then changes one other member alone.',
    violation: 'The version never changes, or not when another member of the record does.',
    fix: 'Advance the version at every change.',
    // What is deleted has no version any more.
    applies: (contract, operation) =>
      versioned(contract, operation) && operation.version?.neutral === false && operation.method !== 'DELETE',
    judges: {
      over: 'trace',
      needs: ['version'],
      *rule(context, trace) {
        for (const one of answered(context, trace)) {
          const fault = only(one.step, 'version');
          if (fault?.how !== 'stale' || !isDecided(one.answer)) continue;
          const moved = seen(context, trace).findLast(
            (other) =>
              other.step.operation === one.step.operation &&
              faultsOf(other.step).length === 0 &&
              sameTarget(other.step, one.step) &&
              isAccepted(other.exchange.answer) &&
              other.exchange.endedAt <= one.exchange.startedAt,
          );
          if (moved === undefined) continue;
          const expected = 'a refusal of the old version';
          const doubt = unmoved(context, trace, one.step);
          const kept = isAccepted(one.answer) ? undefined : unmovedRead(context, trace, one.step);
          if (doubt !== undefined) yield inconclusive([one, moved], doubt);
          else if (kept !== undefined)
            yield violated([one, moved, kept], {
              expected: 'another version',
              because: 'A command changed the record, but not its version: the old one is the current one.',
            });
          else if (isAccepted(one.answer))
            yield violated([one, moved], {
              expected,
              because: 'The version was accepted a second time after a success.',
              conclusive: true,
            });
          // The command that made the version stale may be what forbids another one: a case is closed once.
          else if (isAcceptedLater(context, trace, one) || movedOn(context, trace, one.step))
            yield holds([one, moved], { expected, because: 'The old version is refused after a success.' });
          else yield inconclusive([one, moved], unattributed);
        }
      },
    },
  },
  {
    code: 'VER-7',
    level: 'derived',
    text: 'A retry of a versioned command that succeeded has no second effect.',
    source: { where: 'Limits, 2; Versioning, 3', quote: 'Commands are deduplicated by `Idempotency-Key`' },
    test: 'A versioned command is sent twice under one key, then again with the new version of its record.',
    violation: 'The command runs twice, or the duplicate is refused with a status other than 409.',
    fix: 'Look the key up before the version is compared.',
    applies: versioned,
    // With the newer version it may be a duplicate or another request: a second effect is wrong either way.
    judges: [duplicateRule('none'), singleEffect(() => true, 'none', 'version')],
  },
];

function sharesVerification({ operation, step }: Answered, members: readonly Answered[]): boolean {
  return (
    operation.verification !== undefined &&
    members.some(
      (other) =>
        other.step !== step && JSON.stringify(other.step.verification) === JSON.stringify(step.verification),
    )
  );
}
