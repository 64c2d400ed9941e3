import { expect, onTestFinished, test } from 'vitest';
import type { WireOutcome, WireRequest } from '../model/wire.ts';
import { machineClock } from '../run/clock.ts';
import { type Certificate, pem, startScripted } from '../testing/scripted-server.ts';
import { openWire } from './wire.ts';

const get: WireRequest = { method: 'GET', path: '/', headers: [], body: undefined, transport: 'pooled' };
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

/** One request to a server with that certificate, or none. */
async function sent(
  certificate: Certificate | undefined,
  more: {
    readonly ca?: string;
    readonly origin?: (port: number) => string;
    readonly transport?: WireRequest['transport'];
    readonly greeting?: string;
    readonly timeoutMs?: number;
  } = {},
): Promise<WireOutcome & { readonly arrived: number }> {
  const server = await startScripted((socket) => void socket.write(ok), {
    ...(certificate === undefined ? {} : { certificate }),
    ...(more.greeting === undefined ? {} : { greet: (socket) => void socket.write(more.greeting ?? '') }),
  });
  const wire = openWire(
    {
      origin: more.origin?.(server.port) ?? server.origin,
      timeoutMs: more.timeoutMs ?? 5000,
      connections: 1,
      maxBodyBytes: 1000,
      ...(more.ca === undefined ? {} : { ca: more.ca }),
    },
    machineClock,
  );
  onTestFinished(async () => {
    await wire.close();
    await server.close();
  });
  const outcome = await wire.send({ ...get, transport: more.transport ?? 'pooled' });
  return { ...outcome, arrived: server.arrived.length };
}

const secure = (port: number): string => `https://127.0.0.1:${port}`;

test.each(['pooled', 'fresh', 'raw'] as const)(
  '%s: a certificate that was given is trusted',
  async (transport) => {
    const { answer } = await sent('known', { ca: pem('known'), transport });
    expect(answer).toMatchObject({ status: 200, body: '{}' });
  },
);

test.each<[string, Certificate, string | undefined, RegExp]>([
  [
    'signed by itself',
    'known',
    undefined,
    /^no TLS connection: self-signed certificate.* \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/,
  ],
  [
    'of another host',
    'elsewhere',
    pem('elsewhere'),
    /^no TLS connection: .*127\.0\.0\.1 is not in the cert's list.* \(ERR_TLS_CERT_ALTNAME_INVALID\)$/,
  ],
  [
    'that has expired',
    'expired',
    pem('expired'),
    /^no TLS connection: certificate has expired \(CERT_HAS_EXPIRED\)$/,
  ],
  ['that another one was given for', 'known', pem('elsewhere'), /\(DEPTH_ZERO_SELF_SIGNED_CERT\)$/],
])('a certificate %s is refused, and no request leaves', async (_, certificate, ca, detail) => {
  const outcome = await sent(certificate, ca === undefined ? {} : { ca });
  expect(outcome.noAnswer).toMatchObject({ reason: 'tls', detail: expect.stringMatching(detail) });
  expect(outcome).toMatchObject({ answer: undefined, connection: -1, sentAt: undefined, arrived: 0 });
});

test('the name in the URL counts, not the address', async () => {
  const { answer } = await sent('known', {
    ca: pem('known'),
    origin: (port) => `https://localhost:${port}`,
  });
  expect(answer?.status).toBe(200);
});

test('plain HTTP where the URL says https', async () => {
  const { noAnswer } = await sent(undefined, {
    origin: secure,
    greeting: 'HTTP/1.1 400 Bad Request\r\n\r\n',
  });
  expect(noAnswer).toMatchObject({
    reason: 'tls',
    detail: expect.stringMatching(/^no TLS connection: .*wrong version number/),
  });
});

test('a server that says nothing where the URL says https', async () => {
  const { noAnswer } = await sent(undefined, { origin: secure, timeoutMs: 300 });
  expect(noAnswer).toMatchObject({ reason: 'timeout', detail: 'no connection within 300 ms' });
});

test('https where the URL says plain HTTP: no response, and no crash', async () => {
  const { answer, noAnswer } = await sent('known', { origin: (port) => `http://127.0.0.1:${port}` });
  expect(answer).toBeUndefined();
  expect(['protocol', 'closed', 'reset']).toContain(noAnswer?.reason);
});

test.each([
  ['', 'there is no certificate in PEM'],
  ['hello', 'there is no certificate in PEM'],
  ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 'certificate 1 cannot be read'],
])('certificates that are none are refused as the wire opens: %j', (ca, message) => {
  const target = { origin: 'https://127.0.0.1', timeoutMs: 1, connections: 1, maxBodyBytes: 1, ca };
  expect(() => openWire(target, machineClock)).toThrow(new TypeError(message));
});

test('a file of several certificates is read whole', async () => {
  const { answer } = await sent('known', { ca: `# ours\n${pem('elsewhere')}\n${pem('known')}` });
  expect(answer?.status).toBe(200);
});
