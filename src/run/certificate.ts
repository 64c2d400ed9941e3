import { connect } from 'node:tls';
import { openTunnel } from '../wire/tunnel.ts';
import type { Connecting } from './transport.ts';

/** If the TLS handshake takes longer than this, the evidence has no fingerprint; the run goes on. */
const patienceMs = 5000;

/** SHA-256 of the certificate of the target. It only identifies the server; to trust it is for the client to decide. */
export async function certificateOf(
  baseUrl: string,
  { client, proxy }: Pick<Connecting, 'client' | 'proxy'>,
): Promise<string | undefined> {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== 'https:') return undefined;
  const host = hostname.replace(/^\[|\]$/g, '');
  const at = { hostname: host, port: port === '' ? 443 : Number(port) };
  const tunnel = proxy === undefined ? undefined : await openTunnel(proxy, at, patienceMs, undefined);
  if (tunnel !== undefined && 'reason' in tunnel) return undefined;
  return new Promise((resolve) => {
    const socket = connect({
      host,
      ...(tunnel === undefined ? { port: at.port } : { socket: tunnel }),
      rejectUnauthorized: false,
      ...client,
      ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
    });
    const end = (digest: string | undefined): void => {
      socket.destroy();
      tunnel?.destroy();
      resolve(digest);
    };
    socket.setTimeout(patienceMs, () => end(undefined));
    socket.once('error', () => end(undefined));
    socket.once('secureConnect', () => {
      const fingerprint = socket.getPeerCertificate().fingerprint256;
      end(typeof fingerprint === 'string' ? fingerprint.replaceAll(':', '').toLowerCase() : undefined);
    });
  });
}
