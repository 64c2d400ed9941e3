import { type Contract, operationOf } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { isAccepted } from '../model/response.ts';
import type { Step } from '../model/scenario.ts';

/** When valid commands with new keys were accepted lately, of each operation and caller. */
export type AcceptedCommands = Map<string, number[]>;

/** More are never asked for. */
const most = 256;

export function noteAccepted(
  commands: AcceptedCommands,
  contract: Contract,
  { as, deviations, key, operation }: Step,
  { answer, endedAt }: Pick<Exchange, 'answer' | 'endedAt'>,
): void {
  // What departs from a valid request may reuse a key.
  if (deviations.length > 0 || key.use !== 'named' || !isAccepted(answer)) return;
  if (operationOf(contract, operation).kind !== 'command') return;
  const name = `${operation} ${as}`;
  const times = commands.get(name) ?? [];
  commands.set(name, times);
  times.push(endedAt);
  if (times.length > most) times.shift();
}

/** How many commands like this one were accepted after `since`, in milliseconds of the clock of the run. */
export function acceptedSince(commands: AcceptedCommands, { as, operation }: Step, since: number): number {
  return commands.get(`${operation} ${as}`)?.filter((at) => at > since).length ?? 0;
}
