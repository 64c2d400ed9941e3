import { type Step, stepsOfWave, type Wave } from '../model/scenario.ts';
import { aloneRecordRead, type LastWrite, lastWrite } from './last-writes.ts';
import { leastSettling } from './promptness.ts';
import type { AttemptState } from './send.ts';
import { pollPause } from './waits.ts';

/** What is read so soon after a command, as a part of the settling time, is read at once. */
const atOncePart = 0.05;
/** Behind a command that should change nothing so much of it is waited, once so many changes were seen at once. */
const unchangedPart = 0.2;
const enough = 3;
/** Nothing is waited for less than so many times the longest delay that the run has seen. */
const ofLongest = 3;
const mostReads = 10;
/** After so many vain searches, a read does not show the markers of its record. */
const mostVain = 2;

type Waited = {
  readonly pause: (milliseconds: number) => Promise<void>;
  /** What is left of the whole settling time, in milliseconds. */
  readonly left: () => number;
};

/**
 * Waits until what comes next may read a shared record: for the whole settling time, or until a read of its own shows the
 * last accepted command. Only repeats, which decide about violations, always wait for the whole time.
 */
export async function settle(state: AttemptState, next: Wave | undefined, wait: Waited): Promise<void> {
  const record = recordNext(state, next);
  const whole = wait.left();
  if (whole <= 0 || record === undefined) return wait.pause(whole);
  const last = lastWriteTo(state, record.name);
  // What a hook does, no read of the record shows.
  const isHooked = last !== undefined && (state.hookedAt ?? last.endedAt) > last.endedAt;
  if (last === undefined || last.queued || isHooked) return wait.pause(whole);
  const { clock, promptness, settleMs } = state.stage;
  if (promptness === undefined) return wait.pause(whole);
  const { acceptedAt, endedAt } = last;
  if (acceptedAt !== undefined && !(await isShown(state, record.read, { ...last, acceptedAt }, wait))) return;
  const isLast = acceptedAt !== undefined && acceptedAt >= endedAt;
  if (!isLast && promptness.atOnce < enough) return wait.pause(wait.left());
  const needed = Math.max(
    isLast ? leastSettling(settleMs) : settleMs * unchangedPart,
    ofLongest * promptness.longestMs,
  );
  await wait.pause(Math.min(wait.left(), endedAt + needed - clock.monotonic()));
}

/** The shared record that the next wave reads, if that is all it does, and the step that reads it. */
function recordNext(
  { of, stage }: AttemptState,
  next: Wave | undefined,
): { readonly name: string; readonly read: Step } | undefined {
  if (of.purpose !== 'first' || stage.look === undefined || next === undefined || !('steps' in next))
    return undefined;
  const [read, ...more] = stepsOfWave(next);
  if (read === undefined || more.length > 0) return undefined;
  const name = aloneRecordRead(stage.contract, of.scenario, read);
  return name === undefined ? undefined : { name, read };
}

function lastWriteTo({ exchanges, markers, of, stage }: AttemptState, record: string): LastWrite | undefined {
  const { clock, contract, lastWrites, settleMs } = stage;
  if (lastWrites === undefined) return undefined;
  const sent = { exchanges, markers, record, scenario: of.scenario };
  return lastWrite(lastWrites, contract, sent, { now: clock.monotonic(), settleMs });
}

/** Reads the record until it shows what was accepted. False where nothing shows it, after the whole settling time. */
async function isShown(
  { rest, stage }: AttemptState,
  read: Step,
  { acceptedAt, markers }: LastWrite & { readonly acceptedAt: number },
  { left, pause }: Waited,
): Promise<boolean> {
  const { clock, look, promptness, settleMs } = stage;
  const newest = markers.find(({ endedAt }) => endedAt === acceptedAt)?.marker;
  if (promptness === undefined || look === undefined) return false;
  const { shown, vain } = promptness;
  // It may have settled before the commands that followed it.
  if (clock.monotonic() >= acceptedAt + settleMs) return true;
  if (newest !== undefined && shown.has(newest)) return true;
  const known = markers.filter(({ by, marker }) => by === read.as || marker === newest);
  const vainly = vain.get(read.operation);
  if (newest !== undefined && (vainly ?? 0) < mostVain) {
    for (let ordinal = 0; ordinal < mostReads && left() > 0; ordinal += 1) {
      const since = clock.monotonic() - acceptedAt;
      const body = (await look(read, rest))?.answer?.body ?? '';
      const found = known.find(({ marker }) => marker !== undefined && body.includes(marker));
      if (found?.marker !== undefined) {
        shown.add(found.marker);
        vain.set(read.operation, 0);
        if (ordinal > 0) promptness.longestMs = Math.max(promptness.longestMs, since);
        else if (since <= settleMs * atOncePart) promptness.atOnce += 1;
        return true;
      }
      await pause(Math.min(left(), pollPause(ordinal, mostReads, settleMs)));
    }
    if (vainly !== 0) vain.set(read.operation, (vainly ?? 0) + 1);
  }
  await pause(left());
  return false;
}
