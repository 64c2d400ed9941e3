import { expect, test } from 'vitest';
import { parseContract } from '../src/contract/load.ts';
import type { Principal } from '../src/model/principal.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { shapes } from '../src/selftest/shapes/catalogue.ts';
import { operationValues } from '../src/suite-kit/values.ts';
import borrowedKeys from './borrowed-keys.ts';

test('a version is read by its sender, in each scenario that sends one', async () => {
  const text = shapes.find(({ name }) => name === 'singleton-version')?.text ?? '';
  const contract = await parseContract(text, 'c.yaml');
  const permissions = [...new Set(contract.operations.flatMap(({ permissions = [] }) => permissions))];
  const held = (name: string, scope: string): Principal => ({
    name,
    permissions,
    scope,
    state: 'valid',
    identity: name,
    use: 'any',
  });
  const proposals = [
    ...borrowedKeys.propose({
      contract,
      declaration: {},
      principals: [held('all', 'a'), held('elsewhere', 'b')],
      budget: 'quick',
      throttling: { maxRequests: 1, maxSeconds: 1 },
      hooks: new Set(),
      isJwt: () => false,
      caseMatters: () => true,
      values: (operation) => operationValues(operation, []),
    }),
  ];
  const versioned = proposals
    .flatMap((one) => (one.kind === 'probe' && one.operation === 'putSettings' ? one.cases : []))
    .flatMap(({ waves }) => {
      const steps = stepsOf(waves);
      return steps.flatMap(({ as, version }) => {
        if (version?.use !== 'of' || !('step' in version.ref)) return [];
        const { step } = version.ref;
        return [[as, steps.find(({ id }) => id === step)?.as]];
      });
    });
  expect(versioned.length).toBeGreaterThan(0);
  for (const [sender, reader] of versioned) expect(reader).toBe(sender);
});
