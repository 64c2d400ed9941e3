import { describe, expect, onTestFinished, test } from 'vitest';
import type { WireRequest } from '../model/wire.ts';
import { machineClock } from '../run/clock.ts';
import { startScripted } from '../testing/scripted-server.ts';
import { against, command, okFor } from '../testing/scripted-wire.ts';
import { openWire } from './wire.ts';

describe('the harness hangs up', () => {
  test('after it left the service with the command for a while', async () => {
    const server = await startScripted(() => undefined);
    const slept: number[] = [];
    let arrivedBefore = -1;
    const wire = openWire(
      { origin: server.origin, timeoutMs: 5000, connections: 1, maxBodyBytes: 1000 },
      {
        ...machineClock,
        sleep: async (milliseconds) => {
          slept.push(milliseconds);
          while (server.arrived.length === 0) await new Promise((resolve) => setImmediate(resolve));
          arrivedBefore = server.arrived.length;
        },
      },
    );
    onTestFinished(async () => {
      await wire.close();
      await server.close();
    });
    const { noAnswer, sentAt } = await wire.send({ ...command('a', 'cut-after-send'), leaves: 20 });
    expect(noAnswer).toMatchObject({ reason: 'cut' });
    expect(sentAt).toBeDefined();
    expect([slept, arrivedBefore]).toEqual([[20], 1]);
  });

  test.each<[WireRequest['transport'], boolean, RegExp]>([
    ['cut-after-send', true, /after the whole request was sent/],
    ['cut-mid-body', false, /in the middle of the request/],
  ])('%s', async (transport, whole, detail) => {
    let gone: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const { wire, server } = await against(() => undefined, {
      greet: (socket) => socket.once('close', gone),
    });
    const { answer, noAnswer, sentAt } = await wire.send(command('a', transport));
    expect(answer).toBeUndefined();
    expect(noAnswer).toMatchObject({ reason: 'cut', detail: expect.stringMatching(detail) });
    expect(sentAt !== undefined).toBe(whole);
    await ended;
    expect(server.arrived).toHaveLength(whole ? 1 : 0);
  });

  test('when the answer begins', async () => {
    const { wire } = await against((socket, { text }) => void socket.write(okFor(text)));
    const { noAnswer } = await wire.send(command('a', 'cut-on-answer'));
    expect(noAnswer).toMatchObject({ reason: 'cut', partial: { status: 201 } });
  });

  test.each(['pooled', 'fresh', 'raw'] as const)('%s: as the run is interrupted', async (transport) => {
    const stop = new AbortController();
    const { wire } = await against(() => stop.abort());
    const { noAnswer } = await wire.send(command('a', transport), stop.signal);
    expect(noAnswer).toMatchObject({ reason: 'interrupted' });
    expect((await wire.send(command('b', transport), stop.signal)).noAnswer?.reason).toBe('interrupted');
  });

  test('as the wire is closed, with requests under way and waiting', async () => {
    let arrive: () => void = () => undefined;
    const first = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const { wire, server } = await against(() => arrive(), { connections: 1 });
    const outcomes = Promise.all(['a', 'b', 'c'].map((mark) => wire.send(command(mark))));
    await first;
    await wire.close();
    expect((await outcomes).map(({ noAnswer }) => noAnswer?.reason)).toEqual([
      'interrupted',
      'interrupted',
      'interrupted',
    ]);
    expect((await wire.send(command('d'))).noAnswer?.reason).toBe('interrupted');
    expect(server.arrived).toHaveLength(1);
  });
});
