import { expect, test } from 'vitest';
import { contract } from '../src/clauses/cases/contract.ts';
import { clauseOf } from '../src/clauses/catalogue.ts';
import { type Contract, type Operation, type OperationId, operationOf } from '../src/model/contract.ts';
import type { Principal } from '../src/model/principal.ts';
import { stepsOf, type Wave } from '../src/model/scenario.ts';
import { linkTo, object, operation } from '../src/selftest/shapes/document.ts';
import { contractOf, withOperation } from '../src/testing/contracts.ts';
import { holder, planned, principal } from '../src/testing/plans.ts';
import wrongPermissions from './wrong-permissions.ts';

const proposed = (of: Contract, others: readonly Principal[] = []) =>
  planned(wrongPermissions, of, {
    principals: [
      holder(of, 'here'),
      holder(of, 'peer'),
      holder(of, 'elsewhere', { scope: 'b' }),
      principal('nobody'),
      ...others,
    ],
    hooks: ['verify', 'revoke', 'restore'],
  });

const idsOf = (plan: ReturnType<typeof proposed>, operation: string): readonly string[] =>
  plan.probes({ operation }).map(({ id }) => id);

/** Who sends a request without the permission, as far as the names of steps say so. */
const callersOf = (plan: ReturnType<typeof proposed>, operation: string): readonly string[] =>
  plan
    .steps({ operation })
    .flatMap(({ as, deviations, role }) =>
      role === 'test' && deviations.some(({ kind }) => kind === 'permission') ? [as] : [],
    );

test('a caller without permission or scope also sends a stronger verification that was issued to it', () => {
  const verified = proposed(contract)
    .scenarios({ operation: 'approveCase' })
    .flatMap(({ waves }) => {
      const probe = waves
        .flatMap((wave) => ('steps' in wave ? wave.steps : []))
        .find(({ id }) => id === 'test');
      const issued = probe?.verification?.use === 'hook' ? probe.verification.step : undefined;
      return waves.flatMap((wave) =>
        'hook' in wave && probe !== undefined && wave.as === issued && wave.input['principal'] === probe.as
          ? probe.deviations.map(({ kind }) => kind)
          : [],
      );
    });
  // Both of its permissions are withdrawn as well.
  expect(verified.sort()).toEqual(['permission', 'permission', 'permission', 'scope']);
});

test('what HEAD returns to another scope is compared with what GET returns there', () => {
  const looks = (operation: string): readonly unknown[] =>
    proposed(contract)
      .scenarios({ operation })
      .flatMap(({ waves }) => waves)
      .flatMap((wave) => ('when' in wave && wave.when.step === 'test' ? [wave] : []))
      .map(({ waves, when }) => [when.was, ...stepsOf(waves).map(({ as, operation: read }) => [read, as])])
      .filter(([was]) => was === 'accepted');
  const once = ['accepted', ['getCase', 'elsewhere'], ['getCase', 'here']];
  expect(looks('headCase')).toContainEqual(once);
  expect(looks('getCase')).not.toContainEqual(once);
});

test('no other scope is tried on what every scope may see', () => {
  const shared = withOperation(contract, 'getCase', { shared: true });
  const foreign = (of: Contract): boolean =>
    proposed(of)
      .scenarios()
      .flatMap(({ waves }) => stepsOf(waves))
      .some(
        ({ deviations, operation: id }) =>
          id === 'getCase' && deviations.some(({ kind }) => kind === 'scope'),
      );
  expect([foreign(contract), foreign(shared)]).toEqual([true, false]);
  const binds = (code: string, of: Contract): boolean | undefined =>
    clauseOf(code)?.applies(of, operationOf(of, 'getCase'));
  expect(['PRM-5', 'RDS-7'].map((code) => [binds(code, contract), binds(code, shared)])).toEqual([
    [true, false],
    [true, false],
  ]);
});

