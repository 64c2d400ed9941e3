import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { stepsOf } from '../../src/model/scenario.ts';
import { object, operation } from '../../src/selftest/shapes/document.ts';
import { contractOf } from '../../src/testing/contracts.ts';
import { planned } from '../../src/testing/plans.ts';
import validCommands from '../valid-commands.ts';

/** Two records, reads of both around the command that makes a third, and the bodies of all three. */
async function around(body: JsonObject, governed: JsonObject = { effect: { read: 'getPort', id: '/id' } }) {
  const contract = await contractOf(
    operation('POST /ports', 'addPort', {
      governed,
      body: object(body, ['name']),
      result: { properties: { id: { type: 'string' } } },
    }),
    operation('GET /ports/{port}', 'getPort', { result: true }),
  );
  return planned(validCommands, contract)
    .scenarios({ probe: 'plain', operation: 'addPort' })
    .filter(({ title }) => title === 'a valid command that makes a record next to others')
    .map(({ bodies, waves }) => ({
      steps: stepsOf(waves).map(({ id, operation: of, target }) => [of, id, target?.['port']]),
      bodies: ['first', 'elder', 'body'].map((name) => bodies[name]?.value),
    }));
}

const name = { name: { type: 'string' } };
const madeBy = (step: string) => ({ step, at: '/id' });

test('a record is made next to two of different values, which are read before it and after it', async () => {
  const [found] = await around({ ...name, seats: { type: 'integer' }, kind: { enum: ['dock', 'quay'] } });
  expect(found?.steps).toEqual([
    ['addPort', 'first', undefined],
    ['addPort', 'elder', undefined],
    ['getPort', 'first-before', madeBy('first')],
    ['getPort', 'elder-before', madeBy('elder')],
    ['addPort', 'command', undefined],
    ['getPort', 'elder-after', madeBy('elder')],
    ['getPort', 'first-after', madeBy('first')],
  ]);
  const [first, elder, body] = found?.bodies ?? [];
  expect(body).toEqual(first);
  expect(elder).not.toEqual(first);
});

test('what a schema lists is alike in all three, as a change that goes too far may take what is alike', async () => {
  const required = { ...object({ ...name, kind: { enum: ['dock', 'quay'] } }, ['name', 'kind']) };
  const contract = await contractOf(
    operation('POST /ports', 'addPort', {
      governed: { effect: { read: 'getPort', id: '/id' } },
      body: required,
      result: { properties: { id: { type: 'string' } } },
    }),
    operation('GET /ports/{port}', 'getPort', { result: true }),
  );
  const [found] = planned(validCommands, contract)
    .scenarios({ probe: 'plain', operation: 'addPort' })
    .filter(({ title }) => title === 'a valid command that makes a record next to others');
  const kinds = ['first', 'elder', 'body'].map((body) => Object(found?.bodies[body]?.value).kind);
  expect(new Set(kinds).size).toBe(1);
});

test('nothing is made where no read shows a record, or nothing shows whose text it is', async () => {
  expect(await around(name, {})).toEqual([]);
  expect(await around({ name: { enum: ['north'] } })).toEqual([]);
});
