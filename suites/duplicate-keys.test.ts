import { expect, test } from 'vitest';
import type { Budget } from '../src/model/configured.ts';
import { type Contract, type Operation, operationOf } from '../src/model/contract.ts';
import type { JsonObject } from '../src/model/json.ts';
import { type Scenario, stepsOf } from '../src/model/scenario.ts';
import { linkTo, object, operation } from '../src/selftest/shapes/document.ts';
import {
  contractOf,
  contractOfShape,
  extendedContract,
  made,
  paged,
  withOperation,
} from '../src/testing/contracts.ts';
import { secondsOf } from '../src/testing/pauses.ts';
import { holder, planned } from '../src/testing/plans.ts';
import duplicateKeys from './duplicate-keys.ts';

const whole = await extendedContract();
const contract = {
  ...whole,
  operations: whole.operations.filter(({ id }) => ['createCase', 'closeCase', 'getCase'].includes(id)),
};

const scenariosOf = (
  operation: string,
  probe: string,
  budget: Budget,
  hooks: readonly string[] = [],
  from: Contract = contract,
): readonly Scenario[] => planned(duplicateKeys, from, { budget, hooks }).scenarios({ operation, probe });

test('what commands make within a record is looked for in its list around a race', async () => {
  const nested = await contractOfShape('nested');
  const ids = (operation: string): readonly string[] =>
    stepsOf(scenariosOf(operation, 'parallel', 'quick', [], nested).at(-1)?.waves ?? []).map(({ id }) => id);
  expect(ids('addTag')).toEqual([
    'make-noteId',
    'listed-before',
    'listed-before-again',
    'racer-0',
    'racer-1',
    'racer-2',
    'later',
    'listed-after',
  ]);
});

test('the record within which commands make something is read around the first one and its duplicates', async () => {
  const nested = await contractOfShape('nested');
  const [only] = scenariosOf('addTag', 'sequential', 'quick', [], nested);
  expect(stepsOf(only?.waves ?? []).map(({ id }) => id)).toEqual([
    ...['make-noteId', 'holder-before', 'first', 'before', 'before-again', 'holder-between', 'holder-again'],
    ...['second', 'third', 'fourth', 'after', 'holder-after'],
  ]);
  expect(
    scenariosOf('closeCase', 'sequential', 'quick').flatMap(({ waves }) => stepsOf(waves)),
  ).not.toContainEqual(expect.objectContaining({ observes: 'holder' }));
});

test('a command that may be queued is followed by another one, and its record is read around both', () => {
  const sequential = (status: number): readonly string[] => {
    const from = withOperation(contract, 'closeCase', {
      conflict: undefined,
      success: { status, mediaType: undefined, schema: undefined },
    });
    const [one] = scenariosOf('closeCase', 'sequential', 'quick', [], from);
    return stepsOf(one?.waves ?? []).map(({ id }) => id);
  };
  const reads = ['before', 'before-again', 'second', 'third', 'fourth', 'after'];
  expect(sequential(200)).toEqual(['make-caseId', 'first', ...reads]);
  expect(sequential(202)).toEqual([
    ...['make-caseId', 'initial', 'first', ...reads],
    ...['next', 'later', 'settled'],
  ]);
});

/** How many requests race in each round, and all that are sent where nothing goes wrong. */
function rounds(
  operation: string,
  budget: Budget,
): { readonly widths: readonly number[]; readonly sent: number } {
  const scenarios = scenariosOf(operation, 'parallel', budget);
  return {
    widths: scenarios.map(({ waves }) =>
      Math.max(...waves.map((wave) => ('steps' in wave ? wave.steps.length : 0))),
    ),
    sent: scenarios.reduce(
      (sum, { waves }) => sum + stepsOf(waves.filter((wave) => !('when' in wave))).length,
      0,
    ),
  };
}

test('a race has many rounds of a few, for the requests of a few rounds of many', () => {
  expect(rounds('createCase', 'quick')).toEqual({ widths: [4, 3, 3, 3], sent: 14 });
  expect(rounds('createCase', 'standard')).toEqual({ widths: [8, 3, 3, 3, 3, 3, 3, 3, 3, 3], sent: 36 });
  expect(rounds('createCase', 'thorough').sent).toBeLessThanOrEqual(60);
});

test('where each round needs a record of its own there are fewer', () => {
  expect(rounds('closeCase', 'standard')).toEqual({ widths: [8, 3, 3, 3, 3, 3, 3], sent: 38 });
});

