import { Buffer } from 'node:buffer';
import http2 from 'node:http2';
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { Clock } from '../model/clock.ts';
import type { WireRequest } from '../model/wire.ts';
import { cut } from './cut.ts';
import { ResponseReader, type WireReading } from './reader.ts';
import type { Release } from './release.ts';
import { asBytes, bufferOf } from './request.ts';

/** A connection on which HTTP/2 is spoken. It carries one request at a time, as one of HTTP/1.1 does. */
export type Http2 = { readonly session: http2.ClientHttp2Session };

/** Takes an open TLS connection over, for which the target chose HTTP/2. */
export function openHttp2(socket: Socket, origin: string): Http2 {
  const session = http2.connect(origin, { createConnection: () => socket, settings: { enablePush: false } });
  // It shows on the streams, or at the next request.
  session.on('error', () => undefined);
  return { session };
}

/** Sends one request as a stream, and reads its response as {@link ResponseReader} does for HTTP/1.1. */
export function overHttp2(
  request: WireRequest,
  { session }: Http2,
  at: {
    readonly socket: Socket;
    readonly scheme: string;
    readonly host: string;
    readonly clock: Clock;
    readonly timeoutMs: number;
    readonly maxBodyBytes: number;
    readonly reused: boolean;
    readonly signal: AbortSignal;
  },
  release: Release | undefined,
): Promise<WireReading> {
  const body = request.body === undefined ? Buffer.alloc(0) : bufferOf(request.body);
  const open = (): http2.ClientHttp2Stream =>
    session.request(fieldsOf(request, at, body.length), { endStream: body.length === 0 });
  if (request.transport === 'cut-after-send' || request.transport === 'cut-mid-body') {
    const whole = request.transport === 'cut-after-send';
    const once = (): Promise<WireReading> =>
      cut(
        request,
        at.socket,
        (written) => send(whole ? body : body.subarray(0, body.length >> 1), written),
        at,
      );
    const send = (bytes: Buffer, written: () => void): void => {
      // Without a body its half is nothing: a stream that ends with its head is whole.
      if (bytes.length === 0 && !whole) {
        written();
        return;
      }
      const stream = open();
      stream.on('error', () => undefined);
      if (body.length === 0) stream.once('ready', () => setImmediate(written));
      else if (whole) stream.end(bytes, written);
      else stream.write(bytes, () => written());
    };
    return release === undefined ? once() : new Promise((resolve) => release.ready(() => resolve(once())));
  }
  return new Promise((settle) => {
    const reader = new ResponseReader({
      ...at,
      cutOnAnswer: request.transport === 'cut-on-answer',
      flushReportedByCaller: true,
      otherFrames: true,
      settle,
    });
    const begin = (): void => {
      try {
        const stream = open();
        read(stream, reader);
        if (body.length === 0) stream.once('ready', () => setImmediate(() => reader.flushed()));
        else if (release === undefined) stream.end(body, () => reader.flushed());
        else {
          if (body.length > 1) stream.write(body.subarray(0, -1));
          release.ready(() => {
            if (!stream.destroyed) stream.end(body.subarray(-1), () => reader.flushed());
          });
        }
      } catch (error) {
        reader.onResponseError(controllerOf([]), endedSession(error));
      }
    };
    if (release !== undefined && body.length === 0) release.ready(begin);
    else begin();
  });
}

/** Names in lower case, in their order; what HTTP/1.1 says with Host is `:authority`. */
function fieldsOf(
  { headers, method, path }: WireRequest,
  { host, scheme }: { readonly host: string; readonly scheme: string },
  length: number,
): http2.OutgoingHttpHeaders {
  const fields: Record<string, string[]> = {};
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    fields[lower] = [...(fields[lower] ?? []), asBytes(value)];
  }
  const expectsBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  return {
    ':method': method,
    ':scheme': scheme,
    ':authority': host,
    ':path': asBytes(path),
    ...Object.fromEntries(
      Object.entries(fields).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
    ),
    ...(length > 0 || expectsBody ? { 'content-length': String(length) } : {}),
  };
}

type Head = http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader;

function read(stream: http2.ClientHttp2Stream, reader: ResponseReader): void {
  const stop = (): void => stream.close(http2.constants.NGHTTP2_CANCEL);
  let controller = controllerOf([], stop);
  let whole: boolean | undefined;
  // A stream that is reset ends like one whose response is complete, but then it is closed before its end is pushed.
  const push = stream.push.bind(stream);
  stream.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (chunk === null) whole ??= !stream.closed && !stream.destroyed;
    return push(chunk, encoding);
  };
  reader.onRequestStart(controller);
  stream.on('response', (fields: Head, _flags: number, raw: unknown) => {
    const lines = Array.isArray(raw) ? raw.filter((one): one is string => typeof one === 'string') : [];
    controller = controllerOf(regular(lines), stop);
    reader.onResponseStart(controller, fields[':status'] ?? 0);
  });
  stream.on('data', (chunk: Buffer) => reader.onResponseData(controller, chunk));
  stream.once('end', () => {
    if (whole === true) reader.onResponseEnd();
  });
  stream.on('error', (error) => reader.onResponseError(controller, error));
  stream.once('close', () => {
    if (whole !== true) reader.onResponseError(controller, new StreamEnded());
  });
}

class StreamEnded extends Error {
  readonly code = 'UND_ERR_SOCKET';
  constructor() {
    super('other side closed');
  }
}

/** A session that had ended before anything was written to it. */
function endedSession(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const ended = 'code' in error && /^ERR_HTTP2_(INVALID_SESSION|GOAWAY_SESSION)$/.test(String(error.code));
  return ended ? Object.assign(new Error('the connection had ended'), { code: 'ECONNRESET' }) : error;
}

/** The lines without the pseudo-fields, such as `:status`. */
function regular(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index + 1 < lines.length; index += 2) {
    const [name = '', value = ''] = lines.slice(index, index + 2);
    if (!name.startsWith(':')) kept.push(name, value);
  }
  return kept;
}

/** What the reader needs of undici's controller. */
function controllerOf(
  rawHeaders: string[],
  stop: () => void = () => undefined,
): Dispatcher.DispatchController {
  return {
    aborted: false,
    paused: false,
    reason: null,
    rawHeaders: rawHeaders.map((text) => Buffer.from(text, 'latin1')),
    rawTrailers: null,
    abort: stop,
    pause: () => undefined,
    resume: () => undefined,
  };
}
