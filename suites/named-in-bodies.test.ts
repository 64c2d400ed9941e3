import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/model/json.ts';
import type { Ref } from '../src/model/ref.ts';
import { type Step, stepsOf } from '../src/model/scenario.ts';
import { linkTo, object, operation } from '../src/selftest/shapes/document.ts';
import type { Suite } from '../src/suite-kit/suite.ts';
import { contractOf, made } from '../src/testing/contracts.ts';
import { editedTo, holder, planned, principal } from '../src/testing/plans.ts';
import reads from './reads.ts';
import stateConflicts from './state-conflicts.ts';
import validCommands from './valid-commands.ts';
import wrongPermissions from './wrong-permissions.ts';

const text = { type: 'string' };
const item = { properties: { id: text, subject: text } };
/** An API whose operations are all POST, with the IDs of records in their bodies. */
const contract = await contractOf(
  operation('POST /tickets.create', 'create', {
    body: object({ subject: text }),
    result: made,
    governed: { effect: { read: 'get', list: 'list' } },
  }),
  operation('POST /tickets.get', 'get', {
    body: object({ id: text }),
    result: item,
    governed: { read: true },
    more: { parameters: [] },
  }),
  operation('POST /tickets.list', 'list', {
    body: object({ limit: { type: 'integer', maximum: 50 }, cursor: text }, []),
    result: { properties: { tickets: { type: 'array', items: item }, next: text } },
    governed: {
      read: true,
      pagination: { limit: 'limit', cursor: 'cursor', items: '/tickets', next: '/next' },
    },
    more: { parameters: [] },
  }),
  operation('POST /tickets.close', 'close', {
    body: object({ id: text }),
    governed: { effect: { read: 'get' }, conflict: { after: 'close' } },
  }),
);
const principals = [holder(contract, 'lead'), holder(contract, 'other', { scope: 'b' }), principal('nobody')];
const stepsFor = (suite: Suite, operation: string, probe: string): readonly Step[] =>
  planned(suite, contract, { principals }).steps({ operation, probe });
const ticket: Ref = { step: 'make-id', at: '/id' };

test('a record of another scope is read by its ID in the body', () => {
  const scope = stepsFor(wrongPermissions, 'get', 'scope').filter(({ as }) => as === 'other');
  expect(scope.map(({ deviations, target }) => [deviations[0]?.kind, target])).toEqual([
    ['scope', { id: ticket }],
    ['scope', { id: ticket }],
    ['scope', { id: ticket }],
  ]);
  const foreign = stepsFor(reads, 'get', 'foreign').filter(({ as }) => as === 'other');
  expect(foreign[0]).toMatchObject({ operation: 'get', deviations: [{ kind: 'scope' }] });
});

test('a record that does not exist is asked for under IDs of several kinds', () => {
  const absent = stepsFor(reads, 'get', 'unknown-record').filter(({ role }) => role === 'test');
  expect(absent.map(({ target }) => target?.['id'])).toEqual([
    { chosen: 'absent' },
    { literal: 'assay\'"(*' },
    { literal: 'assay\u0000' },
    { literal: `assay-${'x'.repeat(300)}` },
  ]);
});

test('what a command leaves is read by POST, before it and after', () => {
  const steps = stepsFor(wrongPermissions, 'close', 'scope').filter(({ operation }) => operation === 'get');
  const asked = { use: 'asked', value: { id: 'a' } };
  expect(new Set(steps.map(({ observes }) => observes))).toEqual(new Set(['before', 'after', undefined]));
  for (const step of steps) expect(step).toMatchObject({ body: asked, target: { id: { at: '/id' } } });
});

test('a path without fields has no other form for the ID', () => {
  const paths = stepsFor(wrongPermissions, 'get', 'noise').map(({ path }) => path);
  expect(paths).toContain('trailing-slash');
  expect(paths).not.toContain('encoded-value');
});

test('a list by POST is searched for by no cursor, and is never sent the body of a command', () => {
  const sent = planned(reads, contract, { principals })
    .scenarios({ operation: 'list', probe: 'foreign' })
    .flatMap(({ bodies, waves }) =>
      stepsOf(waves)
        .filter(({ operation }) => operation === 'list')
        .map(({ body }) => [body.use === 'named' && bodies[body.name]?.value, editedTo(body, '')]),
    );
  expect(sent.length).toBeGreaterThan(6);
  for (const [plain, edit] of sent) {
    expect(plain).toEqual({});
    expect([undefined, { limit: 50 }]).toContainEqual(edit);
  }
});

