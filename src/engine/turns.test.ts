import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import type { Json } from '../model/json.ts';
import type { Ref } from '../model/ref.ts';
import type { Step } from '../model/scenario.ts';
import { makeTurns, sharedRecords } from './turns.ts';

async function order(
  uses: readonly (readonly [name: string, record: string, alone: boolean])[],
): Promise<string> {
  const turns = makeTurns();
  const said: string[] = [];
  const work = async ([name, record, alone]: (typeof uses)[number]): Promise<void> => {
    const release = await turns.take([{ record, alone }]);
    said.push(`${name}+`);
    await new Promise((resolve) => setImmediate(resolve));
    said.push(`${name}-`);
    release();
  };
  await Promise.all(uses.map(work));
  return said.join(' ');
}

test('who uses a record alone waits for the others, and they for it', async () => {
  expect(
    await order([
      ['a', 'x', false],
      ['b', 'x', false],
      ['c', 'x', true],
      ['d', 'x', false],
    ]),
  ).toBe('a+ b+ a- b- c+ c- d+ d-');
});

test('other records are other turns', async () => {
  expect(
    await order([
      ['a', 'x', true],
      ['b', 'y', true],
    ]),
  ).toBe('a+ b+ a- b-');
});

test('two records are taken together, in whatever order they are named', async () => {
  const turns = makeTurns();
  const uses = [
    { record: 'y', alone: true },
    { record: 'x', alone: true },
  ];
  const first = await turns.take(uses);
  const second = turns.take(uses.toReversed());
  first();
  expect(await second).toBeTypeOf('function');
});

test('who needs two records keeps neither while the other is not free', async () => {
  const turns = makeTurns();
  const x = { record: 'x', alone: true };
  const y = { record: 'y', alone: true };
  const said: string[] = [];
  const take = (name: string, ...uses: Parameters<typeof turns.take>[0]) =>
    turns.take(uses).then((release) => {
      said.push(name);
      return release;
    });
  const first = await take('x', x);
  const both = take('x and y', x, y);
  const other = await take('y', y);
  const third = take('x again', x);
  first();
  const again = await third;
  other();
  again();
  (await both)();
  expect(said).toEqual(['x', 'y', 'x again', 'x and y']);
});

const [update] = contract.operations.filter(({ id }) => id === 'updateCase');
if (update === undefined) throw new Error('the contract has no command with a version');
const deposit = {
  ...update,
  ...{ id: 'deposit', method: 'POST', path: '/deposits', pathFields: [] },
  effect: { read: 'getCase', list: undefined, id: '/id' },
};
const transfer = { ...deposit, id: 'transfer', path: '/transfers', version: undefined };
const filed = { ...transfer, id: 'file', effect: { ...transfer.effect, list: 'listCases' } };
const field = (name: string) => ({ name, schema: {}, source: undefined });
const enrol = {
  ...transfer,
  ...{ id: 'enrol', path: '/members/{memberId}/loans', pathFields: [field('memberId')] },
  effect: { read: 'getCase', list: 'listLoans', id: '/id' },
};
const acts: true = true;
const refund = {
  ...deposit,
  ...{ id: 'refund', path: '/refunds', named: [{ at: '/caseId', acts, field: field('caseId') }] },
};
const listLoans = { ...enrol, id: 'listLoans', kind: 'read', method: 'GET', effect: undefined } as const;
const bank = {
  ...contract,
  operations: [...contract.operations, deposit, refund, transfer, filed, enrol, listLoans],
};

function recordsOf(operation: string, value: Json, more: Partial<Step> = {}) {
  const step: Step = {
    ...{ id: 'command', operation, as: 'full', role: 'test', deviations: [] },
    key: { use: 'named', name: 'key' },
    body: { use: 'named', name: 'body' },
    ...more,
  };
  const bodies = { body: { value, marker: undefined } };
  return sharedRecords(bank, { title: 't', bodies, waves: [{ steps: [step] }] }).map(
    ({ alone, record }) => `${record}${alone ? ', alone' : ''}`,
  );
}

test('a record that a body names is one for all commands, and whose version is sent has it alone', () => {
  const version = { use: 'of', ref: { literal: '7' } } as const;
  expect(recordsOf('deposit', { caseId: 'case_1', amount: 5 }, { version })).toEqual([
    '/deposits, alone',
    'record case_1, alone',
  ]);
  expect(recordsOf('deposit', { caseId: 'case_1', amount: 5 })).toEqual(['/deposits', 'record case_1']);
  expect(recordsOf('transfer', { from: { caseID: 'case_1' }, to_case_id: 7, kind: 'case_2' })).toEqual([
    'record case_1',
    'record 7',
  ]);
});

test("a record that a scenario makes for itself is no other one's, though a body names it", () => {
  const version = { use: 'of', ref: { literal: '7' } } as const;
  const refunded = (caseId: Ref): readonly string[] =>
    recordsOf('refund', { caseId: 'case_1', amount: 5 }, { version, target: { caseId } });
  expect(refunded({ step: 'make', at: '/id' })).not.toContain('/refunds, alone');
  expect(refunded({ literal: 'case_1' })).toEqual(['/refunds, alone', 'record case_1, alone']);
});

test('commands at two paths that one read shows use one record', () => {
  const getSettings = { ...listLoans, id: 'getSettings', path: '/settings', pathFields: [] } as const;
  const shows = { read: 'getSettings', list: undefined, id: '/id' };
  const put = { ...transfer, id: 'put', method: 'PUT', path: '/settings', effect: shows };
  const lock = { ...put, id: 'lock', path: '/settings/lock' };
  const settings = { ...contract, operations: [...contract.operations, getSettings, lock, put] };
  const recordsUsed = (operation: string) =>
    sharedRecords(settings, {
      ...{ title: 't', bodies: {} },
      waves: [
        {
          steps: [
            {
              ...{ id: 'command', operation, as: 'full', role: 'test', deviations: [] },
              ...{ key: { use: 'none' }, body: { use: 'none' } },
            },
          ],
        },
      ],
    }).map(({ record }) => record);
  expect(recordsUsed('lock')).toEqual(['/settings/lock', '/settings']);
  expect(recordsUsed('put')).toEqual(['/settings']);
});

test('what makes a record uses none of those that its body names', () => {
  expect(recordsOf('file', { caseId: 'case_1' })).toEqual([]);
});

test('what holds a new record is used alone only where it is read itself', () => {
  const target = { memberId: { literal: 'm1' } };
  const command = { id: 'command', operation: 'enrol', as: 'full', role: 'setup', target } as const;
  const rest = { key: { use: 'none' }, body: { use: 'none' }, deviations: [] } as const;
  const uses = (read: Pick<Step, 'operation' | 'target'>) =>
    sharedRecords(bank, {
      ...{ title: 't', bodies: {} },
      waves: [
        {
          steps: [
            { ...command, ...rest },
            { ...command, ...rest, id: 'read', role: 'readback', ...read },
          ],
        },
      ],
    });
  expect(uses({ operation: 'getCase', target: { caseId: { step: 'command', at: '/id' } } })).toEqual([
    { record: 'record m1', alone: false },
  ]);
  expect(uses({ operation: 'listLoans', target })).toEqual([{ record: 'record m1', alone: true }]);
});
