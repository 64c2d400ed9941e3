import { describe, expect, onTestFinished, test } from 'vitest';
import type { WireRequest } from '../model/wire.ts';
import { machineClock } from '../run/clock.ts';
import { type ServerScript, startScripted } from '../testing/scripted-server.ts';
import { type OpenWire, openWire } from './wire.ts';

async function against(script: ServerScript): Promise<OpenWire> {
  const server = await startScripted(script);
  const wire = openWire(
    { origin: server.origin, timeoutMs: 5000, connections: 1, maxBodyBytes: 1000 },
    machineClock,
  );
  onTestFinished(async () => {
    await wire.close();
    await server.close();
  });
  return wire;
}

const command = (transport: WireRequest['transport']): WireRequest => ({
  method: 'POST',
  path: '/cases',
  headers: [],
  body: Buffer.from('{}'),
  transport,
});

const response = (status: number, body: string): string =>
  `HTTP/1.1 ${status} X\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

describe.each(['pooled', 'fresh', 'raw'] as const)(
  '%s: what follows the response to a request',
  (transport) => {
    test.each<[string, (ordinal: number) => string]>([
      ['a second response', (ordinal) => response(201, `own ${ordinal}`) + response(500, 'stray')],
      ['three more', (ordinal) => response(201, `own ${ordinal}`) + response(500, 'stray').repeat(3)],
      ['no HTTP', (ordinal) => `${response(201, `own ${ordinal}`)}stray bytes\r\n\r\n`],
      ['half a response', (ordinal) => `${response(201, `own ${ordinal}`)}HTTP/1.1 500 X\r\nContent-Le`],
      [
        'an informational one',
        (ordinal) => `${response(201, `own ${ordinal}`)}HTTP/1.1 100 Continue\r\n\r\n`,
      ],
      [
        'a second response behind a chunked one',
        (ordinal) =>
          `HTTP/1.1 201 X\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nown ${ordinal}\r\n0\r\n\r\n${response(500, 'stray')}`,
      ],
    ])('%s is discarded, and its connection closed', async (_, written) => {
      const wire = await against((socket, { ordinal }) => void socket.write(written(ordinal)));
      for (let ordinal = 0; ordinal < 4; ordinal += 1) {
        const { answer, noAnswer, connection } = await wire.send(command(transport));
        expect({ status: answer?.status, body: answer?.body, noAnswer, connection }).toEqual({
          status: 201,
          body: `own ${ordinal}`,
          noAnswer: undefined,
          connection: ordinal,
        });
      }
    });
  },
);

test('after a response for nobody no connection is used twice, and none on which the target speaks first', async () => {
  let greets = false;
  const server = await startScripted(
    (socket, { ordinal }) =>
      void socket.write(response(201, `own ${ordinal}`) + (ordinal === 1 ? response(500, 'stray') : '')),
    { greet: (socket) => void (greets && socket.write(response(500, 'greeting'))) },
  );
  const wire = openWire(
    { origin: server.origin, timeoutMs: 5000, connections: 1, maxBodyBytes: 1000 },
    machineClock,
  );
  onTestFinished(async () => {
    await wire.close();
    await server.close();
  });
  const connections: number[] = [];
  for (let ordinal = 0; ordinal < 5; ordinal += 1) {
    const { answer, connection } = await wire.send(command('pooled'));
    expect(answer?.body).toBe(`own ${ordinal}`);
    connections.push(connection);
  }
  expect(connections).toEqual([0, 0, 1, 2, 3]);
  greets = true;
  for (const transport of ['pooled', 'fresh', 'raw'] as const)
    expect(await wire.send(command(transport))).toMatchObject({
      answer: undefined,
      noAnswer: { reason: 'protocol', detail: 'the target sent bytes before any request' },
    });
  expect(server.arrived).toHaveLength(5);
});
