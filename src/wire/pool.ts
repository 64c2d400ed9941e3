import type { NoResponse } from '../model/exchange.ts';
import type { Connection, Speaker } from './connection.ts';
import { noAnswer } from './trouble.ts';

export type Kept = Connection & {
  /** Undefined where HTTP/2 is spoken. */
  readonly speaker: Speaker | undefined;
  uses: number;
};

export type Pool = {
  /** An idle connection, or a new one, or the next that becomes free. */
  readonly acquire: (signal: AbortSignal | undefined) => Promise<Kept | NoResponse>;
  /** To be called once for each acquired connection when its exchange has ended. */
  readonly release: (connection: Kept) => void;
  /** From now on every request has a connection of its own: the target sends what nobody asked for. */
  readonly stopKeeping: () => void;
  readonly close: () => void;
};

/** How long a connection rests after a response: what a server sends unasked, or closes, shows in that time. */
const restMs = 2;

/** Keeps up to `size` connections; `open` makes one. */
export function openPool(
  size: number,
  open: (signal: AbortSignal | undefined) => Promise<Kept | NoResponse>,
): Pool {
  const idle: Kept[] = [];
  const waiting = new Set<() => void>();
  const kept = new Set<Kept>();
  let opening = 0;
  let keeps = true;
  let closed = false;

  const wakeOne = (): void => {
    const [first] = waiting;
    if (first === undefined) return;
    waiting.delete(first);
    first();
  };

  const wait = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        waiting.delete(wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      waiting.add(wake);
      signal?.addEventListener('abort', wake, { once: true });
    });

  const keep = (connection: Kept): void => {
    kept.add(connection);
    connection.socket.once('close', () => {
      kept.delete(connection);
      const at = idle.indexOf(connection);
      if (at >= 0) idle.splice(at, 1);
      wakeOne();
    });
  };

  return {
    acquire: async (signal) => {
      for (;;) {
        if (closed) return noAnswer('interrupted', 'the connections to the target were closed');
        if (signal?.aborted === true) return noAnswer('interrupted', 'the run was interrupted');
        const connection = idle.pop();
        if (connection !== undefined) {
          if (connection.socket.destroyed || !connection.socket.readable) continue;
          return connection;
        }
        if (kept.size + opening < size) {
          opening += 1;
          const opened = await open(signal);
          opening -= 1;
          if ('reason' in opened) {
            wakeOne();
            return opened;
          }
          keep(opened);
          return opened;
        }
        await wait(signal);
      }
    },
    release: (connection) => {
      const rested = (): void => {
        if (closed || !keeps) connection.socket.destroy();
        else if (!connection.socket.destroyed) idle.push(connection);
        wakeOne();
      };
      // The turn of the event loop reads what came while this process was busy.
      setTimeout(() => setImmediate(rested), restMs);
    },
    stopKeeping: () => {
      keeps = false;
      for (const connection of idle.splice(0)) connection.socket.destroy();
    },
    close: () => {
      closed = true;
      for (const connection of kept) connection.socket.destroy();
      for (const wake of [...waiting]) wake();
    },
  };
}
