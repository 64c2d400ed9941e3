import { expect, test } from 'vitest';
import { effectCases } from '../cases/effects.ts';
import { contextOf, judged, stated } from '../cases/judged.ts';
import { missing, reuse, shown, trace } from '../cases/trace.ts';
import { effectsOf } from './effects.ts';

test.each(effectCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});

/** What a body came to: the records that a read showed, or the IDs that accepted responses returned. */
const shownBy = (
  lines: Parameters<typeof trace>[0],
  records?: Parameters<typeof shown>[1],
  complete = true,
) =>
  effectsOf(
    contextOf(),
    trace(lines, records === undefined ? {} : { effects: shown('t', records, complete) }),
    'body',
  );
const made = { id: 'a', status: 201, result: 'case_1' } as const;

test('records that a read showed are effects, whatever the answers say', () => {
  expect(shownBy([made], { body: ['case_2', 'case_3'] })).toEqual({
    ids: ['case_2', 'case_3'],
    idsOnly: false,
    complete: true,
  });
  expect(shownBy([made], { body: [] }, false)).toEqual({ ids: [], idsOnly: false, complete: false });
});

test('without a read, the IDs of accepted answers are, each once', () => {
  const ids = (...lines: Parameters<typeof trace>[0]) => shownBy(lines);
  const only = (...expected: readonly string[]) => ({ ids: expected, idsOnly: true, complete: true });
  expect(ids(made)).toEqual(only('case_1'));
  expect(shownBy([made], { other: ['case_2'] })).toEqual(only('case_1'));
  expect(ids(made, { ...made, id: 'b', deviations: [reuse('a')] })).toEqual(only('case_1'));
  expect(ids(made, { ...made, id: 'b', result: 'case_2', deviations: [reuse('a')] })).toEqual(
    only('case_1', 'case_2'),
  );
  expect(
    ids(
      made,
      { ...made, id: 'named', result: 'case_2', name: 'other' },
      { ...made, id: 'faulty', result: 'case_3', deviations: [reuse('a'), missing] },
      { ...made, id: 'refused', status: 409, body: { id: 'case_4' } },
      { ...made, id: 'lost', status: undefined },
      { ...made, id: 'bare', body: {} },
    ),
  ).toEqual(only('case_1'));
  expect(effectsOf(contextOf(), trace([made]), 'unheard')).toEqual(only());
});
