import { expect, test } from 'vitest';
import type { JsonSchema } from '../src/model/json.ts';
import { type Step, stepsOf, type Wave } from '../src/model/scenario.ts';
import { linkTo, object, operation } from '../src/selftest/shapes/document.ts';
import { contractOf } from '../src/testing/contracts.ts';
import { holder, planned, principal } from '../src/testing/plans.ts';
import combinedFaults from './combined-faults.ts';

const tested = (waves: readonly Wave[]): readonly Step[] =>
  stepsOf(waves).filter(({ role }) => role === 'test');

/** The faulty requests of a command by name, and the body of each; `body` is the schema of its own. */
async function probesOf(body: JsonSchema): Promise<ReadonlyMap<string, unknown>> {
  const contract = await contractOf(
    operation('POST /approvals', 'approve', {
      governed: { verification: { carrier: { in: 'body', at: '/otp' }, hook: 'verify' } },
      parameters: [{ name: 'level', in: 'query', schema: { type: 'integer' } }],
      body,
      status: '204',
    }),
  );
  const principals = [holder(contract, 'all'), principal('none')];
  return new Map(
    planned(combinedFaults, contract, { principals, hooks: ['verify'] })
      .probes()
      .flatMap(({ scenarios }) =>
        scenarios.flatMap(({ waves }) => tested(waves).map(({ id, body }) => [id, body] as const)),
      ),
  );
}

test('a verification in the body is no member that could be wrong: the one that is issued replaces it', async () => {
  const alone = await probesOf({ type: 'object', properties: { otp: { type: 'string' } } });
  expect([...alone.keys()]).toContain('no-permission+no-key');
  expect([...alone.keys()].filter((name) => name.includes('bad-body'))).toEqual([]);
  // Nothing makes another request of such a body, so the key would be used for the same one.
  expect([...alone.keys()].filter((name) => name.includes('used-key'))).toEqual([
    'unknown-token+used-key',
    'no-permission+used-key',
    'not-json+used-key',
  ]);
});

test('a body without members is of another kind, next to another fault', async () => {
  const contract = await contractOf(
    operation('POST /words', 'add', { body: { type: 'string', minLength: 1 } }),
  );
  const faulty = planned(combinedFaults, contract)
    .scenarios({ operation: 'add' })
    .flatMap(({ waves }) => tested(waves).filter(({ id }) => id === 'no-key+bad-body'));
  expect(faulty.map(({ body }) => body)).toMatchObject([{ edit: { at: '', set: [] } }]);
});

test('another member is made wrong, and makes another request', async () => {
  const noted = await probesOf(object({ otp: { type: 'string' }, sum: { type: 'integer' } }, ['sum']));
  expect(noted.get('bad-body+used-key')).toMatchObject({ edit: { at: '', set: {} } });
  expect([...noted.keys()]).toContain('used-key+bad-query');
});

test('a stranger sends another media type, and nobody else does', async () => {
  const noted = await probesOf(object({ otp: { type: 'string' }, sum: { type: 'integer' } }, ['sum']));
  expect([...noted].filter(([name]) => name.includes('other-media'))).toEqual(
    ['unknown-token+other-media', 'no-permission+other-media'].map((name) => [
      name,
      { use: 'named', name: 'faulty', form: { media: 'text/plain' } },
    ]),
  );
});

test.each([
  [{ type: 'integer' }, { id: { literal: '2147483646' } }],
  [{ type: 'string', pattern: '^[A-Z]{4}$' }, { id: { chosen: 'absent' } }],
])('a stranger is asked for a target of the form %j that is not there', async (schema, target) => {
  const contract = await contractOf(
    operation('POST /approvals/{id}/close', 'close', {
      parameters: [{ name: 'id', in: 'path', required: true, schema }],
      status: '204',
    }),
  );
  const probes = planned(combinedFaults, contract, {
    principals: [holder(contract, 'all'), principal('none')],
    targets: new Map([['close', { ids: [{ id: '1' }, { id: '2' }] }]]),
  })
    .scenarios()
    .flatMap(({ waves }) => tested(waves))
    .filter(({ id }) => id.includes('absent-target'))
    .map(({ id, target: sought }) => [id, sought]);
  // With another fault than of the credential or the permission nothing is said of it.
  expect(probes).toEqual([
    ['unknown-token+absent-target', target],
    ['no-permission+absent-target', target],
  ]);
});

test('a stranger is asked for a target whose parent is not there', async () => {
  const room = object({ id: { type: 'integer' } }, ['id']);
  const contract = await contractOf(
    operation('POST /houses', 'build', { result: room, links: linkTo('addRoom', 'house') }),
    operation('POST /houses/{house}/rooms', 'addRoom', {
      result: room,
      links: {
        removeRoom: {
          operationId: 'removeRoom',
          parameters: { house: '$request.path.house', room: '$response.body#/id' },
        },
      },
    }),
    operation('DELETE /houses/{house}/rooms/{room}', 'removeRoom', { status: '204' }),
  );
  const asked = (id: string): unknown =>
    planned(combinedFaults, contract, { principals: [holder(contract, 'all'), principal('none')] })
      .steps({ operation: id })
      .filter((step) => step.id === 'no-permission+absent-parent')
      .map(({ target }) => target);
  expect(asked('removeRoom')).toEqual([
    { house: { chosen: 'absent' }, room: { step: 'make-house', at: '/id' } },
  ]);
  // Its only ID is that of the target.
  expect(asked('addRoom')).toEqual([]);
});