test('where the exact holder is refused, callers with more permissions follow, the maker of the target last', () => {
  const admin = holder(contract, 'admin');
  const others = [
    principal('closer', { permissions: ['case.close'] }),
    principal('reader', { permissions: ['case.read'] }),
    { ...admin, permissions: [...admin.permissions, '*'] },
  ];
  const waves = (operation: string): readonly Wave[] =>
    proposed(contract, others).scenarios({ operation, probe: 'exact-holder' })[0]?.waves ?? [];
  const sent = (operation: string): unknown => [
    // What a conforming service gets.
    stepsOf(waves(operation).filter((wave) => !('when' in wave))).map(({ as, id }) => [id, as]),
    stepsOf(waves(operation).filter((wave) => 'when' in wave)).map(({ as, id, target }) => [id, as, target]),
  ];
  const target = { caseId: { step: 'make-caseId', at: '/id' } };
  expect(sent('closeCase')).toEqual([
    [
      ['make-caseId', 'here'],
      ['exact', 'closer'],
    ],
    [
      ['as-peer', 'peer', target],
      ['as-admin', 'admin', target],
    ],
  ]);
  expect(sent('listCases')).toEqual([
    [['exact', 'reader']],
    [
      ['as-here', 'here', undefined],
      ['as-admin', 'admin', undefined],
    ],
  ]);
});

test('of several permissions that an operation needs, the hook withdraws each alone', () => {
  const several = withOperation(contract, 'createCase', { permissions: ['case.create', 'case.write'] });
  const named = proposed(several)
    .probes({ operation: 'createCase' })
    .filter(({ id }) => id.startsWith('withdrawn'))
    .flatMap(({ scenarios }) => scenarios.flatMap(({ waves }) => waves))
    .flatMap((wave) => ('hook' in wave ? [[wave.hook, wave.input['permission']]] : []));
  expect(named).toEqual([
    ['revoke', 'case.create'],
    ['restore', 'case.create'],
    ['revoke', 'case.write'],
    ['restore', 'case.write'],
  ]);
});

/** Steps with their keys, and hooks, of each scenario with a permission that is withdrawn. */
const withdrawnFor = (operation: OperationId): readonly (readonly string[])[] =>
  proposed(contract)
    .probes({ operation })
    .filter(({ id }) => id === 'withdrawn')
    .flatMap(({ scenarios }) => scenarios)
    .map(({ waves }) =>
      waves.flatMap((wave) =>
        'hook' in wave
          ? [wave.hook]
          : stepsOf([wave]).map(({ id, key }) => `${id} ${'name' in key ? key.name : key.use}`),
      ),
    );

test('a read is sent again after its permission was withdrawn', () => {
  expect(withdrawnFor('listCases')).toEqual([['first none', 'revoke', 'again none', 'restore']]);
});

test('a caller whose permission is back sends the command again under the key that was refused', () => {
  expect(withdrawnFor('createCase')).toEqual([
    [
      'first used',
      'revoke',
      'test key',
      'again used',
      'restore',
      'control key',
      'fallback again',
      'later key',
    ],
  ]);
});

test('a command that needs a target for each of its keys has its permission withdrawn for each', () => {
  const waves = withdrawnFor('closeCase').map((names) => names.slice(names.indexOf('revoke') - 1));
  expect(waves).toEqual([
    ['first used', 'revoke', 'again used', 'restore'],
    [expect.any(String), 'revoke', 'test key', 'restore', 'control key', 'fallback again', 'later key'],
  ]);
});

test('of several permissions that an operation needs, holders of one alone are refused with the quick budget', () => {
  const several = withOperation(
    withOperation(contract, 'createCase', { permissions: ['case.create', 'case.write'] }),
    'updateCase',
    { permissions: ['case.create'] },
  );
  const others = [
    principal('broad', { permissions: ['case.read', 'case.close'] }),
    principal('first', { permissions: ['case.create'] }),
    principal('second', { permissions: ['case.write'] }),
  ];
  const callers = callersOf(proposed(several, others), 'createCase');
  expect(callers).toEqual(expect.arrayContaining(['broad', 'first', 'second']));
});

