import { describe, expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { type Trial, withTrial } from '../testing/trial.ts';

const contract = await loadContract('fixtures/contracts/extended-catalogue.yaml');
const body = { subject: 'A case' };

describe('a key that cannot be used', () => {
  test.each([
    ['none', {}],
    ['an empty one', { key: '' }],
    ['a blank one', { key: '   ' }],
    ['a long one', { key: 'k'.repeat(256) }],
    ['two lines', { key: 'a', headers: [['Idempotency-Key', 'b']] as const }],
  ])('%s gets 422 and is named', async (_name, ask) => {
    await withTrial({ contract }, async ({ ask: send, reference }) => {
      const refused = await send('POST', '/cases', { body, ...ask });
      expect(refused.status).toBe(422);
      expect(refused.textAt('/errors/0/header')).toBe('Idempotency-Key');
      expect(reference.effects().total).toBe(0);
    });
  });

  test('a key of 255 characters is one', async () => {
    await withTrial({ contract }, async ({ ask }) => {
      expect((await ask('POST', '/cases', { key: 'k'.repeat(255), body })).status).toBe(201);
    });
  });
});

describe('a duplicate', () => {
  test('replays status and body under a new request ID', async () => {
    await withTrial({ contract }, async ({ ask, reference }) => {
      const first = await ask('POST', '/cases', { key: 'k', body });
      const again = await ask('POST', '/cases', { key: 'k', body });
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(first.headers['idempotent-replayed']).toBeUndefined();
      expect(again.requestIds).toHaveLength(1);
      expect(again.requestIds).not.toEqual(first.requestIds);
      expect(reference.effects()).toEqual({ total: 1, byOperation: { createCase: 1 }, byKey: { k: 1 } });
    });
  });

  test('of every command has no second effect', async () => {
    await withTrial({ contract }, async (trial) => {
      for (const [method, path, content, headers] of await everyCommand(trial)) {
        const ask = {
          key: `key of ${method} ${path}`,
          ...(content === undefined ? {} : { body: content }),
          headers,
        };
        const first = await trial.ask(method, path, ask);
        const again = await trial.ask(method, path, ask);
        expect([first.status < 300, again.status, again.text]).toEqual([true, first.status, first.text]);
        expect(trial.reference.effects().byKey[ask.key]).toBe(1);
      }
    });
  });

  test('may be written differently, and come with another token of the caller or a query', async () => {
    await withTrial({ contract }, async ({ ask, reference }) => {
      const first = await ask('POST', '/cases', {
        key: 'k',
        text: '{"subject":"\u00e9","extra":[1,{"b":1,"a":2}]}',
      });
      const forms = [
        await ask('POST', '/cases', {
          key: 'k',
          text: '{ "extra": [1, {"a":2, "b":1}],\n "subject": "\\u00e9" }',
        }),
        await ask('POST', '/cases', {
          as: 'renewed',
          key: 'k',
          body: { subject: 'é', extra: [1, { a: 2, b: 1 }] },
        }),
        await ask('POST', '/cases?x=1', { key: 'k', body: { subject: 'é', extra: [1, { a: 2, b: 1 }] } }),
      ];
      expect(forms.map(({ text }) => text)).toEqual([first.text, first.text, first.text]);
      expect(reference.effects().total).toBe(1);
    });
  });

  test('200 at once have one effect and one answer', async () => {
    await withTrial({ contract, settings: { rateLimit: 1000 } }, async ({ ask, reference }) => {
      const all = await Promise.all(
        Array.from({ length: 200 }, () => ask('POST', '/cases', { key: 'k', body })),
      );
      expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(all.map(({ text }) => text)).size).toBe(1);
      expect(new Set(all.flatMap(({ requestIds }) => requestIds)).size).toBe(200);
      expect(reference.effects().total).toBe(1);
    });
  });

  test('of a request in flight waits for its result', async () => {
    await withTrial({ contract }, async ({ ask, clock, hook, reference }) => {
      await hook('slow', { key: 'k', milliseconds: 5000 });
      const first = ask('POST', '/cases', { key: 'k', body });
      await clock.sleeping();
      const second = ask('POST', '/cases', { key: 'k', body });
      const other = await ask('POST', '/cases', { key: 'k', body: { subject: 'Another' } });
      expect(other.status).toBe(409);
      expect(reference.effects().total).toBe(0);
      clock.advance(5000);
      expect((await second).text).toBe((await first).text);
      expect(reference.effects().total).toBe(1);
    });
  });

  test('after the client was gone gets the result', async () => {
    await withTrial({ contract }, async ({ ask, clock, hook, reference }) => {
      await hook('slow', { key: 'k', milliseconds: 1000 });
      const leaving = new AbortController();
      const lost = ask('POST', '/cases', { key: 'k', body, signal: leaving.signal });
      await clock.sleeping();
      leaving.abort();
      await expect(lost).rejects.toThrow('aborted');
      const again = ask('POST', '/cases', { key: 'k', body });
      clock.advance(1000);
      expect((await again).status).toBe(201);
      expect(reference.effects().total).toBe(1);
    });
  });
});

