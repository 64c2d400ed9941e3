import { operationOf } from '../model/contract.ts';
import type { Exchange, Trace } from '../model/exchange.ts';
import { canonicalJson } from '../model/json.ts';
import { isAccepted, isFailed, isQueued, jsonOf } from '../model/response.ts';
import { type Step, type StepId, stepsOf, type Wave } from '../model/scenario.ts';
import { itemsIn } from '../oracle/paging.ts';
import { acceptedSince } from './accepted-commands.ts';
import { binderOf, bindingsOf, chosenIds } from './bind.ts';
import { runBurst } from './burst.ts';
import { ownLimit } from './bursts.ts';
import type { Rest } from './lanes.ts';
import { lastWriteBefore, noteWrites, type Settling } from './last-writes.ts';
import { withMarks } from './marks.ts';
import { isUnsent } from './out-of-reach.ts';
import { resolvedInput } from './resolve.ts';
import { type AttemptState, runStep, runTogether } from './send.ts';
import { settle } from './settling.ts';
import type { AttemptOf, Stage } from './stage.ts';
import { staleIn } from './used-versions.ts';
import { aheadAt, isServed, pollPause, waitOf } from './waits.ts';

type Condition = Extract<Wave, { readonly when: unknown }>['when'];

/** Sending stops within two seconds. */
const graceMs = 1500;

/** Sends a scenario once, with new values for its names, and returns its trace. It waits within `rest`. */
export async function attempt(stage: Stage, of: AttemptOf, rest: Rest = (work) => work()): Promise<Trace> {
  const binder = binderOf(stage.nonce, of, stage.mark);
  const scenario = withMarks(of.scenario, stage);
  const first = bindingsOf(scenario, binder);
  for (const [name, marker] of Object.entries(first.markers)) stage.own?.add(marker, `${of.id} ${name}`);
  const state: AttemptState = {
    stage,
    of: { ...of, scenario },
    keys: { ...first.keys },
    markers: { ...first.markers },
    chosen: chosenIds(scenario, stage.contract, binder, stage.takenIds),
    exchanges: [],
    hooks: {},
    ended: 'complete',
    binder,
    rest,
    ahead: 0,
    // A sweep is what many traces wait for.
    since: of.suite === 'sweep' ? 0 : stage.clock.monotonic(),
    number: numberOf(of),
  };
  await runWaves(state, scenario.waves);
  rest.release?.();
  if (stage.lastWrites !== undefined)
    noteWrites(stage.lastWrites, stage.contract, { ...state, scenario }, settlingNow(stage));
  return {
    ...of,
    scenario: stage.redaction.value(scenario),
    bound: {
      keys: state.keys,
      markers: state.markers,
      ...(Object.keys(state.chosen).length === 0 ? {} : { chosen: state.chosen }),
    },
    exchanges: state.exchanges,
    hooks: stage.redaction.value(state.hooks),
    effects: undefined,
    ended: state.ended,
  };
}

/** Traces are numbered as they begin. */
function numberOf({ id }: AttemptOf): number {
  return Number(/\d+$/.exec(id)?.[0] ?? 0);
}

async function runWaves(state: AttemptState, waves: readonly Wave[]): Promise<void> {
  for (const [index, wave] of waves.entries()) {
    if (state.ended === 'complete' && state.stage.signal.aborted) state.ended = 'interrupted';
    if (state.ended !== 'complete') return giveBack(state, waves, index);
    state.ahead = aheadAt(waves, index, state.stage);
    await state.rest.pass?.();
    await runWave(state, wave, waves[index + 1]);
  }
}

/** A withdrawn permission is restored even if the run has ended. */
async function giveBack(state: AttemptState, waves: readonly Wave[], from: number): Promise<void> {
  const { clock, hook } = state.stage;
  const withdrawn = waves.slice(0, from).some((wave) => 'hook' in wave && wave.hook === 'revoke');
  for (const wave of withdrawn ? waves.slice(from) : [])
    if ('hook' in wave && wave.hook === 'restore')
      await Promise.race([
        hook(wave.hook, resolvedInput(state, state.keys, wave.input)),
        clock.sleep(graceMs),
      ]);
}

async function runWave(state: AttemptState, wave: Wave, next: Wave | undefined): Promise<void> {
  const { stage } = state;
  if ('steps' in wave) {
    if (isNeeded(state, wave))
      await (wave.steps.length === 1 ? runStep(state, wave.steps[0]) : runTogether(state, wave.steps));
  } else if ('wait' in wave && wave.wait === 'settle')
    await settle(state, next, {
      left: () => waitOf(wave, { ...state, writtenAt: writtenAt(state) }, stage),
      pause: (milliseconds) => pause(state, milliseconds),
    });
  else if ('wait' in wave) {
    await pause(state, await waitBefore(state, wave));
    if (typeof wave.wait === 'number') state.since = stage.clock.monotonic();
  } else if ('repeat' in wave) {
    await runBurst(state, wave);
    if (ownLimit(state.of.scenario, state.exchanges)) state.rest.narrow?.();
  } else if ('poll' in wave) await runPoll(state, wave);
  else if ('hook' in wave) {
    await state.rest.reserve?.();
    state.hooks[wave.as] = await state.rest(() =>
      stage.hook(wave.hook, resolvedInput(state, state.keys, wave.input), stage.signal),
    );
    state.hookedAt = stage.clock.monotonic();
  } else if (isMet(state, wave.when)) await runWaves(state, wave.waves);
}

