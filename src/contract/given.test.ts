import { expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import { contractWith, key, made } from '../testing/described.ts';
import { withParameters } from './given.ts';

/** `links` are those of the command that puts a slot. */
function slots(slot: string, links: string): Parameters<typeof contractWith>[0] {
  const answer = made.replace(/ \}$/, `, links: { ${links} } }`);
  return {
    others: `
  /things/{id}/slots/{slot}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
      - { name: slot, in: path, required: true, schema: ${slot} }
    put: { operationId: put, security: [{ token: [a.write] }], parameters: [${key}], responses: { '201': ${answer} } }
    get: { operationId: get, security: [{ token: [a.read] }], responses: { '200': ${made} } }`,
  };
}
const linked = 'read: { operationId: get, parameters: { id: $request.path.id, slot: $request.path.slot } }';

test.each([
  ['an explicit link', linked],
  ['no link, since the command puts what is read', ''],
])('a path field has the value that it has in the command that makes the record: %s', async (_, links) => {
  const choice = await contractWith(slots('{ enum: [first, second] }', links));
  const chosen = operationOf(withParameters(choice, {}), 'get');
  expect([chosen.path, chosen.pathFields.map(({ name }) => name)]).toEqual([
    '/things/{id}/slots/first',
    ['id'],
  ]);
  expect(chosen.otherPath).toBe('/things/{id}/slots/second');
  expect(operationOf(withParameters(choice, { get: { slot: 'second' } }), 'get').otherPath).toBe(
    '/things/{id}/slots/first',
  );
  expect(chosen.strangePath).toEqual({ path: '/things/{id}/slots/assay-none-of-these', field: 'slot' });
  const open = await contractWith(slots('{ type: string }', links));
  expect(operationOf(withParameters(open, { put: { slot: 'a b' } }), 'put').strangePath).toBeUndefined();
  const { path } = operationOf(withParameters(open, { put: { slot: 'a b' } }), 'get');
  expect(path).toBe('/things/{id}/slots/a%20b');
  expect(operationOf(withParameters(choice, { get: { slot: 'second' } }), 'get').path).toBe(
    '/things/{id}/slots/second',
  );
  expect(operationOf(withParameters(open, {}), 'get').path).toBe('/things/{id}/slots/{slot}');
});
