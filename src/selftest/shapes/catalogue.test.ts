import fc from 'fast-check';
import { expect, test } from 'vitest';
import borrowedKeys from '../../../suites/borrowed-keys.ts';
import combinedFaults from '../../../suites/combined-faults.ts';
import commandHistories from '../../../suites/command-histories.ts';
import reads from '../../../suites/reads.ts';
import schemaViolations from '../../../suites/schema-violations.ts';
import staleVersions from '../../../suites/stale-versions.ts';
import validCommands from '../../../suites/valid-commands.ts';
import { parseContract } from '../../contract/load.ts';
import type { Contract } from '../../model/contract.ts';
import type { Json } from '../../model/json.ts';
import { stepsOf } from '../../model/scenario.ts';
import type { Planning, Probe } from '../../suite-kit/suite.ts';
import { operationValues } from '../../suite-kit/values.ts';
import { shapes } from './catalogue.ts';

const suites = [
  borrowedKeys,
  combinedFaults,
  commandHistories,
  reads,
  schemaViolations,
  staleVersions,
  validCommands,
];

function planningOf(contract: Contract): Planning {
  const permissions = contract.operations.flatMap((operation) => operation.permissions ?? []);
  const principal = { permissions, scope: 'a', state: 'valid', use: 'any' } as const;
  return {
    contract,
    declaration: {},
    principals: [
      { ...principal, name: 'all', identity: 'all' },
      { ...principal, name: 'none', identity: 'none', permissions: [] },
    ],
    budget: 'quick',
    throttling: { maxRequests: 1, maxSeconds: 1 },
    hooks: new Set(['verify']),
    isJwt: () => false,
    caseMatters: () => true,
    values: (operation) => operationValues(operation, []),
  };
}

test('names are unique', () => {
  expect(new Set(shapes.map(({ name }) => name)).size).toBe(shapes.length);
});

test.each(shapes)('$name: every random part ends', async ({ text }) => {
  const planning = planningOf(await parseContract(text, 'contract.yaml'));
  const probes = suites.flatMap((suite) =>
    [...suite.propose(planning)].filter((one): one is Probe => one.kind === 'probe'),
  );
  for (const { random } of probes)
    if (random !== undefined) expect(fc.sample(random.arbitrary, { seed: 7, numRuns: 20 })).toHaveLength(20);
});

test('what an optional or open body allows is not sent as a fault', async () => {
  const sent = async (name: string): Promise<readonly Json[]> => {
    const shape = shapes.find((one) => one.name === name);
    const planning = planningOf(await parseContract(shape?.text ?? '', 'contract.yaml'));
    return [...schemaViolations.propose(planning)]
      .flatMap((one) => (one.kind === 'probe' ? one.scenarios : []))
      .flatMap(({ waves }) => stepsOf(waves))
      .flatMap(({ body }) => (body.use === 'text' ? [body.text] : []));
  };
  expect(await sent('enumerated')).toEqual(expect.arrayContaining(['', '[]', 'null', '"text"']));
  expect(await sent('optional-body')).not.toContain('');
  expect(await sent('any-json')).not.toContain('[]');
  expect(await sent('root-nullable')).toContain('[]');
  expect(await sent('root-nullable')).not.toContain('null');
});
