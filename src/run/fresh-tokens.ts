import type { Clock } from '../model/clock.ts';
import type { PrincipalName } from '../model/principal.ts';

type Renewal = {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal: AbortSignal;
  /** Undefined if there is no new token; then the old one stays. */
  readonly renew: (
    name: PrincipalName,
  ) => Promise<{ readonly token: string; readonly seconds: number | undefined } | undefined>;
  readonly take: (name: PrincipalName, token: string) => void;
};

/** A token is replaced after this share of its life, so that requests in flight still succeed. */
const share = 0.75;
const soonestMs = 1000;

/** Replaces each token before it expires, until the run ends. */
export function keepFresh(expiries: ReadonlyMap<PrincipalName, number>, renewal: Renewal): void {
  for (const [name, seconds] of expiries) void keep(name, seconds, renewal);
}

async function keep(name: PrincipalName, first: number, renewal: Renewal): Promise<void> {
  const { clock, signal, renew, take } = renewal;
  let seconds = first;
  while (!signal.aborted) {
    await clock.sleep(Math.max(soonestMs, seconds * share * 1000), signal).catch(() => undefined);
    if (signal.aborted) return;
    const renewed = await renew(name).catch(() => undefined);
    if (signal.aborted || renewed === undefined) continue;
    take(name, renewed.token);
    // Without a new expiry the token does not expire.
    if (renewed.seconds === undefined) return;
    seconds = renewed.seconds;
  }
}