test('the same command once on a twin, before the target is made, and reads of both show how far one moves a version', () => {
  const [wide, few] = scenariosOf('closeCase', 'parallel', 'quick').map(({ waves }) =>
    stepsOf(waves)
      .map(({ id }) => id)
      .filter((id) => !id.startsWith('racer')),
  );
  expect(wide).toEqual([
    ...['other-make-caseId', 'single', 'make-caseId', 'later'],
    ...['after', 'after-single'],
  ]);
  expect(few).not.toContain('single');
});

test('a hook holds a command while its duplicate comes', () => {
  const [held] = scenariosOf('createCase', 'held', 'quick', ['slow']);
  expect(held?.waves[0]).toMatchObject({ hook: 'slow' });
  expect(stepsOf(held?.waves ?? []).map(({ delay }) => delay)).toEqual([undefined, 400]);
  expect(scenariosOf('createCase', 'held', 'quick')).toEqual([]);
});

test('between a command that sets values and its late duplicate another one sets others', async () => {
  const body = object({ title: { type: 'string' } });
  const notes = await contractOf(
    operation('POST /notes', 'addNote', { body, result: made }),
    operation('GET /notes/{id}', 'getNote', { result: made }),
    ...['PATCH', 'PUT', 'POST'].map((method) =>
      operation(`${method} /notes/{id}`, method, {
        body,
        result: made,
        governed: { effect: { read: 'getNote' } },
      }),
    ),
  );
  const ids = (method: string) =>
    stepsOf(scenariosOf(method, 'late', 'quick', [], notes)[0]?.waves ?? []).map(({ id }) => id);
  const around = ['before', 'before-again', 'early-1-again', 'after'];
  expect(ids('PATCH')).toEqual(['make-id', 'early-1', 'latest', ...around]);
  expect(ids('PUT')).toEqual(['make-id', 'early-1', 'latest', ...around]);
  expect(ids('POST')).toEqual(['make-id', 'early-1', ...around]);
});

test('between a command that sets values and its duplicate in another form another one sets others', async () => {
  const body = object({ title: { type: 'string' }, pages: { type: 'integer' } }, ['title', 'pages']);
  const notes = await contractOf(
    operation('POST /notes', 'addNote', { body, result: made }),
    operation('GET /notes/{id}', 'getNote', { result: made }),
    ...['PUT', 'POST'].map((method) =>
      operation(`${method} /notes/{id}`, method, {
        body,
        result: made,
        governed: { effect: { read: 'getNote' } },
      }),
    ),
  );
  const sent = (method: string, probe: string) =>
    stepsOf(scenariosOf(method, probe, 'quick', [], notes)[0]?.waves ?? []).map(
      ({ body: from, id }) => `${id}${'name' in from ? ` ${from.name}` : ''}`,
    );
  expect(sent('PUT', 're-serialised').slice(0, 5)).toEqual([
    'make-id make-id',
    'first body',
    'latest latest',
    'before',
    'before-again',
  ]);
  expect(sent('POST', 're-serialised').slice(0, 3)).toEqual(['make-id make-id', 'first body', 'before']);
});

test('the key of a command on a record is used again after another command on it', async () => {
  const steps = ({ waves }: Scenario): readonly string[] =>
    stepsOf(waves)
      .filter(({ id }) => !id.startsWith('make-'))
      .map(({ id, operation }) => `${id} ${operation}`);
  const closeCase = operationOf(contract, 'closeCase');
  const after = (id: string): Operation['conflict'] => ({ after: id, body: undefined });
  const close = { ...closeCase, verification: undefined, conflict: after('closeCase') };
  const reopen = {
    ...close,
    id: 'reopenCase',
    path: '/cases/{caseId}/reopening',
    conflict: after('reopenCase'),
  };
  const others = contract.operations.filter(({ id }) => id !== 'closeCase');
  const of = (operation: string, ...operations: readonly Operation[]): readonly Scenario[] =>
    scenariosOf(operation, 'late', 'quick', [], {
      ...contract,
      operations: [...others, ...operations],
    }).slice(1);
  const [undone, ...more] = of('closeCase', close, reopen);
  expect(more).toEqual([]);
  expect(undone?.title).toBe('the key again after reopenCase on its record');
  expect(undone === undefined ? [] : steps(undone)).toEqual([
    ...['first closeCase', 'other reopenCase', 'before getCase', 'before-again getCase'],
    ...['again closeCase', 'after getCase'],
  ]);
  const [first, other, again] = ['first', 'other', 'again'].map((id) =>
    stepsOf(undone?.waves ?? []).find((step) => step.id === id),
  );
  expect(other?.target).toEqual(first?.target);
  expect([first?.key, other?.key, again?.key].map((key) => Object(key).name)).toEqual([
    'key',
    'other',
    'key',
  ]);
  expect(again?.deviations).toEqual([{ kind: 'key-reuse', of: 'first', difference: 'late' }]);
  // What the first one forbids, or what must not follow the other, would be refused whatever its key.
  expect(of('closeCase', close, { ...reopen, conflict: after('closeCase') })).toEqual([]);
  const ofItsKind = 'the key again after another command of its kind on its record';
  expect(
    of('closeCase', { ...close, conflict: after('reopenCase') }, reopen).map(({ title }) => title),
  ).toEqual([ofItsKind]);
  // Nothing shows a second effect that comes later, or needs a version or a verification of its own.
  const { version } = operationOf(whole, 'updateCase');
  expect(version).toBeDefined();
  expect(of('closeCase', { ...close, version }, reopen)).toEqual([]);
  expect(of('closeCase', { ...close, success: { ...close.success, status: 202 } }, reopen)).toEqual([]);
  const nested = await contractOfShape('nested');
  const adding = scenariosOf('addTag', 'late', 'quick', [], nested).find(({ title }) =>
    title.includes('of its kind'),
  );
  expect(adding === undefined ? [] : steps(adding)).toEqual([
    ...['first addTag', 'other addTag', 'before listTags', 'before-again listTags'],
    ...['again addTag', 'after listTags'],
  ]);
});