test('where no operation needs another permission, an unlike one stands for that of a sibling', () => {
  const [createCase] = contract.operations;
  if (createCase === undefined) throw new Error('the contract is empty');
  const same = { ...contract, operations: [{ ...createCase, permissions: ['case.create'] }] };
  const two = {
    ...same,
    operations: [...same.operations, { ...createCase, id: 'copyCase', permissions: ['case.create'] }],
  };
  const near = principal('near', { permissions: ['CASE.CREATE'] });
  const reader = principal('reader', { permissions: ['case.read'] });
  for (const of of [same, two]) {
    const named = (others: readonly Principal[]): readonly string[] =>
      idsOf(proposed(of, others), 'createCase').filter((id) => id.startsWith('sibling'));
    expect(named([near])).toEqual([]);
    expect(named([near, reader])).toEqual(['sibling-reader']);
  }
});

test('where the document names no permission, it is missing from the document, and other scopes are tried', () => {
  const unnamed = withOperation(contract, 'closeCase', { permissions: [] });
  const plan = proposed(unnamed);
  expect(idsOf(plan, 'closeCase')).toEqual(['scope']);
  const ofClose = plan.skips.filter((skip) => skip.operation === 'closeCase');
  expect(ofClose.map(({ clauses, need }) => [clauses.join(' '), need.kind])).toEqual([
    ['PRM-1 PRM-2 PRM-3 PRM-4 PRM-6 PRM-7 PRM-8 PRM-9 PRM-10 RDS-2 PRE-2', 'declaration'],
  ]);
  const open = withOperation(contract, 'closeCase', { permissions: undefined });
  expect(idsOf(proposed(open), 'closeCase')).toEqual([]);
});

test('who may do what the path above needs is tried with the quick budget', () => {
  const others = [
    principal('broad', { permissions: ['case.close', 'case.approve'] }),
    principal('maker', { permissions: ['case.create'] }),
    principal('closer', { permissions: ['case.close'] }),
  ];
  const callers = callersOf(proposed(contract, others), 'getCase');
  expect(callers).toEqual(expect.arrayContaining(['broad', 'maker']));
  expect(callers).not.toContain('closer');
});

test('who may read something else tries a read, where the holder of most permissions may read nothing', () => {
  const writer = principal('writer', { permissions: ['case.close', 'case.keep', 'case.approve'] });
  const viewer = principal('viewer', { permissions: ['note.show'] });
  const two = withOperation(contract, 'listNotes', { permissions: ['note.show'] });
  expect(callersOf(proposed(two, [writer, viewer]), 'getCase')).toContain('viewer');
});

test('who may do something else to the same resource tries it, where the holder of most permissions may not', () => {
  const writer = principal('writer', { permissions: ['note.read', 'note.write', 'note.close'] });
  const closer = principal('closer', { permissions: ['case.close', 'case.approve'] });
  const two = withOperation(contract, 'listNotes', { permissions: ['note.read'] });
  expect(callersOf(proposed(two, [writer, closer]), 'getCase')).toContain('closer');
  const broad = { ...writer, permissions: [...writer.permissions, 'case.close', 'case.approve'] };
  expect(callersOf(proposed(two, [broad, closer]), 'getCase')).not.toContain('closer');
});

test('each permission on the resource is tried with the quick budget, also where its holder has another one', () => {
  const others = [
    principal('broad', { permissions: ['case.read', 'case.create', 'note.read'] }),
    principal('editor', { permissions: ['case.update', 'note.write'] }),
    principal('second', { permissions: ['case.update', 'note.close'] }),
    principal('writer', { permissions: ['note.read', 'note.write'] }),
  ];
  const callers = callersOf(proposed(contract, others), 'closeCase');
  expect(callers).toEqual(expect.arrayContaining(['broad', 'editor']));
  expect(callers).not.toContain('second');
  expect(callers).not.toContain('writer');
});

