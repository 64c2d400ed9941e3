import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { withTrial } from '../testing/trial.ts';

const contract = await loadContract('fixtures/contracts/extended-catalogue.yaml');
const body = { subject: 'A case' };
const settings = { rateLimit: 3, rateWindowMs: 1500 };

test('429 with a wait that is enough when honoured exactly, without effect or a used key', async () => {
  await withTrial({ contract, settings }, async ({ ask, clock, reference }) => {
    clock.advance(123.4);
    for (const key of ['1', '2', '3']) expect((await ask('POST', '/cases', { key, body })).status).toBe(201);
    clock.advance(200);
    const refused = await ask('POST', '/cases', { key: 'k', body });
    expect([refused.status, refused.headers['retry-after'], refused.requestIds.length]).toEqual([
      429,
      '2',
      1,
    ]);
    expect(reference.effects().total).toBe(3);
    clock.advance(2000);
    expect((await ask('POST', '/cases', { key: 'k', body })).status).toBe(201);
  });
});

test('what was refused does not prolong the wait', async () => {
  await withTrial({ contract, settings }, async ({ ask, clock }) => {
    for (let sent = 0; sent < 3; sent += 1) await ask('GET', '/cases');
    clock.advance(1499);
    expect((await ask('GET', '/cases')).status).toBe(429);
    clock.advance(1);
    expect((await ask('GET', '/cases')).status).toBe(200);
  });
});

test('each principal has a bucket of its own, and bad credentials have none', async () => {
  await withTrial({ contract, settings }, async ({ ask }) => {
    for (let sent = 0; sent < 5; sent += 1) {
      expect((await ask('GET', '/cases', { as: 'nobody-at-all' })).status).toBe(401);
    }
    for (let sent = 0; sent < 3; sent += 1) expect((await ask('GET', '/cases')).status).toBe(200);
    expect((await ask('GET', '/cases')).status).toBe(429);
    expect((await ask('GET', '/cases', { as: 'peer' })).status).toBe(200);
  });
});

test('60 requests in half a second are not too many', async () => {
  await withTrial({ contract }, async ({ ask }) => {
    const all = await Promise.all(Array.from({ length: 61 }, () => ask('GET', '/cases')));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(1);
  });
});
