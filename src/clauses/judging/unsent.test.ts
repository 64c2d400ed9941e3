import { expect, test } from 'vitest';
import { operationOf } from '../../model/contract.ts';
import { contract } from '../cases/contract.ts';
import { trace } from '../cases/trace.ts';
import { undecided } from './reading.ts';

test('of a request that was not sent it is said why', () => {
  const { exchanges, scenario } = trace([{ id: 'a', status: undefined }]);
  const [exchange] = exchanges;
  const [wave] = scenario.waves;
  const step = wave !== undefined && 'steps' in wave ? wave.steps[0] : undefined;
  if (exchange === undefined || step === undefined) throw new Error('nothing was sent');
  const detail = "not sent: an earlier response does not give 'version'";
  expect(
    undecided({
      step,
      operation: operationOf(contract, 'createCase'),
      exchange: { ...exchange, noAnswer: { reason: 'harness', detail, partial: undefined } },
    }),
  ).toBe("The request was not sent: an earlier response does not give 'version'.");
});
