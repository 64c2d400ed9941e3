import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { principalsOf, trialClock, withTrial } from '../testing/trial.ts';
import { startReference } from './server.ts';

const contract = await loadContract('fixtures/contracts/extended-catalogue.yaml');
const body = { subject: 'A case' };

/** Sends bytes and reads until the service closes the connection. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
}

describe('every answer has one request ID', () => {
  test.each([
    ['GET', '/nowhere', 404],
    ['GET', '/cases/', 404],
    ['GET', '//cases', 404],
    ['GET', '/CASES', 404],
    ['GET', '/x/../cases', 404],
    ['GET', '/cases/%zz', 404],
    ['PUT', '/cases', 405],
    ['DELETE', '/cases', 405],
  ])('%s %s', async (method, path, status) => {
    await withTrial({ contract }, async ({ ask }) => {
      const refused = await ask(method, path, { headers: [['X-Request-Id', 'req_mine']] });
      expect([refused.status, refused.requestIds.length]).toEqual([status, 1]);
      expect(refused.requestIds[0]).toMatch(/^req_[0-9a-f]{32}$/);
      expect(refused.headers['allow']).toBe(status === 405 ? 'POST, GET' : undefined);
    });
  });

  test('what is no HTTP', async () => {
    await withTrial({ contract }, async ({ reference }) => {
      const answers = [
        await raw(reference.port, 'Hello?\r\n\r\n'),
        await raw(reference.port, 'GET /cases HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n'),
        await raw(reference.port, 'GET /cases HTTP/1.1\r\nConnection: close\r\n\r\n'),
        await raw(reference.port, 'GET /cases HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'),
      ];
      for (const answer of answers) {
        expect(answer).toMatch(/^HTTP\/1\.1 400 /);
        expect(answer.match(/^X-Request-Id: req_[0-9a-f]{32}\r$/gim)).toHaveLength(1);
      }
    });
  });

  test('and no two have the same', async () => {
    await withTrial({ contract }, async ({ ask }) => {
      const all = await Promise.all(Array.from({ length: 100 }, () => ask('GET', '/nowhere')));
      expect(new Set(all.flatMap(({ requestIds }) => requestIds)).size).toBe(100);
    });
  });
});

test('an encoded letter is that letter', async () => {
  await withTrial({ contract }, async ({ ask }) => {
    expect((await ask('GET', '/c%61ses')).status).toBe(200);
    expect((await ask('GET', '/c%61ses', { as: 'powerless' })).status).toBe(403);
  });
});

test('a request that is cut before its end has no effect', async () => {
  await withTrial({ contract }, async ({ ask, reference }) => {
    const socket = connect(reference.port, '127.0.0.1');
    const head =
      'POST /cases HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer Token-of-full-0001\r\nIdempotency-Key: k\r\n';
    socket.end(`${head}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"subject":`);
    await new Promise((resolve) => socket.on('close', resolve).resume());
    expect((await ask('POST', '/cases', { key: 'k', body })).headers['idempotent-replayed']).toBeUndefined();
    expect(reference.effects().total).toBe(1);
  });
});

test('closing ends what is under way', async () => {
  const clock = trialClock();
  const reference = await startReference({ contract, clock, principals: principalsOf(contract) });
  const slow = await fetch(`${reference.url}/__reference/slow`, {
    method: 'POST',
    body: '{"milliseconds":60000}',
  });
  expect(slow.status).toBe(200);
  const lost = fetch(`${reference.url}/cases`, {
    method: 'POST',
    headers: {
      Authorization: 'Bearer Token-of-full-0001',
      'Idempotency-Key': 'k',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  await clock.sleeping();
  await reference.close();
  await expect(lost).rejects.toThrow();
});

describe('hooks', () => {
  test('say what is wrong with their input', async () => {
    await withTrial({ contract }, async ({ ask }) => {
      const path = (name: string) => `/__reference/${name}`;
      expect((await ask('POST', path('nothing'), { body: {} })).status).toBe(404);
      expect((await ask('POST', path('slow'), { text: '[' })).status).toBe(422);
      expect((await ask('POST', path('revoke'), { body: { principal: 'who' } })).textAt('/error')).toContain(
        "'who'",
      );
      expect((await ask('GET', path('slow'))).status).toBe(405);
    });
  });

  test('give the caller a second token', async () => {
    await withTrial({ contract }, async ({ ask, hook }) => {
      const first = await ask('POST', '/cases', { key: 'k', body });
      const { token } = await hook('refresh', { identity: 'full' });
      const headers = [['Authorization', `Bearer ${token}`]] as const;
      const again = await ask('POST', '/cases', { as: 'nobody-at-all', key: 'k', body, headers });
      expect(again.text).toBe(first.text);
    });
  });

  test('are not there where they are switched off', async () => {
    await withTrial({ contract, hooks: false }, async ({ ask }) => {
      const answer = await ask('POST', '/__reference/slow', { body: {} });
      expect([answer.status, answer.requestIds.length]).toEqual([404, 1]);
    });
  });
});
