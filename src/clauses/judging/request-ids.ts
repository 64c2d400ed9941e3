import type { Context, Fold } from '../../model/clause.ts';
import { makeOwners } from './owners.ts';
import { find, headerValues, holds, type Seen, seen, violated } from './reading.ts';

/** Refusals that come before the key is looked at: none of them replays a response of another class. */
const beforeTheKey = new Set([401, 403, 429]);

export function idsOf(one: Seen): readonly string[] {
  const { requestIds } = one.exchange;
  return requestIds.some((value) => value.trim() === '')
    ? requestIds.filter((value) => value.trim() !== '')
    : requestIds;
}

/** Ids that a gateway folded into one line are taken apart; a comma alone may be part of an ID. */
export function unfolded(ids: readonly string[]): readonly string[] {
  return ids.some((value) => value.includes(','))
    ? ids.flatMap((value) => value.split(/,\s*(?=req_)/i))
    : ids;
}

/** Such a response may have the ID that the client sent, which is RID-7's to judge. */
export function clientSentId(one: Seen): boolean {
  return find(one.step, 'header-noise')?.header.toLowerCase() === 'x-request-id';
}

type Attempt = { readonly status: number; readonly ids: readonly string[] };

/** Every try of a request, those that were sent again included; a response that was cut may have shown its ID. */
function attemptsOf(one: Seen): readonly Attempt[] {
  const last = { status: one.exchange.answer?.status ?? 0, ids: idsOf(one) };
  if (one.exchange.earlier.length === 0) return [last];
  const earlier = one.exchange.earlier.flatMap(({ answer }) =>
    answer === undefined
      ? []
      : [{ status: answer.status, ids: headerValues(answer.headers, 'x-request-id') }],
  );
  return [...earlier, last];
}

/** A replay may have the ID of its attempt (G3): attempts under one key, but for refusals before the key is looked at. */
function replayGroup(context: Context, one: Seen, { status }: Attempt, index: number): string {
  const keys = headerValues(one.exchange.request.headers, 'idempotency-key');
  if (keys.length === 0 || context.declared.G3 === 'new') return `${one.exchange.id} ${index}`;
  return `${beforeTheKey.has(status) ? status : 'replay'} ${keys.join()}`;
}

/** No two responses of a run share an ID, unless one replays the other. */
export function uniqueOverRun(): Fold {
  const owners = makeOwners();
  return {
    *see(context, trace) {
      for (const one of seen(context, trace)) {
        if (clientSentId(one)) continue;
        for (const [index, attempt] of attemptsOf(one).entries())
          for (const id of attempt.ids.length < 2 ? attempt.ids : new Set(attempt.ids)) {
            const mine = { group: replayGroup(context, one, attempt, index), exchange: one.exchange.id };
            const owner = owners.claim(id, mine);
            if (owner.shares)
              yield holds([one], {
                expected: 'a unique request ID',
                actual: id,
                because: 'No other response has it.',
              });
            else
              yield {
                ...violated([one], {
                  expected: 'a unique request ID for every attempt',
                  actual: `${id} in two responses`,
                  because: 'Two responses have the same request ID, and neither replays the other.',
                  conclusive: true,
                }),
                exchanges: [owner.exchange, one.exchange.id],
              };
          }
      }
    },
  };
}
