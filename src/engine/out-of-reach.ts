import { isDropped, type NoResponse } from '../model/exchange.ts';

/** What to do where TLS failed, by what the error says. */
const tlsRemedies: readonly (readonly [RegExp, string])[] = [
  [
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|CERT_UNTRUSTED|INVALID_CA/,
    'no known authority issued its certificate: name a PEM file with its authority in target.ca',
  ],
  [/ALTNAME|HOSTNAME_MISMATCH/, 'its certificate is for another host: write that host in target.baseUrl'],
  [/EXPIRED|NOT_YET_VALID/, 'renew its certificate, and check the clock of this machine'],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH|HTTP_REQUEST|UNKNOWN_PROTOCOL/,
    'it does not use TLS at this port: write http:// in target.baseUrl, or correct the port',
  ],
  [
    /CERTIFICATE_REQUIRED|BAD_CERTIFICATE|HANDSHAKE_FAILURE|UNKNOWN_CA|during the TLS handshake/,
    'it may ask for a client certificate: give target.clientCertificate',
  ],
];

const remedies: Readonly<Record<string, string>> = {
  tls: 'check its TLS settings',
  dns: 'check the host in target.baseUrl, and whether it is reached through a proxy (target.proxy)',
  refused: 'start the service, or correct the port in target.baseUrl',
  timeout: 'check target.baseUrl and firewalls; a proxy may be needed (target.proxy)',
  protocol: 'something other than an HTTP service listens there: correct the port in target.baseUrl',
};

/** The hook that a request was not sent for want of. */
export function brokenHook({ detail }: Pick<NoResponse, 'detail'>): string | undefined {
  return /^not sent: the hook '([^']+)'/.exec(detail)?.[1];
}

/** Whether a request was not sent because an earlier response lacks what it needs. */
export function isUnsent({ detail }: Pick<NoResponse, 'detail'>): boolean {
  return detail.startsWith('not sent: an earlier response does not give ');
}

/** What to do where a target gave no whole response. `url` is what was tried. */
export function reachRemedy(none: NoResponse, url: string | undefined): string {
  const { detail, partial, reason } = none;
  const hook = brokenHook({ detail });
  if (hook !== undefined) return `correct hooks.${hook} in the configuration`;
  if (partial !== undefined || /in the middle of/.test(detail))
    return 'its responses break off: look at its log, and at that of any gateway in front of it';
  if (/\bproxy\b/.test(detail))
    return 'check target.proxy, or HTTPS_PROXY, HTTP_PROXY and NO_PROXY in the environment';
  if (reason === 'tls') {
    const known = tlsRemedies.find(([pattern]) => pattern.test(detail))?.[1];
    if (known !== undefined) return known;
  }
  if (isDropped(none) && url?.startsWith('http:') === true)
    return 'it ended the connection: if it uses TLS, write https:// in target.baseUrl';
  return remedies[reason] ?? 'check target.baseUrl, and that the service is running';
}

export function reachDetail({ detail }: Pick<NoResponse, 'detail'>): string {
  // OpenSSL names the place in its source, over two lines.
  const short = detail.replace(/[0-9A-F]+:error:[0-9A-F]+:SSL routines:\w*:([^:]+):[^(]*/, '$1 ');
  return short.replaceAll(/\s+/g, ' ').trim();
}

/** One line: the URL that was tried, what went wrong, and what to do. */
export function reachText(trouble: NoResponse, url: string | undefined): string {
  if (brokenHook(trouble) !== undefined)
    return `no request could be made for ${url ?? 'the target'}: ${reachDetail(trouble).slice('not sent: '.length)}; ${reachRemedy(trouble, url)}`;
  // The target responded, and what it responded with has no ID where the contract says.
  if (isUnsent(trouble))
    return `no request could be made for ${url ?? 'the target'}: ${trouble.detail.slice('not sent: '.length)}; correct the links of the contract, or give IDs under operations.<name>.targets`;
  const said = `no response from ${url ?? 'the target'}: ${reachDetail(trouble)}`;
  return /; give /.test(said) ? said : `${said}; ${reachRemedy(trouble, url)}`;
}
