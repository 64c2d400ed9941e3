import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import type { HttpResponse } from '../model/exchange.ts';
import type { Deviation, Step } from '../model/scenario.ts';
import { type AcceptedCommands, acceptedSince, noteAccepted } from './accepted-commands.ts';

const command: Step = {
  ...{ id: 'one', operation: 'createCase', as: 'full', role: 'setup', deviations: [] },
  ...{ key: { use: 'named', name: 'one' }, body: { use: 'none' } },
};
const response = (status: number): HttpResponse => ({
  ...{ status, headers: [], body: '{}', bodyBytes: 2, truncated: false },
});
const reuse: Deviation = { kind: 'key-reuse', of: 'one', difference: 'none' };

/** How many commands like the usual one were accepted after 100 ms, where one step ended at 150 ms. */
function counted(step: Partial<Step>, status = 201): number {
  const commands: AcceptedCommands = new Map();
  noteAccepted(commands, contract, { ...command, ...step }, { answer: response(status), endedAt: 150 });
  return acceptedSince(commands, command, 100);
}

test('a valid command with a new key counts where it was accepted', () => {
  expect(counted({})).toBe(1);
  expect(counted({ role: 'control' })).toBe(1);
  expect(counted({}, 409)).toBe(0);
});

test.each<[string, Partial<Step>]>([
  ['of another caller', { as: 'peer' }],
  ['that sends a key again', { deviations: [reuse] }],
  ['without a key', { key: { use: 'none' } }],
])('a command %s does not count', (_, step) => {
  expect(counted(step)).toBe(0);
});

test('what ended before does not count', () => {
  const commands: AcceptedCommands = new Map();
  for (const endedAt of [50, 100, 101, 300])
    noteAccepted(commands, contract, command, { answer: response(201), endedAt });
  expect(acceptedSince(commands, command, 100)).toBe(2);
});

test('a long run keeps the latest', () => {
  const commands: AcceptedCommands = new Map();
  for (let endedAt = 0; endedAt < 1000; endedAt += 1)
    noteAccepted(commands, contract, command, { answer: response(201), endedAt });
  expect([...commands.values()].map(({ length }) => length)).toEqual([256]);
  expect(acceptedSince(commands, command, 989)).toBe(10);
});
