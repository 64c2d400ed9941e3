import { expect, test } from 'vitest';
import { stepsOf } from '../src/model/scenario.ts';
import { object, operation } from '../src/selftest/shapes/document.ts';
import { contractOf } from '../src/testing/contracts.ts';
import { planned } from '../src/testing/plans.ts';
import absentTargets from './absent-targets.ts';

const field = (name: string, type: string) => ({ name, in: 'path', required: true, schema: { type } });

/** The targets of the requests that a command must refuse, or answer as it answers any. */
async function targetsOf(request: string, maker: string, type = 'string') {
  const names = [...request.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
  const within = [...maker.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
  const result = { type: 'object', required: ['id'], properties: { id: { type } } };
  const contract = await contractOf(
    operation('POST /books', 'addBook', { result }),
    ...(maker === 'POST /books'
      ? []
      : [operation(maker, 'maker', { result, parameters: within.map((name) => field(name, 'string')) })]),
    operation(request, 'command', {
      status: '200',
      parameters: names.map((name) => field(name, name === names.at(-1) ? type : 'string')),
    }),
  );
  return planned(absentTargets, contract)
    .steps()
    .filter((step) => step.operation === 'command' && step.role === 'test')
    .map(({ deviations, target }) => {
      expect(deviations).toEqual([{ kind: 'target', how: 'absent' }]);
      return target;
    });
}

const bookId = { step: 'make-bookId', at: '/id' };

test('a command is sent on records that do not exist', async () => {
  expect(await targetsOf('POST /books/{bookId}/close', 'POST /books')).toEqual([
    { bookId: { chosen: 'absent' } },
    { bookId: { literal: 'assay\'"(*' } },
    { bookId: { literal: 'assay\u0000' } },
    { bookId: { literal: `assay-${'x'.repeat(300)}` } },
  ]);
  expect(await targetsOf('DELETE /books/{bookId}', 'POST /books', 'integer')).toEqual([
    { bookId: { literal: '2147483646' } },
    { bookId: { literal: '98765432109876543210' } },
    { bookId: { literal: 'assay' } },
  ]);
});

test('a command within a record is sent on one that does not exist, and within one', async () => {
  const targets = await targetsOf('PATCH /books/{bookId}/pages/{pageId}', 'POST /books/{bookId}/pages');
  expect(targets).toMatchObject([
    { bookId: { at: '/id' }, pageId: { chosen: 'absent' } },
    { bookId: { at: '/id' }, pageId: { literal: 'assay\'"(*' } },
    { bookId: { at: '/id' }, pageId: { literal: 'assay\u0000' } },
    { bookId: { at: '/id' }, pageId: { literal: `assay-${'x'.repeat(300)}` } },
    { bookId: { chosen: 'absent' }, pageId: { at: '/id' } },
  ]);
});

test('what a PUT makes under an ID of its choice is sent within a record that does not exist alone', async () => {
  expect(await targetsOf('PUT /books/{bookId}/pages/{pageId}', 'POST /books')).toMatchObject([
    { bookId: { chosen: 'absent' }, pageId: { chosen: expect.any(String) } },
  ]);
  expect(await targetsOf('PUT /notes/{noteId}', 'POST /books')).toEqual([]);
});

test('all of them share one valid request', async () => {
  const contract = await contractOf(
    operation('POST /books', 'addBook', {
      result: { type: 'object', properties: { id: { type: 'string' } } },
    }),
    operation('POST /books/{bookId}/close', 'closeBook', { status: '200' }),
  );
  const steps = planned(absentTargets, contract).steps();
  expect(steps.filter(({ controls }) => controls === '*').map(({ target }) => target)).toEqual([{ bookId }]);
});

test('a body that names a record that does not exist is sent', async () => {
  const made = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const contract = await contractOf(
    operation('POST /payments', 'pay', { result: made }),
    operation('GET /payments/{paymentId}', 'getPayment', { result: made }),
    operation('POST /refunds', 'refund', {
      body: { type: 'object', required: ['paymentId'], properties: { paymentId: { type: 'string' } } },
    }),
  );
  const steps = planned(absentTargets, contract).steps({ operation: 'refund' });
  expect(steps.flatMap(({ role, target }) => (role === 'test' ? [target] : []))).toEqual([
    { paymentId: { chosen: 'absent' } },
  ]);
});

test('what names several records is read before and after the one that is not there', async () => {
  const made = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const names = ['payerId', 'payeeId'];
  const contract = await contractOf(
    operation('POST /payers', 'addPayer', { result: made }),
    operation('GET /payers/{payerId}', 'getPayer', { result: made }),
    operation('POST /payees', 'addPayee', { result: made }),
    operation('GET /payees/{payeeId}', 'getPayee', { result: made }),
    operation('POST /transfers', 'transfer', {
      body: {
        type: 'object',
        required: [...names, 'text'],
        properties: Object.fromEntries([...names, 'text'].map((name) => [name, { type: 'string' }])),
      },
    }),
  );
  const steps = planned(absentTargets, contract).steps();
  expect(
    steps.flatMap(({ body, observes, operation, role, target }) =>
      role === 'setup'
        ? []
        : [[observes ?? role, operation, Object.keys(target ?? {}).join(), 'name' in body && body.name]],
    ),
  ).toEqual([
    ['before', 'getPayer', 'payerId,payeeId', false],
    ['before', 'getPayer', 'payerId,payeeId', false],
    ['before', 'getPayee', 'payeeId', false],
    ['before', 'getPayee', 'payeeId', false],
    ['test', 'transfer', 'payerId,payeeId', 'body-1'],
    ['test', 'transfer', 'payerId,payeeId', 'body-2'],
    ['after', 'getPayer', 'payerId,payeeId', false],
    ['after', 'getPayee', 'payeeId', false],
    ['control', 'transfer', 'payerId,payeeId', 'body'],
  ]);
});

test('a body that may name a record names one that does not exist', async () => {
  const result = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const text = { type: 'string' };
  const contract = await contractOf(
    operation('POST /books', 'addBook', { result }),
    operation('GET /books/{bookId}', 'getBook', { parameters: [field('bookId', 'string')], result }),
    operation('POST /loans', 'lend', {
      result,
      body: {
        type: 'object',
        required: ['text'],
        properties: {
          text,
          bookId: text,
          swaps: {
            type: 'array',
            items: { type: 'object', required: ['bookId'], properties: { bookId: text } },
          },
        },
      },
    }),
  );
  const [scenario] = planned(absentTargets, contract).scenarios({ operation: 'lend' });
  const sent = Object.entries(scenario?.bodies ?? {}).filter(([name]) => name.startsWith('body-'));
  expect(sent.map(([, { value }]) => value)).toMatchObject([
    { bookId: expect.any(String) },
    { swaps: [{ bookId: expect.any(String) }] },
  ]);
  expect(
    stepsOf(scenario?.waves ?? [])
      .filter(({ role }) => role === 'test')
      .map(({ target }) => target),
  ).toEqual([{ bookId: { chosen: 'absent' } }, { 'swaps/0/bookId': { chosen: 'absent' } }]);
});

test('of many records that a body may name, some name one that does not exist', async () => {
  const made = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const names = Array.from({ length: 20 }, (_, index) => `${'abcdefghijklmnopqrst'[index]}BookId`);
  const contract = await contractOf(
    operation('POST /books', 'addBook', { result: made }),
    operation('GET /books/{bookId}', 'getBook', { result: made }),
    operation('POST /shelves', 'addShelf', {
      body: {
        type: 'object',
        properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      },
    }),
  );
  const steps = planned(absentTargets, contract).steps({ operation: 'addShelf' });
  expect(steps.filter(({ role }) => role === 'test')).toHaveLength(8);
});

test('what was accepted for no record is read, and so is a record that is there', async () => {
  const id = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const readsOf = async (command: string, read = 'GET /books/{bookId}') => {
    const contract = await contractOf(
      operation('POST /books', 'addBook', { result: id }),
      operation(read, 'getBook', { status: '200', result: id, parameters: [field('bookId', 'string')] }),
      operation(command, 'command', { status: '200', parameters: [field('bookId', 'string')] }),
    );
    return planned(absentTargets, contract)
      .steps()
      .filter(({ operation: of, role }) => of === 'getBook' && role === 'readback')
      .map(({ deviations, target }) => ({ absent: deviations.length > 0, target }));
  };
  expect(await readsOf('PATCH /books/{bookId}')).toEqual([
    { absent: true, target: { bookId: { chosen: 'absent' } } },
    { absent: false, target: { bookId } },
  ]);
  expect(await readsOf('DELETE /books/{bookId}')).toEqual([]);
  expect(await readsOf('POST /books/{bookId}/close')).toEqual([]);
});

test('a command is sent again on its target after that was deleted, where a read shows both', async () => {
  const id = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const after = async (
    command: string,
    { deletion = 'DELETE /books/{bookId}', read = 'GET /books/{bookId}', governed = {} } = {},
  ) => {
    const own = { status: '200', parameters: [field('bookId', 'string')] };
    const contract = await contractOf(
      operation('POST /books', 'addBook', { result: id }),
      operation(read, 'getBook', { ...own, result: id }),
      operation(deletion, 'dropBook', own),
      operation(command, 'command', { ...own, governed }),
    );
    const steps = planned(absentTargets, contract).steps({ operation: 'command', probe: 'absent' });
    const from = steps.findIndex(({ id: of }) => of === 'control');
    return steps.slice(from + 1).map((step) => [step.operation, step.id, step.target?.['bookId']]);
  };
  const all = [
    ['getBook', 'kept-read', bookId],
    ['dropBook', 'removal', bookId],
    ['getBook', 'removed-read', bookId],
    ['command', 'removed', bookId],
    ['getBook', 'removed-again', bookId],
  ];
  expect(await after('PATCH /books/{bookId}')).toEqual(all);
  expect(await after('POST /books/{bookId}/close')).toEqual(all);
  // What has no read or deletion of its own, and what needs a version of what is gone: that has a scenario of its own.
  expect(await after('PATCH /books/{bookId}', { read: 'GET /books/{bookId}/pages' })).toEqual([]);
  expect(await after('PATCH /books/{bookId}', { deletion: 'DELETE /books/{bookId}/cover' })).toEqual([]);
  const version = {
    carrier: { in: 'header', name: 'If-Match' },
    source: { operation: 'getBook', in: 'body', at: '/id' },
  };
  expect(await after('PATCH /books/{bookId}', { governed: { version } })).toEqual([]);
});

test('a list names a record that does not exist behind one that does, also where records are counted', async () => {
  const result = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  const contract = await contractOf(
    operation('POST /accounts', 'open', { result }),
    operation('GET /accounts/{accountId}', 'getAccount', {
      parameters: [field('accountId', 'integer')],
      result,
    }),
    operation('POST /journals', 'post', {
      result,
      body: object({
        lines: {
          type: 'array',
          minItems: 1,
          items: object({ accountId: { type: 'integer' }, text: { type: 'string' } }),
        },
      }),
    }),
  );
  const [scenario] = planned(absentTargets, contract).scenarios({ operation: 'post' });
  const first = { step: 'make-lines/0/accountId', at: '/id' };
  const tests = stepsOf(scenario?.waves ?? []).filter(({ role }) => role === 'test');
  expect(tests.map(({ target }) => target)).toEqual([
    { 'lines/0/accountId': { ...first, unlike: true } },
    { 'lines/0/accountId': first, 'lines/1/accountId': { ...first, unlike: true } },
  ]);
  const sent = scenario?.bodies['body-2']?.value;
  const account = { accountId: expect.any(Number), text: expect.any(String) };
  expect(sent).toEqual({ lines: [account, account] });
  // What the first item names is read before and after.
  const reads = stepsOf(scenario?.waves ?? []).filter(({ operation: id }) => id === 'getAccount');
  expect(reads.map(({ observes }) => observes)).toEqual(['before', 'before', 'after']);
});
