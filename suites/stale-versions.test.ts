import { expect, test } from 'vitest';
import type { JsonObject } from '../src/model/json.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { linkTo, operation } from '../src/selftest/shapes/document.ts';
import { contractOf } from '../src/testing/contracts.ts';
import { editedTo, holder, planned, principal } from '../src/testing/plans.ts';
import staleVersions from './stale-versions.ts';

const result = {
  properties: { id: { type: 'string' }, version: { type: 'integer' }, tag: { type: 'string' } },
};
/** A case is made, and read. */
const madeAndRead = [
  operation('POST /cases', 'createCase', {
    result,
    links: { ...linkTo('getCase', 'caseId'), ...linkTo('updateCase', 'caseId') },
  }),
  operation('GET /cases/{caseId}', 'getCase', { result }),
];
const versioned = (header: string, at: string) => ({
  parameters: [{ name: header, in: 'header', required: true, schema: { type: 'string' } }],
  governed: {
    version: { carrier: { in: 'header', name: header }, source: { operation: 'getCase', in: 'body', at } },
  },
});

test('a version is made stale for a removal by a change that sends it in another form', async () => {
  const contract = await contractOf(
    operation('POST /cases', 'createCase', {
      result,
      links: {
        ...linkTo('getCase', 'caseId'),
        ...linkTo('updateCase', 'caseId'),
        ...linkTo('deleteCase', 'caseId'),
      },
    }),
    operation('GET /cases/{caseId}', 'getCase', { result }),
    operation('PATCH /cases/{caseId}', 'updateCase', {
      ...versioned('If-Match', '/tag'),
      body: { properties: { title: { type: 'string' } } },
    }),
    operation('DELETE /cases/{caseId}', 'deleteCase', versioned('X-Version', '/version')),
  );
  const sent = planned(staleVersions, contract)
    .scenarios({ operation: 'deleteCase', probe: 'stale' })
    .flatMap(({ waves }) => stepsOf(waves).map((step) => `${step.id} ${step.operation}`));
  expect(sent).toContain('first updateCase');
  expect(sent).toContain('stale deleteCase');
});

test('a record that its PUT makes without a version is there before versions of it are sent', async () => {
  const { governed } = versioned('If-Match', '/tag');
  const contract = await contractOf(
    operation('PUT /cases/{caseId}', 'putCase', {
      parameters: [{ name: 'If-Match', in: 'header', schema: { type: 'string' } }],
      governed,
      body: { properties: { title: { type: 'string' } } },
      result,
    }),
    operation('GET /cases/{caseId}', 'getCase', { result }),
  );
  const sent = planned(staleVersions, contract)
    .scenarios({ operation: 'putCase', probe: 'stale' })
    .flatMap(({ waves }) => stepsOf(waves).map(({ id, version }) => [id, version?.use]));
  expect(sent.slice(0, 3)).toEqual([
    ['made', undefined],
    ['version-made', undefined],
    ['first', 'of'],
  ]);
  expect(sent).toContainEqual(['stale', 'of']);
});

test('a second caller sends a stale version as well', async () => {
  const contract = await contractOf(
    ...madeAndRead,
    operation('PATCH /cases/{caseId}', 'updateCase', {
      ...versioned('If-Match', '/version'),
      body: { properties: { title: { type: 'string' } } },
    }),
  );
  const stale = planned(staleVersions, contract, {
    principals: [holder(contract, 'here'), holder(contract, 'peer')],
  })
    .steps({ operation: 'updateCase', probe: 'stale' })
    .flatMap(({ as, id }) => (id === 'stale' ? [as] : []));
  expect(stale).toEqual(['here', 'peer']);
});

/** Cases that are updated with such a body and a version. */
function updatable(body: JsonObject): ReturnType<typeof contractOf> {
  return contractOf(
    ...madeAndRead,
    operation('PATCH /cases/{caseId}', 'updateCase', { ...versioned('If-Match', '/version'), body }),
  );
}

