import type { Exchange } from '../model/exchange.ts';
import type { Step } from '../model/scenario.ts';
import { attempt } from './attempt.ts';
import type { Rest } from './lanes.ts';
import type { RunOptions } from './pursue.ts';
import { ofRead } from './sweep.ts';

/** A read of its own, in a trace of its own: those of a scenario are judged. */
export async function lookAgain(
  { ledger, nextTrace, recordTrace, stage }: RunOptions,
  { observes: _observes, ...read }: Step,
  rest: Rest,
): Promise<Exchange | undefined> {
  const of = { id: nextTrace(), ...ofRead(read) };
  // Its attempt gives back nothing that the scenario keeps.
  const trace = await attempt(stage, of, (work, why) => rest(work, why));
  const recorded = recordTrace(trace);
  ledger.see(trace);
  await recorded;
  return trace.exchanges.at(-1);
}
