import { afterAll, beforeAll, expect, test } from 'vitest';
import { isObject } from '../model/json.ts';
import { conforming } from '../reference/conforming.ts';
import { documentOf, object, operation } from '../selftest/shapes/document.ts';
import { ordersService } from '../testing/orders-run.ts';

const text = { type: 'string' };
const result = object({ id: text });
const [read, write] = [{ permission: 'orders.read' }, { permission: 'orders.write' }];
const named = { ...write, body: object({ orderId: text }), result, status: '200' };
const onOrder = { ...named, governed: { effect: { read: 'getOrder' } } };
/** Every operation is a POST, and bodies alone say which order is meant. Orders are packed, then shipped. */
const document = documentOf([
  operation('POST /orders.create', 'createOrder', {
    ...write,
    body: object({ title: text }),
    result,
    governed: { effect: { read: 'getOrder' } },
  }),
  operation('POST /orders.get', 'getOrder', {
    ...read,
    body: object({ orderId: text }),
    result,
    status: '200',
    governed: { read: true },
    more: { parameters: [] },
  }),
  operation('POST /orders.ship', 'shipOrder', onOrder),
  operation('POST /orders.pack', 'packOrder', onOrder),
]);

let service: Awaited<ReturnType<typeof ordersService>>;

beforeAll(async () => {
  const packed = new Set<string>();
  service = await ordersService(document, {
    validateBody: (call, value, schema) => {
      const faults = conforming.validateBody(call, value, schema);
      const id = isObject(value) ? String(value['orderId']) : '';
      if (faults.length === 0 && call.operation.id === 'packOrder') packed.add(id);
      return faults.length > 0 || call.operation.id !== 'shipOrder' || packed.has(id)
        ? faults
        : [{ in: 'body', at: '/orderId', keyword: 'rule', message: 'breaks a rule' }];
    },
  });
}, 60_000);

afterAll(() => service.close());

test('a command whose body names a record that another such command must make ready is tested', async () => {
  const { report, text: said } = await service.sent('whole', {
    suites: ['missing-keys', 'duplicate-keys'],
  });
  expect(report?.cells, said).toBeDefined();
  const own = (report?.cells ?? []).filter(({ operation: of }) => of === 'shipOrder');
  expect(own.filter(({ verdict }) => ['inconclusive', 'fail'].includes(verdict))).toEqual([]);
  expect(own.filter(({ verdict }) => verdict === 'pass').map(({ clause }) => clause)).toEqual(
    expect.arrayContaining(['IDM-1', 'IDM-5']),
  );
  expect(said).toContain('shipOrder refused new records and accepted those on which packOrder came first');
}, 120_000);
