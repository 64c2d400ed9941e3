import type { Exchange } from '../model/exchange.ts';
import { sentMeaning } from '../model/response.ts';
import type { Step, StepId } from '../model/scenario.ts';
import type { WireRequest } from '../model/wire.ts';

/**
 * The step that used the key of this one first, where this one is to be another request and is not: the only member in which
 * the bodies differ may have the ID that is put into both.
 */
export function sameRequestBefore(
  exchanges: readonly Pick<Exchange, 'request' | 'step'>[],
  step: Pick<Step, 'body' | 'deviations'>,
  { body, method, path }: Pick<WireRequest, 'body' | 'method' | 'path'>,
): StepId | undefined {
  const reuse = step.deviations.find(
    (one) => one.kind === 'key-reuse' && one.difference === 'request' && step.body.use !== 'none',
  );
  if (reuse?.kind !== 'key-reuse') return undefined;
  const first = exchanges.findLast((one) => one.step === reuse.of)?.request;
  if (first?.method !== method || first.path !== path) return undefined;
  const own = body === undefined ? undefined : Buffer.from(body).toString();
  return sentMeaning({ body: own }) === sentMeaning(first) ? reuse.of : undefined;
}
