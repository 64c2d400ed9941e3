import { rootCertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import { isLocal } from '../config/target.ts';
import { certificatesIn } from '../wire/connection.ts';
import { proxyFor } from './transport.ts';

/** How the HTTP call of a hook is made; undefined where nothing is special. Who asks for it closes it. */
export async function hookDispatcher(
  url: URL,
  {
    ca,
    env,
    proxy: given,
  }: {
    readonly proxy: string | undefined;
    readonly env: Readonly<Record<string, string | undefined>>;
    /** Certificates in PEM that the target's connections trust as well. */
    readonly ca: string | undefined;
  },
): Promise<Dispatcher | undefined> {
  // A hook on this machine is not behind the proxy of the target.
  const { proxy } = isLocal(url.href) ? { proxy: undefined } : proxyFor(url, given, env, ca);
  const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ...certificatesIn(ca)] };
  if (proxy === undefined && ca === undefined) return undefined;
  const { Agent, ProxyAgent } = await import('undici');
  if (proxy === undefined) return new Agent({ connect: trusted });
  const host = proxy.hostname.includes(':') ? `[${proxy.hostname}]` : proxy.hostname;
  return new ProxyAgent({
    uri: `${proxy.secure ? 'https' : 'http'}://${host}:${proxy.port}`,
    ...(proxy.authorization === undefined ? {} : { token: proxy.authorization }),
    proxyTunnel: true,
    requestTls: trusted,
    proxyTls: trusted,
  });
}
