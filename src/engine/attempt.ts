import type { Trace } from '../model/exchange.ts';
import { isAccepted } from '../model/response.ts';
import type { Step, Wave } from '../model/scenario.ts';
import { binderOf, bindingsOf } from './bind.ts';
import { runBurst } from './burst.ts';
import { resolvedInput } from './resolve.ts';
import { runStep, runTogether, type State } from './send.ts';
import type { AttemptOf, Stage } from './stage.ts';
import { waitOf } from './waits.ts';

/** Sends a scenario once, with names bound freshly, and returns what was seen. */
export async function attempt(stage: Stage, of: AttemptOf): Promise<Trace> {
  const binder = binderOf(stage.nonce, of);
  const first = bindingsOf(of.scenario, binder);
  const state: State = {
    stage,
    of,
    keys: { ...first.keys },
    markers: { ...first.markers },
    exchanges: [],
    hooks: {},
    ended: 'complete',
    binder,
  };
  await runWaves(state, of.scenario.waves);
  return {
    ...of,
    scenario: stage.redaction.value(of.scenario),
    bound: { keys: state.keys, markers: state.markers },
    exchanges: state.exchanges,
    hooks: stage.redaction.value(state.hooks),
    effects: undefined,
    ended: state.ended,
  };
}

async function runWaves(state: State, waves: readonly Wave[]): Promise<void> {
  for (const wave of waves) {
    if (state.ended !== 'complete') return;
    if (state.stage.signal.aborted) {
      state.ended = 'interrupted';
      return;
    }
    await runWave(state, wave);
  }
}

async function runWave(state: State, wave: Wave): Promise<void> {
  const { stage } = state;
  if ('steps' in wave)
    await (wave.steps.length === 1 ? runStep(state, wave.steps[0]) : runTogether(state, wave.steps));
  else if ('wait' in wave) await stage.clock.sleep(waitOf(wave.wait, state.exchanges, stage), stage.signal);
  else if ('repeat' in wave) await runBurst(state, wave);
  else if ('poll' in wave) await runPoll(state, wave);
  else if ('hook' in wave)
    state.hooks[wave.as] = await stage.hook(wave.hook, resolvedInput(state, state.keys, wave.input));
  else {
    const last = state.exchanges.findLast((exchange) => exchange.step === wave.when.step);
    const accepted = isAccepted(last?.answer);
    if (last !== undefined && (wave.when.was === 'accepted') === accepted) await runWaves(state, wave.waves);
  }
}

async function runPoll(state: State, wave: Extract<Wave, { readonly poll: Step }>): Promise<void> {
  const pause = Math.max(50, state.stage.settleMs / Math.max(1, wave.max));
  for (let ordinal = 0; ordinal < wave.max; ordinal += 1) {
    const exchange = await runStep(state, wave.poll, ordinal);
    if (exchange === undefined || isAccepted(exchange.answer) === (wave.until === 'found')) return;
    await state.stage.clock.sleep(pause, state.stage.signal);
  }
}
