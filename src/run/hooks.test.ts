import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { loadConfig } from '../config/load.ts';
import { openedGate, openGate } from '../evidence/gate.ts';
import type { Json } from '../model/json.ts';
import { hookProblem } from './hook-problem.ts';
import { hookRunner } from './session.ts';
import { direct } from './transport.ts';

test.each([
  ['POST', '{"principal":"full"}'],
  ['PUT', '{"principal":"full"}'],
  ['GET', ''],
])('a hook is called with %s, and its result is JSON', async (method, sent) => {
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    calls.push(`${request.method} ${request.url} ${request.headers['x-when']} ${await text(request)}`);
    response.end('{"token":"a-token-of-a-hook"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const secrets: string[] = [];
  const hook = hookRunner(
    {
      ...(await loadConfig('harness.config.yaml')),
      hooks: new Map([
        [
          'refresh',
          {
            kind: 'http',
            url: `http://127.0.0.1:${port}/hook`,
            method,
            headers: { 'X-When': 'now' },
            timeoutSeconds: 5,
          },
        ],
      ]),
    },
    { baseUrl: 'http://127.0.0.1:1', transport: direct, reference: undefined },
    { value: openedGate.value, add: (name, value) => secrets.push(`${name} ${value}`) },
  );
  const result = await hook('refresh', { principal: 'full' });
  server.close();
  expect(result).toEqual({ ok: true, output: { token: 'a-token-of-a-hook' }, detail: 'HTTP 200' });
  expect(calls).toEqual([`${method} /hook now ${sent}`]);
  expect(secrets).toEqual(['hook refresh a-token-of-a-hook']);
});

test('of an ID that is a number, all digits count', async () => {
  const command = `printf '{"transferId": 7123456789012340007, "part": 7}'`;
  const hook = hookRunner(
    {
      ...(await loadConfig('harness.config.yaml')),
      hooks: new Map([['made', { kind: 'command', command, timeoutSeconds: 5 }]]),
    },
    { baseUrl: 'http://127.0.0.1:1', transport: direct, reference: undefined },
    openedGate,
  );
  expect((await hook('made', {})).output).toEqual({ transferId: '7123456789012340007', part: 7 });
});

test.each<[string, Readonly<Record<string, Json>>, string, boolean, string]>([
  ['refresh', {}, '{}', false, 'exit 0, without the text "token" in its result'],
  [
    'refresh',
    {},
    '{"token":"seven-7"}',
    false,
    'its token has fewer than 8 characters, and could not be redacted safely',
  ],
  ['refresh', {}, 'no JSON', false, 'exit 0, without the text "token" in its result'],
  [
    'approve',
    { kind: 'valid' },
    '{"code":"x"}',
    false,
    'exit 0, without the text "verification" in its result',
  ],
  ['approve', { kind: 'valid' }, '{"verification":"x"}', true, 'exit 0'],
  ['approve', { kind: 'expired' }, '{}', true, 'exit 0'],
  ['slow', {}, '', true, 'exit 0'],
])('the hook %s, asked for %j, answers %s', async (name, input, answer, ok, detail) => {
  const hook = hookRunner(
    {
      ...(await loadConfig('harness.config.yaml')),
      hooks: new Map([
        [name, { kind: 'command', command: `cat >/dev/null; echo '${answer}'`, timeoutSeconds: 5 }],
      ]),
    },
    { baseUrl: 'http://127.0.0.1:1', transport: direct, reference: undefined },
    openGate([], ''),
  );
  expect(await hook(name, input)).toMatchObject({ ok, detail });
});

test('a command runs in the folder of its configuration', async () => {
  const config = await loadConfig('harness.config.yaml');
  const hook = hookRunner(
    {
      ...config,
      file: 'docs/harness.config.yaml',
      hooks: new Map([
        [
          'refresh',
          {
            kind: 'command',
            command: 'echo "{\\"token\\": \\"$(basename "$PWD")-token\\"}"',
            timeoutSeconds: 5,
          },
        ],
      ]),
    },
    { baseUrl: 'http://127.0.0.1:1', transport: direct, reference: undefined },
    openGate([], ''),
  );
  expect(await hook('refresh', {})).toMatchObject({ ok: true, output: { token: 'docs-token' } });
  const command = { kind: 'command', command: './hooks.md', timeoutSeconds: 5 } as const;
  expect(await hookProblem(command, undefined, 'src')).toBe('there is no program ./hooks.md');
});

test('the result of a hook is read from a compressed response', async () => {
  const server = createServer((_, response) => {
    response.setHeader('Content-Encoding', 'gzip');
    response.end(gzipSync('\ufeff{"token":"a-token-of-a-hook"}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}/hook`;
  const hook = hookRunner(
    {
      ...(await loadConfig('harness.config.yaml')),
      hooks: new Map([['refresh', { kind: 'http', url, method: 'POST', headers: {}, timeoutSeconds: 5 }]]),
    },
    { baseUrl: 'http://127.0.0.1:1', transport: direct, reference: undefined },
    openGate([], ''),
  );
  const result = await hook('refresh', {});
  server.close();
  expect(result).toEqual({ ok: true, output: { token: 'a-token-of-a-hook' }, detail: 'HTTP 200' });
});

test('a hook on another machine is called through the proxy of the target, one on this machine is not', async () => {
  const server = createServer((request, response) => {
    response.end(JSON.stringify({ token: `a-token-for-${request.headers.host}` }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const portOf = (of: typeof server): number => {
    const address = of.address();
    return typeof address === 'object' ? (address?.port ?? 0) : 0;
  };
  const tunnels: string[] = [];
  const proxy = createServer().listen(0, '127.0.0.1');
  proxy.on('connect', (request, near) => {
    tunnels.push(request.url ?? '');
    const far = connect(portOf(server), '127.0.0.1', () => {
      near.write('HTTP/1.1 200 OK\r\n\r\n');
      near.pipe(far).pipe(near);
    });
    far.on('error', () => near.destroy());
    near.on('error', () => far.destroy());
  });
  await once(proxy, 'listening');
  const loaded = await loadConfig('harness.config.yaml');
  const call = (url: string, given: string): Promise<unknown> =>
    hookRunner(
      {
        ...loaded,
        target: { ...loaded.target, proxy: given },
        hooks: new Map([['refresh', { kind: 'http', url, method: 'POST', headers: {}, timeoutSeconds: 20 }]]),
      },
      { baseUrl: 'http://api.test', transport: direct, reference: undefined },
      openGate([], ''),
    )('refresh', {});
  const through = `http://127.0.0.1:${portOf(proxy)}`;
  expect(await call('http://hooks.test/refresh', through)).toMatchObject({
    ok: true,
    output: { token: 'a-token-for-hooks.test' },
  });
  expect(tunnels).toEqual(['hooks.test:80']);
  expect(await call(`http://127.0.0.1:${portOf(server)}/refresh`, through)).toMatchObject({ ok: true });
  expect(tunnels).toHaveLength(1);
  server.close();
  proxy.close();
});
