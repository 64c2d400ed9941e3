import type { Context, WrittenClause } from '../model/clause.ts';
import { type Contract, isPlaced, type Operation } from '../model/contract.ts';
import { drawnOf, isScoped, namedTarget, referencesOf } from '../model/named-records.ts';
import type { Principal } from '../model/principal.ts';
import type { How, Step } from '../model/scenario.ts';
import { about } from './judging/about.ts';
import { isForVerification, refusedForVerification } from './judging/anothers-verification.ts';
import { bracketed } from './judging/bracketed.ts';
import { underTheSameKey } from './judging/effects.ts';
import { foreignReference } from './judging/foreign-reference.ts';
import { mayBeOwn, ownRecord } from './judging/own-record.ts';
import {
  answered,
  discloses,
  faultsOf,
  find,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  isControlled,
  isThrottled,
  notApplicable,
  only,
  type Seen,
  sameTarget,
  seen,
  unattributed,
  undecided,
  violated,
} from './judging/reading.ts';
import { commands, guarded, refused } from './judging/rules.ts';
import { shownInRefusal, shownInVain } from './judging/shown-in-refusal.ts';

const exact = {
  where: 'Authentication, 2',
  quote: 'The identity must hold the exact permission and scope; otherwise the result is `403`.',
};
const rule2 = {
  where: 'POST /cases, rule 2',
  quote: 'When the caller lacks `case.create`, the result is `403`.',
};

function permission(...hows: readonly How<'permission'>[]): (step: Step) => boolean {
  return (step) => {
    const fault = only(step, 'permission');
    return fault !== undefined && hows.includes(fault.how);
  };
}

/** Equal for equal requests of one caller. */
const asRefused = ({ step: { as, deviations } }: Seen): string => JSON.stringify([as, deviations]);
const refusedPermission = (step: Step): boolean => only(step, 'permission') !== undefined;
const inScope = about('scope', 'reference').noEffect(
  (step) => (only(step, 'scope') ?? only(step, 'reference')) !== undefined,
);
const guardedCommand = (contract: Contract, operation: Operation): boolean =>
  commands(contract, operation) && guarded(contract, operation);
const scoped = (contract: Contract, operation: Operation): boolean =>
  guarded(contract, operation) &&
  operation.shared !== true &&
  (operation.pathFields.length > 0 ||
    isPlaced(operation) ||
    isScoped(contract, namedTarget(operation)) ||
    referencesOf(contract, operation).length > 0 ||
    drawnOf(contract, operation) !== undefined);

const principalOf = (context: Context, { step }: Seen): Principal | undefined =>
  context.principals.find(({ name }) => name === step.as);

function isExact({ permissions, state }: Principal, { permissions: needed = [] }: Operation): boolean {
  return (
    state === 'valid' &&
    needed.length > 0 &&
    permissions.length === needed.length &&
    needed.every((name) => permissions.includes(name))
  );
}

/** Whether a caller of the scope with more permissions was accepted; on a record of its own that proves nothing. */
function servedMore(context: Context, all: readonly Seen[], one: Seen, other: Seen): boolean {
  const by = principalOf(context, one);
  const more = principalOf(context, other);
  if (by === undefined || more === undefined || more.state !== 'valid' || more.scope !== by.scope)
    return false;
  if (other.step.operation !== one.step.operation || isExact(more, other.operation)) return false;
  if (one.step.deviations.length + other.step.deviations.length > 0 || !isAccepted(other.exchange.answer))
    return false;
  const { kind, pathFields } = one.operation;
  const [first, then] = kind === 'command' ? [one, other] : [other, one];
  if ((kind === 'command' || pathFields.length > 0) && first.exchange.endedAt > then.exchange.startedAt)
    return false;
  if (pathFields.length === 0) return true;
  const makers = Object.values(one.step.target ?? {}).flatMap((ref) => {
    const made = 'step' in ref ? all.find(({ step }) => step.id === ref.step) : undefined;
    return (made && principalOf(context, made)) ?? [];
  });
  return (
    sameTarget(other.step, one.step) &&
    makers.every(
      ({ identity, scope }) => scope === by.scope && (identity === by.identity || identity !== more.identity),
    )
  );
}

