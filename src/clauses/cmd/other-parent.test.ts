import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { otherParent } from './other-parent.ts';

const context = makeContext({
  contract,
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

type Made = {
  /** What the result shows, and the read where it shows something else. */
  readonly result: JsonObject;
  readonly read?: JsonObject;
  readonly sent?: JsonObject;
  readonly made?: readonly string[];
  readonly below?: string;
};

/** A step that is added below the second of two cases: where each violation is. */
function found({
  result,
  read = result,
  sent = { subject: 's' },
  made = ['case_1', 'case_2'],
  below = 'case_2',
}: Made): readonly string[] {
  const lines: readonly Line[] = [
    ...made.map((id): Line => ({ id, role: 'setup', status: 201, result: id, sent: '{}' })),
    {
      ...{ id: 'a', operation: 'addStep', status: 201, on: below, sent: JSON.stringify(sent) },
      body: { id: 'step_1', ...result },
    },
    {
      ...{ id: 'read', operation: 'getStep', status: 200, observes: 'made', role: 'readback' },
      on: below,
      target: { caseId: { step: below, at: '/id' }, stepId: { step: 'a', at: '/id' } },
      body: { id: 'step_1', ...read },
    },
  ];
  return [...otherParent().see(context, trace(lines))].map((one) =>
    one.verdict === 'violated' ? `${one.expected}: ${one.actual}` : one.verdict,
  );
}

test('a record names the one that it was made below', () => {
  expect(found({ result: { caseId: 'case_2' } })).toEqual([]);
  const wrong = ['case_2 at /caseId, as in the path: case_1 at /caseId'];
  expect(found({ result: { caseId: 'case_1' } })).toEqual(wrong);
  expect(found({ result: {}, read: { caseId: 'case_1' } })).toEqual(wrong);
  expect(found({ result: { caseId: 'case_1' }, read: {} })).toEqual(wrong);
});

test.each(['case', 'case_id', 'CaseID'])('it may do so at %s', (name) => {
  expect(found({ result: { [name]: 'case_2' } })).toEqual([]);
  expect(found({ result: { [name]: 'case_1' } })).toHaveLength(1);
});

test('it may do so within an object, and by a number', () => {
  expect(found({ result: { case: { id: 'case_1' } } })).toHaveLength(1);
  const made = ['6', '7'];
  expect(found({ made, below: '7', result: { caseId: 7 } })).toEqual([]);
  expect(found({ made, below: '7', result: { caseId: 6 } })).toHaveLength(1);
  expect(found({ made, below: '7', result: { case: 6 } })).toEqual([]);
});

test.each<[string, Made]>([
  ['nothing', { result: {} }],
  ['what the run did not make', { result: { caseId: 'case_9' } }],
  ['another form of the ID', { result: { caseId: 'cases/case_2' } }],
  ['its own ID', { made: ['case_1', 'case_2', 'step_1'], result: { caseId: 'step_1' } }],
  ['what the body names too', { result: { caseId: 'case_1' }, sent: { moveTo: 'case_1' } }],
  ['the ID of the path elsewhere', { result: { caseId: 'case_1', origin: { id: 'case_2' } } }],
])('it may show %s', (_, made) => expect(found(made)).toEqual([]));

test('a record of the same number below another one is not the one that was made', () => {
  const lines: readonly Line[] = [
    ...['case_1', 'case_2'].map((id): Line => ({ id, role: 'setup', status: 201, result: id, sent: '{}' })),
    { id: 'a', operation: 'addStep', status: 201, on: 'case_2', sent: '{}', body: { id: 'step_1' } },
    {
      ...{ id: 'read', operation: 'getStep', status: 200, observes: 'before', role: 'readback' },
      on: 'case_1',
      target: { caseId: { step: 'case_1', at: '/id' }, stepId: { literal: 'step_1' } },
      body: { id: 'step_1', caseId: 'case_1' },
    },
  ];
  expect([...otherParent().see(context, trace(lines))]).toEqual([]);
});
