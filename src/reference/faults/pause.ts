import type { Call } from '../behaviour.ts';

/**
 * Takes so many milliseconds, or until the service closes. A window for a race must be longer than what the requests of
 * one wave take to be read, which in a busy process is some milliseconds each.
 */
export const pause = (call: Call, milliseconds: number): Promise<void> =>
  call.service.clock.sleep(milliseconds, call.service.closing);
