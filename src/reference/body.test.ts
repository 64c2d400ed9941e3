import { describe, expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { type Ask, withTrial } from '../testing/trial.ts';

const contract = await loadContract('fixtures/contracts/extended-catalogue.yaml');
const contact = { name: 'n', emails: [{ address: 'a@b.example' }] };

describe('422 names what is wrong', () => {
  test.each([
    ['/cases', {}, ['/subject']],
    ['/cases', { subject: null }, ['/subject']],
    ['/cases', { subject: 5 }, ['/subject']],
    ['/cases', { subject: {} }, ['/subject']],
    ['/cases', { subject: ['a'] }, ['/subject']],
    ['/cases', ['a'], ['']],
    ['/cases', 'a', ['']],
    ['/cases', null, ['']],
    ['/contacts', { emails: 5 }, ['/name', '/emails']],
    [
      '/contacts',
      { ...contact, emails: [{ address: 'a@b.example' }, { address: 'x' }] },
      ['/emails/1/address'],
    ],
    ['/contacts', { ...contact, address: { street: 's', city: 'c', country: 'de' } }, ['/address/country']],
  ])('%s %j', async (path, body, pointers) => {
    await withTrial({ contract }, async ({ ask, reference }) => {
      const refused = await ask('POST', path, { key: 'k', body });
      expect(refused.status).toBe(422);
      expect(pointers.map((_, at) => refused.textAt(`/errors/${at}/pointer`)).sort()).toEqual(
        pointers.sort(),
      );
      expect(refused.body).not.toHaveProperty(['errors', pointers.length]);
      expect(refused.headers['content-type']).toBe('application/problem+json');
      expect(refused.requestIds).toEqual([refused.textAt('/requestId')]);
      expect(reference.effects().total).toBe(0);
    });
  });

  test('an unknown field where the schema allows none', async () => {
    await withTrial({ contract }, async ({ ask, createCase }) => {
      const path = `/cases/${await createCase('s')}`;
      const refused = await ask('PATCH', path, {
        key: 'k',
        body: { subjekt: 's' },
        headers: [['If-Match', '1']],
      });
      expect(refused.textAt('/errors/0/pointer')).toBe('/subjekt');
    });
  });

  test('no body at all', async () => {
    await withTrial({ contract }, async ({ ask }) => {
      expect((await ask('POST', '/cases', { key: 'k' })).status).toBe(422);
    });
  });
});

describe('a body that cannot be read', () => {
  const json = 'application/json';
  test.each([
    [400, { text: '{"subject":' }],
    [400, { text: '{"subject":"\u0001"}' }],
    [400, { text: '['.repeat(200_000) }],
    [400, { text: `${'['.repeat(300)}${']'.repeat(300)}` }],
    [413, { text: JSON.stringify({ subject: 's'.repeat(1024 * 1024) }) }],
    [415, { text: '{"subject":"s"}', headers: [['Content-Encoding', 'gzip']] }],
    [415, { text: '{"subject":"s"}', headers: [['Content-Type', json]] }],
  ] satisfies readonly [number, Ask][])('%i', async (status, ask) => {
    await withTrial({ contract }, async ({ ask: send, reference }) => {
      const refused = await send('POST', '/cases', { key: 'k', ...ask });
      expect([refused.status, refused.requestIds.length]).toEqual([status, 1]);
      expect(reference.effects().total).toBe(0);
    });
  });
});

test.each([
  'ä €',
  '漢字',
  '👩‍👩‍👧',
  '"quoted" \\ back',
  '<script>alert(1)</script>',
  'a\nb\tc',
  '__proto__',
  ' s ',
])('any text is a subject: %j', async (subject) => {
  await withTrial({ contract }, async ({ ask, createCase }) => {
    expect((await ask('GET', `/cases/${await createCase(subject)}`)).textAt('/subject')).toBe(subject);
  });
});

test('a member called __proto__ is a member like any other', async () => {
  await withTrial({ contract }, async ({ ask }) => {
    const made = await ask('POST', '/cases', {
      key: 'k',
      text: '{"subject":"s","__proto__":{"status":"closed"}}',
    });
    expect(made.textAt('/status')).toBe('open');
  });
});

describe('422 of a query', () => {
  test.each([
    ['limit=abc', 'limit'],
    ['limit=0', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['status=shut', 'status'],
    ['cursor=tampered', 'cursor'],
  ])('%s', async (query, name) => {
    await withTrial({ contract }, async ({ ask }) => {
      const refused = await ask('GET', `/cases?${query}`);
      expect([refused.status, refused.textAt('/errors/0/parameter')]).toEqual([422, name]);
    });
  });

  test('unknown fields are ignored', async () => {
    await withTrial({ contract }, async ({ ask }) => {
      expect((await ask('GET', '/cases?colour=blue')).status).toBe(200);
    });
  });
});