test('what a command made is read by POST as well', async () => {
  const unlisted = await contractOf(
    operation('POST /tickets.create', 'create', {
      body: object({ subject: text }),
      result: made,
      governed: { effect: { read: 'get' } },
    }),
    operation('POST /tickets.get', 'get', {
      body: object({ id: text, words: text }, ['id']),
      result: item,
      governed: { read: true },
      more: { parameters: [] },
    }),
  );
  const steps = planned(validCommands, unlisted)
    .steps({ operation: 'create' })
    .filter(({ observes }) => observes === 'made');
  expect(steps.length).toBeGreaterThan(0);
  // Without its other member: it could ask for less.
  for (const { body, operation } of steps)
    expect([operation, body]).toEqual(['get', { use: 'asked', value: { id: 'a' } }]);
});

test.each([
  ['GET /tickets/{ticketId}/comments', 'ticketId'],
  ['POST /comments.list', 'ticket'],
])('%s lists what commands make within the record that it is of', async (list, member) => {
  const paged = { pagination: { limit: 'limit', cursor: 'cursor', items: '/comments', next: '/next' } };
  const isPost = list.startsWith('POST');
  const fill = (operationId: string) => ({ operationId, requestBody: { [member]: '$response.body#/id' } });
  const page = { limit: { type: 'integer' }, cursor: text };
  const parameters = Object.entries(page).map(([name, schema]) => ({ name, in: 'query', schema }));
  const desk = await contractOf(
    operation('POST /tickets', 'create', {
      body: object({ subject: text }),
      result: made,
      links: {
        add: fill('add'),
        ...(isPost ? { comments: fill('comments') } : linkTo('comments', 'ticketId')),
      },
    }),
    operation('POST /comments', 'add', {
      body: object({ [member]: text, words: text }),
      result: made,
      governed: { effect: { list: 'comments' } },
    }),
    operation(list, 'comments', {
      ...(isPost
        ? {
            body: object({ [member]: text, ...page }, [member]),
            governed: { read: true, ...paged },
            more: { parameters: [] },
          }
        : { governed: paged, parameters }),
      result: { properties: { comments: { type: 'array', items: made }, next: text } },
    }),
  );
  const [pages] = planned(reads, desk).scenarios({ operation: 'comments', probe: 'pages' });
  const steps = stepsOf(pages?.waves ?? []);
  const ticket = { step: `make-${isPost ? member : 'ticketId'}`, at: '/id' };
  expect(steps.filter((step) => step.operation === 'create').map(({ id }) => id)).toEqual([ticket.step]);
  const sent = steps.filter((step) => step.operation !== 'create');
  expect(sent.filter((step) => step.operation === 'add')).toHaveLength(9);
  for (const { target } of sent) expect(Object.values(target ?? {})).toEqual([ticket]);
});

test('a list of IDs has one of another scope alone, and behind one of its own', async () => {
  const fill = { operationId: 'remove', requestBody: { ids: ['$response.body#/id'] } };
  const desk = await contractOf(
    operation('POST /tickets.create', 'create', {
      body: object({ subject: text }),
      result: made,
      governed: { effect: { read: 'get' } },
      links: { fill },
    }),
    operation('POST /tickets.get', 'get', {
      body: object({ id: text }),
      result: item,
      governed: { read: true },
      more: { parameters: [] },
    }),
    operation('POST /tickets.remove', 'remove', {
      body: object({ ids: { type: 'array', items: text, minItems: 1, uniqueItems: true } }),
      result: { properties: { deleted: { type: 'integer' } } },
    }),
  );
  const sent = planned(wrongPermissions, desk, {
    principals: [holder(desk, 'lead'), holder(desk, 'other', { scope: 'b' })],
  })
    .scenarios({ operation: 'remove', probe: 'reference' })
    .map(({ bodies, waves }) => [
      bodies['foreign']?.value,
      stepsOf(waves).find(({ role }) => role === 'test')?.target,
    ]);
  const foreign = { step: 'make-id', at: '/id' };
  expect(sent).toEqual([
    [{ ids: ['a'] }, { id: foreign }],
    [{ ids: ['a', 'a-2'] }, { id: { step: 'own-make-id', at: '/id' }, 'ids/1': foreign }],
  ]);
});

