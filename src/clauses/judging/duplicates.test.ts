import { expect, test } from 'vitest';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { object, operation } from '../../selftest/shapes/document.ts';
import { contractOf } from '../../testing/contracts.ts';
import { principals } from '../cases/contract.ts';
import { type Line, reuse, shown, trace } from '../cases/trace.ts';
import { singleEffect } from './duplicates.ts';

const words = { type: 'string' } as const;
const note = object({ text: words });
const made = object({ id: words, text: words }, ['id']);

/** Three notes at once, and the same again: the verdict on the records that a read shows. */
async function verdicts(records: readonly string[], first: Partial<Line> = {}, again: Partial<Line> = {}) {
  const context = makeContext({
    contract: await contractOf(
      operation('POST /notes/bulk', 'createCase', {
        governed: { effect: { list: 'listCases', id: '/results/0/id' } },
        body: object({ notes: { type: 'array', minItems: 1, items: note } }),
        result: object({ results: { type: 'array', items: made } }),
      }),
      operation('GET /notes', 'listCases', { result: { type: 'array', items: made } }),
    ),
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const numbers = [1, 2, 3];
  const sent = JSON.stringify({ notes: numbers.map((number) => ({ text: `${number} asy-t-body` })) });
  const body = { results: numbers.map((number) => ({ id: `note_${number}`, text: `${number}` })) };
  const command = { operation: 'createCase', status: 201, sent, body, key: 'key' } as const;
  const all = trace(
    [
      { ...command, id: 'first', ...first },
      { ...command, id: 'second', role: 'test', deviations: [reuse('first')], ...again },
    ],
    { effects: shown('t', { body: records }) },
  );
  return [...singleEffect(() => true, 'none').rule(context, all)].map(({ verdict }) => verdict);
}

const three = ['note_1', 'note_2', 'note_3'];

test('the records of one command are as many as it asked for', async () => {
  expect(await verdicts(three)).toEqual(['holds']);
  expect(await verdicts(three.slice(1))).toEqual(['holds']);
  expect(await verdicts([...three, 'note_4'])).toEqual(['violated']);
});

test('what a result does not name may have been made as well', async () => {
  const queued = { status: 202, body: { results: [] } } as const;
  expect(await verdicts(three, queued, queued)).toEqual(['holds']);
  expect(await verdicts(three, { status: 503, body: {} })).toEqual(['holds']);
  expect(await verdicts([...three, 'note_4'], queued, queued)).toEqual(['violated']);
});
