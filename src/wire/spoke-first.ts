import type { Socket } from 'node:net';
import type { Clock } from '../model/clock.ts';
import type { Connection } from './connection.ts';
import type { WireReading } from './reader.ts';
import { noAnswer } from './trouble.ts';

/** Why a request has no response where the target spoke first. */
export const unasked = noAnswer('protocol', 'the target sent bytes before any request');

/** The reading of a request before which bytes came. Its connection is closed. */
export function spokeFirst({ socket }: Connection, clock: Clock): WireReading {
  socket.destroy();
  const endedAt = clock.monotonic();
  return { answer: undefined, noAnswer: unasked, started: true, sentAt: undefined, endedAt };
}

/** How long a target that sends what nobody asked for may take to do so on a new connection, in milliseconds. */
const greetingMs = 50;

/** Whether bytes come on a connection on which nothing was sent. They are left to be read. */
export function speaksFirst(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      socket.off('readable', end);
      socket.off('close', end);
      resolve(socket.readableLength > 0);
    };
    const timer = setTimeout(end, greetingMs);
    socket.once('readable', end);
    socket.once('close', end);
  });
}
