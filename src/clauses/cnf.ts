import type { Clause } from '../model/clause.ts';
import type { Json } from '../model/json.ts';
import { noEffect } from './judging/effects.ts';
import { holds, jsonOf, notApplicable, only, violated } from './judging/reading.ts';
import { eachAnswer, refusal } from './judging/rules.ts';

const rule4 = {
  where: 'POST /cases, rule 4; Errors table, 409',
  quote: 'When the request conflicts with state, version, idempotency, or approval, the result is `409`.',
};

function hasText(value: Json): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return value !== null && Object.values(value).some(hasText);
}

export const conflictClauses: readonly Clause[] = [
  {
    code: 'CNF-1',
    level: 'stated',
    text: 'A conflict of state or approval returns 409 and has no effect.',
    source: rule4,
    explain: {
      test: 'The state that forbids the command is brought about first, as the contract document says; then the command is sent.',
      violation: 'Another class, or a success that does nothing.',
      fix: 'Check the state in the transaction of the command, and return 409.',
    },
    applies: (_, operation) => operation.conflict !== undefined,
    judges: [
      refusal((step) => only(step, 'conflict') !== undefined),
      noEffect((step) => only(step, 'conflict') !== undefined),
    ],
  },
  {
    code: 'CNF-2',
    level: 'derived',
    text: 'A 409 says which conflict it is.',
    source: {
      where: 'Errors table, 409',
      quote: 'Read the conflict and reconcile before sending another command',
    },
    explain: {
      test: 'The body of every 409 of the run must hold at least one text.',
      violation: 'An empty body: there is nothing to read.',
      fix: 'Name the conflict in the body.',
    },
    applies: (_, operation) => operation.kind === 'command',
    judges: [
      eachAnswer((one) => {
        if (one.answer.status !== 409) return notApplicable;
        const body = jsonOf(one.answer);
        const expected = 'a body that says which conflict it is';
        return (body === undefined ? one.answer.body.trim() !== '' : hasText(body))
          ? holds([one], { expected, because: 'The conflict is described.' })
          : violated([one], {
              expected,
              because: 'The client is to read the conflict, and there is nothing to read.',
            });
      }),
    ],
  },
];
