import { expect, test } from 'vitest';
import { stepsOf } from '../../src/model/scenario.ts';
import { linkTo, object, operation } from '../../src/selftest/shapes/document.ts';
import { contractOf } from '../../src/testing/contracts.ts';
import { planned } from '../../src/testing/plans.ts';
import validCommands from '../valid-commands.ts';

const text = { type: 'string' };
const result = { properties: { id: text } };
const at = (name: string) => [{ name, in: 'path', required: true, schema: text }];

async function namingIn(operationId: string) {
  const members = { name: text, shelfId: text, backShelfId: text };
  const contract = await contractOf(
    operation('POST /shelves', 'build', { result, links: linkTo('look', 'shelfId', '/id') }),
    operation('GET /shelves/{shelfId}', 'look', { parameters: at('shelfId'), result }),
    operation('POST /books', 'add', {
      governed: { effect: { read: 'see' } },
      body: object(members, ['name', 'shelfId']),
      result,
      links: { ...linkTo('change', 'id', '/id'), ...linkTo('see', 'id', '/id') },
    }),
    operation('PATCH /books/{id}', 'change', {
      governed: { effect: { read: 'see' } },
      parameters: at('id'),
      body: object(members, ['name']),
      result,
    }),
    operation('GET /books/{id}', 'see', { parameters: at('id'), result }),
  );
  return planned(validCommands, contract)
    .scenarios({ probe: 'plain', operation: operationId })
    .filter(({ title }) => title.includes('may leave out'))
    .map(({ bodies, waves }) => ({
      members: Object.keys(Object(bodies['body']?.value)),
      steps: stepsOf(waves).map(({ observes, operation: of, target = {} }) => [
        observes === undefined ? of : `${observes} ${of}`,
        ...Object.keys(target),
      ]),
    }));
}

test('a command that makes records names all that it may leave out, and what it made is read', async () => {
  expect(await namingIn('add')).toEqual([
    {
      members: ['name', 'shelfId', 'backShelfId'],
      steps: [['build'], ['build'], ['add', 'shelfId', 'backShelfId'], ['made see', 'id']],
    },
  ]);
});

test('a record is read before and after a change that names all that it may leave out', async () => {
  const [scenario, ...others] = await namingIn('change');
  expect(others).toEqual([]);
  expect(scenario?.members).toEqual(['name', 'shelfId', 'backShelfId']);
  expect(scenario?.steps.slice(-6)).toEqual([
    ['build'],
    ['build'],
    ['before see', 'id'],
    ['before see', 'id'],
    ['change', 'id', 'shelfId', 'backShelfId'],
    ['after see', 'id'],
  ]);
});
