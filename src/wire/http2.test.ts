import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import type { WireRequest } from '../model/wire.ts';
import { machineClock } from '../run/clock.ts';
import { pem } from '../testing/scripted-server.ts';
import { type OpenWire, openWire } from './wire.ts';

type Arrived = { readonly fields: http2.IncomingHttpHeaders; readonly body: string; readonly whole: boolean };
type Handler = (stream: http2.ServerHttp2Stream, fields: http2.IncomingHttpHeaders, body: string) => void;
type Served = {
  readonly wire: OpenWire;
  readonly arrived: Arrived[];
  readonly sessions: () => number;
  readonly latest: () => http2.ServerHttp2Session | undefined;
};

/** A server for HTTP/2, and for HTTP/1.1 where `both` says so, with a wire to it. */
async function served(
  handle: Handler,
  more: { readonly both?: boolean; readonly http2?: boolean; readonly timeoutMs?: number } = {},
): Promise<Served> {
  const arrived: Arrived[] = [];
  let sessions = 0;
  let latest: http2.ServerHttp2Session | undefined;
  const server = http2.createSecureServer({
    cert: pem('known'),
    key: pem('known.key'),
    allowHTTP1: more.both === true,
  });
  server.on('session', (session) => {
    sessions += 1;
    latest = session;
    session.on('error', () => undefined);
  });
  server.on('stream', (stream, fields) => {
    let body = '';
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => {
      body += chunk.toString('latin1');
    });
    stream.on('end', () => {
      arrived.push({ fields, body, whole: !stream.aborted });
      handle(stream, fields, body);
    });
  });
  server.on('request', (request, response) => {
    if (request.httpVersion === '1.1') response.end('{"over":"1.1"}');
  });
  server.on('error', () => undefined);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const wire = openWire(
    {
      origin: `https://127.0.0.1:${port}`,
      timeoutMs: more.timeoutMs ?? 5000,
      connections: 1,
      maxBodyBytes: 1000,
      ca: pem('known'),
      ...(more.http2 === undefined ? {} : { http2: more.http2 }),
    },
    machineClock,
  );
  onTestFinished(async () => {
    await wire.close();
    server.close();
  });
  return { wire, arrived, sessions: () => sessions, latest: () => latest };
}

const ok: Handler = (stream) => {
  if (stream.destroyed) return;
  stream.respond({ ':status': 201, 'X-Request-Id': 'req_1', 'x-twice': ['a', 'b'], 'x-odd': 'caf\u00e9' });
  stream.end('{"over":"2"}');
};
const get: WireRequest = {
  method: 'GET',
  path: '/cases?a=%20',
  headers: [],
  body: undefined,
  transport: 'pooled',
};
const post: WireRequest = {
  method: 'POST',
  path: '/cases',
  headers: [
    ['Authorization', 'Bearer 12345678'],
    ['Idempotency-Key', 'one'],
    ['Idempotency-Key', 'two'],
    ['Content-Type', 'application/json'],
  ],
  body: Buffer.from('{"a":"\u00e9"}'),
  transport: 'pooled',
};

test.each(['pooled', 'fresh', 'raw'] as const)(
  'a target that speaks only HTTP/2 is spoken to in it: %s',
  async (transport) => {
    const { arrived, wire } = await served(ok);
    const { answer, sentAt = 0, startedAt, endedAt } = await wire.send({ ...post, transport });
    expect(answer).toMatchObject({ status: 201, body: '{"over":"2"}', bodyBytes: 12, truncated: false });
    expect(answer?.headers.slice(0, 4)).toEqual([
      ['x-request-id', 'req_1'],
      ['x-twice', 'a'],
      ['x-twice', 'b'],
      ['x-odd', 'caf\u00e9'],
    ]);
    expect(startedAt <= sentAt && sentAt <= endedAt).toBe(true);
    expect(arrived).toEqual([
      {
        fields: expect.objectContaining({
          ':method': 'POST',
          ':path': '/cases',
          authorization: 'Bearer 12345678',
          'idempotency-key': 'one, two',
          'content-length': '10',
        }),
        body: '{"a":"\u00c3\u00a9"}',
        whole: true,
      },
    ]);
  },
);

test('one connection carries one request after another, and a new one follows where it ends', async () => {
  const { latest, sessions, wire } = await served(ok);
  const first = await wire.send(get);
  const second = await wire.send(get);
  expect([first.connection, second.connection, sessions()]).toEqual([0, 0, 1]);
  latest()?.close();
  const third = await wire.send(get);
  expect([third.answer?.status, third.connection, sessions()]).toEqual([201, 1, 2]);
});

test('a target that offers both is spoken to in HTTP/1.1, unless HTTP/2 is asked for', async () => {
  const usual = await served(ok, { both: true });
  expect((await usual.wire.send(get)).answer?.body).toBe('{"over":"1.1"}');
  const asked = await served(ok, { both: true, http2: true });
  expect((await asked.wire.send(get)).answer?.body).toBe('{"over":"2"}');
  // What HTTP/2 cannot carry goes over HTTP/1.1.
  const odd = await asked.wire.send({ ...get, headers: [['Host', 'elsewhere']] });
  expect(odd.answer?.body).toBe('{"over":"1.1"}');
});

