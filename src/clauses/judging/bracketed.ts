import type { Context, Fold } from '../../model/clause.ts';
import type { OperationId } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import type { PrincipalName } from '../../model/principal.ts';
import type { Step } from '../../model/scenario.ts';
import { allowed } from '../../oracle/allowed.ts';
import { type Answered, answered, controlOf, isAccepted, violated } from './reading.ts';

/** So many milliseconds before and after a 401 its token was accepted. */
const near = 60_000;

type Refused = { readonly one: Answered; readonly within: Trace };

/** A 401 for a token that is accepted shortly before and after. Two of them, since looking up a token may fail once. */
export function bracketed(matches: (step: Step) => boolean): Fold {
  const served = new Map<PrincipalName, { readonly from: number; readonly to: number }[]>();
  const refused = new Map<string, Refused[]>();
  const said = new Set<OperationId>();
  const isBracketed = ({ one: { exchange, step } }: Refused): boolean => {
    const times = served.get(step.as) ?? [];
    return (
      times.some(({ to }) => to <= exchange.startedAt && exchange.startedAt - to < near) &&
      times.some(({ from }) => from >= exchange.endedAt && from - exchange.endedAt < near)
    );
  };
  return {
    *see(context: Context, trace: Trace) {
      for (const one of answered(context, trace)) {
        const { answer, exchange, operation, step } = one;
        if (context.proven.has(step.as) || step.token !== undefined || step.bearer !== undefined) continue;
        if (isAccepted(answer) && operation.permissions !== undefined) {
          const times = served.get(step.as) ?? [];
          served.set(step.as, times);
          times.push({ from: exchange.startedAt, to: exchange.endedAt });
        } else if (answer.status === 401 && step.role === 'test' && matches(step)) {
          if (controlOf(context, trace, step.id) !== 'accepted') continue;
          const key = `${operation.id} ${step.as}`;
          refused.set(key, [...(refused.get(key) ?? []), { one, within: trace }]);
        }
      }
      for (const all of refused.values()) {
        const [first, second] = all.filter(isBracketed);
        if (first === undefined || second === undefined || said.has(first.one.operation.id)) continue;
        said.add(first.one.operation.id);
        yield violated([first.one], {
          expected: allowed(context, first.one.step).words,
          because: `The request got 401 twice, though the token of '${first.one.step.as}' was accepted elsewhere shortly before and after.`,
          conclusive: true,
          within: first.within,
        });
      }
    },
  };
}