test('the key of a command whose record no other command changes is used again between reads of it and of a twin', async () => {
  const id = { id: { type: 'string' } };
  const result = object(id, ['id']);
  const adding = operation('POST /notes', 'addNote', {
    body: object({ title: { type: 'string' } }, ['title']),
    governed: { effect: { read: 'getNote' } },
    result,
  });
  const reading = operation('GET /notes/{noteId}', 'getNote', { result });
  const late = async (...operations: readonly ReturnType<typeof operation>[]): Promise<readonly Scenario[]> =>
    scenariosOf('addNote', 'late', 'quick', [], await contractOf(...operations)).slice(1);
  const [only, ...more] = await late(adding, reading);
  expect(more).toEqual([]);
  expect(stepsOf(only?.waves ?? []).map((step) => [step.id, step.operation, step.observes])).toEqual([
    ['first', 'addNote', undefined],
    ['twin', 'addNote', undefined],
    ['twin-before', 'getNote', 'before'],
    ['before', 'getNote', 'before'],
    ['again', 'addNote', undefined],
    ['after', 'getNote', 'after'],
    ['twin-after', 'getNote', 'after'],
  ]);
  const dropping = operation('DELETE /notes/{noteId}', 'dropNote', {
    governed: { effect: { read: 'getNote' } },
  });
  expect((await late(adding, reading, dropping)).map(({ title }) => title)).toEqual([
    'the key again after dropNote on its record',
  ]);
});

test('what a body names is read around the duplicates of a command that makes a record of a list', async () => {
  const result = object({ id: { type: 'string' } }, ['id']);
  const contract = await contractOf(
    operation('POST /accounts', 'openAccount', {
      body: object({ holder: { type: 'string' } }, ['holder']),
      governed: { effect: { read: 'getAccount' } },
      result,
    }),
    operation('GET /accounts/{accountId}', 'getAccount', { result }),
    operation('POST /transfers', 'transfer', {
      body: object({
        fromAccountId: { type: 'string' },
        toAccountId: { type: 'string' },
        amount: { type: 'integer' },
      }),
      governed: { effect: { list: 'listTransfers' } },
      result,
    }),
    operation('GET /transfers', 'listTransfers', {
      ...paged,
      result: object({ items: { type: 'array', items: result }, next: { type: 'string' } }),
    }),
  );
  const steps = stepsOf(scenariosOf('transfer', 'sequential', 'quick', [], contract)[0]?.waves ?? []);
  const reads = steps.filter(({ observes }) => observes === 'holder');
  expect(reads.map(({ id, operation }) => [id, operation])).toEqual(
    ['before', 'between', 'again', 'after'].map((id) => [`holder-${id}`, 'getAccount']),
  );
  const [maker] = steps.filter(({ operation }) => operation === 'openAccount');
  expect(reads[0]?.target).toEqual({ accountId: expect.objectContaining({ step: maker?.id }) });
});

