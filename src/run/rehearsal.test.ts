import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isArray, isObject, type Json } from '../model/json.ts';
import { conforming } from '../reference/conforming.ts';
import { documentOf, object, operation } from '../selftest/shapes/document.ts';
import { ordersService } from '../testing/orders-run.ts';
import { judged } from './rejudge.ts';
import { readResumable } from './resume.ts';

/** Orders of something, on a day to come, in a currency: rules that the contract does not tell. */
const document = documentOf([
  operation('POST /orders', 'createOrder', {
    body: object({
      currency: { type: 'string' },
      total: { type: 'number', minimum: 0 },
      due: { type: 'string', format: 'date' },
      lines: { type: 'array', items: object({ item: { type: 'string' }, count: { type: 'integer' } }) },
    }),
    result: object({ id: { type: 'string' } }),
    links: { getOrder: 'orderId' },
    governed: { effect: { read: 'getOrder' } },
  }),
  operation('GET /orders/{orderId}', 'getOrder', { result: object({ id: { type: 'string' } }) }),
  operation('POST /orders/{orderId}/payments', 'payOrder', {
    body: object({ share: { type: 'integer', minimum: 0, maximum: 100 } }),
    result: object({ id: { type: 'string' } }),
  }),
]);

function broken(body: Json): string | undefined {
  if (!isObject(body)) return undefined;
  const { currency, due, lines, share, total } = body;
  if (share !== undefined) return share === 0 ? '/share' : undefined;
  if (typeof currency === 'string' && !/^[A-Z]{3}$/.test(currency)) return '/currency';
  if (typeof due === 'string' && Date.parse(due) < Date.now()) return '/due';
  if (isArray(lines) && lines.every((line) => isObject(line) && line['count'] === 0)) return '/lines';
  return total === 0 ? '/total' : undefined;
}

let service: Awaited<ReturnType<typeof ordersService>>;

beforeAll(async () => {
  service = await ordersService(document, {
    validateBody: (call, value, schema) => {
      const faults = conforming.validateBody(call, value, schema);
      const at = faults.length === 0 ? broken(value) : undefined;
      return at === undefined ? faults : [{ in: 'body', at, keyword: 'rule', message: 'breaks a rule' }];
    },
  });
});

afterAll(() => service.close());

test('a service with rules that its contract does not tell is tested all the same', async () => {
  const { report, run: at, text } = await service.sent('whole');
  expect(report?.cells, text).toBeDefined();
  expect(report?.cells.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  const passed = (report?.cells ?? []).filter(({ verdict }) => verdict === 'pass');
  for (const id of ['createOrder', 'payOrder']) {
    expect(passed.filter(({ operation: of }) => of === id).map(({ clause }) => clause)).toEqual(
      expect.arrayContaining(['CMD-1', 'IDM-1', 'IDM-5']),
    );
    expect(text).toContain(`${id} refused its smallest valid body and accepted another one`);
  }
  // The log by itself gives the same verdicts.
  const again = await judged(join(at, 'evidence.jsonl'));
  expect(again.problems).toEqual([]);
  expect(again.report.cells).toEqual(report?.cells);
}, 60_000);

test('a run that is cut short goes on with the bodies that it found', async () => {
  const stop = new AbortController();
  const cut = await service.sent(
    'cut',
    { onEvent: (_, requests) => (requests > 60 ? stop.abort() : undefined) },
    stop.signal,
  );
  expect(cut.report?.run.ended).toBe('interrupted');
  const whole = await service.sent('cut', { resume: await readResumable(cut.run) });
  expect(whole.report?.run.ended).toBe('complete');
  expect(whole.report?.cells.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
}, 60_000);
