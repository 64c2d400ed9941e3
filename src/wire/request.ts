import { Buffer } from 'node:buffer';
import type { WireRequest } from '../model/wire.ts';

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
