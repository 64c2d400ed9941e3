import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import http2 from 'node:http2';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import tls from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../cli/run.ts';
import { parseConfig } from '../config/load.ts';
import { capture } from '../testing/captured.ts';
import { startFaulty } from '../testing/faulty-run.ts';
import { proxyInEnvironment, transportOf } from './transport.ts';

const never = new AbortController().signal;
const pem = (name: string): string => resolve('fixtures/tls', name);

/** What is the target of the runs: the reference service behind TLS that asks for a client certificate. */
let service: Awaited<ReturnType<typeof startFaulty>>;
const servers: Server[] = [];
let secured = 0;
let proxied = { port: 0, tunnels: 0 };
let open = { port: 0, tunnels: 0 };

function listening(server: Server): Promise<number> {
  servers.push(server);
  return new Promise((done) =>
    server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)),
  );
}

/** Both ends as one: an error of either ends both. */
function joined(near: Socket, far: Socket): void {
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
  near.pipe(far).pipe(near);
}

beforeAll(async () => {
  service = await startFaulty({}, 'harness.config.yaml');
  const { port } = new URL(service.reference.url);
  // A stand-in for a gateway: it ends TLS, asks for a certificate, and passes on every byte.
  secured = await listening(
    tls.createServer(
      {
        cert: await readFile(pem('known.pem')),
        key: await readFile(pem('known.key.pem')),
        ca: await readFile(pem('elsewhere.pem')),
        requestCert: true,
        rejectUnauthorized: true,
      },
      (near) => joined(near, connect(Number(port), '127.0.0.1')),
    ),
  );
  proxied = { port: await listening(proxyServer(() => (proxied.tunnels += 1), true)), tunnels: 0 };
  open = { port: await listening(proxyServer(() => (open.tunnels += 1), false)), tunnels: 0 };
}, 120_000);

function proxyServer(count: () => void, asks: boolean): http.Server {
  const proxy = http.createServer((_request, response) => {
    response.writeHead(400).end('CONNECT alone');
  });
  const expected = `Basic ${Buffer.from('me:a-long-password').toString('base64')}`;
  proxy.on('connect', (request, near: Socket) => {
    if (asks && request.headers['proxy-authorization'] !== expected) {
      near.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="x"\r\n\r\n');
      return;
    }
    count();
    // The host of the configuration has no address: only the proxy knows where it is.
    const [, to = ''] = (request.url ?? '').split(':');
    const far = connect(Number(to), '127.0.0.1', () => {
      near.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      joined(near, far);
    });
  });
  return proxy;
}

afterAll(async () => {
  for (const server of servers) server.close();
  await service.reference.close();
});

async function runAt(
  target: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly said: string; readonly exitCode: number; readonly text: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-transport-'));
  const token = service.principals.find(({ name }) => name === 'full')?.token ?? '';
  const file = join(folder, 'harness.config.yaml');
  await writeFile(
    file,
    JSON.stringify({
      target: { environment: 'test', ...target },
      contract: resolve('fixtures/contracts/governed-command-1.27.0.yaml'),
      principals: {
        full: {
          token: { env: 'TRANSPORT_TEST_TOKEN' },
          permissions: ['case.create'],
          headers: { 'X-Tenant': 'blue' },
        },
      },
      seed: 7,
      output: folder,
    }),
  );
  const before = { ...process.env };
  Object.assign(process.env, { TRANSPORT_TEST_TOKEN: token, ...env });
  const said = capture();
  try {
    const { exitCode } = await run(
      file,
      {
        overrides: { budget: 'quick' },
        // Pooled, raw and cut requests, each alone and at once.
        suites: ['missing-keys', 'lost-responses', 'valid-commands'],
        operations: undefined,
        quiet: true,
        runName: 'run',
      },
      said.output,
      never,
    );
    const text = await readFile(join(folder, 'run/evidence.jsonl'), 'utf8');
    return { said: said.text(), exitCode, text };
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  }
}

const mutual = {
  ca: pem('known.pem'),
  clientCertificate: { cert: { file: pem('elsewhere.pem') }, key: { file: pem('elsewhere.key.pem') } },
};
const conformant = /^Verdict: PARTIAL: conformant/m;

test('a target with a private authority that asks for a client certificate: conformant', async () => {
  const { said, text } = await runAt({ baseUrl: `https://127.0.0.1:${secured}`, ...mutual });
  expect(said).toMatch(conformant);
  expect(text).toContain('["X-Tenant","blue"]');
  expect(text).toMatch(/"certificate":"[0-9a-f]{64}"/);
});

