import { Buffer } from 'node:buffer';
import { X509Certificate } from 'node:crypto';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import type { Client } from 'undici';
import type { NoResponse } from '../model/exchange.ts';
import { UndiciClient } from './client.ts';
import type { Http2 } from './http2.ts';
import { connectTrouble, noAnswer } from './trouble.ts';
import { openTunnel, type ProxyServer } from './tunnel.ts';

/** Where connections go, taken apart once. */
export type Endpoint = {
  readonly origin: string;
  readonly secure: boolean;
  readonly hostname: string;
  readonly port: number;
  readonly host: string;
  /** Trust and protocol for TLS; undefined for plain HTTP. */
  readonly context: tls.SecureContext | undefined;
  readonly timeoutMs: number;
  /** Every connection goes through it, whatever it carries. */
  readonly proxy: ProxyServer | undefined;
};

/** What the client shows of itself in TLS, in PEM. */
export type ClientCertificate = {
  readonly cert: string;
  readonly key: string;
  readonly passphrase?: string;
};

/** An open socket. It is never opened again: when it ends, so does the connection. */
export type Connection = {
  readonly ordinal: number;
  readonly socket: net.Socket;
  /** Where HTTP/2 is spoken on it. */
  readonly http2?: Http2;
};

/** `ca` is trusted in addition to the usual ones. @throws TypeError where it, or the origin, cannot be read */
export function endpointOf(target: {
  readonly origin: string;
  readonly timeoutMs: number;
  readonly ca?: string;
  readonly client?: ClientCertificate;
  readonly proxy?: ProxyServer;
}): Endpoint {
  const url = new URL(target.origin);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(`'${target.origin}' is not an http or https URL`);
  }
  const secure = url.protocol === 'https:';
  return {
    origin: url.origin,
    secure,
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    host: url.host,
    context: secure
      ? tls.createSecureContext({
          ...(target.ca === undefined ? {} : { ca: [...tls.rootCertificates, ...certificatesIn(target.ca)] }),
          ...target.client,
        })
      : undefined,
    timeoutMs: target.timeoutMs,
    proxy: target.proxy,
  };
}

/** Node would pass over what is no certificate, and the target be refused later. @throws TypeError */
export function certificatesIn(pem: string): readonly string[] {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  if (found.length === 0) throw new TypeError('there is no certificate in PEM');
  for (const [index, one] of found.entries())
    try {
      new X509Certificate(one);
    } catch (error) {
      throw new TypeError(`certificate ${index + 1} cannot be read`, { cause: error });
    }
  return found;
}

/** Opens one socket. It never rejects: what went wrong is the result. */
export async function openSocket(
  endpoint: Endpoint,
  signal: AbortSignal | undefined,
  offered: readonly Protocol[] = ['http/1.1'],
): Promise<net.Socket | NoResponse> {
  const { proxy, timeoutMs } = endpoint;
  if (proxy === undefined) return opened(endpoint, undefined, signal, offered);
  const tunnel = await openTunnel(proxy, endpoint, timeoutMs, signal);
  return 'reason' in tunnel ? tunnel : opened(endpoint, tunnel, signal, offered);
}

export type Protocol = 'h2' | 'http/1.1';

/** Whether a connection failed since the target speaks none of the protocols that were offered. */
export function speaksOther({ detail, reason }: NoResponse): boolean {
  return reason === 'tls' && detail.includes('NO_APPLICATION_PROTOCOL');
}

export function protocolOf(socket: net.Socket): Protocol {
  return socket instanceof tls.TLSSocket && socket.alpnProtocol === 'h2' ? 'h2' : 'http/1.1';
}

