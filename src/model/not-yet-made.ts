import type { Exchange, ExchangeId, Trace } from './exchange.ts';
import { isAccepted, isQueued } from './response.ts';
import { type Step, type StepId, stepsOf } from './scenario.ts';

/** Statuses by which a service refuses a request about a record that is not there. */
const absences: ReadonlySet<number> = new Set([400, 404, 409, 410, 412, 422]);

/**
 * Why such a refusal shows nothing: its record was only queued (202) before it, and no response showed the record by then. What
 * comes later may be accepted although nothing else is different.
 */
export function notYetMade(trace: Trace, inQuestion: readonly ExchangeId[]): string | undefined {
  const queued = new Map(
    trace.exchanges.filter(({ answer }) => isQueued(answer)).map((one) => [one.step, one] as const),
  );
  if (queued.size === 0) return undefined;
  const steps = new Map(stepsOf(trace.scenario.waves).map((step) => [step.id, step] as const));
  const makersOf = ({ step }: Exchange): readonly StepId[] =>
    recordsOf(steps.get(step)).filter((maker) => queued.has(maker));
  for (const one of trace.exchanges) {
    if (!inQuestion.includes(one.id) || !absences.has(one.answer?.status ?? 0)) continue;
    const unseen = makersOf(one).find(
      (maker) =>
        !trace.exchanges.some(
          (other) =>
            isAccepted(other.answer) && other.endedAt <= one.startedAt && makersOf(other).includes(maker),
        ),
    );
    if (unseen !== undefined)
      return `${queued.get(unseen)?.operation} was queued (202), so its record may not have been there yet.`;
  }
  return undefined;
}

/** The steps that made the records which a step names. */
function recordsOf(step: Step | undefined): readonly StepId[] {
  return Object.values(step?.target ?? {}).flatMap((ref) =>
    'step' in ref && !('unlike' in ref && ref.unlike === true) ? [ref.step] : [],
  );
}