/** The service behind a gateway that speaks HTTP/2, and HTTP/1.1 as well where `both` says so. */
async function behindHttp2(both: boolean): Promise<{ readonly port: number; readonly spoken: Set<string> }> {
  const spoken = new Set<string>();
  const { port: behind } = new URL(service.reference.url);
  const gateway = http2.createSecureServer(
    { cert: await readFile(pem('known.pem')), key: await readFile(pem('known.key.pem')), allowHTTP1: both },
    (request, response) => {
      spoken.add(request.httpVersion);
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => undefined);
      request.on('end', () => {
        const own = request.rawHeaders.filter((_, at, all) => !/^:|^host$/i.test(all[at - (at % 2)] ?? ''));
        const headers = ['Host', 'cases.internal.example', ...own];
        const { method, url: path } = request;
        const onward = http.request({ host: '127.0.0.1', port: behind, method, path, headers }, (answer) => {
          if (response.stream?.destroyed === true) return;
          for (const name of ['connection', 'keep-alive', 'transfer-encoding']) delete answer.headers[name];
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        });
        onward.on('error', () => response.stream?.destroy());
        onward.end(Buffer.concat(chunks));
      });
    },
  );
  gateway.on('session', (session) => session.on('error', () => undefined));
  gateway.on('sessionError', () => undefined);
  return { port: await listening(gateway), spoken };
}

test.each([
  ['speaks only HTTP/2', false, {}, ['2.0']],
  ['offers HTTP/2 too', true, {}, ['1.1']],
  ['offers HTTP/2 too, where the configuration asks for it', true, { http2: true }, ['2.0']],
] as const)('a target that %s: conformant', async (_, both, more, expected) => {
  const { port, spoken } = await behindHttp2(both);
  const { said } = await runAt({ baseUrl: `https://127.0.0.1:${port}`, ca: pem('known.pem'), ...more });
  expect(said).toMatch(conformant);
  expect([...spoken]).toEqual(expected);
});

test('without the certificate nothing is tested, and nobody accused', async () => {
  const run = runAt({ baseUrl: `https://127.0.0.1:${secured}`, ca: pem('known.pem') });
  const { exitCode, said } = await run;
  expect(exitCode).toBe(2);
  expect(said).not.toMatch(/violation/);
});

test('through a proxy of the environment, to a host that only the proxy knows: conformant', async () => {
  const { port } = new URL(service.reference.url);
  const { said, text } = await runAt(
    { baseUrl: `http://cases.internal.example:${port}` },
    { HTTP_PROXY: `http://me:a-long-password@127.0.0.1:${proxied.port}`, NO_PROXY: 'other.example' },
  );
  expect(said).toMatch(conformant);
  expect(proxied.tunnels).toBeGreaterThan(0);
  expect(text).not.toContain('a-long-password');
});

test('TLS through a proxy of the configuration, and none where it says so', async () => {
  const before = proxied.tunnels;
  const env = { HTTPS_PROXY: `http://me:a-long-password@127.0.0.1:${proxied.port}` };
  // The certificate is not for this name, so the tunnel is open before TLS fails.
  const other = await runAt({ baseUrl: `https://cases.internal.example:${secured}`, ...mutual }, env);
  expect(other.exitCode).toBe(2);
  expect(other.said).toMatch(/no TLS connection: Hostname\/IP does not match/);
  expect(proxied.tunnels).toBeGreaterThan(before);
  const none = await runAt({ baseUrl: 'https://cases.internal.example', ...mutual, proxy: 'none' }, env);
  expect(none.said).not.toContain('the proxy ');
});

test('TLS with a client certificate through a proxy: conformant', async () => {
  const { said } = await runAt({
    baseUrl: `https://127.0.0.1:${secured}`,
    ...mutual,
    proxy: `http://127.0.0.1:${open.port}`,
  });
  expect(said).toMatch(conformant);
  expect(open.tunnels).toBeGreaterThan(0);
});

test('a proxy that asks for credentials is no finding about the target', async () => {
  const { exitCode, said } = await runAt({
    baseUrl: 'http://cases.internal.example',
    proxy: `http://127.0.0.1:${proxied.port}`,
  });
  expect(exitCode).toBe(2);
  expect(said).toContain('407 Proxy Authentication Required; give its user and password in HTTPS_PROXY');
});

