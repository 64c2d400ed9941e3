import { expect, test } from 'vitest';
import { stepsOf } from '../../src/model/scenario.ts';
import { object, operation, pageOf } from '../../src/selftest/shapes/document.ts';
import { contractOf } from '../../src/testing/contracts.ts';
import { planned } from '../../src/testing/plans.ts';
import reads from '../reads.ts';

const text = { type: 'string' };
const record = object({ id: text });
const run = object({ id: text, roomId: text, status: { enum: ['queued', 'cancelled'] } });
const page = pageOf(run);
const filterBy = (name: string, schema: object) => ({
  ...{ name, in: 'query', schema: { ...schema } },
  'x-governed': { filters: `/${name}` },
});

const plan = async () =>
  planned(
    reads,
    await contractOf(
      operation('POST /sites', 'createSite', { body: object({ name: text }), result: record }),
      operation('GET /sites/{siteId}', 'getSite', { result: record }),
      operation('POST /sites/{siteId}/rooms', 'addRoom', { body: object({ name: text }), result: record }),
      operation('GET /sites/{siteId}/rooms/{roomId}', 'getRoom', { result: record }),
      operation('POST /sites/{siteId}/runs', 'startRun', {
        body: object({ roomId: text }),
        result: run,
        governed: { effect: { read: 'getRun', list: 'listRuns' } },
      }),
      operation('GET /sites/{siteId}/runs', 'listRuns', {
        ...page,
        parameters: [
          ...(page.parameters ?? []),
          filterBy('roomId', text),
          filterBy('status', { enum: ['queued', 'cancelled'] }),
        ],
      }),
      operation('GET /runs/{runId}', 'getRun', { result: run }),
      operation('POST /runs/{runId}/cancel', 'cancelRun', {
        result: run,
        governed: { effect: { read: 'getRun' } },
      }),
    ),
  );

test('a record that a command changes is made within the record that the list is of', async () => {
  const found = (await plan())
    .scenarios({ probe: 'filter-status', operation: 'listRuns' })
    .find(({ title }) => title.endsWith('page by page'));
  const steps = stepsOf(found?.waves ?? []);
  const list = steps.find(({ operation }) => operation === 'listRuns');
  const runs = steps.filter(({ operation }) => operation === 'startRun');
  const cancelled = steps.filter(({ operation }) => operation === 'cancelRun');
  expect(cancelled.length).toBeGreaterThan(0);
  // What is cancelled was started there.
  for (const { target } of cancelled) {
    const id = target?.['runId'];
    expect(runs.map((one) => one.id)).toContain(id !== undefined && 'step' in id ? id.step : undefined);
  }
  for (const one of runs) expect(one.target?.['siteId']).toEqual(list?.target?.['siteId']);
});

test('another record that a filter excludes is within the record that the list is of', async () => {
  const found = (await plan())
    .scenarios({ probe: 'filter-roomId', operation: 'listRuns' })
    .find(({ waves }) => stepsOf(waves).some(({ id }) => id === 'other'));
  const steps = stepsOf(found?.waves ?? []);
  const site = steps.find(({ operation }) => operation === 'listRuns')?.target?.['siteId'];
  const rooms = steps.filter(({ operation }) => operation === 'addRoom');
  expect(rooms.map(({ target }) => target?.['siteId'])).toEqual([site, site]);
  const named = ['match', 'other'].map((id) => steps.find((step) => step.id === id)?.target?.['roomId']);
  expect(named[0]).toBeDefined();
  expect(named[1]).toBeDefined();
  expect(named[0]).not.toEqual(named[1]);
});
