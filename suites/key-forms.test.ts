import { expect, test } from 'vitest';
import { loadContract } from '../src/contract/load.ts';
import type { Principal } from '../src/model/principal.ts';
import { type Scenario, stepsOf } from '../src/model/scenario.ts';
import { extendedCatalogue } from '../src/run/place.ts';
import { operationValues } from '../src/suite-kit/values.ts';
import keyForms from './key-forms.ts';

const contract = await loadContract(extendedCatalogue());
const all: Principal = {
  name: 'all',
  permissions: contract.operations.flatMap(({ permissions }) => permissions ?? []),
  scope: 'a',
  state: 'valid',
  identity: 'all',
  use: 'any',
};

const near = (operation: string): readonly Scenario[] =>
  [
    ...keyForms.propose({
      contract,
      declaration: {},
      principals: [all],
      budget: 'quick',
      throttling: { maxRequests: 1, maxSeconds: 1 },
      hooks: new Set(['verify']),
      isJwt: () => false,
      caseMatters: () => true,
      values: (one) => operationValues(one, []),
    }),
  ].flatMap((proposal) =>
    proposal.kind === 'probe' && proposal.operation === operation && proposal.id === 'near'
      ? proposal.scenarios
      : [],
  );

test('a command without a body is tried with near keys on two records', () => {
  const scenarios = near('deleteContact');
  expect(scenarios.map(({ title }) => title)).toContain('keys that differ in the last character');
  for (const { waves } of scenarios) {
    const [first, second] = ['first', 'second'].map((id) => stepsOf(waves).find((step) => step.id === id));
    expect([first?.body, second?.body]).toEqual([{ use: 'none' }, { use: 'none' }]);
    expect(first?.target).not.toEqual(second?.target);
  }
});

test('one pair of long keys has marks at which a careless service takes a key apart', () => {
  const edits = near('createCase').flatMap(({ waves }) =>
    stepsOf(waves).flatMap(({ key }) =>
      key.use === 'near' && key.edit.kind === 'suffix' && key.edit.filler !== undefined ? [key.edit] : [],
    ),
  );
  expect(edits).toEqual([
    { kind: 'suffix', length: 128, last: 'a', filler: '.:/_|k' },
    { kind: 'suffix', length: 128, last: 'b', filler: '.:/_|k' },
  ]);
});
