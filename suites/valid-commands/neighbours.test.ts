import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { stepsOf } from '../../src/model/scenario.ts';
import { linkTo, object, operation } from '../../src/selftest/shapes/document.ts';
import { contractOf } from '../../src/testing/contracts.ts';
import { planned } from '../../src/testing/plans.ts';
import validCommands from '../valid-commands.ts';

/** Berths of a port, and what is asked and read around a command on one of two. */
async function around(method: string, effect: JsonObject, body: JsonObject): Promise<readonly unknown[]> {
  const contract = await contractOf(
    operation('POST /ports', 'addPort', {
      result: { properties: { id: { type: 'string' } } },
      links: linkTo('addBerth', 'port', '/id'),
    }),
    operation('POST /ports/{port}/berths', 'addBerth', {
      governed: { effect: { list: 'berths', id: '/id' } },
      body: object({ name: { type: 'string' } }, ['name']),
      result: { properties: { id: { type: 'string' }, port: { type: 'string' } } },
      links: {
        turn: {
          operationId: 'turn',
          parameters: { port: '$response.body#/port', berth: '$response.body#/id' },
        },
      },
    }),
    operation('GET /ports/{port}/berths', 'berths', { result: true }),
    ...(effect['read'] === undefined
      ? []
      : [operation('GET /ports/{port}/berths/{berth}', 'seeBerth', { result: true })]),
    operation(`${method} /ports/{port}/berths/{berth}`, 'turn', {
      governed: { effect },
      ...(method === 'DELETE' ? {} : { body: object(body) }),
      result: true,
    }),
  );
  return planned(validCommands, contract)
    .scenarios({ probe: 'plain', operation: 'turn' })
    .filter(({ title }) => title === 'a valid command on one of two records')
    .flatMap(({ waves }) => stepsOf(waves))
    .map(({ id, operation: of, target }) => [of, id, target?.['berth']].filter((each) => each !== undefined));
}

const elder = { step: 'make-port', at: '/id' };
const target = { step: 'sibling-make-berth', at: '/id' };
const made = [
  ['addPort', 'port-make-port'],
  ['addBerth', 'make-port'],
  ['addBerth', 'sibling-make-berth'],
];
const name = { name: { type: 'string' } };

test('a command runs on the younger of two records of one parent, which their list shows', async () => {
  const listed = [
    ...made,
    ['berths', 'neighbour-before-0', target],
    ['turn', 'command', target],
    ['berths', 'neighbour-0', target],
  ];
  expect(await around('PATCH', { list: 'berths' }, name)).toEqual(listed);
  expect(await around('DELETE', { list: 'berths' }, {})).toEqual(listed);
});

test('records that can be read by their IDs are', async () => {
  const both = (id: string): readonly unknown[] => [
    ['seeBerth', `${id}-0`, elder],
    ['seeBerth', `${id}-1`, target],
  ];
  expect(await around('PATCH', { read: 'seeBerth' }, name)).toEqual([
    ...made,
    ...both('neighbour-before'),
    ['turn', 'command', target],
    ...both('neighbour'),
  ]);
});

test('nothing is tried with a body that does not tell whose it was', async () => {
  expect(await around('PATCH', { read: 'seeBerth' }, { open: { enum: [true] } })).toEqual([]);
});