/** Whether too few commands like those of the wave were accepted so far. */
function isNeeded(
  { exchanges, stage: { acceptedCommands } }: AttemptState,
  { steps: [step], unless }: Extract<Wave, { readonly steps: unknown }>,
): boolean {
  const since = exchanges.findLast((exchange) => exchange.step === unless?.since)?.endedAt;
  if (step === undefined || unless === undefined || acceptedCommands === undefined || since === undefined)
    return true;
  return acceptedSince(acceptedCommands, step, since) < unless.accepted;
}

function isMet(state: AttemptState, { step, was }: Condition): boolean {
  const { exchanges, of, stage } = state;
  const last = exchanges.findLast((exchange) => exchange.step === step);
  if (was === 'unlimited') return last === undefined || isServed(stage.contract, last);
  // What an earlier response does not name cannot be sent another time either, however long is waited.
  if (last === undefined || (was === 'refused' && last.noAnswer !== undefined && isUnsent(last.noAnswer)))
    return false;
  if (was === 'emptied') return isEmptied(state, step);
  if (was === 'contradicted') return isContradicted(state, step);
  if (was === 'failed') return isFailed(last.answer);
  const paced = stepsOf(of.scenario.waves).some(
    ({ deviations, id }) => id === step && deviations.some(({ kind }) => kind === 'pace'),
  );
  const accepted = paced ? isServed(stage.contract, last) : isAccepted(last.answer);
  return (was === 'accepted') === accepted;
}

async function waitBefore(
  state: AttemptState,
  wave: Extract<Wave, { readonly wait: unknown }>,
): Promise<number> {
  const { clock, settleMs } = state.stage;
  const quiet = wave.wait === 'quiet' ? await state.rest.quieten?.(clock.monotonic) : undefined;
  return quiet === undefined
    ? waitOf(wave, { ...state, writtenAt: writtenAt(state) }, state.stage)
    : quiet.since + settleMs - clock.monotonic();
}

function settlingNow({ clock, settleMs }: Stage): Settling {
  return { now: clock.monotonic(), settleMs };
}

function writtenAt({ of, stage }: AttemptState): number | undefined {
  const { contract, lastWrites } = stage;
  return lastWrites && lastWriteBefore(lastWrites, contract, of.scenario);
}

/** Whether a read showed no item after one that showed some. */
function isEmptied({ exchanges, stage }: AttemptState, step: StepId): boolean {
  let filled = false;
  for (const { answer, operation, step: own } of exchanges) {
    if (own !== step || answer === undefined || !isAccepted(answer)) continue;
    const items = itemsIn(operationOf(stage.contract, operation), jsonOf(answer));
    if (items === undefined) continue;
    if (filled && items.length === 0) return true;
    filled ||= items.length > 0;
  }
  return false;
}

/** Whether the parts of a list that were read between its last two large pages show other items than these. */
function isContradicted({ exchanges, of, stage }: AttemptState, step: StepId): boolean {
  const observed = new Map(stepsOf(of.scenario.waves).map(({ id, observes }) => [id, observes]));
  const at = exchanges.findLastIndex((exchange) => exchange.step === step);
  const before = exchanges.slice(0, Math.max(0, at));
  const large = before.findLastIndex((exchange) => observed.get(exchange.step) === 'whole-page');
  const itemsOf = ({ answer, operation }: Exchange): readonly string[] =>
    (answer === undefined ? undefined : itemsIn(operationOf(stage.contract, operation), jsonOf(answer)))?.map(
      canonicalJson,
    ) ?? [];
  const parts = before.slice(large + 1).flatMap(itemsOf);
  return [before[large], exchanges[at]].some(
    (page) => page === undefined || itemsOf(page).some((item, index) => item !== parts[index]),
  );
}

async function pause({ rest, stage }: AttemptState, milliseconds: number): Promise<void> {
  if (milliseconds > 0) await rest(() => stage.clock.sleep(milliseconds, stage.signal));
}

/** How long a queued command is waited for, in milliseconds; reads may show it that late even if they show others at once. */
const queuedMs = 3000;

/** How long is read for what a step made; undefined if that step made it at once. */
function pollingMs(
  { exchanges, stage: { settleMs } }: AttemptState,
  { queuedBy }: Extract<Wave, { readonly poll: Step }>,
): number | undefined {
  if (queuedBy === undefined) return settleMs;
  const made = exchanges.findLast(({ step }) => step === queuedBy);
  return isQueued(made?.answer) ? Math.max(settleMs, queuedMs) : undefined;
}

/**
 * The first read comes at once, the others at growing distances, the last one after the settling time: also that of a
 * command that used the version up meanwhile.
 */
async function runPoll(state: AttemptState, wave: Extract<Wave, { readonly poll: Step }>): Promise<void> {
  const { clock, contract, usedVersions } = state.stage;
  const settleMs = pollingMs(state, wave);
  if (settleMs === undefined) return;
  for (let ordinal = 0; ; ordinal += 1) {
    const exchange = await runStep(state, wave.poll, ordinal);
    if (exchange === undefined) return;
    const stale =
      usedVersions === undefined || wave.poll.role !== 'setup'
        ? undefined
        : staleIn(usedVersions, contract, exchange);
    if (stale === undefined && isAccepted(exchange.answer) === (wave.until === 'found')) return;
    const more = wave.max - ordinal - 1;
    const unsettled = (stale?.since ?? -Infinity) + settleMs - clock.monotonic();
    if (more <= 0 && unsettled <= 0) {
      // After the settling time the version is current: the command that sent it changed nothing.
      if (stale !== undefined) usedVersions?.delete(stale.name);
      return;
    }
    await pause(state, more > 0 ? pollPause(ordinal, wave.max, settleMs) : unsettled);
  }
}