const base = { environment: 'test', baseUrl: 'https://api.example.test' };
const config = (target: Readonly<Record<string, unknown>>) =>
  parseConfig(
    JSON.stringify({
      target: { ...base, ...target },
      contract: './c.yaml',
      principals: { full: { token: { env: 'T' }, permissions: [] } },
    }),
    'c.yaml',
  );

test.each<[string, Readonly<Record<string, unknown>>, Readonly<Record<string, string>>, RegExp]>([
  [
    'a certificate that is not there',
    { clientCertificate: { cert: { file: 'none.pem' }, key: { file: 'none.pem' } } },
    {},
    /^c\.yaml:1:\d+: the file none\.pem cannot be read; /,
  ],
  [
    'an unset variable',
    { clientCertificate: { cert: { env: 'CERT' }, key: { env: 'KEY' } } },
    {},
    /^c\.yaml:1:\d+: the environment variable CERT is not set; set CERT$/,
  ],
  [
    'no certificate',
    { clientCertificate: { cert: { env: 'CERT' }, key: { env: 'KEY' } } },
    { CERT: 'x', KEY: 'y' },
    /^c\.yaml:1:\d+: there is no certificate in PEM; /,
  ],
  [
    'a proxy of another kind',
    {},
    { HTTPS_PROXY: 'socks5://x:1' },
    /^HTTPS_PROXY: the proxy is not an http or https URL/,
  ],
  [
    'a short password',
    {},
    { HTTPS_PROXY: 'http://u:short@x:1' },
    /^HTTPS_PROXY: the password of the proxy has fewer/,
  ],
])('%s is one clear error', async (_, target, env, message) => {
  await expect(transportOf(config(target), env)).rejects.toThrow(message);
});

test('a proxy in the file has no credentials', () => {
  expect(() => config({ proxy: 'http://me:a-long-password@x:1' })).toThrow(
    /the URL of the proxy holds credentials; set the environment variable HTTPS_PROXY/,
  );
});

test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
  ['https://api.example.test', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1'],
  ['https://api.example.test', { https_proxy: 'http://p:1' }, 'http://p:1'],
  ['http://api.example.test', { HTTPS_PROXY: 'http://p:1' }, undefined],
  ['https://api.example.test', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'example.test' }, undefined],
  ['https://api.example.test', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '.example.test, x' }, undefined],
  [
    'https://api.example.test:8443',
    { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'api.example.test:443' },
    'http://p:1',
  ],
  ['https://myexample.test', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'example.test' }, 'http://p:1'],
  ['https://api.example.test', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined],
  ['http://127.0.0.1:8080', { HTTP_PROXY: 'http://p:1' }, undefined],
  ['http://localhost:8080', { HTTP_PROXY: 'http://p:1' }, undefined],
])('the proxy for %s with %j is %s', (target, env, expected) => {
  expect(proxyInEnvironment(new URL(target), env)[1]).toBe(expected);
});

const nginx = ((): string | undefined => {
  try {
    return execFileSync('sh', ['-c', 'command -v nginx'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
})();

test.skipIf(nginx === undefined)('behind nginx with TLS and a client certificate: conformant', async () => {
  const { spawn } = await import('node:child_process');
  const folder = await mkdtemp(join(tmpdir(), 'assay-nginx-'));
  const probe = createServer();
  const port = await listening(probe);
  await new Promise((done) => probe.close(done));
  const conf = join(folder, 'nginx.conf');
  await writeFile(
    conf,
    `daemon off; pid ${folder}/pid; error_log stderr; events {}
http {
  access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder}; scgi_temp_path ${folder}; underscores_in_headers on;
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${pem('known.pem')}; ssl_certificate_key ${pem('known.key.pem')};
    ssl_client_certificate ${pem('elsewhere.pem')}; ssl_verify_client on;
    location /base/ { proxy_pass ${service.reference.url}/; proxy_http_version 1.1; proxy_set_header Host $host; }
  }
}
`,
  );
  const child = spawn(nginx ?? '', ['-c', conf], { stdio: 'ignore' });
  try {
    await new Promise<void>((done) => {
      const look = (): void => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.destroy();
          done();
        });
        socket.on('error', () => void setTimeout(look, 100));
      };
      look();
    });
    const { said } = await runAt({ baseUrl: `https://127.0.0.1:${port}/base`, ...mutual });
    expect(said).toMatch(conformant);
  } finally {
    child.kill();
  }
});
