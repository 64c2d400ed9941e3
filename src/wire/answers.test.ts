import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HttpResponse, NoResponse } from '../model/exchange.ts';
import type { WireRequest } from '../model/wire.ts';
import { machineClock } from '../run/clock.ts';
import { type ScriptedServer, startScripted } from '../testing/scripted-server.ts';
import { type OpenWire, openWire } from './wire.ts';

/** Bytes to write, or what to do with the connection. */
type Reply = string | ((socket: Socket) => void);

const command: WireRequest = {
  method: 'POST',
  path: '/cases',
  headers: [['Content-Type', 'application/json']],
  body: Buffer.from('{"subject":"a"}'),
  transport: 'pooled',
};

async function against(
  reply: Reply,
  more: { readonly timeoutMs?: number; readonly maxBodyBytes?: number } = {},
): Promise<{ readonly wire: OpenWire; readonly server: ScriptedServer }> {
  const server = await startScripted((socket) =>
    typeof reply === 'string' ? void socket.write(Buffer.from(reply, 'latin1')) : reply(socket),
  );
  const wire = openWire(
    { origin: server.origin, timeoutMs: 5000, connections: 2, maxBodyBytes: 256 * 1024, ...more },
    machineClock,
  );
  onTestFinished(async () => {
    await wire.close();
    await server.close();
  });
  return { wire, server };
}

