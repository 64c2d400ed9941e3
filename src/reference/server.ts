import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../model/clock.ts';
import type { Contract } from '../model/contract.ts';
import { parseJson } from '../model/json.ts';
import { problem } from './answer.ts';
import type { Behaviour, Call, Incoming, ReferencePrincipal, Service, Settings } from './behaviour.ts';
import { conforming } from './conforming.ts';
import type { EffectCounts } from './effects.ts';
import { hooksPath, runHook } from './hooks.ts';
import { rawAnswer, receive, send, unreadable } from './http.ts';
import { headerValues, type Received, type Refusal, type ServiceResponse } from './message.ts';
import { answerCall, rendered } from './phases.ts';
import { type Routes, routesOf } from './routes.ts';
import type { Schemas } from './schemas.ts';
import { createService, usualSettings } from './service.ts';
import { throughWeather } from './weather.ts';

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
  /** Schemas that another service compiled. */
  readonly schemas?: Schemas;
  readonly randomBytes?: (length: number) => Uint8Array;
  /** False leaves out the test-only hooks under `/__reference/`. */
  readonly hooks?: boolean;
};

export type Reference = {
  /** Without a trailing slash: `http://127.0.0.1:49152`. */
  readonly url: string;
  readonly port: number;
  readonly behaviour: Behaviour;
  /** How often commands were really executed. */
  readonly effects: () => EffectCounts;
  /** Stops listening and ends every connection at once. */
  readonly close: () => Promise<void>;
};

/**
 * Starts the reference service on 127.0.0.1: a conforming implementation of every operation of the contract, in memory.
 * Rejects with Node's own error where the port is taken.
 */
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
  const server = serverOf(service, options.hooks !== false);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', () => resolve());
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    behaviour,
    effects: service.effects.counts,
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

function serverOf(service: Service, hooks: boolean): Server {
  const routes = routesOf(service.contract.operations);
  const connections = new WeakMap<Socket, number>();
  let opened = 0;
  let arrived = 0;
  const arrive = (request: Received): Waiting => {
    arrived += 1;
    return incomingOf(service, routes, request, arrived);
  };
  const serve = (message: IncomingMessage, response: ServerResponse): void => {
    receive(message, service.settings.bodyBytes, connections.get(message.socket) ?? 0)
      .then(async (request) => {
        const answer =
          hooks && request.path.startsWith(hooksPath)
            ? hookAnswer(service, request)
            : await throughWeather(service, () => answerTo(arrive(request), message, response));
        if (answer === undefined) message.socket.resetAndDestroy();
        else send(response, answer);
      })
      // The request was cut before its end: it has no effect, and nobody is there to be answered.
      .catch(() => message.destroy());
  };
  // A missing Host gets its response below, with a request id.
  const server = createServer({ keepAliveTimeout: 60_000, requireHostHeader: false }, serve);
  server.on('checkExpectation', serve);
  server.on('connection', (socket) => {
    opened += 1;
    connections.set(socket, opened);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else socket.end(rawAnswer(refused(arrive(unreadable), problem(400, 'The request is not HTTP/1.1.'))));
  });
  return server;
}

type Waiting = Incoming & { readonly allow: readonly string[] };

function incomingOf(service: Service, routes: Routes, request: Received, ordinal: number): Waiting {
  const route = routes(request.method, request.path);
  const incoming: Waiting = {
    service,
    request,
    ordinal,
    requestId: '',
    operation: 'operation' in route ? route.operation : undefined,
    pathValues: 'operation' in route ? route.values : {},
    allow: 'operation' in route ? [] : route.allow,
    principal: undefined,
    parsed: undefined,
    target: undefined,
    entry: undefined,
    replayOf: undefined,
    result: undefined,
    releases: [],
  };
  incoming.requestId = service.behaviour.issueRequestId(incoming);
  return incoming;
}

function isCall(incoming: Incoming): incoming is Call {
  return incoming.operation !== undefined;
}

async function answerTo(
  incoming: Waiting,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<ServiceResponse> {
  const { behaviour } = incoming.service;
  if (message.httpVersion === '1.1' && headerValues(incoming.request, 'Host').length !== 1) {
    return refused(incoming, problem(400, 'The request needs one Host header.'));
  }
  if (!isCall(incoming)) return refused(incoming, refuseRoute(incoming.allow));
  response.on('close', () => {
    if (!response.writableEnded) behaviour.onDisconnect(incoming);
  });
  try {
    return traced(incoming, await answerCall(incoming));
  } catch (error) {
    // A decision failed outside the phases; the caller still gets an answer that can be traced.
    return refused(incoming, behaviour.refuseCrash(incoming, error));
  }
}

function traced(incoming: Incoming, answer: ServiceResponse): ServiceResponse {
  const { attachRequestId, finish } = incoming.service.behaviour;
  return finish(incoming, attachRequestId(incoming, answer));
}

function refused(incoming: Incoming, refusal: Refusal): ServiceResponse {
  return traced(incoming, rendered(incoming, refusal));
}

function refuseRoute(allow: readonly string[]): Refusal {
  if (allow.length === 0) return problem(404, 'There is no operation at this path.');
  return problem(405, 'The operations at this path have other methods.', {
    headers: [['Allow', allow.join(', ')]],
  });
}

function hookAnswer(service: Service, request: Received): ServiceResponse {
  const text = Buffer.from(request.body).toString();
  const input = text === '' ? undefined : (parseJson(text) ?? null);
  const outcome =
    request.method === 'POST'
      ? runHook(service, request.path.slice(hooksPath.length), input)
      : { status: 405, error: 'hooks take POST' };
  return {
    kind: 'answer',
    status: 'output' in outcome ? 200 : outcome.status,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify('output' in outcome ? outcome.output : { error: outcome.error }),
  };
}
