import { expect, test } from 'vitest';
import { contract, principals } from '../clauses/cases/contract.ts';
import { parseContract } from '../contract/load.ts';
import type { Step, Wave } from '../model/scenario.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import { planningOf } from '../testing/plans.ts';
import { boundOf, boundText, estimateOf, inFlightMs, secondsAtLimit } from './estimate.ts';
import type { PlannedProbe } from './plan.ts';

const planning = planningOf(contract, { principals });
const step = (operation: string, as = 'full'): Step => ({
  id: 'step',
  operation,
  as,
  role: 'control',
  key: { use: 'none' },
  body: { use: 'none' },
  deviations: [],
});
const probe = (operation: string, waves: readonly Wave[], alone?: true): PlannedProbe => ({
  suite: 'suite',
  seed: 1,
  probe: {
    kind: 'probe',
    id: 'probe',
    operation,
    clauses: [],
    scenarios: [{ title: 't', bodies: {}, waves }],
    ...(alone === undefined ? {} : { alone }),
  },
});
const read: Wave = { steps: [step('listCases'), step('listCases', 'peer')] };
const refused: Wave = { when: { step: 'step', was: 'refused' }, waves: [read, { wait: 60_000 }] };

test('requests, those of the busiest principal, and the longest chain of waits', () => {
  const burst: Wave = { repeat: step('listCases'), width: 4, after: 2, max: 100, maxSeconds: 9 };
  expect(
    estimateOf(
      planning,
      [
        probe('listCases', [read, { wait: 'settle' }, read, { wait: 1000 }, refused]),
        probe('listCases', [read, { wait: 3000 }]),
        probe('listCases', [burst], true),
      ],
      5000,
    ),
  ).toEqual({
    requests: 106,
    mostOfOne: 3,
    byPrincipal: new Map([
      ['full', 3],
      ['peer', 3],
    ]),
    waitMs: 6000,
    sweepMs: 0,
  });
});

test('what is created is looked for after the settling time', () => {
  const create = probe('createCase', [{ wait: 1000 }, { steps: [step('createCase')] }]);
  expect(estimateOf(planning, [create], 5000)).toMatchObject({ waitMs: 6000, sweepMs: 5000 });
});

test('the longest term sets the bound', () => {
  expect(boundText(boundOf({ waits: 3, latency: 9.06, limit: 4 }))).toBe(
    '9.1 s (requests, latency and concurrency)',
  );
});

test('requests that are sent together take the time of the longest', () => {
  const sent = (...times: readonly (readonly [number, number])[]) =>
    inFlightMs(times.map(([startedAt, endedAt]) => ({ startedAt, endedAt })));
  expect(sent([0, 500], [0, 600], [100, 550], [2000, 2500])).toBe(1100);
});

test('a declared limit takes its time', () => {
  expect(secondsAtLimit(parsedDeclaration({ G8: { requests: 100, perSeconds: 10 } }), 250)).toBe(25);
  expect(secondsAtLimit(parsedDeclaration({}), 250)).toBe(0);
});

test('scenarios that need one record alone wait in turn, a tenth of the settling time each at least', async () => {
  const settings = await parseContract(
    `
openapi: 3.1.1
info: { title: Settings, version: '1' }
security: [{ token: [all] }]
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
paths:
  /settings:
    put:
      operationId: putSettings
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '200': { description: changed } }
`,
    'settings.yaml',
  );
  const put: Wave = { steps: [step('putSettings')] };
  const look: Wave = { steps: [{ ...step('putSettings'), id: 'after', role: 'readback' }] };
  const turn = probe('putSettings', [put, { wait: 'settle' }, look]);
  expect(estimateOf({ ...planning, contract: settings }, [turn, turn, turn], 5000).waitMs).toBe(1500);
});