/** Accounts with cards, which are charged; and transfers from one account to another one. */
const money = async (amount: JsonObject) => {
  const result = object({ id: { type: 'string' } }, ['id']);
  const reads = (read: string): JsonObject => ({ effect: { read } });
  return contractOf(
    operation('POST /accounts', 'openAccount', {
      body: object({ holder: { type: 'string' } }, ['holder']),
      governed: reads('getAccount'),
      result,
    }),
    operation('GET /accounts/{accountId}', 'getAccount', { result }),
    operation('POST /accounts/{accountId}/cards', 'addCard', {
      body: object({ holder: { type: 'string' } }, ['holder']),
      governed: reads('getCard'),
      result,
    }),
    operation('GET /accounts/{accountId}/cards/{cardId}', 'getCard', { result }),
    operation('POST /accounts/{accountId}/cards/{cardId}/charges', 'charge', {
      body: object({ amount, note: { type: 'string' } }, ['amount', 'note']),
      governed: { effect: { list: 'listCharges' } },
      result,
    }),
    operation('GET /accounts/{accountId}/cards/{cardId}/charges', 'listCharges', {
      ...paged,
      result: object({ items: { type: 'array', items: result }, next: { type: 'string' } }),
    }),
    operation('POST /transfers', 'transfer', {
      body: object({ fromAccountId: { type: 'string' }, toAccountId: { type: 'string' }, amount }),
      governed: { effect: { list: 'listTransfers' } },
      result,
    }),
    operation('GET /transfers', 'listTransfers', {
      ...paged,
      result: object({ items: { type: 'array', items: result }, next: { type: 'string' } }),
    }),
  );
};

const ofAmounts = async (of: string, amount: JsonObject) =>
  scenariosOf(of, 'sequential', 'quick', [], await money(amount)).filter(({ title }) =>
    title.includes('another amount than one'),
  );

test('another amount than one is sent twice, and what holds its record is read around both', async () => {
  const [only, ...others] = await ofAmounts('charge', { type: 'integer', minimum: 1 });
  expect(others).toEqual([]);
  expect(only?.bodies['body']?.value).toMatchObject({ amount: 13 });
  const steps = stepsOf(only?.waves ?? []);
  expect(steps.map(({ id }) => id).slice(-6)).toEqual([
    ...['holder-before', 'first', 'holder-between', 'holder-again', 'second', 'holder-after'],
  ]);
  const reads = steps.filter(({ observes }) => observes === 'holder');
  expect(reads.map(({ operation, target }) => [operation, Object.keys(target ?? {})])).toEqual(
    reads.map(() => ['getCard', ['accountId', 'cardId']]),
  );
});

test('of two records that a body names, it is the last one', async () => {
  const [scenario] = await ofAmounts('transfer', { type: 'integer', minimum: 0 });
  const steps = stepsOf(scenario?.waves ?? []);
  const [, last] = steps.filter(({ operation }) => operation === 'openAccount');
  expect(steps.find(({ observes }) => observes === 'holder')?.target).toEqual({
    accountId: expect.objectContaining({ step: last?.id }),
  });
});

test('an amount that is neither zero nor one needs no other one, unless two records may show it', async () => {
  const five = { type: 'integer', minimum: 5 };
  expect(await ofAmounts('charge', five)).toEqual([]);
  const [only] = await ofAmounts('transfer', five);
  expect(only?.bodies['body']?.value).toMatchObject({ amount: 5 });
});

/** Coupons that are put under codes of their own, or permits that an action extends, and what comes late. */
const lateOf = async (of: string): Promise<readonly Scenario[]> => {
  const text = { type: 'string' };
  const coupon = object({ code: text, percent: { type: 'integer' } }, ['code', 'percent']);
  const permit = object({ id: text, until: text }, ['id', 'until']);
  const contract = await contractOf(
    operation('PUT /coupons/{code}', 'putCoupon', {
      body: object({ percent: { type: 'integer' } }, ['percent']),
      governed: { effect: { read: 'getCoupon' } },
      result: coupon,
    }),
    operation('GET /coupons/{code}', 'getCoupon', { result: coupon }),
    operation('DELETE /coupons/{code}', 'dropCoupon', { governed: { effect: { read: 'getCoupon' } } }),
    operation('POST /permits', 'addPermit', {
      body: object({ plate: text }, ['plate']),
      governed: { effect: { read: 'getPermit' } },
      result: permit,
    }),
    operation('GET /permits/{permitId}', 'getPermit', { result: permit }),
    operation('POST /permits/{permitId}/extend', 'extendPermit', {
      body: object({ until: { type: 'string', format: 'date' } }, ['until']),
      governed: { effect: { read: 'getPermit' } },
      result: permit,
    }),
  );
  return scenariosOf(of, 'late', 'quick', [], contract);
};