test('what HTTP/2 cannot carry is not sent where the target speaks nothing else', async () => {
  const { arrived, wire } = await served(ok);
  const { answer, noAnswer, sentAt } = await wire.send({
    ...get,
    headers: [['X Odd', 'a']],
    transport: 'raw',
  });
  expect({ answer, sentAt, reason: noAnswer?.reason }).toEqual({
    answer: undefined,
    sentAt: undefined,
    reason: 'harness',
  });
  expect(noAnswer?.detail).toMatch(/^not sent: the target speaks HTTP\/2 alone/);
  expect(arrived).toEqual([]);
});

test('a wave is released at once, each request on a connection of its own', async () => {
  const times: number[] = [];
  const { arrived, sessions, wire } = await served((stream, fields, body) => {
    times.push(performance.now());
    ok(stream, fields, body);
  });
  const outcomes = await wire.sendTogether([post, get, post, { ...post, body: Buffer.from('x') }]);
  expect(outcomes.map(({ answer }) => answer?.status)).toEqual([201, 201, 201, 201]);
  expect(new Set(outcomes.map(({ connection }) => connection)).size).toBe(4);
  expect(new Set(outcomes.map(({ startedAt }) => startedAt)).size).toBe(1);
  expect(sessions()).toBe(4);
  expect(arrived.map(({ body }) => body).sort()).toEqual([
    '',
    'x',
    '{"a":"\u00c3\u00a9"}',
    '{"a":"\u00c3\u00a9"}',
  ]);
});

test.each<[string, Handler, string, RegExp]>([
  [
    'a body that is shorter than declared',
    (stream) => {
      stream.respond({ ':status': 200, 'content-length': '10' });
      stream.end('part');
    },
    'protocol',
    /^the response is not what HTTP\/2 allows/,
  ],
  [
    'a connection that ends in the middle',
    (stream) => {
      stream.respond({ ':status': 200 });
      stream.write('part', () => void setTimeout(() => stream.session?.destroy(), 20));
    },
    'closed',
    /in the middle of the response$/,
  ],
  [
    'a connection that ends before the head',
    (stream) => void stream.session?.destroy(),
    'closed',
    /before any byte of the response$/,
  ],
  [
    'a refused stream',
    (stream) => void stream.close(http2.constants.NGHTTP2_REFUSED_STREAM),
    'reset',
    /^the stream was reset \(NGHTTP2_REFUSED_STREAM\) before any byte/,
  ],
  ['no response', () => undefined, 'timeout', /^no response within 300 ms$/],
])('%s is no response', async (_, handle, reason, detail) => {
  const { wire } = await served(handle, { timeoutMs: 300 });
  const { answer, noAnswer } = await wire.send({ ...get, transport: 'fresh' });
  expect(answer).toBeUndefined();
  expect(noAnswer).toMatchObject({ reason, detail: expect.stringMatching(detail) });
});

/** A server that writes frames by itself, since a usual one ends every stream. */
async function framed(tail: readonly Buffer[]) {
  const server = tls.createServer(
    { cert: pem('known'), key: pem('known.key'), ALPNProtocols: ['h2'] },
    (socket) => {
      socket.on('error', () => undefined);
      socket.write(frame(4, 0, 0, ''));
      socket.once('data', () => {
        socket.write(Buffer.concat([frame(4, 1, 0, ''), frame(1, 4, 1, '\x88'), ...tail]));
      });
    },
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const origin = `https://127.0.0.1:${port}`;
  const target = { origin, timeoutMs: 5000, connections: 1, maxBodyBytes: 1000, ca: pem('known') };
  const wire = openWire(target, machineClock);
  onTestFinished(async () => {
    await wire.close();
    server.close();
  });
  return wire.send(get);
}

function frame(type: number, flags: number, stream: number, payload: string): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, Buffer.from(payload, 'latin1')]);
}

test('a stream that is reset without an error has no whole body', async () => {
  const whole = await framed([frame(0, 0, 1, 'par'), frame(0, 1, 1, 't')]);
  expect(whole.answer?.body).toBe('part');
  const reset = await framed([frame(0, 0, 1, 'part'), frame(3, 0, 1, '\0\0\0\0')]);
  expect(reset.answer).toBeUndefined();
  expect(reset.noAnswer?.partial?.status).toBe(200);
});

test('a long body is kept up to the limit', async () => {
  const { wire } = await served((stream) => {
    stream.respond({ ':status': 200 });
    stream.end('x'.repeat(100_000));
  });
  const { answer } = await wire.send(get);
  expect(answer).toMatchObject({ bodyBytes: 100_000, truncated: true });
  expect(answer?.body).toHaveLength(1000);
});

test('cuts: after the whole request, in the middle of it, and when the answer begins', async () => {
  let begun = 0;
  const { arrived, wire } = await served((stream, fields, body) => {
    begun += 1;
    ok(stream, fields, body);
  });
  const after = await wire.send({ ...post, transport: 'cut-after-send', leaves: 200 });
  expect(after.noAnswer?.reason).toBe('cut');
  expect(after.sentAt).toBeDefined();
  await expect.poll(() => begun).toBe(1);
  const middle = await wire.send({ ...post, transport: 'cut-mid-body' });
  expect([middle.noAnswer?.reason, middle.sentAt]).toEqual(['cut', undefined]);
  const nothing = await wire.send({ ...get, transport: 'cut-mid-body' });
  expect(nothing.noAnswer?.reason).toBe('cut');
  const answered = await wire.send({ ...post, transport: 'cut-on-answer' });
  expect(answered.noAnswer).toMatchObject({ reason: 'cut', partial: { status: 201 } });
  expect(arrived.filter(({ whole }) => whole)).toHaveLength(2);
});