test('a stale version is sent with bodies of other shapes as well, which are refused like the plain one', async () => {
  const sent = async (body: JsonObject) => {
    const contract = await updatable(body);
    const [one] = planned(staleVersions, contract).scenarios({ operation: 'updateCase', probe: 'stale' });
    return stepsOf(one?.waves ?? []).flatMap(({ body: of, deviations, id, version }) =>
      id.startsWith('shape-') && of.use === 'named'
        ? [[Object.entries(one?.bodies[of.name]?.value ?? {}).map(named), deviations, version?.use]]
        : [],
    );
  };
  const named = ([name, value]: readonly [string, unknown]): string =>
    name === 'kind' ? `kind ${String(value)}` : name;
  const text = { type: 'string', minLength: 1 };
  const stale = [{ kind: 'version', how: 'stale' }];
  expect(await sent({ required: ['title'], properties: { title: text } })).toEqual([]);
  expect(await sent({ required: ['title'], properties: { title: text, note: text } })).toEqual([
    [['title', 'note'], stale, 'of'],
  ]);
  const branch = (kind: string, member: string) => ({
    required: ['kind', member],
    properties: { kind: { const: kind }, [member]: text },
    additionalProperties: false,
  });
  expect(
    await sent({ type: 'object', oneOf: [branch('rename', 'title'), branch('annotate', 'note')] }),
  ).toEqual([[['kind annotate', 'note'], stale, 'of']]);
});

test('a version is made stale by a change of one other member alone, too', async () => {
  const sent = async (body: JsonObject, budget: 'quick' | 'standard') => {
    const contract = await updatable(body);
    const [one] = planned(staleVersions, contract, { budget }).scenarios({
      operation: 'updateCase',
      probe: 'stale',
    });
    const steps = stepsOf(one?.waves ?? []);
    return steps
      .slice(steps.findIndex(({ id }) => id === 'current') + 1)
      .map(({ body: of, deviations, id, version }) => [
        id,
        of.use === 'named' ? [of.name, of.edit] : [],
        version?.use === 'of' && 'step' in version.ref ? version.ref.step : undefined,
        deviations.length,
      ]);
  };
  const text = { type: 'string', minLength: 1 };
  const count = { type: 'integer', minimum: 1 };
  const turn = (of: number, edit: unknown) => [
    [`look-member-${of}`, [], undefined, 0],
    [`member-${of}`, ['third', edit], `look-member-${of}`, 0],
    [`look-moved-${of}`, [], undefined, 0],
    [`stale-member-${of}`, ['member', undefined], `look-member-${of}`, 1],
  ];
  expect(await sent({ required: ['title'], properties: { title: text } }, 'quick')).toEqual([]);
  const two = { required: ['title', 'seeds'], properties: { title: text, seeds: count, rows: count } };
  const both = [...turn(1, { at: '/seeds', set: 2 }), ...turn(2, { at: '/rows', set: expect.any(Number) })];
  expect(await sent(two, 'quick')).toEqual(both);
  expect(await sent(two, 'standard')).toEqual(both);
  // One of each type, alone where nothing else is required, and a flag as it is not by default.
  const open = { type: 'boolean', default: true };
  const several = { properties: { title: text, seeds: count, rows: count, open }, minProperties: 1 };
  const edits = (await sent(several, 'quick')).flatMap(([id, of]) =>
    /^member-/.test(String(id)) && Array.isArray(of) ? [of[1]] : [],
  );
  expect(edits).toHaveLength(3);
  expect(edits).toContainEqual({ all: expect.arrayContaining([{ at: '/open', set: false }]) });
});

test.each(['body', 'header'] as const)(
  'a version in the %s: strangers send a stale one in the body',
  async (place) => {
    const { governed, parameters } = versioned('If-Match', '/version');
    const inBody = { ...governed, version: { ...governed.version, carrier: { in: 'body', at: '/version' } } };
    const contract = await contractOf(
      ...madeAndRead,
      operation('PATCH /cases/{caseId}', 'updateCase', {
        ...(place === 'body' ? { governed: inBody } : { governed, parameters }),
        body: {
          properties: { title: { type: 'string' }, version: { type: 'integer' } },
          required: ['version'],
        },
      }),
    );
    const principals = [holder(contract, 'all'), principal('nobody')];
    const sent = planned(staleVersions, contract, { principals })
      .scenarios({ operation: 'updateCase', probe: 'stale-from-others' })
      .flatMap(({ waves }) => stepsOf(waves).map(({ as, controls, id }) => [id, as, controls]))
      .filter(([id]) => ['first', 'unknown-token', 'no-permission', 'current'].includes(id ?? ''));
    expect(sent).toEqual(
      place === 'header'
        ? []
        : [
            ['first', 'all', 'stale'],
            ['unknown-token', 'all', undefined],
            ['no-permission', 'nobody', undefined],
            ['current', 'all', '*'],
          ],
    );
  },
);

