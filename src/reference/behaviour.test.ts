import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { valueAt } from '../model/json.ts';
import { createSignal } from '../model/signal.ts';
import { type Trial, withTrial } from '../testing/trial.ts';
import type { Behaviour } from './behaviour.ts';
import { callerOf } from './call.ts';
import { conforming } from './conforming.ts';
import { commit } from './execute.ts';
import { moved } from './phases.ts';

// Each decision is replaced on its own: the service must misbehave in that respect, and serve what is valid all the same.
const contract = await loadContract('fixtures/contracts/extended-catalogue.yaml');
const body = { subject: 'A case' };

async function replaced(
  behaviour: Partial<Behaviour>,
  run: (trial: Trial) => Promise<void>,
  settings = {},
): Promise<void> {
  await withTrial({ contract, behaviour, settings }, async (trial) => {
    expect((await trial.ask('POST', '/cases', { key: 'control', body: { subject: 'Control' } })).status).toBe(
      201,
    );
    await run(trial);
  });
}

/** Holds back those who come until there are `count` of them. */
function meeting(count: number): () => Promise<void> {
  const complete = createSignal();
  let present = 0;
  return () => {
    present += 1;
    if (present === count) complete.give();
    return complete.wait;
  };
}

test('I07: the handler runs again, and the first answer is sent', async () => {
  await replaced(
    {
      onDuplicateFinished: (call, _entry, answer) => {
        commit(call);
        return answer;
      },
    },
    async ({ ask, reference }) => {
      const first = await ask('POST', '/cases', { key: 'k', body });
      expect((await ask('POST', '/cases', { key: 'k', body })).text).toBe(first.text);
      expect(reference.effects().byKey['k']).toBe(2);
      expect(
        valueAt((await ask('GET', `/cases?subject=${encodeURIComponent(body.subject)}`)).body, '/items'),
      ).toHaveLength(2);
    },
  );
});

test('I18: look first, claim later', async () => {
  const together = meeting(20);
  await replaced(
    {
      claim: async (call, name, fingerprint) => {
        const { keys } = call.service;
        const found = keys.find(name);
        if (found !== undefined) return { entry: found, mine: false };
        if (name.includes('control')) return { entry: keys.insert(name, call, fingerprint), mine: true };
        await together();
        return { entry: keys.insert(name, call, fingerprint), mine: true };
      },
    },
    async ({ ask, reference }) => {
      await Promise.all(Array.from({ length: 20 }, () => ask('POST', '/cases', { key: 'k', body })));
      expect(reference.effects().byKey['k']).toBe(20);
    },
  );
});

test('A18: a 401 occupies the key', async () => {
  await replaced(
    { order: moved(['deduplicate'], 'authenticate'), keep: (_call, answer) => answer },
    async ({ ask }) => {
      expect((await ask('POST', '/cases', { as: 'expired', key: 'k', body })).status).toBe(401);
      expect((await ask('POST', '/cases', { key: 'k', body })).status).toBe(401);
      expect((await ask('POST', '/cases', { key: 'l', body })).status).toBe(201);
    },
  );
});

test('P17: a replay skips the permission', async () => {
  await replaced(
    { order: moved(['parse', 'deduplicate'], 'authorise'), keySpace: (call) => callerOf(call).scope },
    async ({ ask }) => {
      const first = await ask('POST', '/cases', { key: 'k', body });
      expect((await ask('POST', '/cases', { as: 'powerless', key: 'k', body })).text).toBe(first.text);
      expect((await ask('POST', '/cases', { as: 'powerless', key: 'l', body })).status).toBe(403);
    },
  );
});

test('T06: a wait that is rounded down is too short', async () => {
  await replaced(
    {
      waitGuidance: (_call, waitMs) => ({
        headers: [['Retry-After', String(Math.floor(waitMs / 1000))]],
        members: {},
      }),
    },
    async ({ ask, clock }) => {
      clock.advance(1);
      expect((await ask('GET', '/cases')).status).toBe(200);
      const refused = await ask('GET', '/cases');
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
      clock.advance(1250);
      expect((await ask('GET', '/cases')).status).toBe(429);
    },
    { rateLimit: 2, rateWindowMs: 1900 },
  );
});

