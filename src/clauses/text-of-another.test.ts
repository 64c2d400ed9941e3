import { expect, test } from 'vitest';
import type { JsonObject } from '../model/json.ts';
import { makeContext } from '../oracle/context.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import { contract, createCase, principals } from './cases/contract.ts';
import { type Line, trace } from './cases/trace.ts';
import { textOfAnother } from './text-of-another.ts';

const makes = { ...createCase, effect: { read: 'getCase', list: undefined, id: '/id' } };
const context = makeContext({
  contract: { ...contract, operations: [makes, ...contract.operations.slice(1)] },
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

const [own, later, foreign] = ['asy-000000000000000a', 'asy-000000000000000b', 'asy-00000000000000ff'];

type Parts = {
  readonly made?: Partial<Line>;
  readonly read?: Partial<Line>;
  readonly between?: readonly Line[];
};

/** The verdict on a record that was made with a text of its own, and is read with this one. */
function verdicts(subject: string, { between = [], made = {}, read = {} }: Parts = {}): readonly string[] {
  const body: JsonObject = { id: 'case_7', subject: `A text ${own}` };
  const all = trace([
    {
      ...{ id: 'a', name: 'one', role: 'setup', status: 201, sent: JSON.stringify(body), body },
      result: 'case_7',
      ...made,
    },
    ...between,
    {
      ...{ id: 'read', operation: 'getCase', on: 'a', role: 'readback', status: 200 },
      ...{ body: { ...body, subject }, ...read },
    },
  ]);
  const bound = { ...all.bound, markers: { one: own ?? '', two: later ?? '' } };
  return [...textOfAnother(context, { ...all, bound })].map(
    (ruling) => `${ruling.verdict}${'conclusive' in ruling ? ' (conclusive)' : ''}`,
  );
}

test('a record does not show, in place of its own text, one that no command on it sent', () => {
  expect(verdicts(`A text ${foreign}`)).toEqual(['violated (conclusive)']);
  expect(verdicts(`A text ${own}`)).toEqual([]);
  // Another case, a mask, and what a later command of the scenario sent.
  expect(verdicts(`a text ${(own ?? '').toUpperCase()}`)).toEqual([]);
  expect(verdicts('***')).toEqual([]);
  expect(verdicts(`A text ${later}`)).toEqual([]);
  expect(verdicts(`${own}, then ${foreign}`)).toEqual([]);
});

test('a record may show the texts of others in members of their own', () => {
  const body = { id: 'case_7', subject: `A text ${own}`, previous: { subject: foreign ?? '' } };
  expect(verdicts('', { read: { body } })).toEqual([]);
});

test('nothing follows from the read of another record, or of one that was there before', () => {
  const other = { id: 'case_8', subject: foreign ?? '' };
  expect(verdicts('', { read: { body: other } })).toEqual([]);
  expect(verdicts('', { read: { status: 404, body: {} } })).toEqual([]);
  expect(verdicts(foreign ?? '', { made: { body: { id: 'case_7', subject: foreign ?? '' } } })).toEqual([]);
  expect(verdicts(foreign ?? '', { made: { status: 202 } })).toEqual([]);
});
