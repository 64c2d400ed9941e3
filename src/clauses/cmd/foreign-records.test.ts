import { expect, test } from 'vitest';
import { rulingsOf } from '../../judge.ts';
import type { Contract } from '../../model/contract.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { withOperation } from '../../testing/contracts.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, shown, trace } from '../cases/trace.ts';
import { clauseOf } from '../catalogue.ts';

/** CMD-6 on a command whose result names case_1, with what the list shows. */
function verdicts(
  records: readonly string[],
  foreign?: readonly string[],
  of: Contract = contract,
  lines: readonly Line[] = [{ id: 'a', role: 'test', status: 201, result: 'case_1' }],
): readonly string[] {
  const clause = clauseOf('CMD-6');
  const effects = {
    ...shown('t', { body: records, tags: [] }),
    ...(foreign === undefined ? {} : { foreign }),
  };
  const context = makeContext({
    contract: of,
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const made = trace(lines, { effects });
  return clause === undefined ? [] : rulingsOf(clause, context, made).map(({ verdict }) => verdict);
}

test('a command may return a record that another one has made, such as the next of a queue', () => {
  expect(verdicts([], ['case_1'])).toEqual(['inconclusive']);
  expect(verdicts([], ['case_2'])).toEqual(['violated']);
  expect(verdicts([])).toEqual(['violated']);
});

test('a command on the records of its body returns those that another command of the trace has made', () => {
  const tags = withOperation(contract, 'tagCases', {
    pathFields: [],
    effect: { read: 'getCase', list: 'listCases', id: '/results/0/id' },
  });
  const result = (id: string): Line => ({
    id: 'b',
    operation: 'tagCases',
    name: 'tags',
    role: 'test',
    status: 200,
    body: { results: [{ id }] },
  });
  const first: Line = { id: 'a', status: 201, result: 'case_1' };
  expect(verdicts(['case_1'], undefined, tags, [first, result('case_1')])).toEqual(['holds']);
  expect(verdicts(['case_1'], undefined, tags, [first, result('case_2')])).toEqual(['holds', 'violated']);
  expect(verdicts(['case_1'], undefined, tags, [result('case_1'), first])).toEqual(['violated', 'holds']);
});

test('a record with the marker of the command is its own, whatever other one has the ID of the result', () => {
  expect(verdicts(['case_2'], ['case_1'])).toEqual(['violated']);
  expect(verdicts(['case_1'])).toEqual(['holds']);
});

test('a list has the marker of a record that no list shows where another command was sent it as well', () => {
  const unlisted = withOperation(contract, 'createCase', {
    effect: { read: 'getCase', list: undefined, id: '/id' },
  });
  expect(verdicts(['note_1'], undefined, unlisted)).toEqual([]);
  expect(verdicts(['note_1'])).toEqual(['violated']);
});

test('a list that a required query field narrows is not read, and says nothing of what it would show', () => {
  const schema = { type: 'string', format: 'date' };
  const since = { name: 'since', filters: undefined, required: true, schema };
  const narrowed = withOperation(contract, 'listCases', { queryFields: [since] });
  expect(verdicts(['note_1'], undefined, narrowed)).toEqual([]);
  expect(verdicts(['case_1'], undefined, narrowed)).toEqual([]);
});
