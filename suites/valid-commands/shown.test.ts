import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withParameters } from '../../src/contract/given.ts';
import type { Contract } from '../../src/model/contract.ts';
import type { Declaration } from '../../src/model/declaration.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { stepsOf } from '../../src/model/scenario.ts';
import { parsedDeclaration } from '../../src/oracle/open-points/declared.ts';
import { linkTo, object, operation } from '../../src/selftest/shapes/document.ts';
import { contractOf, extendedContract, made } from '../../src/testing/contracts.ts';
import { planned } from '../../src/testing/plans.ts';
import credentials from '../credentials.ts';
import validCommands from '../valid-commands.ts';

/** Transfers, and the holds within one; `effect` is what the contract says of the command that makes a transfer. */
async function readBack(effect: JsonObject): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const at = '/data/number';
  const result = { properties: { data: { properties: { number: { type: 'integer' } } } } };
  const transfer = { name: 'transfer', in: 'path', required: true, schema: { type: 'integer' } };
  const within = [transfer];
  const contract = await contractOf(
    operation('POST /transfers', 'queue', {
      governed: { effect },
      result,
      links: { ...linkTo('seeTransfer', 'transfer', at), ...linkTo('hold', 'transfer', at) },
    }),
    operation('GET /transfers', 'all', { result: true }),
    operation('GET /transfers/{transfer}', 'seeTransfer', { parameters: within, result: true }),
    operation('POST /transfers/{transfer}/holds', 'hold', {
      governed: { effect: { read: 'seeHold' } },
      parameters: within,
      result,
      links: linkTo('seeHold', 'hold', at),
    }),
    operation('GET /transfers/{transfer}/holds/{hold}', 'seeHold', {
      parameters: [transfer, { ...transfer, name: 'hold' }],
      result: true,
    }),
  );
  return Object.fromEntries(
    planned(validCommands, contract)
      .probes({ probe: 'plain' })
      .map(({ operation: of, scenarios }) => [
        of,
        scenarios
          .flatMap(({ waves }) => stepsOf(waves))
          .flatMap(({ id, operation: read, target }) => (id === 'made' ? [[read, target]] : [])),
      ]),
  );
}

const number = { step: 'command', at: '/data/number' };

test('what a command made is read by its ID where no list shows it', async () => {
  expect(await readBack({ read: 'seeTransfer', id: '/data/number' })).toMatchObject({
    queue: [['seeTransfer', { transfer: number }]],
  });
  expect(await readBack({ read: 'seeTransfer', list: 'all', id: '/data/number' })).toMatchObject({
    queue: [],
  });
  expect(await readBack({ id: '/data/number' })).toMatchObject({ queue: [] });
});

test('what was made within another record is read within that one', async () => {
  expect(await readBack({ id: '/data/number' })).toMatchObject({
    hold: [['seeHold', { transfer: { step: 'make-transfer', at: '/data/number' }, hold: number }]],
  });
});

test('a record that a header names, or the path of its command, is read by that', async () => {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const shownOf = async (maker: string, link: string): Promise<unknown> => {
    const contract = await contractOf(
      operation(maker, 'post', {
        governed: { effect: { read: 'see' } },
        status: '204',
        ...(maker.includes('{id}') ? { parameters: [id] } : {}),
        resultHeaders: { Location: { required: true, schema: { type: 'string' } } },
        links: { see: { operationId: 'see', parameters: { id: link } } },
      }),
      operation('GET /notices/{id}', 'see', { parameters: [id], result: true }),
    );
    return planned(validCommands, contract)
      .probes({ probe: 'plain', operation: 'post' })
      .flatMap(({ scenarios }) => scenarios.flatMap(({ waves }) => stepsOf(waves)))
      .find((step) => step.observes === 'made')?.target;
  };
  expect(await shownOf('POST /notices', '$response.header.Location')).toEqual({
    id: { step: 'command', header: 'Location', part: 'last-segment' },
  });
  expect(await shownOf('PUT /notices/{id}', '$request.path.id')).toEqual({ id: { chosen: 'id' } });
});

