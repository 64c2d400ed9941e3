import { expect, test } from 'vitest';
import type { NoResponse } from '../model/exchange.ts';
import { reachText } from './out-of-reach.ts';

const https = 'https://cases.example.test/api';
const none = (reason: NoResponse['reason'], detail: string): NoResponse => ({
  reason,
  detail,
  partial: undefined,
});

test.each<[string, NoResponse, string, RegExp]>([
  [
    'a self-signed certificate',
    none('tls', 'no TLS connection: self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)'),
    https,
    /target\.ca$/,
  ],
  [
    'an unknown authority',
    none(
      'tls',
      'no TLS connection: unable to verify the first certificate (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
    ),
    https,
    /target\.ca$/,
  ],
  [
    'a certificate of another host',
    none(
      'tls',
      "no TLS connection: Hostname/IP does not match certificate's altnames (ERR_TLS_CERT_ALTNAME_INVALID)",
    ),
    https,
    /write that host in target\.baseUrl$/,
  ],
  [
    'an expired certificate',
    none('tls', 'no TLS connection: certificate has expired (CERT_HAS_EXPIRED)'),
    https,
    /renew its certificate/,
  ],
  [
    'https to a port of http',
    none(
      'tls',
      'no TLS connection: 807C8D273F7F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/ssl3_record.c:350:\n (ERR_SSL_WRONG_VERSION_NUMBER)',
    ),
    https,
    /^no response from https:\S+: no TLS connection: wrong version number \(ERR_SSL_WRONG_VERSION_NUMBER\); it does not use TLS at this port: write http:/,
  ],
  [
    'http to a port of https',
    none('closed', 'the other side closed the connection before any byte of the response'),
    'http://cases.example.test',
    /if it uses TLS, write https:/,
  ],
  [
    'a demand for a client certificate',
    none('tls', 'the other side ended the connection during the TLS handshake'),
    https,
    /give target\.clientCertificate$/,
  ],
  [
    'a proxy that refuses',
    none('refused', 'the proxy 127.0.0.1:3128 refused the connection: 403 Forbidden'),
    https,
    /check target\.proxy/,
  ],
  [
    'a response that breaks off',
    none('closed', "the other side closed the connection in the middle of the response's head"),
    'http://cases.example.test',
    /its responses break off/,
  ],
  ['no service', none('refused', 'the connection was refused'), https, /start the service/],
  ['no such host', none('dns', 'the host name cannot be resolved (ENOTFOUND)'), https, /check the host/],
  ['silence', none('timeout', 'no response within 10000 ms'), https, /firewalls/],
])('%s is one line with the URL and the remedy', (_, trouble, url, expected) => {
  const text = reachText(trouble, url);
  expect(text).toMatch(expected);
  expect(text.startsWith(`no response from ${url}: `)).toBe(true);
  expect(text).not.toContain('\n');
});

test('a target whose response has no ID where the contract says is not taken for one that is silent', () => {
  const trouble = none('harness', "not sent: an earlier response does not give the target 'id'");
  expect(reachText(trouble, 'http://127.0.0.1:9')).toBe(
    "no request could be made for http://127.0.0.1:9: an earlier response does not give the target 'id'; correct the links of the contract, or give IDs under operations.<name>.targets",
  );
});

test('a request that a hook left without what it needs blames the hook, not the target', () => {
  const trouble = none('harness', "not sent: the hook 'verify' failed (HTTP 500)");
  expect(reachText(trouble, 'http://127.0.0.1:9')).toBe(
    "no request could be made for http://127.0.0.1:9: the hook 'verify' failed (HTTP 500); correct hooks.verify in the configuration",
  );
});
