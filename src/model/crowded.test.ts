import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { trace } from '../clauses/cases/trace.ts';
import type { Contract, NamedRecord } from './contract.ts';
import { makeCrowded } from './crowded.ts';
import type { Trace } from './exchange.ts';

/** Whether two traces of these suites, in which a plain command got 409, say that it gets one now and then. */
function isCrowded(of: Contract, ...suites: readonly string[]): boolean {
  return isCrowdedAfter([], of, ...suites);
}

function isCrowdedAfter(
  earlier: readonly (number | undefined)[],
  of: Contract,
  ...suites: readonly string[]
): boolean {
  return isCrowdedBy('', earlier, of, ...suites);
}

function isCrowdedBy(
  more: string,
  earlier: readonly (number | undefined)[],
  of: Contract,
  ...suites: readonly string[]
): boolean {
  const { isCrowded: found, note } = makeCrowded(of);
  for (const [index, suite] of suites.entries()) {
    const sent = `{"subject":"asy-${String(index).repeat(16)}"${more}}`;
    const one: Trace = trace([{ id: 'plain', role: 'setup', status: 409, sent, earlier }], {
      id: `t${index}`,
    });
    note({ ...one, suite });
  }
  return found('createCase');
}

const named: NamedRecord = { at: '/customer', field: { name: 'customer', source: undefined, schema: true } };
const naming: Contract = {
  ...contract,
  operations: contract.operations.map((one) => (one.id === 'createCase' ? { ...one, named: [named] } : one)),
};

test('valid commands that get 409 in two traces get one now and then', () => {
  expect(isCrowded(contract, 'valid-commands', 'reads')).toBe(true);
  expect(isCrowded(contract, 'valid-commands')).toBe(false);
  expect(isCrowded(contract, 'preflight', 'preflight')).toBe(true);
  expect(isCrowded(naming, 'valid-commands', 'reads')).toBe(true);
});

test('while a record is made ready that the body names, its state explains a conflict', () => {
  expect(isCrowded(naming, 'preflight', 'preflight', 'valid-commands')).toBe(false);
});

test('what was throttled or lost before may have used its key up, and explains a conflict', () => {
  expect(isCrowdedAfter([429], contract, 'valid-commands', 'reads')).toBe(false);
  expect(isCrowdedAfter([undefined], contract, 'valid-commands', 'reads')).toBe(false);
});

test('while preflight looks for a body, a text that is always the same explains a conflict', () => {
  const properties = { name: { type: 'string' }, kind: { enum: ['repo', 'fork'] } };
  const body = {
    ...{ mediaType: 'application/json', required: true },
    schema: { type: 'object', required: ['name'], properties },
  };
  const of: Contract = {
    ...contract,
    operations: contract.operations.map((one) => (one.id === 'createCase' ? { ...one, body } : one)),
  };
  expect(isCrowdedBy(',"name":"a"', [], of, 'preflight', 'preflight')).toBe(false);
  expect(isCrowdedBy(',"name":"a"', [], of, 'reads', 'valid-commands')).toBe(true);
  expect(isCrowdedBy(',"kind":"repo"', [], of, 'preflight', 'preflight')).toBe(true);
});
