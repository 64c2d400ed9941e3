import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isObject } from '../model/json.ts';
import { conforming } from '../reference/conforming.ts';
import { documentOf, object, operation } from '../selftest/shapes/document.ts';
import { ordersService } from '../testing/orders-run.ts';
import { judged } from './rejudge.ts';

const text = { type: 'string' };
const result = object({ id: text });
const [read, write] = [{ permission: 'orders.read' }, { permission: 'orders.write' }];
const amount = { type: 'integer', minimum: 0 };
/** Payments from an account, which must have a deposit first; no amount may be 0. */
const document = documentOf([
  operation('POST /accounts', 'openAccount', {
    ...write,
    body: object({ name: text }),
    result,
    governed: { effect: { read: 'getAccount' } },
  }),
  operation('GET /accounts/{accountId}', 'getAccount', { ...read, result }),
  operation('POST /accounts/{accountId}/deposits', 'deposit', {
    ...write,
    body: object({ amount }),
    result,
  }),
  operation('POST /payments', 'pay', {
    ...write,
    body: object({ accountId: text, amount, note: text }),
    result,
    governed: { effect: { read: 'getPayment' } },
  }),
  operation('GET /payments/{paymentId}', 'getPayment', { ...read, result }),
  operation('POST /payments/{paymentId}/refunds', 'refund', {
    ...write,
    body: object({ amount }),
    result,
  }),
]);

let service: Awaited<ReturnType<typeof ordersService>>;

beforeAll(async () => {
  service = await ordersService(document, {
    validateBody: (call, value, schema) => {
      const faults = conforming.validateBody(call, value, schema);
      if (faults.length > 0 || !isObject(value) || value['amount'] === undefined) return faults;
      const account = call.service.records.find(String(value['accountId'] ?? ''));
      const isPoor = call.operation.id === 'pay' && account?.applied.has('deposit') !== true;
      return value['amount'] === 0 || isPoor
        ? [{ in: 'body', at: '/amount', keyword: 'rule', message: 'breaks a rule' }]
        : faults;
    },
  });
}, 60_000);

afterAll(() => service.close());

test('a command whose body names a record that needs another command first is tested', async () => {
  const { report, run: at, text: said } = await service.sent('whole');
  expect(report?.cells, said).toBeDefined();
  expect(report?.cells.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  expect(report?.cells.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  const passed = (report?.cells ?? []).filter(({ verdict }) => verdict === 'pass');
  for (const id of ['deposit', 'pay', 'refund'])
    expect(passed.filter(({ operation: of }) => of === id).map(({ clause }) => clause)).toEqual(
      expect.arrayContaining(['CMD-1', 'IDM-1', 'IDM-5']),
    );
  expect(said).toContain('pay refused new records and accepted those on which deposit came first');
  expect(said).not.toContain('pay refused every valid body');
  const again = await judged(join(at, 'evidence.jsonl'));
  expect(again.problems).toEqual([]);
  expect(again.report.cells).toEqual(report?.cells);
}, 120_000);

test('what comes first gets a body that the service takes, also where it is not tested itself', async () => {
  const { report } = await service.sent('narrowed', { suites: ['missing-keys'], operations: ['pay'] });
  const cells = (report?.cells ?? []).filter(({ operation: of }) => of === 'pay');
  expect(cells.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  expect(cells.filter(({ verdict }) => verdict === 'pass').map(({ clause }) => clause)).toContain('IDM-1');
}, 120_000);
