import type { Socket } from 'node:net';
import type { Clock } from '../model/clock.ts';
import type { NoResponse } from '../model/exchange.ts';
import type { WireRequest } from '../model/wire.ts';
import type { WireReading } from './reader.ts';
import { noAnswer } from './trouble.ts';

/**
 * Writes the request, or a part of it, and destroys the connection before anything is read. A service may drop a request
 * whose connection is gone before it begins with it, so a whole one may be left for a while first.
 *
 * @param write writes what is to be sent, and calls back when it was handed to the operating system
 */
export function cut(
  { leaves = 0, transport }: Pick<WireRequest, 'leaves' | 'transport'>,
  socket: Socket,
  write: (written: () => void) => void,
  {
    clock,
    signal,
    timeoutMs,
  }: { readonly clock: Clock; readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<WireReading> {
  const whole = transport === 'cut-after-send';
  return new Promise((resolve) => {
    const finish = (reason: NoResponse): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', interrupt);
      const endedAt = clock.monotonic();
      const sentAt = whole && reason.reason === 'cut' ? endedAt : undefined;
      resolve({ answer: undefined, noAnswer: reason, started: true, sentAt, endedAt });
      socket.destroy();
    };
    const interrupt = (): void => finish(noAnswer('interrupted', 'the run was interrupted'));
    const timer = setTimeout(
      () => finish(noAnswer('timeout', `the request could not be sent within ${timeoutMs} ms`)),
      timeoutMs,
    );
    signal.addEventListener('abort', interrupt, { once: true });
    socket.once('close', () => finish(noAnswer('reset', 'the connection ended while the request was sent')));
    const end = (): void =>
      finish(
        noAnswer(
          'cut',
          whole
            ? 'the connection was cut by the harness after the whole request was sent'
            : 'the connection was cut by the harness in the middle of the request',
        ),
      );
    write(() => {
      if (!whole || leaves === 0) end();
      else clock.sleep(leaves, signal).then(end, end);
    });
    if (signal.aborted) interrupt();
  });
}