describe('another request under a key', () => {
  test('is 409, and the first one still stands', async () => {
    await withTrial({ contract }, async ({ ask, reference }) => {
      const first = await ask('POST', '/cases', { key: 'k', body });
      const other = await ask('POST', '/cases', { key: 'k', body: { subject: 'Another' } });
      expect([other.status, other.textAt('/conflict')]).toEqual([409, 'idempotency']);
      expect((await ask('POST', '/cases', { key: 'k', body })).text).toBe(first.text);
      expect(reference.effects().total).toBe(1);
    });
  });

  test('is one of another operation, too', async () => {
    await withTrial({ contract }, async ({ ask, createCase }) => {
      const id = await createCase('x');
      expect((await ask('POST', `/cases/${id}/closure`, { key: 'k', body: { reason: 'r' } })).status).toBe(
        200,
      );
      expect((await ask('POST', '/cases', { key: 'k', body })).status).toBe(409);
    });
  });

  test.each(['peer', 'elsewhere'])('of %s is a command of its own', async (as) => {
    await withTrial({ contract }, async ({ ask }) => {
      const first = await ask('POST', '/cases', { key: 'k', body });
      const second = await ask('POST', '/cases', { as, key: 'k', body });
      expect(second.status).toBe(201);
      expect(second.textAt('/id')).not.toBe(first.textAt('/id'));
    });
  });

  test.each([
    ['KEY', 'key'],
    [`${'k'.repeat(254)}a`, `${'k'.repeat(254)}b`],
    ['a b', 'a  b'],
  ])('%s is not %s', async (one, another) => {
    await withTrial({ contract }, async ({ ask, reference }) => {
      expect((await ask('POST', '/cases', { key: one, body: { subject: '1' } })).status).toBe(201);
      expect((await ask('POST', '/cases', { key: another, body: { subject: '2' } })).status).toBe(201);
      expect(reference.effects().total).toBe(2);
    });
  });
});

describe('what failed does not occupy its key', () => {
  test('422', async () => {
    await withTrial({ contract }, async ({ ask }) => {
      expect((await ask('POST', '/cases', { key: 'k', body: { subject: 5 } })).status).toBe(422);
      expect((await ask('POST', '/cases', { key: 'k', body })).status).toBe(201);
    });
  });

  test('500 before the commit', async () => {
    await withTrial({ contract }, async ({ ask, hook, reference }) => {
      await hook('failBeforeCommit', { key: 'k' });
      const failed = await ask('POST', '/cases', { key: 'k', body });
      expect([failed.status, failed.requestIds.length, reference.effects().total]).toEqual([500, 1, 0]);
      expect((await ask('POST', '/cases', { key: 'k', body })).status).toBe(201);
      expect(reference.effects().total).toBe(1);
    });
  });
});

test('500 after the commit leaves the key bound to what was done', async () => {
  await withTrial({ contract }, async ({ ask, hook, reference }) => {
    await hook('failAfterCommit', { key: 'k' });
    expect((await ask('POST', '/cases', { key: 'k', body })).status).toBe(500);
    const again = await ask('POST', '/cases', { key: 'k', body });
    expect([again.status, reference.effects().total]).toEqual([201, 1]);
    expect((await ask('GET', `/cases/${again.textAt('/id')}`)).textAt('/subject')).toBe('A case');
  });
});

test('reads neither need a key nor consume one', async () => {
  await withTrial({ contract }, async ({ ask, reference }) => {
    expect((await ask('GET', '/cases', { key: 'k' })).status).toBe(200);
    expect((await ask('POST', '/cases', { key: 'k', body })).status).toBe(201);
    expect(reference.effects().total).toBe(1);
  });
});

type Command = readonly [string, string, { readonly [name: string]: string } | undefined, [string, string][]];

async function everyCommand({ ask, createCase, hook }: Trial): Promise<readonly Command[]> {
  const [changed, assigned, approved, closed] = [
    await createCase('1'),
    await createCase('2'),
    await createCase('3'),
    await createCase('4'),
  ];
  const contact = await ask('POST', '/contacts', {
    key: 'c',
    body: { name: 'n', emails: [{ address: 'a@b.example' }] },
  });
  const { verification } = await hook('verify', {
    principal: 'full',
    operation: 'approveCase',
    target: approved,
  });
  return [
    ['POST', '/cases', { subject: 's' }, []],
    ['PATCH', `/cases/${changed}`, { subject: 's' }, [['If-Match', '1']]],
    ['POST', `/cases/${assigned}/assignments`, { assignee: 'a', version: '1' }, []],
    ['POST', `/cases/${approved}/approvals`, { note: 'n' }, [['X-Verification', String(verification)]]],
    ['POST', `/cases/${closed}/closure`, { reason: 'r' }, []],
    ['DELETE', `/contacts/${contact.textAt('/id')}`, undefined, []],
  ];
}
