import { describe, expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { type Ask, withTrial } from '../testing/trial.ts';

const contract = await loadContract('fixtures/contracts/extended-catalogue.yaml');
const body = { subject: 'A case' };

describe('401', () => {
  const nobody = { as: 'nobody-at-all', key: 'k', body };
  const token = 'Token-of-full-0001';
  const cases: readonly (readonly [string, Ask])[] = [
    ['no credential', nobody],
    ['an unknown token', { ...nobody, headers: [['Authorization', 'Bearer who-is-this']] }],
    [
      'another case of the token',
      { ...nobody, headers: [['Authorization', `Bearer ${token.toUpperCase()}`]] },
    ],
    ['a longer token', { ...nobody, headers: [['Authorization', `Bearer ${token}x`]] }],
    ['the scheme alone', { ...nobody, headers: [['Authorization', 'Bearer']] }],
    ['the scheme and a blank', { ...nobody, headers: [['Authorization', 'Bearer ']] }],
    ['the token alone', { ...nobody, headers: [['Authorization', token]] }],
    ['another scheme', { ...nobody, headers: [['Authorization', `Basic ${token}`]] }],
    ['two lines', { key: 'k', body, headers: [['Authorization', `Bearer ${token}`]] }],
    ['a token in a cookie', { ...nobody, headers: [['Cookie', `access_token=${token}`]] }],
    ['a token in the body', { ...nobody, body: { ...body, access_token: token } }],
    ['an expired token', { as: 'expired', key: 'k', body }],
    ['a revoked token', { as: 'revoked', key: 'k', body }],
  ];
  test.each(cases)('%s', async (_name, ask) => {
    await withTrial({ contract }, async (trial) => {
      const refused = await trial.ask('POST', '/cases', ask);
      expect(refused.status).toBe(401);
      expect(refused.headers['www-authenticate']).toBe('Bearer');
      expect(refused.requestIds).toHaveLength(1);
      expect(trial.reference.effects().total).toBe(0);
      expect(refused.text).not.toContain(token);
      // The key is not occupied.
      expect((await trial.ask('POST', '/cases', { key: 'k', body })).status).toBe(201);
    });
  });

  test('a token in the query', async () => {
    await withTrial({ contract }, async ({ ask }) => {
      expect((await ask('POST', `/cases?access_token=${token}`, nobody)).status).toBe(401);
      expect((await ask('GET', `/cases?access_token=${token}`, { as: 'nobody-at-all' })).status).toBe(401);
    });
  });

  test('before anything else that is wrong', async () => {
    await withTrial({ contract }, async ({ ask }) => {
      expect((await ask('POST', '/cases', { as: 'expired', text: '{' })).status).toBe(401);
      expect((await ask('PATCH', '/cases/case_none', { as: 'expired', body: 5 })).status).toBe(401);
    });
  });
});

test('the scheme is compared without regard to case', async () => {
  await withTrial({ contract }, async ({ ask }) => {
    const headers = [['Authorization', 'bearer Token-of-full-0001']] as const;
    expect((await ask('POST', '/cases', { as: 'nobody-at-all', key: 'k', body, headers })).status).toBe(201);
  });
});

describe('403', () => {
  test.each(['powerless', 'near-miss'])('%s', async (as) => {
    await withTrial({ contract }, async ({ ask, reference }) => {
      const refused = await ask('POST', '/cases', { as, key: 'k', body });
      expect(refused.status).toBe(403);
      expect((await ask('POST', '/cases', { as, key: 'k', body })).status).toBe(403);
      expect(reference.effects().total).toBe(0);
      expect((await ask('POST', '/cases', { key: 'k', body })).status).toBe(201);
    });
  });

  test('before body, key and target are looked at', async () => {
    await withTrial({ contract }, async ({ ask }) => {
      expect((await ask('POST', '/cases', { as: 'powerless', text: '{' })).status).toBe(403);
      expect((await ask('PATCH', '/cases/case_none', { as: 'powerless', key: 'k', body })).status).toBe(403);
    });
  });

  test('a method override changes nothing', async () => {
    await withTrial({ contract }, async ({ ask }) => {
      const headers = [['X-HTTP-Method-Override', 'GET']] as const;
      expect((await ask('POST', '/cases', { as: 'powerless', key: 'k', body, headers })).status).toBe(403);
    });
  });

  test('from the moment at which the permission was withdrawn until it is given back', async () => {
    await withTrial({ contract }, async ({ ask, hook }) => {
      const first = await ask('POST', '/cases', { key: 'k', body });
      await hook('revoke', { principal: 'full', permission: 'case.create' });
      expect((await ask('POST', '/cases', { key: 'k', body })).status).toBe(403);
      await hook('restore', { principal: 'full', permission: 'case.create' });
      expect((await ask('POST', '/cases', { key: 'k', body })).textAt('/id')).toBe(first.textAt('/id'));
    });
  });
});

test('several permissions are withdrawn at once, and given back', async () => {
  await withTrial({ contract }, async ({ ask, hook }) => {
    const permission = 'case.assign,case.create';
    await hook('revoke', { principal: 'full', permission });
    expect((await ask('POST', '/cases', { key: 'k', body })).status).toBe(403);
    await hook('restore', { principal: 'full', permission });
    expect((await ask('POST', '/cases', { key: 'k', body })).status).toBe(201);
  });
});

test('a record of another scope looks like an absent one', async () => {
  await withTrial({ contract }, async ({ ask, createCase }) => {
    const id = await createCase('Ours');
    const without = (text: string) => text.replace(/req_\w+/, '');
    for (const [method, tail, key] of [
      ['GET', '', undefined],
      ['PATCH', '', 'k1'],
      ['POST', '/closure', 'k2'],
    ] as const) {
      const ask404 = (target: string) =>
        ask(method, `/cases/${target}${tail}`, {
          as: 'elsewhere',
          ...(key === undefined
            ? {}
            : { key: `${key}${target}`, body: tail === '' ? { subject: 's' } : { reason: 'r' } }),
          headers: [['If-Match', '1']],
        });
      const foreign = await ask404(id);
      const absent = await ask404('case_none');
      expect(foreign.status).toBe(404);
      expect(without(foreign.text)).toBe(without(absent.text));
    }
    expect((await ask('GET', '/cases', { as: 'elsewhere' })).body).toEqual({ items: [], nextCursor: null });
  });
});
