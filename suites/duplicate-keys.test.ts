import { expect, test } from 'vitest';
import { loadContract } from '../src/contract/load.ts';
import type { Principal } from '../src/model/principal.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { extendedCatalogue } from '../src/run/place.ts';
import type { Budget } from '../src/suite-kit/suite.ts';
import { operationValues } from '../src/suite-kit/values.ts';
import duplicateKeys from './duplicate-keys.ts';

const whole = await loadContract(extendedCatalogue());
const contract = {
  ...whole,
  operations: whole.operations.filter(({ id }) => ['createCase', 'closeCase', 'getCase'].includes(id)),
};
const all: Principal = {
  name: 'all',
  permissions: contract.operations.flatMap(({ permissions }) => permissions ?? []),
  scope: 'a',
  state: 'valid',
  identity: 'all',
  use: 'any',
};

/** How many requests race in each round, and all that are sent where nothing goes wrong. */
function rounds(
  operation: string,
  budget: Budget,
): { readonly widths: readonly number[]; readonly sent: number } {
  const proposals = [
    ...duplicateKeys.propose({
      contract,
      declaration: {},
      principals: [all],
      budget,
      throttling: { maxRequests: 1, maxSeconds: 1 },
      hooks: new Set(),
      isJwt: () => false,
      caseMatters: () => true,
      values: (one) => operationValues(one, []),
    }),
  ];
  const cases = proposals.flatMap((proposal) =>
    proposal.kind === 'probe' && proposal.operation === operation && proposal.id === 'parallel'
      ? proposal.cases
      : [],
  );
  return {
    widths: cases.map(({ waves }) =>
      Math.max(...waves.map((wave) => ('steps' in wave ? wave.steps.length : 0))),
    ),
    sent: cases.reduce(
      (sum, { waves }) => sum + stepsOf(waves.filter((wave) => !('when' in wave))).length,
      0,
    ),
  };
}

test('a race has many rounds of a few, for the requests of a few rounds of many', () => {
  expect(rounds('createCase', 'quick')).toEqual({ widths: [4, 3, 3, 3], sent: 14 });
  expect(rounds('createCase', 'standard')).toEqual({ widths: [8, 3, 3, 3, 3, 3, 3, 3, 3, 3], sent: 36 });
  expect(rounds('createCase', 'thorough').sent).toBeLessThanOrEqual(60);
});

test('where each round needs a record of its own there are fewer', () => {
  expect(rounds('closeCase', 'standard')).toEqual({ widths: [8, 3, 3, 3, 3, 3, 3], sent: 34 });
});