test('what is made with a drawn body is read by its ID, though a list shows it as well', async () => {
  const contract = await contractOf(
    operation('POST /rooms', 'addRoom', {
      governed: { effect: { list: 'rooms', read: 'seeRoom', id: '/id' } },
      body: object({ name: { type: 'string' } }),
      result: { properties: { id: { type: 'string' } } },
      links: linkTo('seeRoom', 'room', '/id'),
    }),
    operation('GET /rooms', 'rooms', { result: true }),
    operation('GET /rooms/{room}', 'seeRoom', { result: true }),
  );
  const [drawn] = planned(validCommands, contract)
    .probes({ probe: 'any-valid-body', operation: 'addRoom' })
    .flatMap(({ random }) =>
      random === undefined ? [] : fc.sample(random.arbitrary, { seed: 1, numRuns: 1 }),
    );
  expect(
    stepsOf(drawn?.waves ?? [])
      .slice(0, 2)
      .map(({ operation: of, target }) => [of, target]),
  ).toEqual([
    ['addRoom', undefined],
    ['seeRoom', { room: { step: 'command', at: '/id' } }],
  ]);
});

test('next to the record that is deleted there are others of the same body, which are read around the deletion', async () => {
  const deletion = async (declares: Declaration = {}): Promise<readonly unknown[]> => {
    const contract = await contractOf(
      operation('POST /rooms', 'addRoom', {
        governed: { effect: { list: 'rooms', id: '/id' } },
        body: object({ name: { type: 'string' } }, ['name']),
        result: { properties: { id: { type: 'string' } } },
        links: { ...linkTo('seeRoom', 'room', '/id'), ...linkTo('dropRoom', 'room', '/id') },
      }),
      operation('GET /rooms', 'rooms', { result: true }),
      operation('GET /rooms/{room}', 'seeRoom', { result: true }),
      operation('DELETE /rooms/{room}', 'dropRoom', { governed: { effect: { read: 'seeRoom' } } }),
    );
    return planned(validCommands, contract, { declared: parsedDeclaration(declares) })
      .probes({ probe: 'plain', operation: 'dropRoom' })
      .flatMap(({ scenarios }) => scenarios)
      .flatMap(({ waves }) => stepsOf(waves))
      .flatMap(({ body, id, key, observes, operation: of, target }): readonly unknown[] =>
        of === 'addRoom'
          ? [[id, key.use === 'named' && key.name, 'name' in body && body.name]]
          : of === 'dropRoom' || observes?.startsWith('elsewhere')
            ? [target?.['room']]
            : [],
      );
  };
  const around = ['elder', 'twin'].map((step) => ({ step, at: '/id' }));
  expect(await deletion()).toEqual([
    ['elder', 'elder', 'make-room'],
    ['make-room', 'make-room', 'make-room'],
    ['twin', 'twin', 'make-room'],
    ...around,
    { step: 'make-room', at: '/id' },
    ...around,
  ]);
  // A value that may exist once is left to the target: then there is one other record, of a body of its own.
  expect((await deletion({ G19: 'conflict' })).filter(Array.isArray)).toEqual([
    ['make-room', 'make-room', 'make-room'],
    ['make-room', 'make-room', 'make-room'],
    ['other-make-room', 'other-make-room', 'other-make-room'],
  ]);
});

test('what is made within another record is looked for in the list there', async () => {
  const steps = async (probe: string, required: boolean): Promise<readonly string[]> => {
    const state = { name: 'state', in: 'query', required, schema: { enum: ['free', 'taken'] } };
    const contract = await contractOf(
      operation('POST /ports', 'addPort', { result: true, links: linkTo('addBerth', 'port', '/id') }),
      operation('POST /ports/{port}/berths', 'addBerth', {
        governed: { effect: { list: 'berths' } },
        result: true,
      }),
      operation('GET /ports/{port}/berths', 'berths', { result: true, parameters: [state] }),
    );
    return planned(validCommands, contract)
      .probes({ probe, operation: 'addBerth' })
      .flatMap(({ scenarios }) => scenarios.flatMap(({ waves }) => stepsOf(waves)))
      .map(({ id }) => id);
  };
  expect(await steps('plain', false)).toEqual(['make-port', 'list-before', 'command', 'list-after']);
  expect((await steps('burst', false)).slice(-2)).toEqual(['five', 'list-after']);
  // What it must be asked for may exclude the record.
  expect(await steps('plain', true)).toEqual(['make-port', 'command']);
});

