import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { showsIn } from '../../model/listed.ts';
import { type Answered, inconclusive, notTested, seen } from '../judging/reading.ts';

/** An empty list: where no probe fills it, the configuration, or the contract, has to say what does. */
export function nothingThere(context: Context, trace: Trace, one: Answered, because: string): Ruling {
  const { id, method, path } = one.operation;
  const isFilled = context.contract.operations.some(
    ({ effect, version }) => showsIn(effect, id) && (version === undefined || version.optional === true),
  );
  return isFilled || seen(context, trace).some(({ operation }) => operation.kind === 'command')
    ? inconclusive([one], because)
    : notTested(
        [one],
        `${method} ${path} shows nothing, and no probe fills it. Put records into it before the run, or let the contract declare, in x-governed.effect, a command without a version that creates them.`,
      );
}