/** Speaks TLS where the target does; `tunnel` leads to the target already. */
function opened(
  endpoint: Endpoint,
  tunnel: net.Socket | undefined,
  signal: AbortSignal | undefined,
  offered: readonly Protocol[],
): Promise<net.Socket | NoResponse> {
  return new Promise((resolve) => {
    const { hostname, port, context } = endpoint;
    const socket =
      context === undefined
        ? (tunnel ?? net.connect({ host: hostname, port }))
        : tls.connect({
            ...(tunnel === undefined ? { host: hostname, port } : { socket: tunnel, host: hostname }),
            secureContext: context,
            rejectUnauthorized: true,
            ALPNProtocols: [...offered],
            ...(net.isIP(hostname) === 0 ? { servername: hostname } : {}),
          });
    const settle = (result: net.Socket | NoResponse): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
      if (!(result instanceof net.Socket)) socket.destroy();
      resolve(result);
    };
    const interrupt = (): void => settle(noAnswer('interrupted', 'the run was interrupted'));
    const timer = setTimeout(
      () => settle(noAnswer('timeout', `no connection within ${endpoint.timeoutMs} ms`)),
      endpoint.timeoutMs,
    );
    const ready = (): void => {
      socket.setNoDelay(true);
      socket.setKeepAlive(true, 60_000);
      settle(socket);
    };
    signal?.addEventListener('abort', interrupt, { once: true });
    // Stays for the life of the socket: an error that nobody waits for must not end the process.
    socket.on('error', (error) => settle(connectTrouble(error, endpoint.secure)));
    if (signal?.aborted === true) interrupt();
    else if (socket === tunnel) ready();
    else socket.once(endpoint.secure ? 'secureConnect' : 'connect', ready);
  });
}

/** undici on one open stream. */
export type Speaker = {
  readonly client: Client;
  /** To be called before each request: what is read next is the head of a response. */
  readonly expectHead: () => void;
};

/** undici would send queued requests on a second connection when this one ends: it is refused. */
export function speakOver(stream: net.Socket | Duplex, origin: string): Speaker {
  let taken = false;
  const expectHead = passInterim(stream);
  const client = new UndiciClient(origin, {
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (_options, callback) => {
      const first = !taken;
      taken = true;
      // undici does not expect to be called back before `connect` returned.
      queueMicrotask(() => {
        if (first && servesAsSocket(stream)) callback(null, stream);
        else callback(new ConnectionEnded(), null);
      });
    },
  });
  return { client, expectHead };
}

/** The connection ended before the request was written to it. */
class ConnectionEnded extends Error {
  readonly code = 'ECONNRESET';
  constructor() {
    super('the connection had ended');
  }
}

// undici's types want a Socket; all that it uses of one, a Duplex has.
function servesAsSocket(stream: net.Socket | Duplex): stream is net.Socket {
  return !stream.destroyed;
}

/** How informational responses begin. */
const begins = ['HTTP/1.0 1', 'HTTP/1.1 1'];

/**
 * Takes informational responses out of what is read, since undici gives up on `100 Continue` (RFC 9110, 15.2). The caller
 * says when a head is due. `101 Switching Protocols` stays: what follows it is not HTTP.
 */
function passInterim(stream: Duplex): () => void {
  const read = stream.read.bind(stream);
  let headDue = false;
  let held: Buffer | undefined;
  stream.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (!headDue || !Buffer.isBuffer(chunk)) return chunk;
    const bytes = held === undefined ? chunk : Buffer.concat([held, chunk]);
    held = undefined;
    const start = bytes.toString('latin1', 0, 12);
    const interim = /^HTTP\/1\.[01] 1(?!01)\d\d$/.test(start);
    // Too little has come to know.
    const open = start.length < 12 && begins.some((begin) => begin.startsWith(start.slice(0, begin.length)));
    const end = interim ? bytes.indexOf('\r\n\r\n') : -1;
    if (open || (interim && end < 0 && bytes.length < 16_384)) {
      held = bytes;
      return stream.read();
    }
    if (end < 0) {
      headDue = false;
      return bytes;
    }
    if (end + 4 < bytes.length) stream.unshift(bytes.subarray(end + 4));
    return stream.read();
  };
  return () => {
    headDue = true;
  };
}
