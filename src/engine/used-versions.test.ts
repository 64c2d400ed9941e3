import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Step } from '../model/scenario.ts';
import { noteUsed, staleIn } from './used-versions.ts';

const [versioned] = contract.operations.filter(({ version }) => version?.source.in === 'body');
const source = versioned?.version?.source;
if (versioned === undefined || source?.in !== 'body')
  throw new Error('the contract has no version in a body');
const member = source.at.slice(1);

const exchange = (step: string, operation: string, body: object): Exchange => ({
  id: step,
  trace: 't',
  step,
  ordinal: 0,
  operation,
  principal: 'full',
  request: { method: 'GET', path: '/settings', headers: [], body: undefined },
  answer: {
    status: 200,
    headers: [],
    body: JSON.stringify(body),
    bodyBytes: 0,
    truncated: false,
  },
  noAnswer: undefined,
  requestIds: [],
  connection: 1,
  earlier: [],
  startedAt: 0,
  sentAt: 0,
  endedAt: 1,
  time: '2026-01-01T00:00:00.000Z',
});
const read = (version: string): Exchange => exchange('read', source.operation, { [member]: version });
const command: Step = {
  id: 'command',
  operation: versioned.id,
  as: 'full',
  role: 'test',
  key: { use: 'named', name: 'key' },
  body: { use: 'named', name: 'body' },
  version: { use: 'of', ref: { step: 'read', at: source.at } },
  deviations: [],
};

test('a read that shows the version that an accepted command has used up is behind', () => {
  const used = new Map<string, number>();
  const accepted = exchange('command', versioned.id, {});
  expect(staleIn(used, contract, read('3'))).toBeUndefined();
  noteUsed(used, contract, command, accepted, [read('3'), accepted], 7);
  expect(staleIn(used, contract, read('3'))).toEqual({ name: '/settings 3', since: 7 });
  expect(staleIn(used, contract, read('4'))).toBeUndefined();
});

test('a refused command uses no version up', () => {
  const used = new Map<string, number>();
  const refused = exchange('command', versioned.id, {});
  const answer = refused.answer === undefined ? undefined : { ...refused.answer, status: 409 };
  noteUsed(used, contract, command, { ...refused, answer }, [read('3')], 7);
  expect(used.size).toBe(0);
});