/** The response to a command, as undici's own request and as bytes of ours. */
async function answered(
  reply: Reply,
  transport: WireRequest['transport'] = 'pooled',
  more: { readonly timeoutMs?: number; readonly maxBodyBytes?: number } = {},
): Promise<{ readonly answer: HttpResponse | undefined; readonly noAnswer: NoResponse | undefined }> {
  const { wire } = await against(reply, more);
  const { answer, noAnswer } = await wire.send({ ...command, transport });
  return { answer, noAnswer };
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

describe.each(['pooled', 'fresh', 'raw'] as const)('%s', (transport) => {
  test('field lines keep order, casing, blanks of other lines and repetitions; bytes are read as Latin-1', async () => {
    const { answer } = await answered(
      'HTTP/1.1 201 Created\r\nX-Request-Id: req_1\r\nSet-Cookie: a=1\r\nx-request-id: req_2\r\nX-Empty:\r\nX-Blank:  \tx  \r\nSet-Cookie: b=2\r\nX-Name: Zo\xeb\r\nContent-Length: 2\r\n\r\n{}',
      transport,
    );
    expect(answer?.headers).toEqual([
      ['X-Request-Id', 'req_1'],
      ['Set-Cookie', 'a=1'],
      ['x-request-id', 'req_2'],
      ['X-Empty', ''],
      ['X-Blank', 'x'],
      ['Set-Cookie', 'b=2'],
      ['X-Name', 'Zoë'],
      ['Content-Length', '2'],
    ]);
  });

  test.each<[string, Reply, Partial<HttpResponse>]>([
    ['no reason phrase', 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\n{}', { status: 200, body: '{}' }],
    ['a status of no class', 'HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n', { status: 999, body: '' }],
    ['no content', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204, body: '', bodyBytes: 0 }],
    [
      'chunks and trailers',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1;x=y\r\n}\r\n0\r\nX-Request-Id: late\r\n\r\n',
      { body: '{}', headers: [['Transfer-Encoding', 'chunked']] },
    ],
    [
      'HTTP/1.0, ended by the connection',
      (socket) => socket.end('HTTP/1.0 200 OK\r\nX-Request-Id: a\r\n\r\n{}'),
      { status: 200, body: '{}', headers: [['X-Request-Id', 'a']] },
    ],
    [
      'HTTP/1.1 without a length, ended by the connection',
      (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n{}'),
      { status: 200, body: '{}', truncated: false },
    ],
    ['100 Continue before it', `HTTP/1.1 100 Continue\r\n\r\n${ok}`, { status: 200, body: '{}' }],
    [
      '100 Continue twice, with fields',
      `HTTP/1.1 100 Continue\r\nX-A: b\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${ok}`,
      { status: 200, headers: [['Content-Length', '2']] },
    ],
    [
      '100 Continue before it, byte by byte',
      (socket) => {
        const bytes = `HTTP/1.1 100 Continue\r\n\r\n${ok}`;
        const next = (at: number): void => {
          if (at < bytes.length) socket.write(bytes.charAt(at), () => setImmediate(next, at + 1));
        };
        next(0);
      },
      { status: 200, body: '{}' },
    ],
    [
      '103 Early Hints and 100 Continue before it',
      `HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${ok}`,
      { status: 200, body: '{}' },
    ],
    ['102 Processing before it', `HTTP/1.1 102 Processing\r\n\r\n${ok}`, { status: 200, body: '{}' }],
    [
      '103 Early Hints before it, whose fields are not its own',
      `HTTP/1.1 103 Early Hints\r\nX-Request-Id: early\r\n\r\n${ok}`,
      { status: 200, headers: [['Content-Length', '2']] },
    ],
  ])('an answer: %s', async (_, reply, expected) => {
    const { answer, noAnswer } = await answered(reply, transport);
    expect(noAnswer).toBeUndefined();
    expect(answer).toMatchObject(expected);
  });

  test.each<[string, Reply]>([
    ['a folded line', 'HTTP/1.1 200 OK\r\nX-A: one\r\n two\r\nContent-Length: 2\r\n\r\n{}'],
    ['a fold before any line', 'HTTP/1.1 200 OK\r\n X-A: one\r\nContent-Length: 2\r\n\r\n{}'],
    ['a blank before the colon', 'HTTP/1.1 200 OK\r\nX-A : one\r\nContent-Length: 2\r\n\r\n{}'],
    ['a line without a colon', 'HTTP/1.1 200 OK\r\nnonsense\r\nContent-Length: 2\r\n\r\n{}'],
    ['a NUL in a value', 'HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 2\r\n\r\n{}'],
    ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 2\n\n{}'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\nContent-Length: 2\r\n\r\n{}'],
    ['a status below 100', 'HTTP/1.1 099 OK\r\nContent-Length: 2\r\n\r\n{}'],
    ['another version', 'HTTP/2 200 OK\r\nContent-Length: 2\r\n\r\n{}'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['no head at all', '<html>hello</html>'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    ['a length below 0', 'HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n{}'],
    ['a chunk of no size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'],
    ['another protocol to switch to', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
  ])('no response, and the target is named for it: %s', async (_, reply) => {
    const { answer, noAnswer } = await answered(reply, transport);
    expect(answer).toBeUndefined();
    expect(noAnswer?.reason).toBe('protocol');
    expect(noAnswer?.detail).toMatch(
      /^the response (is not HTTP\/1\.1|is not what HTTP\/1\.1 allows|is not as long as its Content-Length)/,
    );
  });

  test('a head of 20 kB is too large', async () => {
    const { noAnswer } = await answered(
      `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(20_000)}\r\nContent-Length: 2\r\n\r\n{}`,
      transport,
    );
    expect(noAnswer).toMatchObject({
      reason: 'too-large',
      detail: 'the header of the response is too large',
    });
  });

  test('a body of 10 MB is read to its end, and kept up to the limit', async () => {
    const { answer } = await answered(
      (socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${10_000_000}\r\n\r\n`);
        for (let count = 0; count < 100; count += 1) socket.write(Buffer.alloc(100_000, 'x'));
      },
      transport,
      { maxBodyBytes: 1000, timeoutMs: 20_000 },
    );
    expect(answer).toMatchObject({ bodyBytes: 10_000_000, truncated: true, body: 'x'.repeat(1000) });
  });

  test('a body without an end is cut, kept up to the limit, and reported as cut', async () => {
    let closed: (() => void) | undefined;
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { answer, noAnswer } = await answered(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        socket.once('close', () => closed?.());
        const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
        const more = (): void => {
          while (!socket.destroyed && socket.write(chunk));
          if (!socket.destroyed) socket.once('drain', more);
        };
        more();
      },
      transport,
      { maxBodyBytes: 1000, timeoutMs: 20_000 },
    );
    expect(noAnswer).toBeUndefined();
    expect(answer).toMatchObject({ status: 200, truncated: true, body: 'x'.repeat(1000) });
    expect(answer?.bodyBytes).toBeGreaterThan(16 * 1024 * 1024);
    // The harness hung up.
    await gone;
  });

  test('a cut through a character leaves that character out', async () => {
    const body = 'ééé';
    const { answer } = await answered(
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n${body}`),
      transport,
      { maxBodyBytes: 3 },
    );
    expect(answer).toMatchObject({ body: 'é', bodyBytes: 6, truncated: true });
  });

  test.each([301, 302, 303, 307, 308])('%i is an answer, and not followed', async (status) => {
    const elsewhere = await startScripted((socket) => void socket.write(ok));
    onTestFinished(elsewhere.close);
    const { wire, server } = await against(
      `HTTP/1.1 ${status} Moved\r\nLocation: ${elsewhere.origin}/cases\r\nContent-Length: 0\r\n\r\n`,
    );
    const { answer } = await wire.send({ ...command, transport });
    expect(answer).toMatchObject({
      status,
      headers: [
        ['Location', `${elsewhere.origin}/cases`],
        ['Content-Length', '0'],
      ],
    });
    expect(server.arrived).toHaveLength(1);
    expect(elsewhere.connections()).toBe(0);
  });
});

test('the answer to HEAD has no body, whatever its length says', async () => {
  const { wire } = await against('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n');
  const { answer } = await wire.send({ ...command, method: 'HEAD', body: undefined });
  expect(answer).toMatchObject({ status: 200, body: '', bodyBytes: 0, truncated: false });
});

test('what a server sends behind an answer is no response to the next request', async () => {
  let count = 0;
  const { wire, server } = await against((socket) => {
    count += 1;
    const own = String(count);
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n${own}HTTP/1.1 500 Oops\r\nContent-Length: 1\r\n\r\n!`,
    );
  });
  const bodies: string[] = [];
  for (let index = 0; index < 4; index += 1) {
    const { answer } = await wire.send(command);
    bodies.push(answer?.body ?? '');
  }
  expect(bodies).toEqual(['1', '2', '3', '4']);
  expect(server.arrived).toHaveLength(4);
});
