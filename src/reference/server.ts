import { randomBytes } from 'node:crypto';
import { once, setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../model/clock.ts';
import type { Contract } from '../model/contract.ts';
import type { Json } from '../model/json.ts';
import type { Behaviour, ReferencePrincipal, Service, Settings } from './behaviour.ts';
import { conforming } from './conforming.ts';
import type { EffectCounts } from './effects.ts';
import { type HookOutcome, runHook } from './hooks.ts';
import { rawAnswer, receive, send, unreadable } from './http.ts';
import { headerValues } from './message.ts';
import type { Schemas } from './schemas.ts';
import { createService, usualSettings } from './service.ts';
import { type Serving, servingOf } from './serving.ts';

export type ReferenceOptions = {
  readonly contract: Contract;
  readonly principals: readonly ReferencePrincipal[];
  readonly clock: Clock;
  readonly behaviour?: Partial<Behaviour>;
  readonly settings?: Partial<Settings>;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Ids of records that are there from the start, each with its scope. */
  readonly records?: ReadonlyMap<string, string>;
  readonly schemas?: Schemas;
  readonly randomBytes?: (length: number) => Uint8Array;
  /** False leaves out the test-only hooks under `/__reference/`. */
  readonly hooks?: boolean;
};

export type Reference = {
  /** Without a trailing slash: `http://127.0.0.1:49152`. */
  readonly url: string;
  readonly port: number;
  readonly effects: () => EffectCounts;
  readonly serve: Serving['serve'];
  readonly hook: (name: string, input: Json) => HookOutcome;
  readonly bodyBytes: number;
  /** Stops listening and ends every connection at once. */
  readonly close: () => Promise<void>;
};

/** Starts a conforming service in memory, on 127.0.0.1. Rejects with Node's own error where the port is taken. */
export async function startReference(options: ReferenceOptions): Promise<Reference> {
  const closing = new AbortController();
  // Every request that is held back listens for it.
  setMaxListeners(0, closing.signal);
  const behaviour: Behaviour = { ...conforming, ...options.behaviour };
  const service = createService({
    contract: options.contract,
    principals: options.principals,
    clock: options.clock,
    randomBytes: options.randomBytes ?? pooledBytes(),
    behaviour,
    settings: { ...usualSettings, ...options.settings },
    closing: closing.signal,
    ...(options.records === undefined ? {} : { records: options.records }),
    ...(options.schemas === undefined ? {} : { schemas: options.schemas }),
  });
  const serving = servingOf(service, options.hooks !== false);
  const server = serverOf(service, serving);
  await once(server.listen(options.port ?? 0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    effects: service.effects.counts,
    serve: serving.serve,
    hook: (name, input) => runHook(service, name, input),
    bodyBytes: service.settings.bodyBytes,
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Random bytes, drawn many at a time: each request takes a few. */
function pooledBytes(): (length: number) => Uint8Array {
  let pool = randomBytes(0);
  let taken = 0;
  return (length) => {
    if (taken + length > pool.length) {
      pool = randomBytes(Math.max(4096, length));
      taken = 0;
    }
    taken += length;
    return pool.subarray(taken - length, taken);
  };
}

function serverOf(service: Service, { refuse, serve }: Serving): Server {
  const connections = new WeakMap<Socket, number>();
  let opened = 0;
  const answerTo = async (message: IncomingMessage, response: ServerResponse) => {
    const request = await receive(message, service.settings.bodyBytes, connections.get(message.socket) ?? 0);
    if (message.httpVersion === '1.1' && headerValues(request, 'Host').length !== 1)
      return refuse(request, 'The request needs one Host header.');
    return serve(request, (gone) =>
      response.on('close', () => {
        if (!response.writableEnded) gone();
      }),
    );
  };
  const answer = (message: IncomingMessage, response: ServerResponse): void => {
    answerTo(message, response)
      .then((given) => {
        if (given === undefined) message.socket.resetAndDestroy();
        else send(response, given);
      })
      // The request was cut before its end: it has no effect, and nobody is there to be answered.
      .catch(() => message.destroy());
  };
  // A missing Host gets its response above, with a request ID.
  const server = createServer({ keepAliveTimeout: 60_000, requireHostHeader: false }, answer);
  server.on('checkExpectation', answer);
  server.on('connection', (socket) => {
    opened += 1;
    connections.set(socket, opened);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else socket.end(rawAnswer(refuse(unreadable, 'The request is not HTTP/1.1.')));
  });
  return server;
}
