import type { Answered, Context, Inconclusive } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { sentJson } from '../../model/response.ts';
import { answered, inconclusive, isAccepted, notApplicable } from './reading.ts';

/** A service may have a reason for it that no schema can state: so it is noted, and not accused. */
export function refusedInVain(context: Context, trace: Trace, one: Answered): Inconclusive | undefined {
  const reason = reasons.get(one.answer.status);
  return reason !== undefined && isRefusedInVain(context, trace, one)
    ? inconclusive([one], reason, reason)
    : notApplicable;
}

const reasons: ReadonlyMap<number, string> = new Map([
  [
    422,
    'A body that matches the published schema was refused with 422, and the same command was accepted with another body. 422 is for bodies that do not match.',
  ],
  [
    500,
    'The service failed with 500 on a body that matches the published schema, and the same command was accepted with another body.',
  ],
]);

/** A valid body without success, where the command with another body shows that nothing else was wrong. */
function isRefusedInVain(context: Context, trace: Trace, one: Answered): boolean {
  const { exchange, operation, step } = one;
  const sent = sentJson(exchange.request);
  return (
    operation.kind === 'command' &&
    step.role !== 'setup' &&
    step.deviations.every(({ kind }) => kind === 'text-noise') &&
    operation.body !== undefined &&
    sent !== undefined &&
    context.schemaErrors(operation.body.schema, sent).length === 0 &&
    answered(context, trace).some(
      (other) =>
        other.step.controls === step.id &&
        isAccepted(other.answer) &&
        other.exchange.request.body !== exchange.request.body,
    )
  );
}