test('a later page is asked for without the permission', () => {
  const styled = (style: 'offset' | 'page' | 'cursor', next?: string): unknown =>
    proposed(
      withOperation(contract, 'listCases', ({ pagination }) => ({
        pagination: pagination && { ...pagination, style, cursor: 'from', next },
      })),
    )
      .scenarios({ operation: 'listCases', probe: 'later-page' })
      .flatMap(({ waves }) => stepsOf(waves).map(({ as, id, query }) => [id, as, query?.[1]]));
  expect(styled('offset')).toEqual([
    ['test', 'nobody', ['from', '1']],
    ['control', 'here', ['from', '1']],
  ]);
  expect(styled('page')).toEqual([
    ['test', 'nobody', ['from', '2']],
    ['control', 'here', ['from', '2']],
  ]);
  expect(styled('cursor')).toEqual([]);
  const behind = ['from', { step: 'first', at: '/next', cursor: 'from' }];
  expect(styled('cursor', '/next')).toEqual([
    ['made-1', 'here', undefined],
    ['made-2', 'here', undefined],
    ['made-3', 'here', undefined],
    ['first', 'here', undefined],
    ['test', 'nobody', behind],
    ['control', 'here', behind],
  ]);
});

test('what a refused caller did to the target is read once', () => {
  const watched = proposed(contract)
    .steps({ operation: 'updateCase', probe: 'as-nobody' })
    .map(({ id }) => id);
  expect(watched).toEqual(expect.arrayContaining(['before', 'test', 'after']));
});

test('a caller of another scope also sends a version that no record has', () => {
  const sent = (operation: string): readonly string[] =>
    proposed(contract)
      .steps({ operation, probe: 'scope' })
      .filter(({ role, deviations }) => role === 'test' && deviations.some(({ kind }) => kind === 'version'))
      .map(({ deviations }) => deviations.map(({ kind }) => kind).join(' '));
  expect(sent('updateCase')).toEqual(['scope version']);
  expect(sent('getCase')).toEqual([]);
});

test('a caller of another scope sends the version of a record that a command made, even if it may be left out', () => {
  const command = operationOf(contract, 'updateCase');
  if (command.version === undefined) throw new Error('it needs no version');
  const lenient = withOperation(contract, command.id, { version: { ...command.version, optional: true } });
  const [control] = proposed(lenient)
    .steps({ operation: command.id, probe: 'scope' })
    .filter(({ id }) => id === 'control');
  expect(control?.version?.use).toBe('of');
});

test('a caller of another scope also asks for all that a read may show besides, and its control as well', async () => {
  const schemas = {
    expand: { type: 'array', items: { enum: ['lines'] } },
    deleted: { type: 'boolean' },
    words: { type: 'string' },
    status: { enum: ['open'] },
  };
  const fields = Object.entries(schemas).map(([name, schema]) => ({
    name,
    required: false,
    schema,
    filters: undefined,
  }));
  const withFields = (path: Partial<Operation>) =>
    proposed(withOperation(contract, 'getCase', { queryFields: fields, ...path }))
      .steps({ operation: 'getCase', probe: 'scope' })
      .filter(({ query = [] }) => query.length > 0)
      .map(({ query, role, deviations }) => [role, deviations.map(({ kind }) => kind).join(), query]);
  const query = [
    ['expand', 'lines'],
    ['deleted', 'true'],
    ['status', 'open'],
  ];
  expect(withFields({})).toEqual([
    ['test', 'scope', query],
    ['control', '', query],
  ]);
  expect(withFields({ queryFields: fields.slice(2, 3) })).toEqual([]);
});

test('a record of another scope is also sought within a record of its own', async () => {
  const room = { properties: { id: { type: 'integer' }, house: { type: 'string' } } };
  const both = { house: '$response.body#/house', room: '$response.body#/id' };
  const nested = await contractOf(
    operation('POST /houses', 'build', { result: room, links: linkTo('addRoom', 'house') }),
    operation('POST /houses/{house}/rooms', 'addRoom', {
      result: room,
      links: { getRoom: { operationId: 'getRoom', parameters: both } },
    }),
    operation('GET /houses/{house}/rooms/{room}', 'getRoom', {
      parameters: [{ name: 'room', in: 'path', required: true, schema: { type: 'integer' } }],
      result: room,
    }),
  );
  const sent = proposed(nested)
    .scenarios({ operation: 'getRoom', probe: 'scope' })
    .map(({ waves }) =>
      stepsOf(waves).map(({ as, operation, target = {} }) =>
        [as, operation, ...Object.values(target).map((ref) => ('step' in ref ? ref.step : ''))].join(' '),
      ),
    );
  expect(sent).toContainEqual([
    'here build',
    'here addRoom house-make-house',
    'here getRoom make-house make-house',
    'elsewhere build',
    'elsewhere getRoom own-make-house make-house',
    'here getRoom make-house make-house',
  ]);
});