describe('a list', async () => {
  const prefixed = { type: 'string', pattern: '^par_[0-9a-z]{6}$' };
  const line = object({ parcelId: prefixed });
  const parameters = [{ name: 'parcelId', in: 'path', required: true, schema: prefixed }];
  const sentWith = async (members: JsonObject, required: readonly string[]) => {
    const desk = await contractOf(
      operation('POST /parcels', 'create', { body: object({ subject: text }), result: made }),
      operation('GET /parcels/{parcelId}', 'get', { result: item, parameters }),
      operation('POST /bundles', 'bundle', {
        body: { type: 'object', properties: members, required: [...required] },
        result: made,
      }),
    );
    return planned(wrongPermissions, desk, {
      principals: [holder(desk, 'lead'), holder(desk, 'other', { scope: 'b' })],
    })
      .scenarios({ operation: 'bundle', probe: 'reference' })
      .map(({ bodies, waves }) => ({
        foreign: bodies['foreign']?.value,
        mine: bodies['mine']?.value,
        test: stepsOf(waves).find(({ role }) => role === 'test')?.target,
        control: stepsOf(waves).find(({ role }) => role === 'control')?.target,
      }));
  };

  test('of objects has one of another scope in its first, and in a second one', async () => {
    const sent = await sentWith({ lines: { type: 'array', items: line, minItems: 1 } }, ['lines']);
    expect(sent.map(({ test }) => Object.keys(test ?? {}))).toEqual([
      ['lines/0/parcelId'],
      ['lines/0/parcelId', 'lines/1/parcelId'],
    ]);
    const ids = {
      lines: [{ parcelId: expect.stringMatching(/^par_/) }, { parcelId: expect.stringMatching(/^par_/) }],
    };
    expect(sent[1]?.foreign).toEqual(ids);
    const [first, second] = Object.values(sent[1]?.test ?? {});
    expect(first).not.toEqual(second);
  });

  test('that may be left out has a record of its caller first; the control has nothing but that', async () => {
    const sent = await sentWith({ name: text, parcelIds: { type: 'array', items: prefixed, maxItems: 2 } }, [
      'name',
    ]);
    expect(sent.map(({ test }) => Object.keys(test ?? {}))).toEqual([
      ['parcelIds/0'],
      ['parcelIds/0', 'parcelIds/1'],
    ]);
    expect(sent[1]).toMatchObject({ control: sent[0]?.control, mine: sent[0]?.foreign });
    expect(sent[1]?.test?.['parcelIds/0']).toEqual(sent[0]?.control?.['parcelIds/0']);
  });

  test('has no second one where it may not', async () => {
    expect(
      await sentWith({ lines: { type: 'array', items: line, minItems: 1, maxItems: 1 } }, ['lines']),
    ).toHaveLength(1);
  });
});

test('the version of a record that a body names is read of the record that was made', async () => {
  const desk = await contractOf(
    operation('POST /tickets.create', 'create', {
      body: object({ subject: text }),
      result: made,
      governed: { effect: { read: 'get' } },
    }),
    operation('POST /tickets.get', 'get', {
      body: object({ id: text }),
      result: { properties: { id: text, version: { type: 'integer' } } },
      governed: { read: true },
      more: { parameters: [] },
    }),
    operation('POST /tickets.close', 'close', {
      body: object({ id: text }),
      governed: { effect: { read: 'get' } },
    }),
    operation('POST /tickets.update', 'update', {
      body: object({ id: text, version: { type: 'integer' } }),
      governed: {
        effect: { read: 'get' },
        version: {
          carrier: { in: 'body', at: '/version' },
          source: { operation: 'get', in: 'body', at: '/version' },
        },
        conflict: { after: 'close' },
      },
    }),
  );
  const looks = planned(stateConflicts, desk)
    .steps({ operation: 'update' })
    .filter(({ operation }) => operation === 'get');
  expect(looks.map(({ id }) => id)).toContain('look');
  for (const { target } of looks) expect(target).toEqual({ id: { step: expect.any(String), at: '/id' } });
});

test('a list that a filter by the record in the body narrows is read in small pages, and in the other order', async () => {
  const id = { name: 'teamId', in: 'path', required: true, schema: text };
  const field = (name: string, schema: JsonObject, more: JsonObject = {}): JsonObject => ({
    name,
    in: 'query',
    schema,
    ...more,
  });
  const task = { properties: { id: text, teamId: text, subject: text } };
  const from = await contractOf(
    operation('POST /teams', 'form', { body: object({ subject: text }), result: made }),
    operation('GET /teams/{teamId}', 'team', { result: item, more: { parameters: [id] } }),
    operation('POST /tasks', 'add', {
      body: object({ teamId: text, subject: text }),
      result: made,
      governed: { effect: { list: 'tasks', id: '/id' } },
    }),
    operation('GET /tasks', 'tasks', {
      result: { properties: { tasks: { type: 'array', items: task }, next: text } },
      governed: { pagination: { limit: 'limit', cursor: 'cursor', items: '/tasks', next: '/next' } },
      more: {
        parameters: [
          field('limit', { type: 'integer', minimum: 1, maximum: 50 }),
          field('cursor', text),
          field('sort', { enum: ['created', '-created'] }),
          field('teamId', text, { 'x-governed': { filters: '/teamId' } }),
        ],
      },
    }),
  );
  const lead = holder(from, 'lead');
  const found = planned(reads, from, { principals: [lead] }).scenarios({
    probe: 'pages',
    operation: 'tasks',
  });
  const team = ['teamId', { step: 'made-make-teamId', at: '/id' }];
  expect(
    found
      .slice(1, 3)
      .map(({ title, waves }) => [title, stepsOf(waves).find(({ observes }) => observes === 'page')?.query]),
  ).toEqual([
    ['three records, one on each page', [['limit', '1'], team]],
    ['four records with sort=-created, page by page', [['limit', '2'], team, ['sort', '-created']]],
  ]);
});
