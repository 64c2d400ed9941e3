import type { Call } from '../behaviour.ts';

/** Ends with the service. A window for a race must be longer than what reading the requests of one wave takes. */
export const pause = (call: Call, milliseconds: number): Promise<void> =>
  call.service.clock.sleep(milliseconds, call.service.closing);
