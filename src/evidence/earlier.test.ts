import { expect, test } from 'vitest';
import { fromFormat2 } from './earlier.ts';

const steps = (...given: readonly (readonly [role: string, id: string])[]): unknown =>
  given.map(([role, id]) => ({ role, id }));

function trace(words: Readonly<Record<string, unknown>>, waves: readonly unknown[]): unknown {
  return { line: 'trace', trace: { id: 't1', ...words, scenario: { title: 't', waves } } };
}

test('what names of steps said is a member, and the words are those of today', () => {
  const old = trace({ caseIndex: 3, purpose: 'try' }, [
    { steps: steps(['setup', 'made'], ['readback', 'before-again'], ['probe', 'probe']) },
    { poll: { role: 'readback', id: 'poll' }, until: 'found', max: 5 },
    { when: { step: 'probe', was: 'accepted' }, waves: [{ steps: steps(['probe', 'half-1-0']) }] },
    { repeat: { role: 'probe', id: 'burst' }, amidst: { role: 'control', id: 'page' } },
    { wait: 'settle' },
  ]);
  expect(fromFormat2(old)).toEqual(
    trace({ scenarioIndex: 3, purpose: 'first' }, [
      {
        steps: [
          { role: 'setup', id: 'made' },
          { role: 'readback', id: 'before-again', observes: 'before' },
          { role: 'test', id: 'probe' },
        ],
      },
      { poll: { role: 'readback', id: 'poll', observes: 'arrival' }, until: 'found', max: 5 },
      {
        when: { step: 'probe', was: 'accepted' },
        waves: [{ steps: [{ role: 'test', id: 'half-1-0', observes: 'part-of-page' }] }],
      },
      { repeat: { role: 'test', id: 'burst' }, during: { role: 'control', id: 'page' } },
      { wait: 'settle' },
    ]),
  );
});

test('a plan counts scenarios', () => {
  expect(fromFormat2({ line: 'plan', probes: [{ probe: 'p', cases: 2 }] })).toEqual({
    line: 'plan',
    probes: [{ probe: 'p', scenarios: 2 }],
  });
});

test.each([null, 'trace', { line: 'header' }, { line: 'trace', trace: 1 }])(
  'any other value stays as it is: %j',
  (value) => {
    expect(fromFormat2(value)).toBe(value);
  },
);
