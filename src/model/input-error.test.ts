import { expect, test } from 'vitest';
import { InputError, type InputProblem } from './input-error.ts';

const scheme: InputProblem = {
  file: 'contract.yaml',
  position: { line: 9, column: 3 },
  problem: "the security scheme 'key' is not a bearer token",
  remedy: 'write { type: http, scheme: bearer }',
};

test('what several operations share is said once', () => {
  const { message, problems } = new InputError(scheme, [
    { ...scheme },
    { ...scheme, position: { line: 12, column: 3 } },
  ]);
  expect(message).toBe(
    [
      "contract.yaml:9:3: the security scheme 'key' is not a bearer token; write { type: http, scheme: bearer }",
      "contract.yaml:12:3: the security scheme 'key' is not a bearer token; write { type: http, scheme: bearer }",
    ].join('\n'),
  );
  expect(problems).toHaveLength(2);
});
