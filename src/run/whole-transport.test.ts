import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { run } from '../cli/run.ts';
import { capture } from '../testing/captured.ts';
import { startFaulty } from '../testing/faulty-run.ts';

const pem = (name: string): string => resolve('fixtures/tls', name);
const nginx = ((): string | undefined => {
  try {
    return execFileSync('sh', ['-c', 'command -v nginx'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
})();

function listening(server: Server): Promise<number> {
  onTestFinished(() => void server.close());
  return new Promise((done) =>
    server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)),
  );
}

/** nginx with TLS that asks for a certificate, in front of a service, under a base path. */
async function startNginx(service: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-nginx-'));
  const free = createServer();
  const port = await listening(free);
  await new Promise((done) => free.close(done));
  const conf = join(folder, 'nginx.conf');
  await writeFile(
    conf,
    `daemon off; pid ${folder}/pid; error_log stderr; events {}
http {
  access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder}; scgi_temp_path ${folder}; underscores_in_headers on; client_max_body_size 64m;
  ignore_invalid_headers off; merge_slashes off;
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${pem('known.pem')}; ssl_certificate_key ${pem('known.key.pem')};
    ssl_client_certificate ${pem('elsewhere.pem')}; ssl_verify_client on;
    location /base/ { proxy_pass ${service}/; proxy_http_version 1.1; proxy_set_header Host $host; }
  }
}
`,
  );
  const child = spawn(nginx ?? '', ['-c', conf], { stdio: 'ignore' });
  onTestFinished(() => void child.kill());
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
  return port;
}

/** A proxy that opens tunnels alone. */
async function startProxy(): Promise<{ readonly port: number; readonly tunnels: () => number }> {
  let tunnels = 0;
  const proxy = http.createServer((_request, response) => void response.writeHead(400).end());
  proxy.on('connect', (request, near: Socket) => {
    tunnels += 1;
    const [, port = ''] = (request.url ?? '').split(':');
    const far = connect(Number(port), '127.0.0.1', () => {
      near.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      near.pipe(far).pipe(near);
    });
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  return { port: await listening(proxy), tunnels: () => tunnels };
}

test.skipIf(nginx === undefined)(
  'every suite, through a proxy to nginx with TLS and a client certificate: conformant',
  { timeout: 600_000 },
  async () => {
    // The way is long, so that a machine under load would not reach the usual limit.
    const limit = { rateLimit: 60, rateWindowMs: 4000 };
    const { reference } = await startFaulty({}, 'harness.config.yaml', limit);
    onTestFinished(() => reference.close());
    const port = await startNginx(reference.url);
    const proxy = await startProxy();
    const folder = await mkdtemp(join(tmpdir(), 'assay-whole-'));
    const given = parse(await readFile('harness.config.yaml', 'utf8'));
    const hooks: Record<string, { http: { url: string } }> = given.hooks;
    for (const hook of Object.values(hooks))
      hook.http.url = hook.http.url.replace('reference:', `${reference.url}/__reference`);
    const file = join(folder, 'harness.config.yaml');
    await writeFile(
      file,
      JSON.stringify({
        ...given,
        contract: resolve('fixtures/contracts/governed-command-1.27.0.yaml'),
        target: {
          ...given.target,
          baseUrl: `https://127.0.0.1:${port}/base`,
          ca: pem('known.pem'),
          clientCertificate: {
            cert: { file: pem('elsewhere.pem') },
            key: { file: pem('elsewhere.key.pem') },
          },
          proxy: `http://127.0.0.1:${proxy.port}`,
        },
        output: folder,
      }),
    );
    const said = capture();
    const { exitCode } = await run(
      file,
      {
        overrides: { budget: 'quick', seed: 7 },
        suites: undefined,
        operations: undefined,
        quiet: true,
        runName: 'run',
      },
      said.output,
      new AbortController().signal,
    );
    expect(said.text()).toMatch(/^Verdict: conformant {2}\(exit 0\)/m);
    expect(exitCode).toBe(0);
    expect(proxy.tunnels()).toBeGreaterThan(0);
  },
);
