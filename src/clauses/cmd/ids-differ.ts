import type { Context, Fold } from '../../model/clause.ts';
import { creates, idText, isCount, operationNamed } from '../../model/contract.ts';
import { valueAt } from '../../model/json.ts';
import { mayReturnOld } from '../../model/makes-records.ts';
import { scopeOf } from '../../model/principal.ts';
import { sentJson } from '../../model/response.ts';
import { namesResult } from '../../model/result-id.ts';
import { makeOwners } from '../judging/owners.ts';
import {
  type Answered,
  answered,
  headerValues,
  holds,
  idOf,
  inconclusive,
  isShared,
  notTested,
  violated,
} from '../judging/reading.ts';
import { isResult, noIdIn } from '../judging/results.ts';

/** Across the run, different commands return different IDs (CMD-5). */
export function idsDiffer(): Fold {
  const owners = makeOwners();
  return {
    *see(context, trace) {
      for (const one of answered(context, trace)) {
        if (!isResult(one) || !creates(one.operation) || one.step.key.use !== 'named') continue;
        const id = idOf(one.operation, one.answer);
        if (id === undefined) {
          yield notTested([one], noIdIn(one.operation));
          continue;
        }
        const key = headerValues(one.exchange.request.headers, 'idempotency-key').join();
        // Each scope may have a record of this number or name.
        const scope = isShared(id, one.exchange) ? scopeOf(context.principals, one.step.as) : undefined;
        const owner = owners.claim(`${one.operation.id} ${scope ?? ''} ${countedIn(context, one, id)}${id}`, {
          group: key,
          exchange: one.exchange.id,
        });
        const expected = 'a unique ID for every command';
        if (owner.shares)
          yield holds([one], { expected, actual: id, because: 'No other command returned this ID.' });
        // A command on a record that its body names, or under an ID of its choice, says nothing.
        else if (namesResult(one.operation, one.exchange.request, id)) continue;
        else if (mayReturnOld(context.contract, one.operation, one.answer.status))
          yield inconclusive(
            [one],
            `Two commands returned ${id}, and the contract does not say that each makes a record, as with a 201 or an effect.`,
          );
        else
          yield {
            ...violated([one], {
              expected,
              actual: `${id} for two commands`,
              because: 'Two commands with different keys returned the same ID.',
              conclusive: true,
            }),
            exchanges: [owner.exchange, one.exchange.id],
          };
      }
    },
  };
}

/** The record within which an ID is counted, such as line 1 of an order that the body names: no read asks for the ID alone. */
function countedIn({ contract }: Context, { exchange, operation }: Answered, id: string): string {
  const { effect, named = [] } = operation;
  const read = operationNamed(contract, effect?.read);
  if (named.length === 0 || !isCount(id) || read?.pathFields.length === 1) return '';
  const sent = sentJson(exchange.request);
  return named.map(({ at }) => `${idText(valueAt(sent, at))} `).join('');
}
