import { expect, test } from 'vitest';
import { loadContract } from '../src/contract/load.ts';
import type { Principal } from '../src/model/principal.ts';
import { extendedCatalogue } from '../src/run/place.ts';
import type { Budget } from '../src/suite-kit/suite.ts';
import { operationValues } from '../src/suite-kit/values.ts';
import nearRequests from './near-requests.ts';

const contract = await loadContract(extendedCatalogue());
const all: Principal = {
  name: 'all',
  permissions: contract.operations.flatMap(({ permissions }) => permissions ?? []),
  scope: 'a',
  state: 'valid',
  identity: 'all',
  use: 'any',
};

function titles(operation: string, budget: Budget): readonly string[] {
  const proposals = [
    ...nearRequests.propose({
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
  return proposals.flatMap((proposal) =>
    proposal.kind === 'probe' && proposal.operation === operation
      ? proposal.cases.map(({ title }) => title)
      : [],
  );
}

const caseOfALetter = 'the key with a text that differs in the case of a letter';
const wordOrder = 'the key with a text that differs in the order of words';

test('a command on a record is tried with a request that differs in a detail, as one that makes a record is', () => {
  expect(titles('createCase', 'quick')).toHaveLength(5);
  expect(titles('updateCase', 'quick')).toEqual([caseOfALetter]);
  expect(titles('updateCase', 'standard')).toEqual([caseOfALetter, wordOrder]);
});