test('within a record of its own, a stronger verification is sent that was issued to the caller', async () => {
  const rooms = operation('POST /houses/{house}/rooms', 'addRoom', {
    result: { properties: { id: { type: 'string' }, house: { type: 'string' } } },
    links: {
      close: {
        operationId: 'closeRoom',
        parameters: { house: '$response.body#/house', room: '$response.body#/id' },
      },
    },
  });
  const nested = await contractOf(
    operation('POST /houses', 'build', { links: linkTo('addRoom', 'house') }),
    rooms,
    operation('POST /houses/{house}/rooms/{room}/close', 'closeRoom', {
      governed: { verification: { carrier: { in: 'header', name: 'X-Proof' }, hook: 'verify' } },
      parameters: [{ name: 'X-Proof', in: 'header', required: true, schema: { type: 'string' } }],
    }),
  );
  const within = proposed(nested)
    .scenarios({ operation: 'closeRoom', probe: 'scope' })
    .find(({ title }) => title.endsWith('within a record of its own'));
  const hooks = within?.waves.flatMap((wave) => ('hook' in wave ? [[wave.as, wave.input['principal']]] : []));
  expect(hooks).toContainEqual(['issued', 'elsewhere']);
  const sent = stepsOf(within?.waves ?? []).find(({ id }) => id === 'test');
  expect(sent?.verification).toEqual({ use: 'hook', step: 'issued' });
});

test('a holder of one of several permissions sends a stronger verification of its own', () => {
  const several = withOperation(contract, 'approveCase', ({ permissions = [] }) => ({
    permissions: [...permissions, 'case.sign'],
  }));
  const signer = principal('signer', { permissions: ['case.sign'] });
  const plan = proposed(several, [signer]);
  expect(callersOf(plan, 'approveCase')).toContain('signer');
  expect(idsOf(plan, 'approveCase')).toContain('verified-signer');
});

test('so do holders of a similar permission and of another one', () => {
  const [name = ''] = operationOf(contract, 'approveCase').permissions ?? [];
  const others = [
    principal('near', { permissions: [`x${name}`] }),
    principal('sibling', { permissions: operationOf(contract, 'closeCase').permissions ?? [] }),
  ];
  const ids = idsOf(proposed(contract, others), 'approveCase');
  expect(ids).toEqual(expect.arrayContaining(['verified-near', 'verified-sibling']));
});

test.each([
  ['ids of a form of their own', contract, ['accepted']],
  [
    'ids that may be numbers',
    withOperation(contract, 'getCase', ({ pathFields }) => ({
      pathFields: pathFields.map((field) => ({ ...field, schema: { type: 'integer' } })),
    })),
    ['accepted', 'refused'],
  ],
])('%s: a caller of another scope and one of the first read the target afterwards', (_, of, answers) => {
  const looks = proposed(of)
    .scenarios({ operation: 'approveCase', probe: 'scope' })
    .map(({ waves }) =>
      waves.flatMap((wave) =>
        'when' in wave && wave.when.step === 'test'
          ? [[wave.when.was, ...stepsOf(wave.waves).map(({ as, operation }) => `${as} ${operation}`)]]
          : [],
      ),
    );
  expect(looks.length).toBeGreaterThan(1);
  for (const look of looks)
    expect(look).toEqual(answers.map((was) => [was, 'elsewhere getCase', 'here getCase']));
});