export const permissionClauses: readonly WrittenClause[] = [
  {
    code: 'PRM-1',
    level: 'stated',
    text: "A caller without the operation's permission gets 403.",
    source: rule2,
    test: 'A principal that holds none of the needed permissions sends a valid request. Then one that holds them sends it.',
    violation:
      'Success, a status other than 403, or a refusal that shows a record. 401 is wrong: the credential is valid.',
    fix: 'Check the permission of every operation, and return 403.',
    applies: guarded,
    judges: [
      about('permission').refusal(permission('none')),
      shownInVain('permission', ['command']),
      { over: 'run', start: () => bracketed(permission('none')) },
    ],
  },
  {
    code: 'PRM-2',
    level: 'stated',
    text: 'A caller with exactly that permission, and no other, succeeds.',
    source: exact,
    test: 'A principal that holds only this permission sends a valid request.',
    violation: '403 to a caller with exactly the permission, while a caller with more permissions succeeds.',
    fix: 'Require the published permission and no other.',
    applies: guarded,
    judges: {
      over: 'trace',
      *rule(context, trace) {
        const all = seen(context, trace);
        for (const one of all) {
          const { answer } = one.exchange;
          if (one.step.role === 'setup' || faultsOf(one.step).length > 0 || answer === undefined) continue;
          const holder = principalOf(context, one);
          if (holder === undefined || !isExact(holder, one.operation)) continue;
          const expected = '2xx to a holder of exactly the published permission';
          if (isAccepted(answer)) yield holds([one], { expected, because: 'The exact holder is served.' });
          if (answer.status !== 403) continue;
          const broader = all.find((other) => servedMore(context, all, one, other));
          const doubt =
            broader === undefined
              ? 'The exact holder is refused, and no caller with more permissions was accepted either. So nothing shows that the request was valid.'
              : !context.proven.has(holder.name)
                ? 'The exact holder is refused, but nothing shows that its token has the declared permission.'
                : one.step.verification !== undefined && (context.declared.G4 ?? 403) === 403
                  ? 'The exact holder is refused, but its stronger verification may be the reason (open point G4).'
                  : undefined;
          if (broader !== undefined && doubt === undefined)
            yield violated([one, broader], {
              expected,
              because:
                'A caller with exactly the permission is refused, but one with more permissions succeeds. So the operation requires more than its permission.',
            });
          // Where nobody else was asked, the probe for it says more.
          else if (doubt !== undefined && (broader !== undefined || one.step.role === 'test'))
            yield inconclusive(broader === undefined ? [one] : [one, broader], doubt);
        }
      },
    },
  },
  {
    code: 'PRM-3',
    level: 'derived',
    text: 'A permission that only resembles the needed one is refused: prefix, extension, other case, wildcard, none at all.',
    source: exact,
    test: 'A valid request is sent by each principal whose permissions resemble the needed one.',
    violation: 'Success: the permission is compared case-insensitively, by prefix or by pattern.',
    fix: 'Compare permission names for equality.',
    applies: guarded,
    judges: about('permission').refusal(permission('near-miss')),
  },
  {
    code: 'PRM-4',
    level: 'derived',
    text: 'The permission of a sibling operation does not grant this one.',
    source: exact,
    test: 'Each operation is called by principals that have the permission of another operation.',
    violation: 'Success: permissions are looked up by path or resource alone.',
    fix: 'Look the permission up by method and path.',
    applies: guarded,
    judges: about('permission').refusal(permission('sibling')),
  },
  {
    code: 'PRM-5',
    level: 'stated',
    text: 'The right permission in the wrong scope is refused.',
    source: { where: "Authentication, 2 'and scope'", quote: exact.quote },
    test: 'A principal of one scope runs the operation on a record of another scope, under a path that names another scope, or with a body that refers to a record of another scope, and to none.',
    violation:
      'Success, a status other than 403, or a refusal that shows or changes the record. 404 is allowed if an absent record gets the same response (open point G9).',
    fix: 'Check the scope of the record against that of the caller.',
    applies: scoped,
    judges: [
      about('scope').refusal(
        (step, context, trace) =>
          only(step, 'scope') !== undefined &&
          !mayBeOwn(context, trace, step) &&
          !isForVerification(context, trace, step),
      ),
      { over: 'trace', needs: ['scope'], rule: ownRecord },
      { over: 'trace', needs: ['reference'], rule: foreignReference },
      { over: 'trace', needs: ['scope'], rule: refusedForVerification },
      { over: 'trace', needs: ['scope'], rule: shownInRefusal('command') },
      {
        ...inScope,
        *rule(context, trace) {
          for (const ruling of inScope.rule(context, trace)) if (ruling.verdict === 'violated') yield ruling;
        },
      },
    ],
  },
  {
    code: 'PRM-6',
    level: 'derived',
    text: 'A request refused with 403 has no effect and leaves its key free.',
    source: { where: 'Errors table, 403; Limits, 2', quote: 'Do not retry; request an access review' },
    test: 'After the 403, a principal that holds the permission sends the same command under the same key. So does the refused principal, after the hook `restore` has given its permission back. Each must be accepted.',
    violation: 'The key is used up, or a record exists although the response was 403.',
    fix: 'Check the permission before the key is stored and before anything is written.',
    applies: guardedCommand,
    judges: [
      about('permission').leavesKeyFree(refusedPermission),
      about('permission').noEffect(refusedPermission, underTheSameKey),
    ],
  },
  {
    code: 'PRM-7',
    level: 'derived',
    text: 'A refusal for lack of permission is 403 every time.',
    source: {
      where: 'Errors, rule 1',
      quote:
        'Clients treat authentication, permission, conflict, validation, throttling, and service failures as separate classes.',
    },
    test: 'The refused request is sent several times, with accepted requests of another principal in between.',
    violation: 'The status changes between requests: a decision is cached for the wrong caller.',
    fix: 'Key every cached decision by caller and operation.',
    applies: guarded,
    judges: {
      over: 'trace',
      needs: ['permission'],
      *rule(context, trace) {
        const all = answered(context, trace).filter(
          (one) => one.step.role === 'test' && refusedPermission(one.step) && !isThrottled(one.answer),
        );
        for (const same of new Set(all.map(asRefused))) {
          const tests = all.filter((one) => asRefused(one) === same);
          if (tests.length < 2) continue;
          const statuses = tests.map((one) => one.answer.status);
          const stable = new Set(statuses).size === 1;
          // A class that is stable but wrong is PRM-1's to judge.
          if (stable && statuses[0] !== 403) continue;
          const expected = '403 each time';
          const actual = statuses.join(', ');
          if (stable && !tests.some((one) => isControlled(context, trace, one)))
            yield inconclusive(tests, unattributed);
          else if (stable)
            yield holds(tests, { expected, actual, because: 'The class is the same each time.' });
          else
            yield violated(tests, {
              expected,
              actual,
              because: 'The same refused request returned different classes.',
              conclusive: tests.some((one) => isAccepted(one.answer)),
            });
        }
      },
    },
  },
  {
    code: 'PRM-8',
    level: 'derived',
    text: "A caller without the permission who sends another caller's key and body gets 403 and no data.",
    source: exact,
    test: 'A command is accepted; then a principal without the permission sends the same key and body.',
    violation: 'The stored result is replayed to a caller who may not have it.',
    fix: 'Check the permission before a stored result is looked up.',
    applies: guardedCommand,
    judges: [
      about('permission').refusal(
        (step) =>
          find(step, 'permission') !== undefined &&
          find(step, 'key-reuse') !== undefined &&
          faultsOf(step).length === 2,
      ),
      {
        over: 'trace',
        needs: ['permission'],
        *rule(context, trace) {
          const all = answered(context, trace);
          for (const one of all) {
            if (
              find(one.step, 'permission') === undefined ||
              find(one.step, 'key-reuse') === undefined ||
              isAccepted(one.answer)
            )
              continue;
            const others = all.flatMap((other) =>
              other.step.as !== one.step.as && isAccepted(other.answer)
                ? (idOf(other.operation, other.answer) ?? [])
                : [],
            );
            const leaked = others.find((id) => discloses(one.exchange, id));
            const expected = "no data of the other caller's result";
            const doubt = undecided(one) ?? (isControlled(context, trace, one) ? undefined : unattributed);
            if (leaked === undefined && doubt !== undefined) yield inconclusive([one], doubt);
            else if (leaked === undefined)
              yield holds([one], { expected, because: 'The refusal has no data of the other caller.' });
            else
              yield violated([one], {
                expected,
                because: `The refusal has ${leaked}, the ID of the other caller's result.`,
              });
          }
        },
      },
    ],
  },
  {
    code: 'PRM-9',
    level: 'derived',
    text: 'An unusual path, a method override or a role that the caller claims never turns a 403 into a success.',
    source: exact,
    test: 'The refused request is sent with a trailing slash, a double slash, other case, an encoded character, a parameter, with another method that is overridden, and with headers that claim a permission or a role.',
    violation:
      'Success: the guard and the router disagree about the path or the method, or a header of the client counts as one of a gateway.',
    fix: 'Guard by the matched operation, not by the text of the path; ignore override headers, and strip those that a gateway sets.',
    applies: guarded,
    judges: about('permission').eachAnswer((one, context, trace) => {
      const noisy = find(one.step, 'path-noise') ?? find(one.step, 'header-noise');
      if (noisy === undefined || find(one.step, 'permission') === undefined) return notApplicable;
      if (isAccepted(one.answer)) return refused(context, trace, one);
      if (isThrottled(one.answer)) return notApplicable;
      return isControlled(context, trace, one)
        ? holds([one], {
            expected: 'no success',
            because: 'The unusual request was refused too.',
          })
        : inconclusive([one], unattributed);
    }),
  },
  {
    code: 'PRM-10',
    level: 'derived',
    text: 'After the permission is withdrawn, a read and a retry under a used key return 403.',
    source: exact,
    test: 'A command or a read is accepted, the hook `revoke` withdraws the permission, and the same request is sent again.',
    violation: 'The stored result is replayed (unless declared at open point G10), or the record is shown.',
    fix: 'Check the current permission, not a cached one, before a stored result is looked up.',
    applies: guarded,
    judges: about('permission').refusal((step) => find(step, 'permission')?.how === 'withdrawn'),
  },
];