test('the key of what was put under an ID of its own is sent again after the deletion', async () => {
  const [only] = (await lateOf('putCoupon')).filter(({ title }) => title.includes('after dropCoupon'));
  expect(stepsOf(only?.waves ?? []).map(({ id }) => id)).toEqual([
    ...['make-code', 'other', 'before', 'before-again', 'again', 'after'],
  ]);
});

test('another command of the same kind sets other values before the key comes again', async () => {
  const [only] = (await lateOf('extendPermit')).filter(({ title }) => title.includes('of its kind'));
  const { body, other, plainly } = only?.bodies ?? {};
  expect(other?.value).not.toEqual(body?.value);
  expect(plainly?.value).toEqual(body?.value);
  expect(stepsOf(only?.waves ?? []).map(({ id }) => id)).toEqual([
    ...['make-permitId', 'first', 'other', 'before', 'before-again', 'again', 'after'],
    ...['plainly', 'before', 'before-again', 'again', 'after'],
  ]);
});

test('a target is read after the wait for a late duplicate: by then the command is done', () => {
  const [late] = scenariosOf('closeCase', 'late', 'quick');
  const waves = late?.waves ?? [];
  expect(waves.slice(waves.findIndex((wave) => 'wait' in wave && wave.wait === 6000))).toMatchObject([
    { wait: 6000, since: 'early-1' },
    { wait: 'settle' },
    { steps: [{ id: 'before' }] },
    { steps: [{ id: 'before-again' }] },
    { steps: [{ id: 'early-1-again' }] },
    { wait: 'settle' },
    { steps: [{ id: 'after' }] },
  ]);
});

test('the key of a command that makes a record comes again when the record was changed', () => {
  const [, changed] = scenariosOf('createCase', 'late', 'quick');
  const steps = stepsOf(changed?.waves ?? []);
  const [first, other, , , again] = steps;
  expect(steps.map(({ operation }) => operation)).toEqual([
    'createCase',
    'closeCase',
    'getCase',
    'getCase',
    'createCase',
    'getCase',
  ]);
  expect([again?.key, again?.body]).toEqual([first?.key, first?.body]);
  expect(other?.key).not.toEqual(first?.key);
  expect(again?.deviations).toEqual([{ kind: 'key-reuse', of: first?.id, difference: 'late' }]);
  expect(scenariosOf('closeCase', 'late', 'quick')).toHaveLength(1);
});

test('the key of a command that makes a record within another comes again when that was deleted', async () => {
  const id = { id: { type: 'string' } };
  const result = object(id, ['id']);
  const nested = await contractOf(
    operation('POST /notes', 'addNote', { body: object({ title: { type: 'string' } }, ['title']), result }),
    operation('POST /notes/{noteId}/tags', 'addTag', {
      body: object({ name: { type: 'string' } }, ['name']),
      governed: { effect: { read: 'getTag' } },
      result,
    }),
    operation('GET /notes/{noteId}/tags/{tagId}', 'getTag', { result }),
    operation('DELETE /notes/{noteId}/tags/{tagId}', 'dropTag', { governed: { effect: { read: 'getTag' } } }),
  );
  const [, removed] = scenariosOf('addTag', 'late', 'quick', [], nested);
  expect(stepsOf(removed?.waves ?? []).map(({ id }) => id)).toEqual([
    'tagId-make-noteId',
    'make-tagId',
    'other',
    'before',
    'before-again',
    'again',
    'after',
  ]);
});

test.each([
  ['lists', { names: { type: 'array', items: { type: 'string' } } }],
  ['a text', { subject: { type: 'string' } }],
])('%s that a PUT has set are changed before its duplicates come', async (_, properties) => {
  const result = object({ id: { type: 'string' } }, ['id']);
  const notes = await contractOf(
    operation('POST /notes', 'addNote', { body: object({ title: { type: 'string' } }, ['title']), result }),
    operation('GET /notes/{noteId}', 'getNote', { result }),
    operation('PUT /notes/{noteId}', 'putNote', {
      body: object(properties, Object.keys(properties)),
      result,
    }),
  );
  const [sequence] = scenariosOf('putNote', 'sequential', 'quick', [], notes);
  const steps = stepsOf(sequence?.waves ?? []);
  expect(steps.map(({ id }) => id)).toEqual([
    'make-noteId',
    'first',
    'changed',
    'before',
    'before-again',
    'second',
    'third',
    'fourth',
    'after',
  ]);
  expect(sequence?.bodies['changed']).toBeDefined();
});

