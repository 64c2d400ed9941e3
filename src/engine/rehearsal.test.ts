import { expect, test } from 'vitest';
import { contract as literal } from '../clauses/cases/contract.ts';
import type { OperationId } from '../model/contract.ts';
import { isArray, isObject, type Json, parseJson } from '../model/json.ts';
import { object } from '../selftest/shapes/document.ts';
import { scenario, sceneOf } from '../suite-kit/scene.ts';
import { operationValues } from '../suite-kit/values.ts';
import { taking, withOperation } from '../testing/contracts.ts';
import { holder, planningOf, present } from '../testing/plans.ts';
import { stageOf } from '../testing/stages.ts';
import { acceptedIn, rehearse } from './rehearsal.ts';

const order = object({ amount: { type: 'integer' }, lines: { type: 'array', items: { type: 'string' } } }, [
  'amount',
  'lines',
]);

/** What a rehearsal finds where the target answers bodies with these statuses. */
async function rehearsed(
  statusOf: (body: Readonly<Record<string, Json>>, times: number) => number | 'reset',
  schema = order,
) {
  const operation = taking(schema);
  const contract = withOperation(literal, operation.id, () => operation);
  const sent: Json[] = [];
  const stage = stageOf(contract, {
    wire: {
      send: async ({ body }) => {
        const value = parseJson(Buffer.from(body ?? '').toString()) ?? null;
        sent.push(value);
        const status = isObject(value) ? statusOf(value, sent.length) : 422;
        if (status === 'reset')
          return {
            answer: undefined,
            noAnswer: { reason: 'reset', detail: 'lost', partial: undefined },
            connection: 1,
            startedAt: 1,
            sentAt: 1,
            endedAt: 2,
          };
        return {
          answer: { status, headers: [], body: '{}', bodyBytes: 2, truncated: false },
          noAnswer: undefined,
          connection: 1,
          startedAt: 1,
          sentAt: 1,
          endedAt: 2,
        };
      },
      sendTogether: async () => [],
    },
  });
  const planningWith = (accepted: ReadonlyMap<OperationId, Json>) =>
    planningOf(contract, {
      principals: [holder(contract, 'full')],
      values: (one) => operationValues(one, [accepted.get(one.id) ?? []].flat()),
    });
  const planning = planningWith(new Map());
  const scene = present(sceneOf(planning, operation));
  const scenarios = [scenario(scene, 'a command', [{ steps: [scene.request('command')] }])];
  const probe = { kind: 'probe', id: 'p', operation: operation.id, clauses: [], scenarios } as const;
  let traces = 0;
  const found = await rehearse(
    stage,
    planning,
    { probes: [{ suite: 's', seed: 1, probe }] },
    () => `t${++traces}`,
    planningWith,
  );
  return { ...found, sent };
}

const filled = ({ amount, lines }: Readonly<Record<string, Json>>): boolean =>
  amount !== 0 && isArray(lines) && lines.length > 0;

test('a body that the target refuses is replaced by one that it accepts', async () => {
  const { accepted, refused, sent, traces } = await rehearsed((body) => (filled(body) ? 201 : 422));
  expect([...accepted]).toEqual([['createCase', { amount: 1, lines: ['a'] }]]);
  expect(refused).toEqual([]);
  expect(sent).toEqual([
    { amount: 0, lines: [] },
    { amount: 1, lines: ['a'] },
  ]);
  // A run that goes on finds it in its log.
  expect([...acceptedIn(traces)]).toEqual([...accepted]);
});

test('a body that the target accepts stays, and nothing else is sent', async () => {
  const { accepted, refused, sent, traces } = await rehearsed(() => 201);
  expect([...accepted, ...refused, ...acceptedIn(traces)]).toEqual([]);
  expect(sent).toEqual([{ amount: 0, lines: [] }]);
});

test.each([401, 403, 404, 409, 500])('%i says nothing of the body', async (status) => {
  const { accepted, refused, sent } = await rehearsed(() => status);
  expect([...accepted, ...refused]).toEqual([]);
  expect(sent).toHaveLength(1);
});

test('a body that conflicts with a state alone takes the place of one that is refused', async () => {
  const { accepted, refused, traces } = await rehearsed((body) => (filled(body) ? 409 : 422));
  expect([...accepted]).toEqual([['createCase', { amount: 1, lines: ['a'] }]]);
  expect(refused).toEqual([]);
  expect([...acceptedIn(traces)]).toEqual([...accepted]);
});

test('a body that is accepted is better than one that conflicts with a state', async () => {
  const dated = object({ amount: { type: 'integer' }, day: { type: 'string', format: 'date' } }, [
    'amount',
    'day',
  ]);
  const { accepted, traces } = await rehearsed(({ amount, day }) => {
    if (amount === 0) return 422;
    return day === '2024-01-01' ? 409 : 201;
  }, dated);
  expect(accepted.get('createCase')).toMatchObject({ amount: 1 });
  expect(accepted.get('createCase')).not.toMatchObject({ day: '2024-01-01' });
  expect([...acceptedIn(traces)]).toEqual([...accepted]);
});

test('an operation that accepts no body is named', async () => {
  const { accepted, refused } = await rehearsed(() => 422);
  expect([...accepted]).toEqual([]);
  expect(refused).toEqual(['createCase']);
});

test('a lost connection says nothing of a body, which is sent again', async () => {
  const lost = await rehearsed((body, times) => (times === 2 ? 'reset' : filled(body) ? 201 : 422));
  expect([...lost.accepted]).toEqual([['createCase', { amount: 1, lines: ['a'] }]]);
  expect(lost.sent).toHaveLength(3);
  const first = await rehearsed((body, times) => (times === 1 ? 'reset' : filled(body) ? 201 : 422));
  expect([...first.accepted]).toEqual([...lost.accepted]);
  const silent = await rehearsed(() => 'reset');
  expect([...silent.accepted, ...silent.refused]).toEqual([]);
  expect(silent.sent).toHaveLength(3);
});

test('a body of texts that may say anything is not rehearsed', async () => {
  const { sent } = await rehearsed(() => 422, object({ subject: { type: 'string' } }, ['subject']));
  expect(sent).toEqual([]);
});
