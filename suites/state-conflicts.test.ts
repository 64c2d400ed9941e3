import { expect, test } from 'vitest';
import type { Operation } from '../src/model/contract.ts';
import { type Json, valueAt } from '../src/model/json.ts';
import { type Scenario, stepsOf } from '../src/model/scenario.ts';
import { object, operation } from '../src/selftest/shapes/document.ts';
import type { Preparations } from '../src/suite-kit/preparation.ts';
import { contractOf, extendedContract } from '../src/testing/contracts.ts';
import { holder, planned, principal } from '../src/testing/plans.ts';
import stateConflicts from './state-conflicts.ts';

const contract = await extendedContract();

const scenariosOf = (
  change: (operation: Operation) => Operation = (operation) => operation,
): readonly Scenario[] =>
  planned(
    stateConflicts,
    { ...contract, operations: contract.operations.map(change) },
    { hooks: ['verify'] },
  ).scenarios();

/** Commands that are sent at once, by scenario. */
const atOnce = (scenarios: readonly Scenario[]): readonly (readonly string[])[] =>
  scenarios.flatMap(({ waves }) =>
    waves.flatMap((wave) =>
      'steps' in wave && wave.steps.length > 1 ? [wave.steps.map(({ operation }) => operation)] : [],
    ),
  );

test('a command is forbidden only where what forbids it was accepted', () => {
  const scenarios = scenariosOf().filter(
    ({ title }) => title === 'a command that the state of its target record forbids',
  );
  expect(scenarios.length).toBeGreaterThan(0);
  for (const { waves } of scenarios) {
    const last = waves.at(-1);
    if (last === undefined || !('when' in last)) throw new Error('the last wave has a condition');
    expect(last.when).toEqual({ step: 'provoking', was: 'accepted' });
    expect(stepsOf(last.waves).map(({ id }) => id)).toContain('test');
    expect(stepsOf(waves.slice(0, -1)).map(({ id }) => id)).not.toContain('test');
  }
});

test('strangers are refused a command that the state forbids, each under its own key', () => {
  const plan = planned(stateConflicts, contract, {
    hooks: ['verify'],
    principals: [holder(contract, 'all'), principal('nobody')],
  });
  const scenarios = plan.scenarios({ operation: 'closeCase', probe: 'forbidden' });
  const sent = scenarios.flatMap(({ waves }) =>
    stepsOf(waves)
      .filter(({ deviations }) => deviations.length > 1)
      .map(({ as, deviations, id, token }) => [id, as, token, deviations.map(({ kind }) => kind)]),
  );
  expect(sent).toEqual([
    ['unknown-token', 'all', 'unknown', ['credential', 'conflict']],
    ['no-permission', 'nobody', undefined, ['permission', 'conflict']],
  ]);
});

test('commands that forbid each other are sent at once, and no others', () => {
  const rule = (id: string, after: string): Operation['conflict'] =>
    contract.operations.some((operation) => operation.id === id) ? { after, body: undefined } : undefined;
  const only =
    (...rules: readonly (readonly [string, string])[]) =>
    (operation: Operation): Operation => {
      const [own] = rules.filter(([id]) => id === operation.id);
      return { ...operation, conflict: own && rule(...own) };
    };
  expect(atOnce(scenariosOf(only(['closeCase', 'closeCase'])))).toEqual([['closeCase', 'closeCase']]);
  expect(
    atOnce(scenariosOf(only(['closeCase', 'approveCase'], ['approveCase', 'closeCase']))).toSorted(),
  ).toEqual([
    ['approveCase', 'closeCase'],
    ['closeCase', 'approveCase'],
  ]);
  // A case that was approved and then closed is no conflict.
  expect(atOnce(scenariosOf(only(['approveCase', 'closeCase'])))).toEqual([]);
});