test('a command comes again from another client', () => {
  const retried = (operation: string): readonly unknown[] =>
    scenariosOf(operation, 'noisy-retry', 'quick')
      .flatMap(({ waves }) => stepsOf(waves))
      .flatMap(({ headers, role }) => (role === 'test' && headers !== undefined ? [headers[0]] : []));
  expect(retried('createCase')).toEqual([['User-Agent', 'assay-retry/2']]);
  // Reads of its target show whether that was a second command.
  expect(retried('closeCase')).toEqual([['User-Agent', 'assay-retry/2']]);
});

test('a command comes again with the encoding named in its media type', () => {
  const media = scenariosOf('createCase', 'noisy-retry', 'quick')
    .flatMap(({ waves }) => stepsOf(waves))
    .flatMap(({ body }) => (body.use === 'named' && typeof body.form === 'object' ? [body.form] : []));
  expect(media).toEqual([{ media: 'application/json; charset=utf-8' }]);
});

test('another caller sends its own command several times', () => {
  const callers = (budget: Budget, operation: string): readonly string[] => [
    ...new Set(
      planned(duplicateKeys, contract, {
        budget,
        principals: [holder(contract, 'here'), holder(contract, 'peer')],
      })
        .steps({ operation, probe: 'by-another' })
        .flatMap((step) => (step.operation === operation ? [`${step.role} ${step.as}`] : [])),
    ),
  ];
  expect(callers('quick', 'createCase')).toEqual(['control peer', 'test peer']);
  expect(callers('quick', 'closeCase')).toEqual([]);
  expect(callers('standard', 'closeCase')).toEqual(['control peer', 'test peer']);
});

test('a body of one member is re-serialised with others that name no record', async () => {
  const text = { type: 'string' };
  const notes = await contractOf(
    operation('POST /notes', 'addNote', {
      body: object({ title: text, text, caseId: text }, ['title']),
    }),
  );
  const sent = scenariosOf('addNote', 're-serialised', 'quick', [], notes).map(({ bodies }) =>
    Object.keys(bodies['body']?.value ?? {}),
  );
  expect(sent).toEqual([...Array(3).fill(['title']), ...Array(3).fill(['title', 'text'])]);
});

test('the target is read around another request under the key of a command on it', () => {
  const [mismatch] = scenariosOf('closeCase', 'mismatch', 'quick');
  const ids = stepsOf(mismatch?.waves ?? []).map(({ id }) => id);
  expect(ids.filter((id) => ['before', 'mismatch', 'after', 'original'].includes(id))).toEqual([
    'before',
    'mismatch',
    'after',
    'original',
  ]);
});

test('another request under a key is sent again: neither its refusal nor a replay may bind the key to it, or set it free', () => {
  for (const { waves } of scenariosOf('createCase', 'mismatch', 'quick'))
    expect(stepsOf(waves).map(({ body, id, key }) => [id, body, key])).toEqual([
      ['first', { use: 'named', name: 'body' }, { use: 'named', name: 'key' }],
      ['mismatch', { use: 'named', name: 'different' }, { use: 'named', name: 'key' }],
      ['mismatch-again', { use: 'named', name: 'different' }, { use: 'named', name: 'key' }],
      ['original', { use: 'named', name: 'body' }, { use: 'named', name: 'key' }],
      ['mismatch-after-replay', { use: 'named', name: 'different' }, { use: 'named', name: 'key' }],
      ['mismatch-traced', { use: 'named', name: 'different' }, { use: 'named', name: 'key' }],
      ['control', { use: 'named', name: 'valid' }, { use: 'named', name: 'fresh' }],
    ]);
  expect(scenariosOf('createCase', 'mismatch', 'quick')).toHaveLength(1);
});

test('of the only record there is, the control comes while the command is in flight', async () => {
  const sentAt = (from: Contract, operation: string): unknown =>
    scenariosOf(operation, 'in-flight', 'quick', ['slow'], from)[0]
      ?.waves.flatMap((wave) => ('steps' in wave ? [wave.steps] : []))
      .slice(-2)
      .map((steps) => steps.map(({ delay, id }) => [id, delay]));
  const settings = await contractOfShape('singleton-version');
  expect(sentAt(settings, 'putSettings')).toEqual([
    [
      ['slow', undefined],
      ['meanwhile', 400],
      ['control', 800],
    ],
  ]);
  expect(sentAt(whole, 'updateCase')).toEqual([
    [
      ['slow', undefined],
      ['meanwhile', 400],
    ],
    [['control', undefined]],
  ]);
});

