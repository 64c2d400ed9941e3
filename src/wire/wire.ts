import { Buffer } from 'node:buffer';
import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import type { Clock } from '../model/clock.ts';
import type { NoResponse } from '../model/exchange.ts';
import type { Wire, WireOutcome, WireRequest } from '../model/wire.ts';
import {
  type ClientCertificate,
  type Connection,
  type Endpoint,
  endpointOf,
  openSocket,
  type Protocol,
  protocolOf,
  speakOver,
  speaksOther,
} from './connection.ts';
import { cut } from './cut.ts';
import { openHttp2, overHttp2 } from './http2.ts';
import { type Kept, openPool } from './pool.ts';
import { ResponseReader, type WireReading } from './reader.ts';
import { makeRelease, type Release } from './release.ts';
import { asBytes, bufferOf, needsRaw, requestBytes } from './request.ts';
import { speaksFirst, spokeFirst, unasked } from './spoke-first.ts';
import { Swapped, writeAll } from './swapped.ts';
import { noAnswer } from './trouble.ts';
import type { ProxyServer } from './tunnel.ts';

/** A wire whose connections can be ended. */
export type OpenWire = Wire & {
  /** Ends all connections; exchanges that are under way end as no-responses. */
  readonly close: () => Promise<void>;
};

export type WireTarget = {
  readonly origin: string;
  /** Milliseconds to connect, and again for the head of the response; the whole response may take three times as long. */
  readonly timeoutMs: number;
  /** How many connections are kept for `pooled` requests. */
  readonly connections: number;
  /** How much of a body is kept; up to 16 MiB are read, the rest is not waited for. */
  readonly maxBodyBytes: number;
  /** Certificates in PEM that are trusted in addition to the usual ones. */
  readonly ca?: string;
  readonly client?: ClientCertificate;
  /** Speaks HTTP/2 where the target offers it; otherwise only where it offers nothing else. */
  readonly http2?: boolean;
  /** All connections go through it, those of raw requests too. */
  readonly proxy?: ProxyServer;
};