test('it is looked for there even if a read shows it by its ID', async () => {
  const contract = await contractOf(
    operation('POST /ports', 'addPort', { result: true, links: linkTo('addBerth', 'port', '/id') }),
    operation('POST /ports/{port}/berths', 'addBerth', {
      governed: { effect: { read: 'seeBerth', list: 'berths' } },
      result: true,
      links: linkTo('seeBerth', 'berth', '/id'),
    }),
    operation('GET /ports/{port}/berths', 'berths', { result: true }),
    operation('GET /ports/{port}/berths/{berth}', 'seeBerth', { result: true }),
  );
  const ids = planned(validCommands, contract)
    .steps({ probe: 'plain', operation: 'addBerth' })
    .map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['list-before', 'command', 'list-after', 'made']));
});

test('several records that one command makes within another one are looked for in the list there', async () => {
  const berth = object({ name: { type: 'string', minLength: 1 } });
  const contract = await contractOf(
    operation('POST /ports', 'addPort', { result: true, links: linkTo('addBerths', 'port', '/id') }),
    operation('POST /ports/{port}/berths/batch', 'addBerths', {
      governed: { effect: { list: 'berths', id: '/berths/0/id' } },
      body: object({ berths: { type: 'array', minItems: 1, maxItems: 9, items: berth } }),
      result: true,
    }),
    operation('GET /ports/{port}/berths', 'berths', { result: true }),
  );
  const ids = planned(validCommands, contract)
    .steps({ probe: 'several-records', operation: 'addBerths' })
    .map(({ id }) => id);
  expect(ids).toEqual(['make-port', 'list-before', 'command', 'list-after']);
});

test.each([
  ['that its maker names', { read: 'seeBerth' }],
  ['that it names itself', { read: 'seeBerth', list: 'berths' }],
])('after a deletion, the list %s is read, though it has no pages', async (_, effect) => {
  const contract = await contractOf(
    operation('POST /berths', 'addBerth', {
      governed: { effect: { list: 'berths' } },
      result: true,
      links: { ...linkTo('seeBerth', 'berth'), ...linkTo('dropBerth', 'berth') },
    }),
    operation('GET /berths', 'berths', { result: true }),
    operation('GET /berths/{berth}', 'seeBerth', { result: true }),
    operation('DELETE /berths/{berth}', 'dropBerth', { governed: { effect } }),
  );
  const [plain] = planned(validCommands, contract).probes({ probe: 'plain', operation: 'dropBerth' });
  const steps = plain?.scenarios.flatMap(({ waves }) => stepsOf(waves)) ?? [];
  expect(steps.at(-1)).toMatchObject({ operation: 'berths', observes: 'list-after', query: [] });
});

test('what is made with each branch of a body is read by its ID', async () => {
  const branch = (kind: string, member: string): JsonObject =>
    object({ kind: { const: kind }, [member]: { type: 'string', minLength: 1 } });
  const contract = await contractOf(
    operation('POST /rooms', 'addRoom', {
      governed: { effect: { list: 'rooms', read: 'seeRoom', id: '/id' } },
      body: { oneOf: [branch('person', 'name'), branch('company', 'firm'), branch('group', 'size')] },
      result: { properties: { id: { type: 'string' } } },
      links: linkTo('seeRoom', 'room', '/id'),
    }),
    operation('GET /rooms', 'rooms', { result: true }),
    operation('GET /rooms/{room}', 'seeRoom', { result: true }),
  );
  const made = planned(validCommands, contract).scenarios({ probe: 'other-branch', operation: 'addRoom' });
  expect(made.map(({ bodies }) => Object.keys(Object(bodies['body']?.value)))).toEqual([
    ['kind', 'name'],
    ['kind', 'firm'],
  ]);
  expect(made.map(({ waves }) => stepsOf(waves).some(({ id }) => id === 'made'))).toEqual([true, true]);
});

test('around a refused deletion, the list is read that shows its target, where nothing else does', async () => {
  const contract = await contractOf(
    operation('POST /berths', 'addBerth', {
      governed: { effect: { list: 'berths' } },
      result: true,
      links: linkTo('dropBerth', 'berth'),
    }),
    operation('GET /berths', 'berths', { result: true }),
    operation('DELETE /berths/{berth}', 'dropBerth'),
  );
  const [absent] = planned(credentials, contract).scenarios({ operation: 'dropBerth' });
  const steps = stepsOf(absent?.waves ?? []).map(({ id, observes, operation: of }) => [id, of, observes]);
  expect(steps.slice(0, 6)).toEqual([
    ['make-berth', 'addBerth', undefined],
    ['list-before', 'berths', 'list-before'],
    ['absent', 'dropBerth', undefined],
    ['absent-nearby', 'dropBerth', undefined],
    ['unknown', 'dropBerth', undefined],
    ['listed', 'berths', 'list-after'],
  ]);
});

