import { describe, expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { type Trial, withTrial } from '../testing/trial.ts';

const contract = await loadContract('fixtures/contracts/extended-catalogue.yaml');

function update({ ask }: Trial, id: string, key: string, version: string | undefined, subject = 'Changed') {
  const headers = version === undefined ? [] : [['If-Match', version] as const];
  return ask('PATCH', `/cases/${id}`, { key, body: { subject }, headers });
}

describe('the current version', () => {
  test('is needed, is accepted, and is stale afterwards', async () => {
    await withTrial({ contract }, async (trial) => {
      const id = await trial.createCase('s');
      const version = (await trial.ask('GET', `/cases/${id}`)).textAt('/version');
      expect((await update(trial, id, 'a', version)).textAt('/version')).not.toBe(version);
      const stale = await update(trial, id, 'b', version, 'Lost');
      expect([stale.status, stale.textAt('/conflict')]).toEqual([409, 'version']);
      expect((await trial.ask('GET', `/cases/${id}`)).textAt('/subject')).toBe('Changed');
      // A retry of the first is no conflict, and no second effect.
      expect((await update(trial, id, 'a', version)).status).toBe(200);
      expect(trial.reference.effects().byOperation['updateCase']).toBe(1);
    });
  });

  test('may be quoted as an entity tag', async () => {
    await withTrial({ contract }, async (trial) => {
      expect((await update(trial, await trial.createCase('s'), 'k', '"1"')).status).toBe(200);
    });
  });

  test.each([
    ['9999', 409],
    ['abc', 409],
    ['*', 409],
    ['W/"1"', 409],
    ['', 422],
    [undefined, 422],
  ])('is not %j', async (version, status) => {
    await withTrial({ contract }, async (trial) => {
      const id = await trial.createCase('s');
      expect((await update(trial, id, 'k', version)).status).toBe(status);
      expect((await trial.ask('GET', `/cases/${id}`)).textAt('/subject')).toBe('s');
    });
  });

  test('is in the body where the contract says so', async () => {
    await withTrial({ contract }, async ({ ask, createCase }) => {
      const path = `/cases/${await createCase('s')}/assignments`;
      const assign = (key: string, body: Record<string, string>) => ask('POST', path, { key, body });
      expect((await assign('a', { assignee: 'x' })).textAt('/errors/0/pointer')).toBe('/version');
      expect((await assign('b', { assignee: 'x', version: '1' })).textAt('/assignee')).toBe('x');
      expect((await assign('c', { assignee: 'y', version: '1' })).status).toBe(409);
    });
  });

  test('lets exactly one of many at once succeed', async () => {
    await withTrial({ contract }, async (trial) => {
      const id = await trial.createCase('s');
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, at) => update(trial, id, `k${at}`, '1', `Subject ${at}`)),
      );
      expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(all.filter(({ status }) => status === 409)).toHaveLength(19);
      expect(trial.reference.effects().byOperation['updateCase']).toBe(1);
    });
  });
});

test('a closed case takes no further command', async () => {
  await withTrial({ contract }, async (trial) => {
    const id = await trial.createCase('s');
    const close = (key: string) => trial.ask('POST', `/cases/${id}/closure`, { key, body: { reason: 'r' } });
    expect((await close('a')).textAt('/status')).toBe('closed');
    expect((await close('a')).textAt('/closureReason')).toBe('r');
    const again = await close('b');
    expect([again.status, again.textAt('/conflict')]).toEqual([409, 'state']);
    expect((await update(trial, id, 'c', '2')).textAt('/conflict')).toBe('state');
    expect(trial.reference.effects().total).toBe(2);
  });
});

describe('stronger verification', () => {
  const approve = ({ ask }: Trial, id: string, key: string, verification?: string) =>
    ask('POST', `/cases/${id}/approvals`, {
      key,
      body: { note: 'n' },
      headers: verification === undefined ? [] : [['X-Verification', verification]],
    });
  const issue = async ({ hook }: Trial, target: string, kind: string) =>
    String(
      (await hook('verify', { principal: 'full', operation: 'approveCase', target, kind }))['verification'],
    );

  test('serves one command on its target', async () => {
    await withTrial({ contract }, async (trial) => {
      const [id, other] = [await trial.createCase('s'), await trial.createCase('t')];
      const verification = await issue(trial, id, 'valid');
      expect((await approve(trial, other, 'a', verification)).status).toBe(409);
      const done = await approve(trial, id, 'b', verification);
      expect([done.status, done.textAt('/approvalNote')]).toEqual([200, 'n']);
      expect((await approve(trial, id, 'b', verification)).text).toBe(done.text);
      expect((await approve(trial, id, 'c', verification)).textAt('/conflict')).toBe('approval');
      expect(trial.reference.effects().byOperation['approveCase']).toBe(1);
    });
  });

  test('serves one of many at once', async () => {
    await withTrial({ contract }, async (trial) => {
      const id = await trial.createCase('s');
      const verification = await issue(trial, id, 'valid');
      const all = await Promise.all(
        Array.from({ length: 10 }, (_, at) => approve(trial, id, `k${at}`, verification)),
      );
      expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    });
  });

  test.each(['expired', 'foreign', 'other-command'])('%s is refused', async (kind) => {
    await withTrial({ contract }, async (trial) => {
      const id = await trial.createCase('s');
      expect((await approve(trial, id, 'k', await issue(trial, id, kind))).status).toBe(409);
      expect((await approve(trial, id, 'l')).status).toBe(409);
      expect((await approve(trial, id, 'm', 'made-up')).status).toBe(409);
      expect(trial.reference.effects().byOperation['approveCase']).toBeUndefined();
    });
  });

  test('expires', async () => {
    await withTrial({ contract, settings: { verificationTtlMs: 1000 } }, async (trial) => {
      const id = await trial.createCase('s');
      const verification = await issue(trial, id, 'valid');
      trial.clock.advance(1000);
      expect((await approve(trial, id, 'k', verification)).status).toBe(409);
    });
  });
});