test('another request comes while one is in flight on its own target as well, unless a version forbids it', async () => {
  const targets = (operation: string, from: Contract): readonly unknown[] =>
    scenariosOf(operation, 'in-flight', 'quick', ['slow'], from).map(({ waves }) => {
      const [slow, meanwhile] = stepsOf(waves).filter(({ id }) => ['slow', 'meanwhile'].includes(id));
      const onOne = JSON.stringify(slow?.target) === JSON.stringify(meanwhile?.target);
      return [onOne, meanwhile?.deviations, stepsOf(waves).some(({ id }) => id === 'control')];
    });
  const reused = (difference: string): unknown => [{ kind: 'key-reuse', of: 'slow', difference }];
  expect(targets('addTag', await contractOfShape('nested'))).toEqual([
    [false, reused('target'), true],
    [false, reused('target'), true],
    [true, reused('request'), true],
  ]);
  // What works only once on its target has no control there.
  expect(targets('closeCase', whole).map((one) => [Object(one)[0], Object(one)[2]])).toEqual([
    [false, true],
    [false, true],
    [true, false],
  ]);
  expect(targets('updateCase', whole).map((one) => Object(one)[0])).toEqual([false, false]);
});

test('a body that leaves no choice has no different one to send', async () => {
  const fixed = await contractOf(
    operation('POST /refunds', 'refund', { body: object({ type: { const: 'refund' } }) }),
    operation('POST /notes', 'addNote', { body: { type: 'object' } }),
  );
  const needs = planned(duplicateKeys, fixed, { hooks: ['slow'] }).skips.flatMap(
    ({ clauses, operation: id, need }) => (clauses.includes('IDM-6') ? [[id, need.kind, need.remedy]] : []),
  );
  expect(needs).toEqual([
    ['refund', 'inapplicable', 'Its schema allows only one body.'],
    ['addNote', 'value', 'Give two different bodies under operations.addNote.examples.'],
  ]);
});

test('where the record that a body names allows one command, the same body goes to another record', async () => {
  const shop = await contractOf(
    operation('POST /payments', 'pay', { result: made }),
    operation('GET /payments/{paymentId}', 'getPayment', { result: made }),
    operation('POST /refunds', 'refund', {
      result: made,
      body: {
        type: 'object',
        required: ['paymentId', 'reason'],
        properties: { paymentId: { type: 'string' }, reason: { type: 'string' } },
      },
    }),
  );
  const [scenario] = scenariosOf('refund', 'separate', 'quick', [], shop);
  const sent = stepsOf(scenario?.waves ?? []).map(({ body, id, target = {} }) => [
    id,
    'name' in body && body.name,
    ...Object.values(target).flatMap((ref) => ('step' in ref ? [ref.step] : [])),
  ]);
  expect(sent.at(0)).toEqual(['make-paymentId', false]);
  expect(sent.slice(1)).toEqual([
    ['first', 'body', 'make-paymentId'],
    ['second', 'body', 'make-paymentId'],
    ['third', 'different', 'make-paymentId'],
    ['other-make-paymentId', false],
    ['elsewhere', 'body', 'other-make-paymentId'],
  ]);
});

test.each([
  ['/orders/{orderId}/invoices', '/invoices/{invoiceId}', 1],
  ['/orders/{orderId}/invoices', '/orders/{orderId}/invoices/{invoiceId}', 1],
  // An order may have one invoice, so a second command may return the first one.
  ['/orders/{orderId}/invoice', '/invoices/{invoiceId}', 0],
  ['/orders/{orderId}/billing', '/invoices/{invoiceId}', 0],
])('%s, read at %s: %i scenarios with one body under two keys', async (path, read, expected) => {
  const shop = await contractOf(
    operation('POST /orders', 'createOrder', { result: made }),
    operation('GET /orders/{orderId}', 'getOrder', { result: made }),
    operation(`POST ${path}`, 'bill', {
      body: object({ text: { type: 'string' } }),
      governed: { effect: { read: 'getInvoice' } },
      result: made,
    }),
    operation(`GET ${read}`, 'getInvoice', { result: made }),
  );
  expect(scenariosOf('bill', 'separate', 'quick', [], shop)).toHaveLength(expected);
});

test('a duplicate of what makes a record has a body of each branch', async () => {
  const branch = (kind: string, own: string) =>
    object({ kind: { const: kind }, [own]: { type: 'string', minLength: 1 } }, ['kind', own]);
  const kinds = (...all: readonly ReturnType<typeof branch>[]) =>
    contractOf(operation('POST /pets', 'addPet', { body: { oneOf: all }, result: made }));
  const sent = async (from: Promise<Contract>) =>
    scenariosOf('addPet', 'sequential', 'quick', [], await from).map(({ bodies, waves }) => [
      Object(bodies['body']?.value).kind,
      stepsOf(waves).map(({ id }) => id),
    ]);
  const four = ['first', 'second', 'third', 'fourth'];
  const [one, other, ...more] = await sent(kinds(branch('dog', 'bark'), branch('cat', 'purr')));
  expect([one?.[0], other?.[0]].toSorted()).toEqual(['cat', 'dog']);
  expect([one?.[1], other?.[1], more]).toEqual([four, ['first', 'second'], []]);
  expect(await sent(kinds(branch('dog', 'bark')))).toEqual([['dog', four]]);
});

