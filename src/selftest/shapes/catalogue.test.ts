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
import { contractOfShape } from '../../testing/contracts.ts';
import { holder, planningOf, principal } from '../../testing/plans.ts';
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

const planningFor = (contract: Contract): Planning =>
  planningOf(contract, { principals: [holder(contract, 'all'), principal('none')], hooks: ['verify'] });

test('names are unique', () => {
  expect(new Set(shapes.map(({ name }) => name)).size).toBe(shapes.length);
});

test.each(shapes)('$name: every random part ends', async ({ text }) => {
  const planning = planningFor(await parseContract(text, 'contract.yaml'));
  const probes = suites.flatMap((suite) =>
    [...suite.propose(planning)].filter((one): one is Probe => one.kind === 'probe'),
  );
  for (const { random } of probes)
    if (random !== undefined) expect(fc.sample(random.arbitrary, { seed: 7, numRuns: 20 })).toHaveLength(20);
});

test('what an optional or open body allows is not sent as a fault', async () => {
  const sent = async (name: string): Promise<readonly Json[]> => {
    return [...schemaViolations.propose(planningFor(await contractOfShape(name)))]
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
