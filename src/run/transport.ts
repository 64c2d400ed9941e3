import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Config, TextSource } from '../config/config.ts';
import { isLocal } from '../config/target.ts';
import { widest } from '../engine/burst.ts';
import { type NamedSecret, shortestSecret } from '../evidence/gate.ts';
import { type InputError, trouble } from '../model/input-error.ts';
import { messageOf } from '../model/thrown.ts';
import { type ClientCertificate, certificatesIn } from '../wire/connection.ts';
import { type ProxyServer, proxyOf } from '../wire/tunnel.ts';
import type { WireTarget } from '../wire/wire.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export type Connecting = {
  /** Certificates in PEM that are trusted in addition to the usual ones. */
  readonly ca: string | undefined;
  readonly client: ClientCertificate | undefined;
  readonly proxy: ProxyServer | undefined;
  /** The parts that must not be written anywhere. */
  readonly secrets: readonly NamedSecret[];
};

export const direct: Connecting = { ca: undefined, client: undefined, proxy: undefined, secrets: [] };

export function wireTarget(config: Config, { ca, client, proxy }: Connecting, origin: string): WireTarget {
  return {
    origin,
    timeoutMs: config.target.timeoutMs,
    // They are opened as needed: a burst at a slow target needs many.
    connections: Math.max(widest, config.concurrency),
    // A list without pages may hold all records of a run.
    maxBodyBytes: 1024 * 1024,
    ...(config.target.http2 === true ? { http2: true } : {}),
    ...(ca === undefined ? {} : { ca }),
    ...(client === undefined ? {} : { client }),
    ...(proxy === undefined ? {} : { proxy }),
  };
}

/** @throws InputError where a certificate, a key or the URL of a proxy cannot be used; it quotes none of them */
export async function transportOf(config: Config, env: Environment): Promise<Connecting> {
  const { target } = config;
  if (target.baseUrl === undefined) return direct;
  const ca = target.ca === undefined ? undefined : await authorities(target.ca);
  const client = await clientOf(config, env);
  const { proxy, secrets } = proxyFor(new URL(target.baseUrl), target.proxy, env, ca);
  return { ca, client, proxy, secrets };
}

async function authorities(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) throw trouble(file, 'the certificates cannot be read', 'check target.ca');
  try {
    certificatesIn(text);
  } catch (error) {
    throw trouble(file, messageOf(error), 'target.ca names a file of certificates in PEM');
  }
  return text;
}

async function clientOf(config: Config, env: Environment): Promise<ClientCertificate | undefined> {
  const given = config.target.clientCertificate;
  if (given === undefined) return undefined;
  const unusable = (key: string, problem: string, remedy: string): InputError =>
    trouble(config.file, problem, remedy, config.positions.get(`/target/clientCertificate/${key}`));
  const read = async (key: 'cert' | 'key' | 'passphrase', source: TextSource): Promise<string> => {
    if ('env' in source) {
      const text = env[source.env];
      if (text !== undefined && text.trim() !== '') return text;
      throw unusable(key, `the environment variable ${source.env} is not set`, `set ${source.env}`);
    }
    const text = await readFile(source.file, 'utf8').catch(() => undefined);
    if (text !== undefined) return text;
    throw unusable(
      key,
      `the file ${source.file} cannot be read`,
      'check the path; it is relative to this file',
    );
  };
  const cert = await read('cert', given.cert);
  const key = await read('key', given.key);
  const passphrase =
    given.passphrase === undefined ? undefined : (await read('passphrase', given.passphrase)).trim();
  const client = { cert, key, ...(passphrase === undefined ? {} : { passphrase }) };
  try {
    new X509Certificate(cert);
  } catch {
    throw unusable(
      'cert',
      'there is no certificate in PEM',
      'name a file that begins with -----BEGIN CERTIFICATE-----',
    );
  }
  try {
    createSecureContext(client);
  } catch {
    throw unusable(
      'key',
      'the private key cannot be used with the certificate',
      'give the key of this certificate in PEM, with its passphrase if it has one',
    );
  }
  return client;
}

/** The proxy for a URL: the one given, or that of the environment. @throws InputError where it is none */
export function proxyFor(
  target: URL,
  given: string | undefined,
  env: Environment,
  ca: string | undefined,
): Pick<Connecting, 'proxy' | 'secrets'> {
  if (given === 'none') return { proxy: undefined, secrets: [] };
  const [name, text] = given === undefined ? proxyInEnvironment(target, env) : ['target.proxy', given];
  if (text === undefined || text === '') return { proxy: undefined, secrets: [] };
  let proxy: ProxyServer;
  try {
    proxy = proxyOf(text);
  } catch {
    throw trouble(
      name,
      'the proxy is not an http or https URL',
      'write a URL such as http://proxy.example:3128',
    );
  }
  const pair = Buffer.from(proxy.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString();
  const password = pair.slice(pair.indexOf(':') + 1);
  if (password !== '' && password.length < shortestSecret)
    throw trouble(
      name,
      `the password of the proxy has fewer than ${shortestSecret} characters, and could not be redacted safely`,
      'use a longer one',
    );
  return {
    proxy: { ...proxy, ...(ca === undefined ? {} : { ca: certificatesIn(ca) }) },
    secrets: password === '' ? [] : [{ name: 'proxy password', value: password }],
  };
}

/** As curl reads it: `NO_PROXY` lists hosts, their ends, or `*`; this machine is never behind a proxy. */
export function proxyInEnvironment(target: URL, env: Environment): readonly [string, string | undefined] {
  const secure = target.protocol === 'https:';
  const name = secure ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (isLocal(target.href)) return [name, undefined];
  const port = target.port === '' ? (secure ? '443' : '80') : target.port;
  const excluded = (env['NO_PROXY'] ?? env['no_proxy'] ?? '')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, named = '', only] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
      const end = named.replace(/^\*?\./, '');
      return (only === undefined || only === port) && (host === end || host.endsWith(`.${end}`));
    });
  if (excluded) return [name, undefined];
  return [name, env[name] ?? env[name.toLowerCase()]];
}
