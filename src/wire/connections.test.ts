import type { Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { machineClock } from '../run/clock.ts';
import { startScripted } from '../testing/scripted-server.ts';
import { against, command, markOf, okFor } from '../testing/scripted-wire.ts';
import { type OpenWire, openWire } from './wire.ts';

describe.each(['pooled', 'fresh', 'raw'] as const)(
  '%s: a target that falls silent or hangs up',
  (transport) => {
    test.each<[string, string, RegExp, object | undefined]>([
      ['before the head', '', /^no response within 300 ms$/, undefined],
      [
        'in the middle of the head',
        'HTTP/1.1 201 Created\r\nX-Req',
        /^no response within 300 ms$/,
        undefined,
      ],
      [
        'in the middle of the body',
        'HTTP/1.1 201 Created\r\nX-Request-Id: a\r\nContent-Length: 50\r\n\r\n{"id"',
        /^the response did not end within 900 ms$/,
        {
          status: 201,
          headers: [
            ['X-Request-Id', 'a'],
            ['Content-Length', '50'],
          ],
        },
      ],
    ])('silent %s', async (_, bytes, detail, partial) => {
      const { wire, server } = await against((socket) => void socket.write(bytes), { timeoutMs: 300 });
      const outcome = await wire.send(command('a', transport));
      expect(outcome.answer).toBeUndefined();
      expect(outcome.noAnswer).toEqual({ reason: 'timeout', detail: expect.stringMatching(detail), partial });
      // The request was sent, once.
      expect(outcome.sentAt).toBeDefined();
      expect(server.arrived).toHaveLength(1);
    });

    const heads = 'HTTP/1.1 201 Created\r\nContent-Length: 50\r\n\r\n';
    test.each<[string, (socket: Socket) => void, string, RegExp]>([
      ['closed before any byte', (socket) => socket.end(), 'closed', /closed the connection before any byte/],
      [
        'reset before any byte',
        (socket) => socket.resetAndDestroy(),
        'reset',
        /ECONNRESET.* before any byte/,
      ],
      [
        'closed in the head',
        (socket) => socket.end('HTTP/1.1 201'),
        'closed',
        /in the middle of the response's head/,
      ],
      ['closed in the body', (socket) => socket.end(`${heads}{`), 'closed', /in the middle of the response$/],
      [
        'closed between chunks',
        (socket) => socket.end('HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n'),
        'closed',
        /in the middle of the response$/,
      ],
      [
        'closed after 100 Continue',
        (socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n'),
        'closed',
        /in the middle of the response's head/,
      ],
    ])('%s', async (_, hangUp, reason, detail) => {
      const { wire, server } = await against(hangUp);
      const { answer, noAnswer } = await wire.send(command('a', transport));
      expect(answer).toBeUndefined();
      expect(noAnswer).toMatchObject({ reason, detail: expect.stringMatching(detail) });
      expect(server.arrived).toHaveLength(1);
    });
  },
);

test('a server that hangs up on every connection at once: no response, and no endless tries', async () => {
  const { wire, server } = await against(() => undefined, { greet: (socket) => socket.end() });
  const { noAnswer } = await wire.send(command('a'));
  expect(['closed', 'reset']).toContain(noAnswer?.reason);
  expect(server.connections()).toBe(1);
});

test('nobody listens', async () => {
  const { wire, server } = await against(() => undefined);
  await server.close();
  expect(await wire.send(command('a'))).toMatchObject({
    answer: undefined,
    noAnswer: { reason: 'refused', detail: 'the connection was refused' },
    connection: -1,
    sentAt: undefined,
  });
});

describe('kept connections', () => {
  test('one carries request after request', async () => {
    const { wire, server } = await against((socket, { text }) => void socket.write(okFor(text)), {
      connections: 1,
    });
    for (const mark of ['a', 'b', 'c']) expect((await wire.send(command(mark))).answer?.body).toBe(mark);
    expect(server.connections()).toBe(1);
  });

  test('one that the server closed while it was idle is not used again', async () => {
    const { wire, server } = await against((socket, { text }) => {
      socket.write(okFor(text));
      socket.end();
    });
    for (const mark of ['a', 'b', 'c']) expect((await wire.send(command(mark))).answer?.body).toBe(mark);
    expect(server.arrived.map(({ text }) => markOf(text))).toEqual(['a', 'b', 'c']);
    expect(server.connections()).toBe(3);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['closed', (socket) => socket.end()],
    ['reset', (socket) => socket.resetAndDestroy()],
  ])('one that is %s on its second command: that command is not sent again', async (_, hangUp) => {
    const { wire, server } = await against(
      (socket, { text, ordinal }) => {
        if (ordinal === 1) hangUp(socket);
        else socket.write(okFor(text));
      },
      { connections: 1 },
    );
    await wire.send(command('a'));
    const { answer, noAnswer, sentAt } = await wire.send(command('b'));
    expect(answer).toBeUndefined();
    expect(noAnswer).toMatchObject({
      reason: 'reset',
      detail: expect.stringContaining('the connection had been used before'),
    });
    expect(sentAt).toBeDefined();
    expect((await wire.send(command('c'))).answer?.body).toBe('c');
    expect(server.arrived.map(({ text }) => markOf(text))).toEqual(['a', 'b', 'c']);
  });

  test('Connection: close ends it', async () => {
    const { wire, server } = await against(
      (socket, { text }) =>
        void socket.write(okFor(text).replace('Content-Length', 'Connection: close\r\nContent-Length')),
    );
    for (const mark of ['a', 'b']) expect((await wire.send(command(mark))).answer?.body).toBe(mark);
    expect(server.connections()).toBe(2);
  });

  test('no more are open than was said, and those that wait get their turn', async () => {
    let open = 0;
    let most = 0;
    const { wire, server } = await against(
      (socket, { text }) => {
        open += 1;
        most = Math.max(most, open);
        setImmediate(() => {
          open -= 1;
          socket.write(okFor(text));
        });
      },
      { connections: 3 },
    );
    const marks = Array.from({ length: 30 }, (_, index) => `m${index}`);
    const outcomes = await Promise.all(marks.map((mark) => wire.send(command(mark))));
    expect(outcomes.map(({ answer }) => answer?.body)).toEqual(marks);
    expect(server.connections()).toBe(3);
    expect(most).toBeLessThanOrEqual(3);
  });

  /** What a server does on a request. */
  const behaviours: Readonly<Record<string, (socket: Socket, text: string) => void>> = {
    answers: (socket, text) => socket.write(okFor(text)),
    'answers and closes': (socket, text) => socket.end(okFor(text)),
    'answers and resets': (socket, text) => socket.write(okFor(text), () => socket.resetAndDestroy()),
    'answers twice': (socket, text) => socket.write(okFor(text) + okFor(text).replace('201', '500')),
    'answers in pieces': (socket, text) => {
      const answer = okFor(text);
      socket.write(answer.slice(0, 9), () => setImmediate(() => socket.write(answer.slice(9))));
    },
    closes: (socket) => socket.end(),
    resets: (socket) => socket.resetAndDestroy(),
    'closes amid the head': (socket) => socket.end('HTTP/1.1 2'),
    'closes amid the body': (socket, text) => socket.end(okFor(text).slice(0, -1)),
  };

  test('whatever the server does, no command is sent twice, and none gets the answer of another', async () => {
    const names = Object.keys(behaviours);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...names), { minLength: 3, maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        async (script, lanes) => {
          const { wire, server, end } = await against((socket, { text }) => {
            const index = Number(markOf(text).slice(1));
            behaviours[script[index] ?? 'answers']?.(socket, text);
          });
          try {
            const outcomes = new Map<string, Awaited<ReturnType<OpenWire['send']>>>();
            let next = 0;
            await Promise.all(
              Array.from({ length: lanes }, async () => {
                while (next < script.length) {
                  const mark = `m${next++}`;
                  outcomes.set(mark, await wire.send(command(mark)));
                }
              }),
            );
            const arrived = server.arrived.map(({ text }) => markOf(text));
            expect(new Set(arrived).size).toBe(arrived.length);
            for (const [mark, { answer, noAnswer }] of outcomes) {
              expect([answer === undefined, noAnswer === undefined]).toContain(true);
              if (answer !== undefined) expect([answer.status, answer.body]).toEqual([201, mark]);
              const name = script[Number(mark.slice(1))] ?? '';
              if (name.startsWith('closes') || name === 'resets') expect(answer).toBeUndefined();
            }
          } finally {
            await end();
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('at once', () => {
  test('every request has a connection of its own, and none waits for the answer of another', async () => {
    const waiting: (() => void)[] = [];
    const { wire } = await against((socket, { text }) => {
      waiting.push(() => socket.write(okFor(text)));
      // No response is sent before all have asked.
      if (waiting.length === 5) for (const answer of waiting.reverse()) answer();
    });
    const marks = ['a', 'b', 'c', 'd', 'e'];
    const outcomes = await wire.sendTogether(marks.map((mark) => command(mark)));
    expect(outcomes.map(({ answer }) => answer?.body)).toEqual(marks);
    expect(new Set(outcomes.map(({ connection }) => connection)).size).toBe(5);
  });

  test('each is written but for its last byte before the last bytes of all leave', async () => {
    const before: Buffer[] = [];
    const read = new Map<Socket, number>();
    const expected = 3;
    const server = await startScripted((socket, { text }) => void socket.write(okFor(text)), {
      greet: (socket) =>
        socket.on('data', (chunk: Buffer) => {
          read.set(socket, (read.get(socket) ?? 0) + chunk.length);
          before.push(chunk);
        }),
    });
    let arrivedBefore = -1;
    let bytesBefore: readonly number[] = [];
    const wire = openWire(
      { origin: server.origin, timeoutMs: 5000, connections: 1, maxBodyBytes: 1000 },
      {
        ...machineClock,
        // The pause before the last bytes: as long as it takes here.
        sleep: async () => {
          while (read.size < expected) await new Promise((resolve) => setImmediate(resolve));
          arrivedBefore = server.arrived.length;
          bytesBefore = [...read.values()];
        },
      },
    );
    onTestFinished(async () => {
      await wire.close();
      await server.close();
    });
    const outcomes = await wire.sendTogether([
      command('a'),
      command('b', 'fresh'),
      { ...command('c', 'raw'), body: undefined },
    ]);
    expect(outcomes.map(({ answer }) => answer?.body)).toEqual(['a', 'b', 'c']);
    expect(arrivedBefore).toBe(0);
    expect([...read.values()]).toEqual(bytesBefore.map((bytes) => bytes + 1));
    expect(before).toHaveLength(2 * expected);
  });

  test('one that cannot be written holds up no other', async () => {
    const { wire } = await against((socket, { text }) => void socket.write(okFor(text)));
    const outcomes = await wire.sendTogether([command('a'), command('b', 'cut-mid-body'), command('c')]);
    expect(outcomes.map(({ answer, noAnswer }) => answer?.body ?? noAnswer?.reason)).toEqual([
      'a',
      'cut',
      'c',
    ]);
  });

  test('a response that comes before the last byte counts', async () => {
    const { wire } = await against(() => undefined, {
      greet: (socket) => socket.once('data', (chunk: Buffer) => socket.end(okFor(chunk.toString('latin1')))),
    });
    const outcomes = await wire.sendTogether([command('a'), command('b')]);
    expect(outcomes.map(({ answer }) => answer?.body)).toEqual(['a', 'b']);
  });

  test('one that is hung up on takes no other with it', async () => {
    const { wire } = await against((socket, { text }) => {
      if (markOf(text) === 'b') socket.resetAndDestroy();
      else socket.write(okFor(text));
    });
    const outcomes = await wire.sendTogether(['a', 'b', 'c'].map((mark) => command(mark)));
    expect(outcomes.map(({ answer, noAnswer }) => answer?.body ?? noAnswer?.reason)).toEqual([
      'a',
      'reset',
      'c',
    ]);
  });
});
