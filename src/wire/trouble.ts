import type { HeaderList, NoResponse } from '../model/exchange.ts';
import { codeOf, messageOf } from '../model/thrown.ts';

type Partial = { readonly status: number; readonly headers: HeaderList };

/** A no-response before anything of the response came, or after its head. */
export function noAnswer(reason: NoResponse['reason'], detail: string, partial?: Partial): NoResponse {
  return { reason, detail, partial };
}

const noRoute = new Set([
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'ENETDOWN',
  'EHOSTDOWN',
]);
const noName = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME']);
const noMeans = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);
const tlsCodes =
  /^(?:ERR_TLS|ERR_SSL|CERT|CRL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|EPROTO|ERROR_IN_)/;

/** Why no connection could be opened. `secure` says that TLS was to be spoken. */
export function connectTrouble(error: unknown, secure: boolean): NoResponse {
  const code = codeOf(error);
  const message = messageOf(error);
  if (noName.has(code)) return noAnswer('dns', `the host name cannot be resolved (${code})`);
  if (tlsCodes.test(code)) return noAnswer('tls', `no TLS connection: ${message} (${code})`);
  if (code === 'ECONNREFUSED') return noAnswer('refused', 'the connection was refused');
  if (noRoute.has(code)) return noAnswer('refused', `the host cannot be reached (${code})`);
  if (code === 'ETIMEDOUT') return noAnswer('timeout', 'the connection could not be opened in time');
  if (noMeans.has(code)) return noAnswer('harness', `this machine has no more sockets (${code})`);
  if (code === 'ECONNRESET' && secure) {
    return noAnswer('tls', 'the other side ended the connection during the TLS handshake');
  }
  if (code === 'ECONNRESET' || code === 'ECONNABORTED' || code === 'EPIPE') {
    return noAnswer('reset', `the connection was reset while it was opened (${code})`);
  }
  return noAnswer(
    'harness',
    `the connection could not be opened: ${message}${code === '' ? '' : ` (${code})`}`,
  );
}

/** How far an exchange had come when it failed. */
export type Progress = {
  readonly reused: boolean;
  /** At least one byte of the response came. */
  readonly begun: boolean;
  readonly partial: Partial | undefined;
};

/** Why an exchange on an open connection has no whole response. */
export function exchangeTrouble(error: unknown, progress: Progress): NoResponse {
  const { partial, reused, begun } = progress;
  const code = codeOf(error);
  const message = messageOf(error);
  const ended = (how: string, reason: 'closed' | 'reset'): NoResponse => {
    if (partial !== undefined) return noAnswer('closed', `${how} in the middle of the response`, partial);
    if (begun) return noAnswer('closed', `${how} in the middle of the response's head`);
    if (reused)
      return noAnswer('reset', `${how} before any byte of the response; the connection had been used before`);
    return noAnswer(reason, `${how} before any byte of the response`);
  };
  // By its name: undici leaves the code out where its parser gives none.
  if (error instanceof Error && error.name === 'HTTPParserError')
    return noAnswer('protocol', `the response is not HTTP/1.1: ${message}`, partial);
  switch (code) {
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ECONNABORTED':
      return ended(`the connection was reset (${code})`, 'reset');
    case 'ETIMEDOUT':
      return noAnswer('timeout', 'the connection timed out in the network (ETIMEDOUT)', partial);
    case 'UND_ERR_SOCKET':
      if (message.startsWith('bad ')) {
        return noAnswer('protocol', `the response is not what HTTP/1.1 allows here (${message})`, partial);
      }
      return ended('the other side closed the connection', 'closed');
    case 'ERR_HTTP2_STREAM_ERROR':
      if (/PROTOCOL_ERROR|FRAME_SIZE|COMPRESSION|FLOW_CONTROL/.test(message))
        return noAnswer('protocol', `the response is not what HTTP/2 allows: ${message}`, partial);
      return ended(`the stream was reset (${message.split(' ').at(-1)})`, 'reset');
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return noAnswer(
        'protocol',
        'the response is not as long as its Content-Length says or has two of them, or a line of its header is folded or has a control character',
        partial,
      );
    // What undici's parser lets through, and undici itself takes for impossible.
    case 'ERR_ASSERTION':
      return noAnswer(
        'protocol',
        'the response is not what HTTP/1.1 allows here, such as a status below 100',
        partial,
      );
    case 'UND_ERR_HEADERS_OVERFLOW':
      return noAnswer('too-large', 'the header of the response is too large', partial);
    default:
      if (tlsCodes.test(code)) return noAnswer('tls', `TLS failed: ${message} (${code})`, partial);
      return noAnswer('harness', `${message}${code === '' ? '' : ` (${code})`}`, partial);
  }
}
