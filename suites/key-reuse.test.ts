import { expect, test } from 'vitest';
import { stepsOf } from '../src/model/scenario.ts';
import { extendedContract } from '../src/testing/contracts.ts';
import { holder, planned, principal } from '../src/testing/plans.ts';
import borrowedKeys from './borrowed-keys.ts';
import combinedFaults from './combined-faults.ts';
import duplicateKeys from './duplicate-keys.ts';
import keyForms from './key-forms.ts';
import lostResponses from './lost-responses.ts';
import nearRequests from './near-requests.ts';
import otherTargets from './other-targets.ts';
import schemaViolations from './schema-violations.ts';
import staleVersions from './stale-versions.ts';
import wrongPermissions from './wrong-permissions.ts';

const contract = await extendedContract();
const principals = [
  holder(contract, 'all'),
  holder(contract, 'renewed', { identity: 'all' }),
  holder(contract, 'peer'),
  holder(contract, 'elsewhere', { scope: 'b' }),
  principal('nobody'),
];

test.each([
  ['borrowed-keys', borrowedKeys],
  ['combined-faults', combinedFaults],
  ['duplicate-keys', duplicateKeys],
  ['key-forms', keyForms],
  ['lost-responses', lostResponses],
  ['near-requests', nearRequests],
  ['other-targets', otherTargets],
  ['schema-violations', schemaViolations],
  ['stale-versions', staleVersions],
  ['wrong-permissions', wrongPermissions],
])('%s: a step that uses a key again has the key of the step that used it', (_, suite) => {
  const scenarios = planned(suite, contract, {
    principals,
    hooks: ['verify', 'fail', 'slow', 'withdraw'],
  }).scenarios();
  const keys = scenarios.flatMap(({ waves }) => {
    const steps = stepsOf(waves);
    return steps.flatMap(({ deviations, id, key }) =>
      deviations.flatMap((one) => {
        if (one.kind !== 'key-reuse') return [];
        const first = steps.find((step) => step.id === one.of);
        return [{ id, key, of: first?.key }];
      }),
    );
  });
  expect(keys).not.toEqual([]);
  for (const { id, key, of } of keys) expect({ id, key }).toEqual({ id, key: of });
});
