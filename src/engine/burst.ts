import { isDeclared, operationOf } from '../model/contract.ts';
import type { Bindings } from '../model/exchange.ts';
import { isFailed, isThrottled } from '../model/response.ts';
import { bodyNameOf, type Step, type Wave } from '../model/scenario.ts';
import { markerOf } from './bind.ts';
import { type AttemptState, runStep } from './send.ts';

/** A target that takes so many milliseconds for a response meets its limit only with more requests in flight. */
const slowMs = 50;
/** How many requests a burst has in flight at most. */
export const widest = 96;

/** A response that takes so much longer than the fastest one shows that more requests in flight only wait for each other. */
const flat = 1.5;

/**
 * Sends a step as fast as `width` connections allow, each time with names of its own. A target known to be slow gets more from the
 * start. While a slow target refuses nothing and gets no slower, each response adds a connection.
 */
export async function runBurst(
  state: AttemptState,
  wave: Extract<Wave, { readonly repeat: Step }>,
): Promise<void> {
  const { stage } = state;
  const operation = operationOf(stage.contract, wave.repeat.operation);
  const start = stage.clock.monotonic();
  let next = 0;
  let refusals = 0;
  let firstRefused: number | undefined;
  const others = [...(wave.during === undefined ? [] : [wave.during]), ...(wave.alongside ?? [])];
  const more = (): boolean =>
    next < wave.max &&
    refusals <= wave.after &&
    stage.clock.monotonic() - start < wave.maxSeconds * 1000 &&
    !stage.signal.aborted &&
    !stage.spending.over();
  let width = firstWidth(wave.width, stage.usualMs?.());
  const begun = width;
  let fastest = Number.POSITIVE_INFINITY;
  const lane = async (): Promise<void> => {
    const added: Promise<void>[] = [];
    while (more()) {
      next += 1;
      const ordinal = next;
      const names = burstNames(state, wave.repeat, ordinal);
      const exchange = await runStep(state, wave.repeat, ordinal, names);
      if (exchange?.answer === undefined) continue;
      const { answer } = exchange;
      const served = isDeclared(operation, answer.status);
      if (served || (wave.until === 'throttled' && !isThrottled(answer) && !isFailed(answer))) {
        const took = exchange.endedAt - (exchange.sentAt ?? exchange.startedAt);
        fastest = Math.min(fastest, took);
        if (refusals > 0 || width >= widest || took < slowMs || took > fastest * flat) continue;
        width += 1;
        added.push(lane());
      } else {
        refusals += 1;
        if (firstRefused === undefined || isThrottled(answer)) firstRefused ??= ordinal;
        await Promise.all(others.splice(0).map((step) => runStep(state, step)));
      }
    }
    await Promise.all(added);
  };
  await Promise.all(Array.from({ length: begun }, lane));
  // Later steps refer to the first refused request by the plain name.
  const throttled =
    state.exchanges.find((exchange) => exchange.step === wave.repeat.id && isThrottled(exchange.answer))
      ?.ordinal ??
    firstRefused ??
    next;
  for (const [own, from] of [
    [state.keys, keyOf(wave.repeat)],
    [state.markers, bodyNameOf(wave.repeat.body)],
  ] as const) {
    const value = from === undefined ? undefined : own[`${from}#${throttled}`];
    if (from !== undefined && value !== undefined) own[from] = value;
  }
  if (stage.spending.over()) state.ended = 'budget';
}

/** As many connections as send to a slow target what the usual ones send to one that takes `slowMs`. */
function firstWidth(usual: number, latencyMs = 0): number {
  return Math.max(usual, Math.min(widest, Math.round((usual * latencyMs) / slowMs)));
}

function keyOf(step: Step): string | undefined {
  return step.key.use === 'named' ? step.key.name : undefined;
}

/** The names of the n-th request of a burst: `key#n` and `body#n` replace the plain names. */
function burstNames(state: AttemptState, step: Step, ordinal: number): Bindings {
  const key = keyOf(step);
  const body = bodyNameOf(step.body);
  const keys = { ...state.keys };
  const markers = { ...state.markers };
  if (key !== undefined) {
    const value = state.binder(`key ${key}#${ordinal}`).key;
    state.keys[`${key}#${ordinal}`] = value;
    keys[key] = value;
  }
  if (body !== undefined) {
    const value = markerOf(state.of.scenario, state.binder, `${body}#${ordinal}`);
    state.stage.own?.add(value, `${state.of.id} ${body}#${ordinal}`);
    state.markers[`${body}#${ordinal}`] = value;
    markers[body] = value;
  }
  return { keys, markers };
}