test('V16: a 422 is kept under its key', async () => {
  await replaced(
    {
      keep: (call, answer) => (answer.status === 422 ? answer : conforming.keep(call, answer)),
      matches: (call, entry, fingerprint) =>
        entry.answer?.status === 422 || conforming.matches(call, entry, fingerprint),
    },
    async ({ ask }) => {
      expect((await ask('POST', '/cases', { key: 'k', body: {} })).status).toBe(422);
      expect((await ask('POST', '/cases', { key: 'k', body })).status).toBe(422);
      expect((await ask('POST', '/cases', { key: 'l', body })).status).toBe(201);
    },
  );
});

test('C11: check and write are not one', async () => {
  await replaced({ lockOn: () => undefined }, async ({ ask, clock, createCase, hook }) => {
    const path = `/cases/${await createCase('s')}`;
    // The first is held between check and write until the second is there, too.
    await hook('slow', { key: 'a', milliseconds: 1000 });
    await hook('slow', { key: 'b', milliseconds: 1000 });
    void clock.sleeping(2).then(() => clock.advance(1000));
    const both = await Promise.all(
      ['a', 'b'].map((key) =>
        ask('PATCH', path, { key, body: { subject: key }, headers: [['If-Match', '1']] }),
      ),
    );
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
  });
});

test('G10: a list shows another scope', async () => {
  await replaced({ lists: () => true }, async ({ ask, createCase }) => {
    const id = await createCase('Ours');
    expect((await ask('GET', '/cases', { as: 'elsewhere' })).text).toContain(id);
    expect((await ask('GET', `/cases/${id}`, { as: 'elsewhere' })).status).toBe(404);
  });
});

test('R11: request IDs made of the second', async () => {
  await replaced(
    { issueRequestId: ({ service }) => `req_${Math.floor(service.clock.wall() / 1000)}` },
    async ({ ask, clock }) => {
      const [one, other] = [await ask('GET', '/cases'), await ask('GET', '/cases')];
      expect(one.requestIds).toEqual(other.requestIds);
      clock.advance(1000);
      expect((await ask('GET', '/cases')).requestIds).not.toEqual(one.requestIds);
    },
  );
});

test('A13: a token in the query is read', async () => {
  await replaced(
    {
      readCredential: (call) => {
        const token = call.request.query.get('access_token');
        return token === null ? conforming.readCredential(call) : { token };
      },
    },
    async ({ ask }) => {
      const as = 'nobody-at-all';
      expect(
        (await ask('POST', '/cases?access_token=Token-of-full-0001', { as, key: 'k', body })).status,
      ).toBe(201);
      expect((await ask('POST', '/cases', { as, key: 'l', body })).status).toBe(401);
    },
  );
});

test('a decision that throws is a 500 with a request ID, and lets key and turn go', async () => {
  await replaced(
    {
      onReceived: ({ request }) => {
        if (request.headers.some(([name]) => name.toLowerCase() === 'x-odd')) throw new Error('odd');
      },
      checkConflict: (call, record) => {
        if (call.request.headers.some(([name]) => name.toLowerCase() === 'x-late')) throw new Error('late');
        return conforming.checkConflict(call, record);
      },
    },
    async ({ ask, createCase }) => {
      const odd = await ask('POST', '/cases', { key: 'k', body, headers: [['X-Odd', '1']] });
      expect([odd.status, odd.requestIds.length]).toEqual([500, 1]);
      expect(odd.text).not.toContain('odd');
      const path = `/cases/${await createCase('s')}/closure`;
      const close = { key: 'c', body: { reason: 'r' } };
      expect((await ask('POST', path, { ...close, headers: [['X-Late', '1']] })).status).toBe(500);
      expect((await ask('POST', path, close)).status).toBe(200);
    },
  );
});
