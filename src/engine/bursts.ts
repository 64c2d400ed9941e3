import type { Exchange, Trace } from '../model/exchange.ts';
import { isAccepted, isThrottled } from '../model/response.ts';
import { type Scenario, stepsOf } from '../model/scenario.ts';

/** How many requests of others must be accepted at once, and after how many refusals. */
const others = 3;
const refusals = 5;
/** For how many milliseconds a limit stays reached. */
const soon = 100;

/** A burst was refused again and again while several requests of another caller were all accepted. */
export function ownLimit({ waves }: Scenario, exchanges: readonly Exchange[]): boolean {
  const steps = new Map(stepsOf(waves).map((step) => [step.id, step]));
  const burst = new Set(waves.flatMap((wave) => ('repeat' in wave ? [wave.repeat.id] : [])));
  const sent = exchanges
    .filter((exchange) => burst.has(exchange.step))
    .sort((one, other) => one.startedAt - other.startedAt || one.ordinal - other.ordinal);
  const [first] = sent;
  const refused = sent.slice(-refusals);
  const bystanders = exchanges.filter(
    (exchange) =>
      exchange.principal !== first?.principal &&
      steps.get(exchange.step)?.role === 'readback' &&
      steps.get(exchange.step)?.deviations.some(({ kind }) => kind === 'pace') === true,
  );
  return (
    refused.length === refusals &&
    refused.every(({ answer }) => isThrottled(answer)) &&
    bystanders.length >= others &&
    bystanders.every(
      ({ answer, earlier, startedAt }) =>
        earlier.length === 0 && isAccepted(answer) && startedAt <= (refused.at(-1)?.endedAt ?? 0) + soon,
    )
  );
}

export function reachedLimit(trace: Trace): boolean {
  return trace.exchanges.some(({ answer }) => isThrottled(answer));
}

/** Throttled again after the guided wait: others may have reached a limit, so it is repeated on a quiet target. */
export function reviewed(trace: Trace): Trace {
  const controls = new Set(
    stepsOf(trace.scenario.waves).flatMap((step) => (step.role === 'control' ? [step.id] : [])),
  );
  const disturbed = trace.exchanges.some(({ answer, step }) => isThrottled(answer) && controls.has(step));
  if (!disturbed) return trace;
  const quiet = { ok: false, output: null, detail: 'other requests were sent meanwhile' };
  return { ...trace, hooks: { ...trace.hooks, quiet } };
}

/** Whether others may have used up the limit that it met. */
export function isDisturbed(trace: Trace): boolean {
  return trace.hooks['quiet'] !== undefined;
}