test('a change that has no place for a marker is sent with another body as well', async () => {
  const sent = async (properties: JsonObject): Promise<readonly unknown[]> => {
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
    const contract = await contractOf(
      operation('POST /rooms', 'add', {
        result: { properties: { id: { type: 'string' } } },
        links: { ...linkTo('turn', 'id', '/id'), ...linkTo('see', 'id', '/id') },
      }),
      operation('PUT /rooms/{id}/light', 'turn', {
        governed: { effect: { read: 'see' } },
        parameters: [id],
        body: object(properties, Object.keys(properties)),
      }),
      operation('GET /rooms/{id}', 'see', { parameters: [id], result: true }),
    );
    return planned(validCommands, contract)
      .probes({ probe: 'plain', operation: 'turn' })
      .flatMap(({ scenarios }) => scenarios.map(({ bodies }) => bodies['body']?.value));
  };
  // The last follows a command that sets every member otherwise.
  expect(await sent({ on: { type: 'boolean' } })).toEqual([{ on: false }, { on: true }, { on: true }]);
  // One that is marked is sent to one of two records as well.
  const marked = { name: 'Conformance probe' };
  expect(await sent({ name: { type: 'string' } })).toEqual([marked, marked]);
});

test('a PUT that makes a record also replaces one, with a body of its own', async () => {
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
  const path = '/rooms/{id}/light';
  const light = (properties: JsonObject, governed: JsonObject = {}): Promise<Contract> =>
    contractOf(
      operation('POST /rooms', 'add', {
        result: { properties: { id: { type: 'string' } } },
        links: { ...linkTo('turn', 'id', '/id'), ...(governed['made'] ? linkTo('see', 'id', '/id') : {}) },
      }),
      operation(`PUT ${path}`, 'turn', {
        governed: { effect: { read: 'see' } },
        parameters,
        body: object(properties, Object.keys(properties)),
        result: true,
      }),
      operation(`GET ${path}`, 'see', { parameters, result: true }),
    );
  const replacing = (contract: Contract) =>
    planned(validCommands, contract)
      .scenarios({ probe: 'plain', operation: 'turn' })
      .filter(({ title }) => title === 'a valid command that replaces the record of an earlier one');
  const [one] = replacing(await light({ on: { type: 'boolean' } }));
  expect(stepsOf(one?.waves ?? []).map(({ id, role }) => [id, role])).toEqual([
    ['make-id', 'setup'],
    ['first', 'setup'],
    ['before', 'readback'],
    ['before-again', 'readback'],
    ['command', 'test'],
    ['after', 'readback'],
  ]);
  expect([one?.bodies['first']?.value, one?.bodies['body']?.value]).toEqual([{ on: false }, { on: true }]);
  expect(replacing(await light({ name: { type: 'string' } }))).toHaveLength(1);
  expect(replacing(await light({ on: { const: true } }))).toEqual([]);
  // What is there when its room is made is replaced in any case.
  expect(replacing(await light({ on: { type: 'boolean' } }, { made: true }))).toEqual([]);
});

test('a record is put within another one, under an ID that is used within the first', async () => {
  const parameters = ['book', 'page'].map((name) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  }));
  const path = '/books/{book}/pages/{page}';
  const contract = await contractOf(
    operation('POST /books', 'write', {
      result: { properties: { id: { type: 'string' } } },
      links: { ...linkTo('put', 'book', '/id') },
    }),
    operation(`PUT ${path}`, 'put', {
      governed: { effect: { read: 'see' } },
      parameters,
      body: object({ text: { type: 'string' } }, ['text']),
      result: true,
    }),
    operation(`GET ${path}`, 'see', { parameters, result: true }),
  );
  const [one] = planned(validCommands, contract)
    .scenarios({ probe: 'plain', operation: 'put' })
    .filter(({ title }) => title === 'a valid command under an ID that is used within another record');
  const within = (book: string) => ({ book: { step: book, at: '/id' }, page: { chosen: 'page' } });
  expect(stepsOf(one?.waves ?? []).map(({ id, target }) => [id, target])).toEqual([
    ['make-book', undefined],
    ['first', within('make-book')],
    ['other-make-book', undefined],
    ['before', within('other-make-book')],
    ['before-again', within('other-make-book')],
    ['command', within('other-make-book')],
    ['after', within('other-make-book')],
  ]);
});