test('behind many records the first and the last are looked for by a filter, and the first is read', async () => {
  const text = { type: 'string' };
  const note = object({ id: text, title: text, tone: text });
  const notes = (filters: readonly string[], effect: JsonObject) =>
    contractOf(
      operation('POST /notes', 'addNote', {
        body: object({ title: text, tone: { enum: ['low', 'high'] } }),
        governed: { effect },
        links: linkTo('getNote', 'noteId'),
        result: note,
      }),
      operation('GET /notes/{noteId}', 'getNote', { result: note }),
      operation('GET /notes', 'listNotes', {
        ...paged,
        parameters: [
          ...paged.parameters,
          ...filters.map((name) => ({
            name,
            in: 'query',
            schema: text,
            'x-governed': { filters: `/${name}` },
          })),
        ],
      }),
    );
  const looks = async (
    filters: readonly string[],
    effect: JsonObject = { list: 'listNotes', read: 'getNote' },
  ) => {
    const [late] = scenariosOf('addNote', 'late', 'quick', [], await notes(filters, effect));
    const steps = stepsOf(late?.waves ?? []);
    const made = steps.filter(({ id }) => id === 'early-1' || id === 'latest');
    return {
      reads: steps
        .filter(({ role }) => role === 'readback')
        .map(({ id, query = [], target }) => [id, query.at(-1)?.[1] ?? target]),
      edits: made.map(({ body }) => ('edit' in body ? body.edit : undefined)),
    };
  };
  const shown = ['first-shown', { noteId: { step: 'early-1', at: '/id' } }];
  expect(await looks(['title', 'tone'])).toEqual({
    reads: [
      ['last-at-once', `Conformance probe \${marker:latest}`],
      ['first-sought', `Conformance probe \${marker:early-1}`],
      ['last-sought', `Conformance probe \${marker:latest}`],
      shown,
    ],
    edits: [undefined, undefined],
  });
  // No other record of the scenario has the rarer value.
  const edit = { at: '/tone', set: 'high' };
  expect(await looks(['tone'])).toEqual({
    reads: [['last-at-once', 'high'], ['first-sought', 'high'], shown],
    edits: [edit, edit],
  });
  const none = { reads: [], edits: [undefined] };
  expect(await looks([])).toEqual(none);
  expect(await looks(['title'], { list: 'listNotes' })).toEqual(none);
});

test.each<readonly [string, (key: 'new' | 'again') => number, number]>([
  ['for every part while it helps', (key) => (key === 'new' ? 409 : 201), 15],
  ['once where it does not help', () => 409, 1],
  ['not at all where nothing is refused', () => 201, 0],
])('commands between two uses of a key are sent again after a pause, %s', async (_, statusOf, pauses) => {
  const [late] = scenariosOf('createCase', 'late', 'quick');
  if (late === undefined) throw new Error('no scenario');
  expect(await secondsOf(contract, late, statusOf)).toBe(pauses);
});

test('a command that makes several records at once is sent twice with several', async () => {
  const words = { type: 'string' } as const;
  const bulk = await contractOf(
    operation('POST /notes/bulk', 'addNotes', {
      governed: { effect: { list: 'notes', id: '/results/0/id' } },
      body: object({ notes: { type: 'array', minItems: 1, items: object({ text: words }) } }),
      result: object({ results: { type: 'array', items: object({ id: words }) } }),
    }),
    operation('GET /notes', 'notes', {
      result: { type: 'array', items: object({ id: words, text: words }) },
    }),
  );
  const [, twice] = scenariosOf('addNotes', 'sequential', 'quick', [], bulk);
  const sent = stepsOf(twice?.waves ?? []).map(({ body, deviations, key }) => ({ body, deviations, key }));
  const set = [1, 2, 3].map((number) => ({ text: `Conformance ${number} $${'{marker}'}` }));
  const same = {
    body: { use: 'named', name: 'body', edit: { at: '/notes', set } },
    key: { use: 'named', name: 'key' },
  };
  expect(sent).toEqual([
    { ...same, deviations: [] },
    { ...same, deviations: [{ kind: 'key-reuse', of: 'first', difference: 'none' }] },
  ]);
});
