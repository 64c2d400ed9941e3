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

test('the read of their parent shows two records that no list and no read of their own does', async () => {
  const words = { type: 'string' };
  const line = object({ id: words, item: words }, ['id']);
  const order = object({ id: words, lines: { type: 'array', items: line } }, ['id']);
  const governed = { effect: { read: 'seeOrder' } };
  const contract = await contractOf(
    operation('POST /orders', 'addOrder', { result: order, governed }),
    operation('GET /orders/{order}', 'seeOrder', { result: order }),
    operation('POST /orders/{order}/lines', 'addLine', {
      ...{ governed, body: object({ item: words }), result: line },
      links: linkTo('dropLine', 'line', '/id'),
    }),
    operation('DELETE /orders/{order}/lines/{line}', 'dropLine', { governed, status: '204' }),
  );
  const steps = planned(validCommands, contract)
    .scenarios({ probe: 'plain', operation: 'dropLine' })
    .filter(({ title }) => title === 'a valid command on one of two records')
    .flatMap(({ waves }) => stepsOf(waves));
  expect(steps.map(({ operation: of, id }) => [of, id]).slice(-3)).toEqual([
    ['seeOrder', 'neighbour-before-0'],
    ['dropLine', 'command'],
    ['seeOrder', 'neighbour-0'],
  ]);
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

test('the other one is given values of its own before the second is made', async () => {
  const steps = (await around(
    'PATCH',
    { read: 'seeBerth' },
    { ...name, seats: { type: 'integer' } },
  )) as readonly (readonly unknown[])[];
  expect(steps.map(([of, id, berth]) => [of, id, berth]).slice(0, 5)).toEqual([
    [...(made[0] ?? []), undefined],
    [...(made[1] ?? []), undefined],
    ['turn', 'first', elder],
    [...(made[2] ?? []), undefined],
    ['seeBerth', 'neighbour-before-0', elder],
  ]);
  // A service may refuse other values than the plain ones.
  expect(steps.filter(([of]) => of === 'turn')).toEqual([
    ['turn', 'first', elder],
    ['turn', 'command', target],
    ['turn', 'plain-command', target],
  ]);
});

test('nothing is tried with a body that does not tell whose it was', async () => {
  expect(await around('PATCH', { read: 'seeBerth' }, { open: { enum: [true] } })).toEqual([]);
});

/** Tags of a case, which its list alone shows, and what is asked and read around a command on one of them. */
async function tagged(
  of: string,
  governed: JsonObject = { effect: { list: 'tags' } },
): Promise<readonly unknown[]> {
  const contract = await contractOf(
    operation('POST /cases', 'addCase', {
      body: object(name, ['name']),
      result: { properties: { id: { type: 'string' } } },
    }),
    operation('GET /cases/{caseId}', 'seeCase', { result: { properties: { id: { type: 'string' } } } }),
    operation('PUT /cases/{caseId}/tags/{tag}', 'putTag', { governed, body: object({}), result: true }),
    operation('DELETE /cases/{caseId}/tags/{tag}', 'dropTag', { governed }),
    operation('GET /cases/{caseId}/tags', 'tags', { result: true }),
    operation('POST /cases/{caseId}/close', 'close', {
      governed: { effect: { read: 'seeCase' } },
      body: object({ comment: { type: 'string' } }, ['comment']),
      result: true,
    }),
    operation('POST /cases/{caseId}/open', 'open', {
      governed: { effect: { read: 'seeCase' } },
      result: true,
    }),
    operation('PUT /cases/{caseId}/settings', 'putSettings', {
      governed: { effect: { read: 'seeSettings' } },
      body: object(name, ['name']),
      result: true,
    }),
    operation('GET /cases/{caseId}/settings', 'seeSettings', { result: true }),
  );
  return planned(validCommands, contract)
    .scenarios({ probe: 'plain', operation: of })
    .filter(({ title }) => /one of two|next to/.test(title))
    .flatMap(({ waves }) => stepsOf(waves))
    .map(({ id, operation: asked, target: on = {} }) => [asked, id, on['tag'] ?? on['caseId']]);
}

const chosen = (text: string): JsonObject => ({ chosen: text });

test('a part that a PUT makes is put next to another one of its record', async () => {
  const first = chosen('near-tag');
  expect(await tagged('putTag')).toEqual([
    ['addCase', 'make-caseId', undefined],
    ['putTag', 'near', first],
    ['tags', 'neighbour-before-0', first],
    ['putTag', 'command', chosen('tag')],
    ['tags', 'neighbour-0', first],
  ]);
  expect(await tagged('putTag', {})).toEqual([]);
});

test('a part is deleted while another one of its record is there', async () => {
  const second = chosen('sibling-tag-tag');
  expect(await tagged('dropTag')).toEqual([
    ['addCase', 'tag-make-caseId', undefined],
    ['putTag', 'make-tag', chosen('tag-tag')],
    ['putTag', 'sibling-make-tag', second],
    ['tags', 'neighbour-before-0', second],
    ['dropTag', 'command', second],
    ['tags', 'neighbour-0', second],
  ]);
});

test('an action that leaves a text, and what a record has but one of, have another record next to them', async () => {
  const both = (read: string, id: string): readonly unknown[] => [
    [read, `${id}-0`, { step: 'make-caseId', at: '/id' }],
    [read, `${id}-1`, { step: 'other-make-caseId', at: '/id' }],
  ];
  const around = (command: string, read: string): readonly unknown[] => [
    ['addCase', 'make-caseId', undefined],
    ['addCase', 'other-make-caseId', undefined],
    ...both(read, 'neighbour-before'),
    [command, 'command', { step: 'other-make-caseId', at: '/id' }],
    ...both(read, 'neighbour'),
  ];
  expect(await tagged('close')).toEqual(around('close', 'seeCase'));
  expect(await tagged('open')).toEqual([]);
  expect(await tagged('putSettings')).toEqual(around('putSettings', 'seeSettings'));
});

test('a second record is made in what the first one was made in, though the path of a command does not name that', async () => {
  const text = { type: 'string' };
  const result = object({ id: text, note: text });
  const contract = await contractOf(
    operation('POST /ports', 'addPort', { result }),
    operation('POST /captains', 'addCaptain', { result }),
    operation('GET /captains/{captainId}', 'seeCaptain', { result }),
    operation('POST /ports/{portId}/berths', 'addBerth', {
      ...{ body: object({ note: text }), result, governed: { effect: { read: 'seeBerth' } } },
    }),
    operation('POST /boats', 'addBoat', { body: object({ captainId: text }, ['captainId']), result }),
    operation('GET /berths/{berthId}', 'seeBerth', { result }),
    operation('DELETE /berths/{berthId}', 'dropBerth', {
      ...{ governed: { effect: { read: 'seeBerth' } }, status: '204' },
    }),
    operation('GET /boats/{boatId}', 'seeBoat', { result }),
    operation('PATCH /boats/{boatId}', 'noteBoat', {
      ...{ governed: { effect: { read: 'seeBoat' } }, body: object({ note: text }), result },
    }),
  );
  const madeFor = (id: string): readonly unknown[] =>
    planned(validCommands, contract)
      .scenarios({ probe: 'plain', operation: id })
      .filter(({ title }) => title === 'a valid command on one of two records')
      .flatMap(({ waves }) => stepsOf(waves))
      .filter(({ role }) => role === 'setup')
      .map(({ id: step, operation: of, target: on }) => [of, step, ...Object.values(on ?? {})]);
  const port = { step: 'berthId-make-portId', at: '/id' };
  expect(madeFor('dropBerth')).toEqual([
    ['addPort', 'berthId-make-portId'],
    ['addBerth', 'make-berthId', port],
    ['addBerth', 'sibling-make-berthId', port],
  ]);
  const captain = { step: 'boatId-make-captainId', at: '/id' };
  expect(madeFor('noteBoat')).toEqual([
    ['addCaptain', 'boatId-make-captainId'],
    ['addBoat', 'make-boatId', captain],
    ['addBoat', 'sibling-make-boatId', captain],
  ]);
});
