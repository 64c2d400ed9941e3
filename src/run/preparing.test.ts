import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunFlags, run } from '../cli/run.ts';
import { isArray } from '../model/json.ts';
import { documentOf, object, operation } from '../selftest/shapes/document.ts';
import { capture } from '../testing/captured.ts';
import { startFaulty } from '../testing/faulty-run.ts';
import { judged } from './rejudge.ts';
import { readResumable } from './resume.ts';

const result = object({ id: { type: 'string' } });
const onOrder = { result, status: '200', governed: { effect: { read: 'getOrder' } } };
/** Orders with lines are approved, then sent. What is held can be released. */
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
]);

let folder: string;
let target: Awaited<ReturnType<typeof startFaulty>>['reference'];
const config = (): string => join(folder, 'harness.yaml');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-preparing-'));
  await writeFile(join(folder, 'orders.json'), JSON.stringify(document));
  const principal = (scope: string): string =>
    `{ token: { value: Reference-Token-${scope}-0001 }, permissions: [orders.read, orders.write], scope: ${scope} }`;
  await writeFile(
    config(),
    `target: { baseUrl: reference, environment: test }
contract: orders.json
principals: { full: ${principal('north')}, other: ${principal('south')} }
`,
  );
  const service = await startFaulty(
    {
      checkConflict: ({ operation: { id } }, { applied, fields }) => {
        if (id === 'releaseOrder') return !applied.has('holdOrder');
        if (id === 'sendOrder') return !applied.has('approveOrder');
        const lines = fields['lines'];
        return id === 'approveOrder' && !(isArray(lines) && lines.length > 0);
      },
    },
    config(),
  );
  target = service.reference;
});

afterAll(async () => {
  await target.close();
  await rm(folder, { recursive: true, force: true });
});

async function sent(name: string, more: Partial<RunFlags> = {}, signal = new AbortController().signal) {
  const said = capture();
  const { report } = await run(
    config(),
    {
      overrides: { baseUrl: target.url, budget: 'quick', seed: 1, output: folder },
      suites: ['missing-keys', 'duplicate-keys', 'wrong-permissions'],
      operations: undefined,
      quiet: false,
      runName: name,
      ...more,
    },
    said.output,
    signal,
  );
  return { report, text: said.text(), run: join(folder, name) };
}

test('commands that need their record in another state are tested on such records', async () => {
  const { report, run: at, text } = await sent('whole');
  expect(report?.cells, text).toBeDefined();
  expect(report?.cells.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  expect(report?.cells.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  const passed = (report?.cells ?? []).filter(({ verdict }) => verdict === 'pass');
  for (const id of ['approveOrder', 'sendOrder', 'releaseOrder', 'holdOrder'])
    expect(passed.filter(({ operation: of }) => of === id).map(({ clause }) => clause)).toEqual(
      expect.arrayContaining(['CMD-1', 'IDM-1', 'IDM-5', 'PRM-5']),
    );
  expect(text).toContain('approveOrder refused new records and accepted those that were made with more');
  expect(text).toContain('sendOrder refused new records and accepted those on which approveOrder came first');
  expect(text).toContain('releaseOrder refused new records and accepted those on which holdOrder came first');
  expect(text).not.toContain('holdOrder refused');
  // The log by itself gives the same verdicts.
  const again = await judged(join(at, 'evidence.jsonl'));
  expect(again.problems).toEqual([]);
  expect(again.report.cells).toEqual(report?.cells);
}, 60_000);

test('what comes first is found where it is not tested itself', async () => {
  const { report } = await sent('narrowed', { suites: ['missing-keys'], operations: ['sendOrder'] });
  const cells = (report?.cells ?? []).filter(({ operation: of }) => of === 'sendOrder');
  expect(cells.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  expect(cells.filter(({ verdict }) => verdict === 'pass').map(({ clause }) => clause)).toContain('IDM-1');
}, 60_000);

test('a run that is cut short goes on with the records that it found', async () => {
  const stop = new AbortController();
  const cut = await sent(
    'cut',
    { onEvent: (_, requests) => (requests > 150 ? stop.abort() : undefined) },
    stop.signal,
  );
  expect(cut.report?.run.ended).toBe('interrupted');
  const whole = await sent('cut', { resume: await readResumable(cut.run) });
  expect(whole.report?.run.ended).toBe('complete');
  expect(whole.report?.cells.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
}, 60_000);
