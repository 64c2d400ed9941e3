import { expect, test } from 'vitest';
import { answer, exchange, step, trace } from '../testing/literal-run.ts';
import { notYetMade } from './not-yet-made.ts';
import type { Ref } from './ref.ts';

const on: Ref = { step: 'make', at: '/id' };

/** Whether a response to a command on a record is doubted; `ahead`: what another one got before it. */
function isDoubted(made: number, status: number, { ahead, to = on }: { ahead?: number; to?: Ref } = {}) {
  const steps = [
    step({ id: 'make', role: 'setup' }),
    ...(ahead === undefined ? [] : [step({ id: 'ahead', target: { caseId: on } })]),
    step({ id: 'close', target: { caseId: to } }),
  ];
  const statuses = [made, ...(ahead === undefined ? [] : [ahead]), status];
  const exchanges = steps.map(({ id }, at) =>
    exchange({
      id: `x${at}`,
      step: id,
      answer: answer(statuses[at] ?? 0),
      startedAt: at * 20,
      endedAt: at * 20 + 10,
    }),
  );
  const of = trace(
    steps.map((one) => ({ steps: [one] })),
    exchanges,
  );
  return notYetMade(of, [`x${steps.length - 1}`]) !== undefined;
}

test('a record that was queued may not have been there when a command on it was refused', () => {
  expect(isDoubted(202, 404)).toBe(true);
  expect(isDoubted(202, 422)).toBe(true);
  expect(isDoubted(202, 404, { ahead: 404 })).toBe(true);
});

test('it was there if it was made at once, or a response showed it', () => {
  expect(isDoubted(201, 404)).toBe(false);
  expect(isDoubted(202, 404, { ahead: 200 })).toBe(false);
});

test('what is no refusal for its absence, and what names another record, is no matter of it', () => {
  for (const status of [200, 401, 403, 500]) expect(isDoubted(202, status)).toBe(false);
  expect(isDoubted(202, 404, { to: { literal: 'case_1' } })).toBe(false);
  expect(isDoubted(202, 404, { to: { ...on, unlike: true } })).toBe(false);
});