test.each([
  [
    'within a record',
    '/doctors/{doctorId}/slots',
    ['here before', 'here before', 'elsewhere scope', 'here after'],
  ],
  ['within a record, and one of all,', '/doctors/{doctorId}/slots', [], '/slots'],
  ['of all', '/slots', []],
])(
  'a body refers to a record of another scope, which only a list %s shows',
  async (_, path, expected, more = '/rooms') => {
    const made = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
    const clinic = await contractOf(
      operation('POST /doctors', 'addDoctor', { result: made }),
      operation('GET /doctors/{doctorId}', 'getDoctor', { result: made }),
      operation(`POST ${path}`, 'addSlot', { result: made, governed: { effect: { list: 'listSlots' } } }),
      operation(`GET ${path}`, 'listSlots', { result: { type: 'array', items: made } }),
      operation(`GET ${more}`, 'findSome', { result: { type: 'array', items: made } }),
      operation('POST /bookings', 'book', {
        result: made,
        governed: { effect: { list: 'listBookings', id: '/id' } },
        body: object({ slotId: { type: 'string' }, text: { type: 'string' } }),
      }),
      operation('GET /bookings', 'listBookings', { result: { type: 'array', items: made } }),
    );
    const looks = proposed(clinic)
      .steps({ operation: 'book', probe: 'reference' })
      .filter(({ operation }) => operation === 'listSlots');
    expect(looks.map(({ as, deviations, observes }) => `${as} ${observes ?? deviations[0]?.kind}`)).toEqual(
      expected,
    );
    for (const { target } of looks)
      expect(target).toEqual({
        doctorId: expect.objectContaining({ step: expect.stringMatching(/doctorId$/) }),
      });
  },
);

test('a body refers to a record of another scope, where its caller cannot read that record', async () => {
  const made = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const shop = await contractOf(
    operation('POST /customers', 'addCustomer', { result: made }),
    operation('GET /customers/{customerId}', 'getCustomer', { result: made }),
    operation('POST /orders', 'order', {
      result: made,
      governed: { effect: { list: 'listOrders', id: '/id' } },
      body: {
        type: 'object',
        required: ['customerId', 'text'],
        properties: {
          customerId: { type: 'string' },
          text: { type: 'string' },
          billingCustomerId: { type: 'string' },
        },
      },
    }),
    operation('GET /orders', 'listOrders', { result: { type: 'array', items: made } }),
  );
  const plan = proposed(shop);
  const [scenario, optional] = plan.scenarios({ operation: 'order', probe: 'reference' });
  const sent = (waves: readonly Wave[]): readonly unknown[] =>
    waves.flatMap((wave): readonly unknown[] =>
      'when' in wave
        ? [wave.when, ...sent(wave.waves)]
        : stepsOf([wave]).map(({ as, deviations, observes, operation, target }) => [
            ...[as, operation, observes ?? deviations[0]?.kind],
            Object.values(target ?? {}).map((ref) => 'step' in ref && ref.step),
          ]),
    );
  const [lead, own] = [['make-customerId'], ['own-make-customerId']];
  expect(sent(scenario?.waves ?? [])).toEqual([
    ['elsewhere', 'addCustomer', undefined, []],
    ['here', 'addCustomer', undefined, []],
    ['here', 'getCustomer', 'before', lead],
    ['here', 'getCustomer', 'before', lead],
    ['elsewhere', 'getCustomer', 'scope', lead],
    { step: 'from-afar', was: 'refused' },
    ['elsewhere', 'order', 'reference', lead],
    ['here', 'getCustomer', 'after', lead],
    ['elsewhere', 'order', undefined, own],
    // One to no record shows whether the service looks for it.
    { step: 'test', was: 'accepted' },
    ['elsewhere', 'order', 'target', lead],
  ]);
  const [theirs, mine] = ['foreign-make-billingCustomerId', 'mine-make-billingCustomerId'];
  expect(sent(optional?.waves ?? []).slice(-6)).toEqual([
    { step: 'from-afar', was: 'refused' },
    ['elsewhere', 'order', 'reference', [...own, theirs]],
    ['here', 'getCustomer', 'after', [theirs]],
    ['elsewhere', 'order', undefined, [...own, mine]],
    { step: 'test', was: 'accepted' },
    ['elsewhere', 'order', 'target', [...own, theirs]],
  ]);
  expect(optional?.bodies['foreign']?.value).toMatchObject({ billingCustomerId: expect.any(String) });
  expect(
    plan.skips
      .filter(({ clauses }) => clauses.includes('PRM-5'))
      .map(({ need, operation }) => [operation, need.kind]),
  ).toEqual([['order', 'inapplicable']]);
});

