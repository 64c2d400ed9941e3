import { Buffer } from 'node:buffer';
import net from 'node:net';
import tls from 'node:tls';
import type { NoResponse } from '../model/exchange.ts';
import { connectTrouble, noAnswer } from './trouble.ts';

/** An HTTP proxy through which every connection is made, with CONNECT. */
export type ProxyServer = {
  readonly secure: boolean;
  readonly hostname: string;
  readonly port: number;
  readonly authorization: string | undefined;
  /** Certificates in PEM to trust in addition to the usual ones, for a proxy that speaks TLS. */
  readonly ca?: readonly string[];
};

/** @throws TypeError where the text is not an http or https URL */
export function proxyOf(text: string): ProxyServer {
  const url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError('a proxy has an http or https URL');
  const secure = url.protocol === 'https:';
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return {
    secure,
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    authorization: url.username === '' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`,
  };
}

const longestHead = 16_384;

/** Opens a tunnel, and never rejects. Whatever the proxy says for itself is no response of the target. */
export function openTunnel(
  proxy: ProxyServer,
  to: { readonly hostname: string; readonly port: number },
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<net.Socket | NoResponse> {
  return new Promise((resolve) => {
    const at = `${proxy.hostname}:${proxy.port}`;
    const socket = proxy.secure
      ? tls.connect({
          host: proxy.hostname,
          port: proxy.port,
          ...(net.isIP(proxy.hostname) === 0 ? { servername: proxy.hostname } : {}),
          ...(proxy.ca === undefined ? {} : { ca: [...tls.rootCertificates, ...proxy.ca] }),
        })
      : net.connect({ host: proxy.hostname, port: proxy.port });
    let head: Buffer = Buffer.alloc(0);
    const settle = (result: net.Socket | NoResponse): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
      socket.removeListener('readable', read);
      socket.removeListener('end', ended);
      if (!(result instanceof net.Socket)) socket.destroy();
      resolve(result);
    };
    const interrupt = (): void => settle(noAnswer('interrupted', 'the run was interrupted'));
    const ended = (): void => settle(noAnswer('refused', `the proxy ${at} closed the connection`));
    const timer = setTimeout(
      () => settle(noAnswer('timeout', `no connection through the proxy ${at} within ${timeoutMs} ms`)),
      timeoutMs,
    );
    const read = (): void => {
      for (;;) {
        const chunk: unknown = socket.read();
        if (!Buffer.isBuffer(chunk)) return;
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf('\r\n\r\n');
        if (end < 0 && head.length > longestHead) {
          settle(noAnswer('refused', `the proxy ${at} replied with no HTTP response`));
          return;
        }
        if (end < 0) continue;
        const [first = ''] = head.toString('latin1', 0, end).split('\r\n');
        const [, status = '', reason = ''] = /^HTTP\/1\.[01] (\d{3})(?: (.*))?$/.exec(first) ?? [];
        if (!status.startsWith('2')) {
          settle(noAnswer('refused', refusal(at, status, reason)));
          return;
        }
        if (end + 4 < head.length) socket.unshift(head.subarray(end + 4));
        settle(socket);
        return;
      }
    };
    signal?.addEventListener('abort', interrupt, { once: true });
    // Stays for the life of the socket: an error that nobody waits for must not end the process.
    socket.on('error', (error) => {
      const { reason, detail } = connectTrouble(error, proxy.secure);
      settle(noAnswer(reason, `no connection to the proxy ${at}: ${detail}`));
    });
    socket.on('readable', read);
    socket.once('end', ended);
    socket.once(proxy.secure ? 'secureConnect' : 'connect', () => {
      const host = net.isIPv6(to.hostname) ? `[${to.hostname}]:${to.port}` : `${to.hostname}:${to.port}`;
      const own = proxy.authorization === undefined ? '' : `Proxy-Authorization: ${proxy.authorization}\r\n`;
      socket.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n${own}\r\n`);
    });
    if (signal?.aborted === true) interrupt();
  });
}

function refusal(at: string, status: string, reason: string): string {
  if (status === '') return `the proxy ${at} replied with no HTTP response`;
  const said = `the proxy ${at} refused the connection: ${status}${reason === '' ? '' : ` ${reason.slice(0, 80)}`}`;
  return status === '407' ? `${said}; give its user and password in HTTPS_PROXY or HTTP_PROXY` : said;
}
