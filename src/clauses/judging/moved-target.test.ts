import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { movedRecord } from './moved-target.ts';
import { answered, seen } from './reading.ts';

const context = makeContext({
  contract,
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

const [theirs, ours] = ['Probe asy-00000000000000a1', 'Probe asy-00000000000000b2'];
const maker: Line = { id: 'made', role: 'setup', status: 202, result: 'case_7' };
const close = (id: string, role: 'setup' | 'test', status: number, reason: string): Line => ({
  ...{ id, role, status, operation: 'closeCase', on: 'made' },
  sent: JSON.stringify({ reason }),
});
const read = (observes: 'before' | 'after', shows: JsonObject): Line => ({
  ...{ id: observes, status: 200, operation: 'getCase', on: 'made', role: 'readback', observes },
  body: { id: 'case_7', ...shows },
});

/** What is said of a refused command on a record that a queued command (202) made. */
function saidOf(was: JsonObject, is: JsonObject, sent = ours): string | undefined {
  const of = trace([
    maker,
    close('provoking', 'setup', 200, theirs),
    read('before', was),
    close('test', 'test', 409, sent),
    read('after', is),
  ]);
  const one = answered(context, of).find(({ step }) => step.id === 'test');
  return one === undefined ? undefined : movedRecord(context, seen(context, of), one)?.verdict;
}

const closed = (reason: string): JsonObject => ({ status: 'closed', closure: { reason, by: 'full' } });

test('a record that shows the text of a refused command in place of another one was written by it', () => {
  expect(saidOf(closed(theirs), closed(ours))).toBe('violated');
  expect(saidOf(closed(theirs), { ...closed(ours), status: 'archived' })).toBe('violated');
});

test.each<[string, JsonObject, JsonObject, string?]>([
  ['another state', closed(theirs), { ...closed(theirs), status: 'archived' }],
  ['a text of its own', closed(theirs), closed('done by the job')],
  ['the text of another command', closed('first'), closed(theirs), theirs],
  ['a member more, which may say what was refused', closed(theirs), { ...closed(theirs), refused: ours }],
])('where it shows %s, what was queued may have done that', (_, was, is, sent) => {
  expect(saidOf(was, is, sent)).toBe('inconclusive');
});