test('a command on a record that the operation has nothing to do with forbids nothing', () => {
  const fields = new Set(
    contract.operations.find(({ id }) => id === 'closeCase')?.pathFields.map(({ name }) => name),
  );
  const other = contract.operations.find(
    ({ kind, pathFields }) => kind === 'command' && pathFields.some(({ name }) => !fields.has(name)),
  );
  if (other === undefined) throw new Error('the contract has another kind of record');
  const plan = planned(
    stateConflicts,
    {
      ...contract,
      operations: contract.operations.map((operation) => ({
        ...operation,
        conflict: operation.id === 'closeCase' ? { after: other.id, body: undefined } : undefined,
      })),
    },
    { hooks: ['verify'] },
  );
  expect(plan.scenarios()).toEqual([]);
  expect(plan.skips).toMatchObject([{ operation: 'closeCase', need: { kind: 'target' } }]);
});

test('the record is ready for what forbids the command too, and that of the control is new', async () => {
  const id = { type: 'string' };
  const invoicing = await contractOf(
    operation('POST /invoices', 'createInvoice', {
      body: object({ note: { type: 'string' } }),
      result: object({ id }),
    }),
    operation('GET /invoices/{invoiceId}', 'getInvoice', { result: object({ id }) }),
    operation('POST /invoices/{invoiceId}/lines', 'addLine', {
      body: object({ price: { type: 'integer' } }),
      result: object({ id }),
      governed: { conflict: { after: 'issueInvoice' } },
    }),
    operation('POST /invoices/{invoiceId}/issue', 'issueInvoice', { result: object({ id }) }),
  );
  const stepsWith = (prepared: Preparations): readonly (readonly [string, string])[] =>
    planned(stateConflicts, invoicing, { prepared })
      .scenarios()
      .slice(0, 1)
      .flatMap(({ waves }) => stepsOf(waves))
      .filter(({ role }) => role !== 'readback')
      .map((step) => [step.id, step.operation] as const);
  const needed = new Map([['issueInvoice', { bodies: new Map(), first: ['addLine'] }]]);
  expect(stepsWith(needed)).toEqual([
    ['make-invoiceId', 'createInvoice'],
    ['ready-addLine', 'addLine'],
    ['provoking', 'issueInvoice'],
    ['test', 'addLine'],
    ['unknown-token', 'addLine'],
    ['control-make-invoiceId', 'createInvoice'],
    ['control', 'addLine'],
  ]);
  expect(stepsWith(new Map()).map(([name]) => name)).not.toContain('ready-addLine');
});

test.each([
  ['without a text of its own', {}],
  ['with one', { remark: { type: 'string', maxLength: 60 } }],
])('a refused command %s is sent with values that its record cannot have, too', async (_, more) => {
  const day = { type: 'string', enum: ['mon', 'tue', 'wed', 'thu'] };
  const id = { type: 'string' };
  const visits = await contractOf(
    operation('POST /visits', 'createVisit', {
      body: object({ day, name: { type: 'string' } }),
      result: object({ id }),
    }),
    operation('GET /visits/{visitId}', 'getVisit', { result: object({ id, day }) }),
    operation('POST /visits/{visitId}/cancel', 'cancelVisit', { result: object({ id }) }),
    operation('PUT /visits/{visitId}/schedule', 'scheduleVisit', {
      body: object({ day, ...more }),
      result: object({ id }),
      governed: { conflict: { after: 'cancelVisit' }, effect: { read: 'getVisit' } },
    }),
  );
  const [forbidden] = planned(stateConflicts, visits).scenarios();
  if (forbidden === undefined) throw new Error('there is such a scenario');
  const dayOf = (name: string): Json | undefined => valueAt(forbidden.bodies[name]?.value, '/day');
  const days = Object.keys(forbidden.bodies).map(dayOf);
  expect(days.filter((each) => each === dayOf('otherwise'))).toHaveLength(1);
  expect(['mon', 'tue', 'wed', 'thu']).toContain(dayOf('otherwise'));
  expect(stepsOf(forbidden.waves).map((step) => step.id)).toContain('otherwise');
});