test('an object moves the version on as well, and all members need one', async () => {
  const labels = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } };
  const contract = await contractOf(
    ...madeAndRead,
    operation('PATCH /cases/{caseId}', 'updateCase', {
      ...versioned('If-Match', '/tag'),
      body: { type: 'object', required: ['title'], properties: { title: { type: 'string' }, labels } },
    }),
  );
  const { scenarios } = planned(staleVersions, contract);
  const stale = scenarios({ operation: 'updateCase', probe: 'stale' }).flatMap(({ waves }) => stepsOf(waves));
  const mover = stale.find(({ id }) => id === 'member-1');
  expect(editedTo(mover?.body ?? { use: 'none' }, '/labels')).toEqual({ kind: expect.any(String) });
  expect(stale.map(({ id }) => id)).toContain('stale-member-1');
  const whole = scenarios({ operation: 'updateCase', probe: 'absent' }).find(({ title }) =>
    title.endsWith('with all members'),
  );
  expect(whole?.bodies['full']?.value).toHaveProperty('labels.kind');
  expect(
    stepsOf(whole?.waves ?? [])
      .filter(({ operation: of }) => of === 'updateCase')
      .map(({ body, id, version }) => [id, Object(body).name, version?.use]),
  ).toEqual([
    ['test', 'full', 'absent'],
    ['control', 'full', 'of'],
    ['fallback', 'full', 'of'],
  ]);
});

test('in a PATCH that needs no other member, each of two lists comes alone', async () => {
  const list = { type: 'array', items: { type: 'string', minLength: 1 } };
  const properties = { title: { type: 'string' }, tags: list, roles: list };
  const edits = async (method: 'PATCH' | 'PUT'): Promise<readonly unknown[]> => {
    const contract = await contractOf(
      ...madeAndRead,
      operation(`${method} /cases/{caseId}`, 'updateCase', {
        ...versioned('If-Match', '/tag'),
        body: {
          type: 'object',
          minProperties: 1,
          properties,
          ...(method === 'PUT' ? { required: ['title'] } : {}),
        },
      }),
    );
    return planned(staleVersions, contract, { budget: 'quick' })
      .scenarios({ operation: 'updateCase', probe: 'stale' })
      .flatMap(({ waves }) => stepsOf(waves))
      .flatMap(({ body, id }) => (id.startsWith('member-') && 'edit' in body ? [body.edit] : []));
  };
  const texts: unknown = expect.arrayContaining([expect.any(String)]);
  // Their order is that of a drawn body.
  const both = ['/roles', '/tags'].map((at) => ({ at, set: texts }));
  const sorted = (all: readonly unknown[]): readonly unknown[] =>
    all.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
  expect(sorted(await edits('PUT'))).toEqual(both);
  expect(sorted(await edits('PATCH'))).toEqual(
    both.map((set) => ({ all: [{ at: '/title', remove: true }, set] })),
  );
});

test('each member is changed once, since what was sent before moves nothing', async () => {
  const contract = await contractOf(
    ...madeAndRead,
    operation('PATCH /cases/{caseId}', 'updateCase', {
      ...versioned('If-Match', '/tag'),
      body: { type: 'object', properties: { title: { type: 'string' }, email: { type: 'string' } } },
    }),
  );
  const places = planned(staleVersions, contract, { budget: 'standard' })
    .scenarios({ operation: 'updateCase', probe: 'stale' })
    .flatMap(({ waves }) => stepsOf(waves))
    .flatMap(({ body, id }) =>
      id.startsWith('member-') && 'edit' in body && body.edit !== undefined ? [body.edit] : [],
    )
    .flatMap((edit) => ('all' in edit ? edit.all : [edit]))
    .flatMap((edit) => ('set' in edit ? [edit.at] : []));
  expect(places).toEqual(['/email']);
});