test('a record is put under another of the values that its path may have', async () => {
  const parameters = [
    { name: 'room', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'place', in: 'path', required: true, schema: { enum: ['desk', 'door'] } },
  ];
  const contract = await contractOf(
    operation('POST /rooms', 'add', { result: made, links: linkTo('put', 'room', '/id') }),
    operation('PUT /rooms/{room}/signs/{place}', 'put', {
      governed: { effect: { read: 'see' } },
      parameters,
      body: object({ text: { type: 'string' } }, ['text']),
      result: true,
    }),
    operation('GET /rooms/{room}/signs/{place}', 'see', { parameters, result: true }),
  );
  const [one] = planned(validCommands, withParameters(contract, {}))
    .scenarios({ probe: 'plain', operation: 'put' })
    .filter(({ title }) => title === 'a valid command with another value that its path allows');
  expect(stepsOf(one?.waves ?? []).map(({ id, path }) => [id, path])).toEqual([
    ['make-room', undefined],
    ...['before', 'before-again', 'command', 'after'].map((id) => [id, 'other-choice']),
  ]);
});

test('the list that shows a record is read around a command that changes it, and again later', async () => {
  const plain = planned(validCommands, await extendedContract()).probes({ probe: 'plain' });
  const readsOf = (of: string) =>
    plain
      .filter(({ operation }) => operation === of)
      .flatMap(({ scenarios }) => stepsOf(scenarios[0]?.waves ?? []))
      .flatMap(({ id, observes, operation, query }) =>
        observes?.startsWith('item') === true ? [[id, operation, query]] : [],
      );
  const alone = [
    ['limit', '100'],
    ['subject', `Conformance probe $\{marker:make-caseId}`],
  ];
  expect(readsOf('closeCase')).toEqual([
    ['item-before', 'listCases', alone],
    ['item', 'listCases', alone],
    ['item-again', 'listCases', alone],
    ['item-later', 'getCase', undefined],
  ]);
  // What a command makes, or removes, no list shows as changed.
  for (const of of ['createCase', 'deleteContact']) expect(readsOf(of)).toEqual([]);
});

test('of a record that callers put under their own ID, the list is read around the second PUT', async () => {
  const parameters = [{ name: 'page', in: 'path', required: true, schema: { type: 'string' } }];
  const record = object({ id: { type: 'string' }, text: { type: 'string' } }, ['text']);
  const contract = await contractOf(
    operation('GET /pages', 'list', { result: { type: 'array', items: record } }),
    operation('PUT /pages/{page}', 'put', {
      governed: { effect: { read: 'see', list: 'list' } },
      parameters,
      body: object({ text: { type: 'string' } }, ['text']),
      result: record,
    }),
    operation('GET /pages/{page}', 'see', { parameters, result: record }),
  );
  const reads = planned(validCommands, contract)
    .scenarios({ probe: 'plain', operation: 'put' })
    .map(({ title, waves }) => [
      title,
      stepsOf(waves).filter(({ operation }) => operation === 'list').length,
    ]);
  expect(reads.filter(([, count]) => count !== 0)).toEqual([
    ['a valid command that replaces the record of an earlier one', 3],
  ]);
});

test('what only a list within a record shows is read there, after all that a body may have', async () => {
  const part = object({ id: { type: 'string' }, note: { type: 'string' }, kind: { enum: ['a', 'b'] } });
  const body = object({ note: { type: 'string' }, kind: { enum: ['a', 'b'] } }, ['note']);
  const looks = async (path: string, effect: JsonObject) => {
    const contract = await contractOf(
      operation('POST /cases', 'open', { body, result: part }),
      operation('GET /cases/{caseId}', 'see', { result: part }),
      operation('GET /cases/{caseId}/parts', 'list', { result: { type: 'array', items: part } }),
      operation('GET /parts', 'all', { result: { type: 'array', items: part } }),
      operation(path, 'add', { body, result: part, governed: { effect } }),
    );
    return planned(validCommands, contract)
      .steps({ operation: 'add', probe: 'full' })
      .filter(({ observes }) => observes === 'made')
      .map(({ operation: read }) => read);
  };
  expect(await looks('POST /cases/{caseId}/parts', { list: 'list' })).toEqual(['list', 'list']);
  expect(await looks('POST /parts', { list: 'all' })).toEqual([]);
});