test('a body takes from a record of another scope, to one of its caller', async () => {
  const made = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const bank = await contractOf(
    operation('POST /accounts', 'open', { result: made }),
    operation('GET /accounts/{accountId}', 'getAccount', { result: made }),
    operation('POST /transfers', 'transfer', {
      result: made,
      governed: { effect: { list: 'listTransfers', id: '/id' } },
      body: object({ fromAccountId: { type: 'string' }, toAccountId: { type: 'string' } }),
    }),
    operation('GET /transfers', 'listTransfers', { result: { type: 'array', items: made } }),
  );
  const steps = proposed(bank).steps({ operation: 'transfer', probe: 'reference' });
  const all = steps.map(({ as, id, operation, target = {} }) => [
    ...[as, id, operation],
    ...Object.values(target).map((ref) => 'step' in ref && ref.step),
  ]);
  const [own, mine] = ['own-make-fromAccountId', 'own-make-toAccountId'];
  expect(all.slice(4)).toEqual([
    ['here', 'before', 'getAccount', 'make-fromAccountId'],
    ['here', 'before-again', 'getAccount', 'make-fromAccountId'],
    ['elsewhere', 'from-afar', 'getAccount', 'make-fromAccountId'],
    ['elsewhere', 'gains-before', 'getAccount', mine],
    ['elsewhere', 'test', 'transfer', 'make-fromAccountId', mine],
    ['here', 'after', 'getAccount', 'make-fromAccountId'],
    ['elsewhere', 'gains-after', 'getAccount', mine],
    ['elsewhere', 'control', 'transfer', own, mine],
  ]);
});

test('a path with values is also sent with one of their characters encoded', () => {
  const encoded = (id: OperationId): readonly string[] =>
    proposed(contract)
      .steps({ operation: id })
      .flatMap(({ path }) => (path?.startsWith('encoded') === true ? [path] : []));
  expect(encoded('closeCase')).toEqual(['encoded', 'encoded-slash', 'encoded-value']);
  expect(encoded('createCase')).toEqual(['encoded']);
});

test('a command is also sent as a POST that names its method elsewhere, where the path has no POST of its own', () => {
  const sent = (operation: string, of = contract, others: readonly Principal[] = []) =>
    proposed(of, others)
      .steps({ operation, probe: 'noise' })
      .flatMap(({ as, deviations, headers = [], method, query = [] }) =>
        method === undefined ? [] : [[as, method, headers, query, deviations.map(({ kind }) => kind)]],
      );
  const kinds = ['permission', 'path-noise'];
  const named = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'];
  expect(sent('updateCase')).toEqual([
    ['nobody', 'POST', named.map((header) => [header, 'PATCH']), [], kinds],
    ['nobody', 'POST', [], [['_method', 'PATCH']], kinds],
  ]);
  expect(sent('createCase')).toEqual([]);
  expect(sent('getCase')).toEqual([]);
  const taken = operationOf(contract, 'updateCase');
  const posted: Operation = { ...taken, id: 'postCase', method: 'POST' };
  expect(sent('updateCase', { ...contract, operations: [...contract.operations, posted] })).toEqual([]);
});

test('a header that names another method or path may be refused as such', () => {
  const kinds = proposed(contract)
    .steps({ operation: 'closeCase', probe: 'noise' })
    .flatMap(({ deviations, headers }) =>
      headers === undefined ? [] : [deviations.map(({ kind }) => kind)],
    );
  const [one, ...others] = [...new Set(kinds.map((each) => [...new Set(each)].join(' ')))];
  expect([kinds.length, one, others]).toEqual([5, 'permission path-noise header-noise', []]);
});

test('the permission and a role are claimed in headers', () => {
  const claimed = proposed(contract)
    .steps({ operation: 'closeCase', probe: 'noise' })
    .flatMap(({ headers = [], id }) => (id === 'claimed' ? headers : []));
  expect(claimed).toEqual(
    expect.arrayContaining([
      ['X-Permissions', 'case.close'],
      ['X-User-Roles', 'admin'],
    ]),
  );
});
