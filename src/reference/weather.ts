import type { Clock } from '../model/clock.ts';
import type { ServiceResponse } from './message.ts';

/** What befalls requests between the client and a service that is in order: shares of all requests, 0 to 1. */
export type Weather = {
  /** A gateway returns 502 in place of the service, before the request reached it or after it was dealt with. */
  readonly badGateway: number;
  readonly reset: number;
  /** The request is held back for `slowMs` milliseconds. */
  readonly slow: number;
  readonly slowMs: number;
  /** Every `everyMs` nobody is there for `downMs`: connections are reset, as in a rolling restart. */
  readonly restart: { readonly everyMs: number; readonly downMs: number } | undefined;
};

export const fairWeather: Weather = { badGateway: 0, reset: 0, slow: 0, slowMs: 0, restart: undefined };

const badGateway: ServiceResponse = {
  kind: 'answer',
  status: 502,
  headers: [['Content-Type', 'text/html']],
  body: '<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>',
};

type Surroundings = {
  readonly clock: Clock;
  readonly closing: AbortSignal;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly settings: { readonly weather: Weather };
};

/** The response that reaches the client; undefined where the connection is to be reset. */
export async function throughWeather(
  service: Surroundings,
  answer: () => Promise<ServiceResponse>,
): Promise<ServiceResponse | undefined> {
  const { clock, closing, randomBytes, settings } = service;
  const { weather } = settings;
  const chance = (share: number): boolean =>
    share > 0 && Buffer.from(randomBytes(4)).readUInt32BE() / 2 ** 32 < share;
  const { restart } = weather;
  if (restart !== undefined && clock.monotonic() % restart.everyMs > restart.everyMs - restart.downMs)
    return undefined;
  if (chance(weather.slow)) await clock.sleep(weather.slowMs, closing);
  if (chance(weather.reset / 2)) return undefined;
  if (chance(weather.badGateway / 2)) return badGateway;
  const given = await answer();
  if (chance(weather.reset / 2)) return undefined;
  return chance(weather.badGateway / 2) ? badGateway : given;
}
