import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isArray } from '../model/json.ts';
import { documentOf, object, operation } from '../selftest/shapes/document.ts';
import { ordersService } from '../testing/orders-run.ts';
import { judged } from './rejudge.ts';
import { readResumable } from './resume.ts';

const result = object({ id: { type: 'string' } });
const onOrder = { result, status: '200', governed: { effect: { read: 'getOrder' } } };
/** Orders with lines are approved, then sent. What is held can be released, and reviewed if it has lines. */
const document = documentOf([
  operation('POST /orders', 'createOrder', {
    body: object({ title: { type: 'string' }, lines: { type: 'array', items: { type: 'string' } } }, [
      'title',
    ]),
    result,
    links: { getOrder: 'orderId' },
    governed: { effect: { read: 'getOrder' } },
  }),
  operation('GET /orders/{orderId}', 'getOrder', { result }),
  operation('POST /orders/{orderId}/release', 'releaseOrder', onOrder),
  operation('POST /orders/{orderId}/send', 'sendOrder', onOrder),
  operation('POST /orders/{orderId}/approve', 'approveOrder', onOrder),
  operation('POST /orders/{orderId}/hold', 'holdOrder', onOrder),
  operation('POST /orders/{orderId}/review', 'reviewOrder', onOrder),
]);

let service: Awaited<ReturnType<typeof ordersService>>;

beforeAll(async () => {
  service = await ordersService(document, {
    checkConflict: ({ operation: { id } }, { applied, fields }) => {
      if (id === 'releaseOrder') return !applied.has('holdOrder');
      if (id === 'sendOrder') return !applied.has('approveOrder');
      const isEmpty = !isArray(fields['lines']) || fields['lines'].length === 0;
      if (id === 'reviewOrder') return isEmpty || !applied.has('holdOrder');
      return id === 'approveOrder' && isEmpty;
    },
  });
});

afterAll(() => service.close());

test('commands that need their record in another state are tested on such records', async () => {
  const { report, run: at, text } = await service.sent('whole');
  expect(report?.cells, text).toBeDefined();
  expect(report?.cells.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  expect(report?.cells.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  const passed = (report?.cells ?? []).filter(({ verdict }) => verdict === 'pass');
  for (const id of ['approveOrder', 'sendOrder', 'releaseOrder', 'holdOrder', 'reviewOrder'])
    expect(passed.filter(({ operation: of }) => of === id).map(({ clause }) => clause)).toEqual(
      expect.arrayContaining(['CMD-1', 'IDM-1', 'IDM-5', 'PRM-5']),
    );
  expect(text).toContain('approveOrder refused new records and accepted those that were made with more');
  expect(text).toContain('sendOrder refused new records and accepted those on which approveOrder came first');
  expect(text).toContain('releaseOrder refused new records and accepted those on which holdOrder came first');
  expect(text).toContain('reviewOrder refused new records and accepted those');
  expect(text).not.toContain('holdOrder refused');
  // The log by itself gives the same verdicts.
  const again = await judged(join(at, 'evidence.jsonl'));
  expect(again.problems).toEqual([]);
  expect(again.report.cells).toEqual(report?.cells);
}, 60_000);

test('what comes first is found where it is not tested itself', async () => {
  const { report } = await service.sent('narrowed', { suites: ['missing-keys'], operations: ['sendOrder'] });
  const cells = (report?.cells ?? []).filter(({ operation: of }) => of === 'sendOrder');
  expect(cells.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  expect(cells.filter(({ verdict }) => verdict === 'pass').map(({ clause }) => clause)).toContain('IDM-1');
}, 60_000);

test('a run that is cut short goes on with the records that it found', async () => {
  const stop = new AbortController();
  const cut = await service.sent(
    'cut',
    { onEvent: (_, requests) => (requests > 150 ? stop.abort() : undefined) },
    stop.signal,
  );
  expect(cut.report?.run.ended).toBe('interrupted');
  const whole = await service.sent('cut', { resume: await readResumable(cut.run) });
  expect(whole.report?.run.ended).toBe('complete');
  expect(whole.report?.cells.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
}, 60_000);
