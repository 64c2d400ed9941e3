import { Buffer } from 'node:buffer';
import type { HeaderList, HttpResponse, NoResponse } from '../model/exchange.ts';
import type { Transport } from '../model/scenario.ts';

/** One request as it shall leave the harness. */
export type WireRequest = {
  readonly method: string;
  /** Origin form (RFC 9112, 3.2.1): path of the base URL, path and query. */
  readonly path: string;
  /**
   * Field lines as they shall be sent: order, casing, blanks and repetition are kept. Characters up to U+00FF go
   * as Latin-1 bytes; a value with any above goes as UTF-8. `Host`, `Content-Length` and `Connection` are
   * added by the wire, unless a line of that name is given: then the given lines are all that is sent.
   */
  readonly headers: HeaderList;
  readonly body: Uint8Array | undefined;
  readonly transport: Transport;
  /** Milliseconds between the last byte of the request and the cut of `cut-after-send`; at once where none are given. */
  readonly leaves?: number;
};

/** The outcome of one request: a response, or the reason why there is none. */
export type WireOutcome = {
  readonly answer: HttpResponse | undefined;
  readonly noAnswer: NoResponse | undefined;
  /** Ordinal of the connection, from 0 in the order in which connections were opened; -1 where none was. */
  readonly connection: number;
  /** Milliseconds of the clock's monotonic time: when `send` was called. */
  readonly startedAt: number;
  /** When the request's last byte was handed to the operating system; undefined where that never happened. */
  readonly sentAt: number | undefined;
  readonly endedAt: number;
  /** What was added to the request on its way, with placeholders as values. */
  readonly added?: HeaderList;
  /** Wall-clock time of `startedAt`, where it is not that of the call. */
  readonly wall?: number;
};

/** Field lines in which the wire's own would be in the way, or that undici takes out, rewrites or refuses. */
const framing = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
]);
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const originForm = /^\/[\x21-\xff]*$/;

/** The text whose Latin-1 bytes are to be sent: the text itself, or its UTF-8 bytes where it has characters above U+00FF. */
export function asBytes(text: string): string {
  return /[^\x00-\xff]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

/** True where undici would refuse the request or send it otherwise than given. */
export function needsRaw(request: WireRequest): boolean {
  return (
    request.method === 'CONNECT' ||
    !token.test(request.method) ||
    !originForm.test(asBytes(request.path)) ||
    request.headers.some(
      ([name, value]) =>
        framing.has(name.toLowerCase()) || !token.test(name) || !fieldValue.test(asBytes(value)),
    )
  );
}

/** The request as bytes (RFC 9112), for a connection that carries nothing else. Nothing is checked: what is odd stays odd. */
export function requestBytes(request: WireRequest, host: string): { head: Buffer; body: Buffer } {
  const given = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const body = request.body === undefined ? Buffer.alloc(0) : bufferOf(request.body);
  const lines = [`${request.method} ${asBytes(request.path)} HTTP/1.1`];
  if (!given.has('host')) lines.push(`Host: ${host}`);
  if (!given.has('connection')) lines.push('Connection: close');
  for (const [name, value] of request.headers) lines.push(`${asBytes(name)}: ${asBytes(value)}`);
  const expectsBody = request.method === 'POST' || request.method === 'PUT' || request.method === 'PATCH';
  if ((body.length > 0 || expectsBody) && !given.has('content-length') && !given.has('transfer-encoding')) {
    lines.push(`Content-Length: ${body.length}`);
  }
  return { head: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body };
}

/** The same bytes as a Buffer, without a copy. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
