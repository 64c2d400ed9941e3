import type { Trace } from '../model/exchange.ts';
import { isFailed, isThrottled } from '../model/response.ts';
import { isMadeToFail, type Step, type StepId, stepsOf } from '../model/scenario.ts';

/** Whether the limit, a 5xx or lost response that nobody caused, or an occupied key hid what was to be shown. */
export function isSpoiled({
  trace,
  violations,
}: {
  readonly trace: Pick<Trace, 'exchanges' | 'scenario'>;
  readonly violations: readonly unknown[];
}): boolean {
  if (violations.length > 0) return false;
  const { waves } = trace.scenario;
  const together = new Set(
    waves.flatMap((wave) =>
      'steps' in wave && wave.steps.length > 1
        ? wave.steps.flatMap((step) => (step.role === 'setup' || paces(step) ? [] : [step.id]))
        : [],
    ),
  );
  const steps = stepsOf(waves);
  const alike = new Set(
    steps.flatMap(({ id, key, role }) => (key.use === 'near' && role === 'test' ? [id] : [])),
  );
  const caused = steps.some(
    (step) =>
      paces(step) || isMadeToFail(step) || step.deviations.some(({ kind }) => kind === 'lost-response'),
  );
  return (
    trace.exchanges.some(({ answer, step }) => together.has(step) && isThrottled(answer)) ||
    (!caused && failedSteps(trace).length > 0) ||
    trace.exchanges.some(
      ({ answer, earlier, step }) => answer?.status === 409 && earlier.length > 0 && alike.has(step),
    )
  );
}

/** Which steps failed, and how many were throttled: by a limit on requests in flight it is not always the same ones. */
export function hindrances(trace: Pick<Trace, 'exchanges' | 'scenario'>): string {
  const throttled = trace.exchanges.filter(({ answer }) => isThrottled(answer)).length;
  return [...failedSteps(trace), ...(throttled === 0 ? [] : [`${throttled} throttled`])].join();
}

/** Steps without a response, or with a 5xx. A page behind the last one, which no response leads to, is none of them. */
function failedSteps({ exchanges, scenario }: Pick<Trace, 'exchanges' | 'scenario'>): readonly StepId[] {
  const following = new Set(stepsOf(scenario.waves).flatMap((step) => (followsPage(step) ? [step.id] : [])));
  return exchanges.flatMap(({ answer, noAnswer, step }) =>
    (answer === undefined && !(noAnswer?.reason === 'harness' && following.has(step))) || isFailed(answer)
      ? [step]
      : [],
  );
}

/** Whether a query field comes from the page before. */
function followsPage({ query = [] }: Step): boolean {
  return query.some(
    ([, value]) =>
      typeof value !== 'string' &&
      ('cursor' in value || 'nextPage' in value || 'followed' in value || 'behind' in value),
  );
}

function paces({ deviations }: Step): boolean {
  return deviations.some(({ kind }) => kind === 'pace');
}