/** @throws TypeError where the origin is not an http or https URL, or `ca` holds no certificate */
export function openWire(target: WireTarget, clock: Clock): OpenWire {
  const endpoint = endpointOf(target);
  const closing = new AbortController();
  // Every request in flight listens for it.
  setMaxListeners(0, closing.signal);
  /** By the signal of a caller, of which a run has one: aborts with that and with our own. */
  const either = new WeakMap<AbortSignal, AbortSignal>();
  const endOf = (given: AbortSignal | undefined): AbortSignal => {
    if (given === undefined) return closing.signal;
    const known = either.get(given) ?? AbortSignal.any([closing.signal, given]);
    if (!either.has(given)) setMaxListeners(0, known);
    either.set(given, known);
    return known;
  };
  const sockets = new Set<Socket>();
  const underWay = new Set<Promise<unknown>>();
  let opened = 0;
  /** The target has sent what nobody asked for. */
  let wary = false;
  /** The target does not speak HTTP/1.1. */
  let onlyHttp2 = false;
  const offers = (raw: boolean): readonly Protocol[] =>
    onlyHttp2 && !raw ? ['h2'] : target.http2 === true && !raw ? ['h2', 'http/1.1'] : ['http/1.1'];

  /** @param raw for a request that only HTTP/1.1 can carry */
  const connect = async (signal: AbortSignal, raw = false): Promise<Connection | NoResponse> => {
    const offered = offers(raw);
    const socket = await openSocket(endpoint, signal, offered);
    if ('reason' in socket) {
      if (!speaksOther(socket) || offered.includes('h2')) return socket;
      // HTTP/1.1 alone was offered, and the target does not speak it.
      onlyHttp2 = true;
      return raw ? notByHttp2 : connect(signal);
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    if (protocolOf(socket) === 'h2') {
      opened += 1;
      return { ordinal: opened - 1, socket, http2: openHttp2(socket, endpoint.origin) };
    }
    if (wary && (await speaksFirst(socket))) {
      socket.destroy();
      return unasked;
    }
    const ordinal = opened;
    opened += 1;
    return { ordinal, socket };
  };
  const strayed = (): void => {
    wary = true;
    pool.stopKeeping();
  };
  const connectKept = async (signal: AbortSignal): Promise<Kept | NoResponse> => {
    const connection = await connect(signal);
    return 'reason' in connection ? connection : keptOf(connection, endpoint, strayed);
  };
  const pool = openPool(Math.max(1, target.connections), (signal) => connectKept(signal ?? closing.signal));

  const exchange = (
    request: WireRequest,
    connection: Connection,
    signal: AbortSignal,
    release?: Release,
  ): Promise<WireReading> => {
    const reused = isKept(connection) && connection.uses > 0;
    if (connection.http2 !== undefined) {
      const { maxBodyBytes, timeoutMs } = target;
      const { host } = endpoint;
      const at = {
        socket: connection.socket,
        scheme: 'https',
        host,
        clock,
        timeoutMs,
        maxBodyBytes,
        reused,
        signal,
      };
      return overHttp2(request, connection.http2, at, release);
    }
    // Nothing was sent on it yet, so no request has a response.
    if (!reused && connection.socket.readableLength > 0)
      return Promise.resolve(spokeFirst(connection, clock));
    const usual = isKept(connection) ? 'pooled' : modeOf(request);
    const mode = release === undefined || usual === 'cut' ? usual : 'raw';
    if (mode === 'cut') {
      const { timeoutMs } = target;
      const write = (written: () => void): void =>
        writeAll(connection.socket, [partOf(request, endpoint.host)], written);
      const once = (): Promise<WireReading> =>
        cut(request, connection.socket, write, { clock, signal, timeoutMs });
      return release === undefined ? once() : new Promise((resolve) => release.ready(() => resolve(once())));
    }
    return new Promise((settle) => {
      const reader = new ResponseReader({
        socket: connection.socket,
        clock,
        timeoutMs: target.timeoutMs,
        maxBodyBytes: target.maxBodyBytes,
        reused,
        cutOnAnswer: request.transport === 'cut-on-answer',
        flushReportedByCaller: mode === 'raw',
        signal,
        settle,
      });
      if (mode === 'raw') {
        const { head, body } = requestBytes(request, endpoint.host);
        const bytes = Buffer.concat([head, body]);
        const stream =
          release === undefined
            ? new Swapped(connection.socket, [bytes], () => reader.flushed())
            : new Swapped(connection.socket, [bytes.subarray(0, -1)], () =>
                release.ready(() => {
                  if (!connection.socket.destroyed)
                    writeAll(connection.socket, [bytes.subarray(-1)], () => reader.flushed());
                }),
              );
        const { client, expectHead } = speakOver(stream, endpoint.origin);
        expectHead();
        // A stand-in: of it only the method counts, since a response to HEAD has no body.
        client.dispatch(
          { method: request.method === 'HEAD' ? 'HEAD' : 'GET', path: '/', reset: true },
          reader,
        );
        return;
      }
      const kept = isKept(connection);
      const { client, expectHead } =
        (kept ? connection.speaker : undefined) ?? speakOver(connection.socket, endpoint.origin);
      expectHead();
      client.dispatch(
        {
          method: request.method,
          path: asBytes(request.path),
          headers: request.headers.flatMap(([name, value]) => [name, asBytes(value)]),
          body: request.body === undefined ? null : bufferOf(request.body),
          ...(kept ? {} : { reset: true }),
        },
        reader,
      );
    });
  };

  const outcomeOf = (
    startedAt: number,
    connection: Connection | undefined,
    reading: WireReading,
  ): WireOutcome => {
    const { answer, noAnswer: none } = saidByTarget(reading);
    const { endedAt, sentAt } = reading;
    return { answer, noAnswer: none, connection: connection?.ordinal ?? -1, startedAt, sentAt, endedAt };
  };
  const unsent = (startedAt: number, reason: NoResponse): WireOutcome =>
    outcomeOf(startedAt, undefined, {
      answer: undefined,
      noAnswer: reason,
      started: false,
      sentAt: undefined,
      endedAt: clock.monotonic(),
    });

  const onPool = async (
    request: WireRequest,
    startedAt: number,
    signal: AbortSignal,
  ): Promise<WireOutcome> => {
    for (;;) {
      const connection = await pool.acquire(signal);
      if ('reason' in connection) return unsent(startedAt, connection);
      const reused = connection.uses > 0;
      const reading = await exchange(request, connection, signal);
      connection.uses += 1;
      pool.release(connection);
      // The server had closed an idle connection, and nothing was written to it: this is not a second sending.
      if (!reading.started && reused && reading.noAnswer?.reason === 'reset') continue;
      return outcomeOf(startedAt, connection, reading);
    }
  };

  const onItsOwn = async (
    request: WireRequest,
    connection: Connection,
    startedAt: number,
    signal: AbortSignal,
    release?: Release,
  ): Promise<WireOutcome> => {
    const reading = await exchange(request, connection, signal, release);
    connection.socket.destroy();
    return outcomeOf(release?.at() ?? startedAt, connection, reading);
  };

  /** Runs `work` with a signal for the caller's and for our own end, and turns what it throws into a no-response. */
  const guarded = async (
    signal: AbortSignal | undefined,
    work: (startedAt: number, signal: AbortSignal) => Promise<WireOutcome>,
  ): Promise<WireOutcome> => {
    const startedAt = clock.monotonic();
    const run = work(startedAt, endOf(signal)).catch((error: unknown) =>
      unsent(startedAt, noAnswer('harness', String(error))),
    );
    underWay.add(run);
    const outcome = await run;
    underWay.delete(run);
    return outcome;
  };

  return {
    send: (request, signal) =>
      guarded(signal, async (startedAt, both) => {
        if (modeOf(request) === 'pooled') return onPool(request, startedAt, both);
        const connection = await connect(both, needsRaw(request));
        if ('reason' in connection) return unsent(startedAt, connection);
        return onItsOwn(request, connection, startedAt, both);
      }),
    sendTogether: (requests, signal) => {
      const calledAt = clock.monotonic();
      const end = endOf(signal);
      const allReady = Promise.all(requests.map((request) => connect(end, needsRaw(request))));
      let readyAt = calledAt;
      const releases = makeRelease(requests.length, {
        clock,
        // About as long as a packet takes there and back.
        pauseMs: () => Math.min(mostPauseMs, leastPauseMs + readyAt - calledAt),
        signal: end,
      });
      return Promise.all(
        requests.map((request, index) =>
          guarded(signal, async (_calledAt, ownSignal) => {
            const connection = (await allReady)[index];
            readyAt = clock.monotonic();
            const release = releases[index];
            try {
              if (connection === undefined || 'reason' in connection)
                return unsent(readyAt, connection ?? noAnswer('harness', 'no connection was opened'));
              return await onItsOwn(request, connection, readyAt, ownSignal, release);
            } finally {
              release?.gone();
            }
          }),
        ),
      );
    },
    close: async () => {
      closing.abort();
      pool.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all(underWay);
    },
  };
}

const notByHttp2 = noAnswer(
  'harness',
  'not sent: the target speaks HTTP/2 alone, which cannot carry this request as it is',
);

/** How long the target has to read what precedes the last bytes of a wave. */
const leastPauseMs = 2;
const mostPauseMs = 100;

/** Only a proxy asks for its own credentials (RFC 9110, 15.5.8): the target said nothing. */
function saidByTarget({ answer, noAnswer: none }: WireReading): Pick<WireOutcome, 'answer' | 'noAnswer'> {
  if (answer?.status !== 407) return { answer, noAnswer: none };
  const { status, headers } = answer;
  const detail = 'a proxy on the way asks for credentials (407); give them in HTTPS_PROXY or HTTP_PROXY';
  return { answer: undefined, noAnswer: noAnswer('refused', detail, { status, headers }) };
}

function modeOf(request: WireRequest): 'pooled' | 'fresh' | 'raw' | 'cut' {
  const { transport } = request;
  if (transport === 'cut-after-send' || transport === 'cut-mid-body') return 'cut';
  if (transport === 'raw' || needsRaw(request)) return 'raw';
  return transport === 'pooled' ? 'pooled' : 'fresh';
}

/** `strayed` is called where bytes come that are no part of a response to a request. */
function keptOf(connection: Connection, endpoint: Endpoint, strayed: () => void): Kept {
  // Each response belongs to a stream.
  if (connection.http2 !== undefined) return { ...connection, speaker: undefined, uses: 0 };
  const speaker = speakOver(connection.socket, endpoint.origin);
  speaker.client.on('disconnect', (_origin, _targets, error) => {
    // That is how undici names bytes on an idle connection, and bytes that are no HTTP.
    if (error.message === 'bad response' || error.name === 'HTTPParserError') strayed();
  });
  return { ...connection, speaker, uses: 0 };
}

function isKept(connection: Connection | Kept): connection is Kept {
  return 'speaker' in connection;
}

/** The request, or its head and half of its body; without a body all but the end of its head. Half is never a whole one. */
function partOf(request: WireRequest, host: string): Buffer {
  const { head, body } = requestBytes(request, host);
  if (request.transport === 'cut-after-send') return Buffer.concat([head, body]);
  return body.length === 0 ? head.subarray(0, -2) : Buffer.concat([head, body.subarray(0, body.length >> 1)]);
}
