import { attempt } from '../engine/attempt.ts';
import type { Contract } from '../model/contract.ts';
import type { HeaderList } from '../model/exchange.ts';
import type { Scenario } from '../model/scenario.ts';
import type { WireOutcome } from '../model/wire.ts';
import { firstOf, stageOf } from './stages.ts';

/** How often a scenario waits for a second, where a service returns a status to each new key, and one to each that it knows. */
export async function secondsOf(
  contract: Contract,
  scenario: Scenario,
  statusOf: (key: 'new' | 'again') => number,
): Promise<number> {
  const slept: number[] = [];
  const seen = new Set<string>();
  const respond = (headers: HeaderList): WireOutcome => {
    const sent = headers.find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1] ?? '';
    const status = statusOf(seen.has(sent) ? 'again' : 'new');
    seen.add(sent);
    return {
      answer: { status, headers: [], body: '{}', bodyBytes: 2, truncated: false },
      noAnswer: undefined,
      ...{ connection: 1, startedAt: 0, sentAt: 0, endedAt: 0 },
    };
  };
  const sleep = async (milliseconds: number): Promise<void> => void slept.push(milliseconds);
  const stage = stageOf(contract, {
    clock: { monotonic: () => 0, wall: () => 0, sleep },
    wire: {
      send: async ({ headers }) => respond(headers),
      sendTogether: async (requests) => requests.map(({ headers }) => respond(headers)),
    },
  });
  await attempt(stage, firstOf(scenario));
  return slept.filter((milliseconds) => milliseconds === 1000).length;
}
