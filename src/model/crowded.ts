import { type Contract, creates, type Operation, type OperationId, operationNamed } from './contract.ts';
import { headerOf, type Trace, type TraceId } from './exchange.ts';
import { isObject, parseJson, pointerOf } from './json.ts';
import { shownMarkers } from './marker.ts';
import { stepsOf } from './scenario.ts';
import { schemasAt } from './schema-places.ts';

const conflict = 409;

/**
 * Commands that are refused with 409 now and then although nothing in their traces conflicts: a limit on open records, a
 * balance that is used up. Then a 409 may have nothing to do with what a test sent.
 */
export function makeCrowded(contract: Contract): {
  readonly note: (trace: Trace) => void;
  readonly isCrowded: (operation: OperationId) => boolean;
} {
  const refusedIn = new Map<OperationId, Set<TraceId>>();
  return {
    note: (trace) => {
      for (const id of unexplainedIn(contract, trace))
        refusedIn.set(id, (refusedIn.get(id) ?? new Set()).add(trace.repeats ?? trace.id));
    },
    isCrowded: (operation) => (refusedIn.get(operation)?.size ?? 0) > 1,
  };
}

/** Of plain valid commands that make a record, those whose new text under a new key was refused with 409. */
function unexplainedIn(contract: Contract, { exchanges, scenario, suite }: Trace): readonly OperationId[] {
  if (!exchanges.some(({ answer }) => answer?.status === conflict)) return [];
  const plain = new Set(
    stepsOf(scenario.waves).flatMap(({ deviations, id, role }) =>
      deviations.length === 0 && (role === 'setup' || role === 'control') ? [id] : [],
    ),
  );
  const keyOf = ({ request }: (typeof exchanges)[number]): string | undefined =>
    headerOf(request.headers, 'idempotency-key');
  return exchanges.flatMap((one) => {
    const { answer, operation, request, step } = one;
    const sent = operationNamed(contract, operation);
    if (answer?.status !== conflict || !plain.has(step) || sent === undefined || !creates(sent)) return [];
    // Preflight looks for what the record must be like that the body names: until then its state explains a conflict.
    if (suite === 'preflight' && sent.named !== undefined) return [];
    const marker = shownMarkers(request.body ?? '')[0];
    // It also looks for a body with new values in it: until then one that may exist only once explains a conflict.
    if (suite === 'preflight' && marker !== undefined && hasOtherTexts(sent, request.body ?? '', marker))
      return [];
    const others = exchanges.filter((other) => other !== one);
    // What was sent before under its key, and throttled or lost, may have used the key up.
    const isNew =
      one.earlier.length === 0 &&
      marker !== undefined &&
      !others.some((other) => keyOf(other) === keyOf(one) || other.request.body?.includes(marker) === true);
    return isNew ? [operation] : [];
  });
}

/** Whether a body has a text that is the same in each request, and that its schema does not choose. */
function hasOtherTexts({ body }: Operation, sent: string, marker: string): boolean {
  const value = parseJson(sent);
  return (
    isObject(value) &&
    Object.entries(value).some(
      ([name, text]) =>
        typeof text === 'string' &&
        !text.includes(marker) &&
        schemasAt(body?.schema, pointerOf([name])).every(
          (one) => one['enum'] === undefined && one['const'] === undefined,
        ),
    )
  );
}

/** The commands on whose conflicts a ruling rests. Who may not send a command learns nothing of its state. */
export function conflictsIn({ exchanges, scenario }: Trace, on: readonly string[]): readonly OperationId[] {
  const conflicts = exchanges.filter(({ answer, id }) => answer?.status === conflict && on.includes(id));
  if (conflicts.length === 0) return [];
  const kept = new Set(
    stepsOf(scenario.waves).flatMap(({ deviations, id }) =>
      deviations.some(({ kind }) => kind === 'credential' || kind === 'permission') ? [id] : [],
    ),
  );
  return conflicts.flatMap(({ operation, step }) => (kept.has(step) ? [] : [operation]));
}
