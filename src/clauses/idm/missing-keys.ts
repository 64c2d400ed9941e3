import type { WrittenClause } from '../../model/clause.ts';
import type { Step } from '../../model/scenario.ts';
import { about } from '../judging/about.ts';
import {
  answered,
  faultsOf,
  holds,
  inconclusive,
  isAccepted,
  isControlled,
  isDecided,
  isFailed,
  isThrottled,
  notApplicable,
  only,
  unattributed,
  violated,
} from '../judging/reading.ts';
import { byResponses, commands, reads } from '../judging/rules.ts';
import { rule1 } from './sources.ts';

const absent = (step: Step): boolean => only(step, 'key')?.how === 'absent';
const blank = (step: Step): boolean => only(step, 'key')?.how === 'blank';

export const missingKeyClauses: readonly WrittenClause[] = [
  {
    code: 'IDM-1',
    level: 'stated',
    text: 'A command without Idempotency-Key is refused, without effect.',
    source: rule1,
    test: 'A valid command is sent without the header, then with it.',
    violation: 'It is accepted, or it is refused but leaves a record behind.',
    fix: 'Require a key on every command before anything is done.',
    applies: commands,
    judges: [
      byResponses(
        about('key').eachAnswer((one, context, trace) => {
          if (!absent(one.step) || !isDecided(one.answer)) return notApplicable;
          const expected = 'a refusal';
          if (isAccepted(one.answer))
            return violated([one], {
              expected,
              because: 'A command without a key was accepted: it cannot be deduplicated.',
              conclusive: true,
            });
          return isControlled(context, trace, one)
            ? holds([one], { expected, because: 'The command was refused.' })
            : inconclusive([one], unattributed);
        }),
      ),
      about('key').noEffect(absent),
    ],
  },
  {
    code: 'IDM-2',
    level: 'derived',
    text: 'A missing key returns 422.',
    source: {
      where: 'POST /cases, rule 1; Errors table, 422',
      quote: 'Request does not match the published schema',
    },
    test: 'The status is compared with 422, or with the one declared at open point G2. Without a declaration, 400 and 409 are tolerated with a note.',
    violation: 'Another class, or 5xx.',
    fix: 'Return 422, as for any request that does not match the published schema.',
    applies: commands,
    judges: about('key').refusal(absent),
  },
  {
    code: 'IDM-3',
    level: 'derived',
    text: 'An empty or blank key is a missing key.',
    source: rule1,
    test: 'The header is sent empty, and with spaces.',
    violation: 'The command is accepted, so all clients that send an empty key share one key.',
    fix: 'Trim the value and treat an empty one as missing.',
    applies: commands,
    judges: [byResponses(about('key').refusal(blank)), about('key').noEffect(blank)],
  },
  {
    code: 'IDM-21',
    level: 'derived',
    text: 'Reads do not require a key.',
    source: { where: 'General shape rules', quote: 'Requires a unique `Idempotency-Key`' },
    test: 'Each read is sent without a key, and with one.',
    violation: 'It is refused without a key, but served with one.',
    fix: 'Require a key on commands only.',
    applies: reads,
    judges: {
      over: 'trace',
      *rule(context, trace) {
        const all = answered(context, trace).filter((one) => faultsOf(one.step).length === 0);
        for (const one of all) {
          if (one.step.key.use !== 'none' || isThrottled(one.answer)) continue;
          const keyed = all.find(
            (other) =>
              other.step.controls === one.step.id &&
              other.step.key.use !== 'none' &&
              isAccepted(other.answer),
          );
          const expected = '2xx without a key';
          if (isAccepted(one.answer))
            yield holds([one], { expected, because: 'The read is served without a key.' });
          // A record that a read does not show yet is refused as an absent one is (G9, G15).
          else if (keyed !== undefined && ![403, 404].includes(one.answer.status) && !isFailed(one.answer))
            yield violated([one, keyed], {
              expected,
              because: 'The read is refused without a key, but served with one.',
            });
        }
      },
    },
  },
];
