import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { object, operation } from '../../src/selftest/shapes/document.ts';
import { contractOf, made, paged } from '../../src/testing/contracts.ts';
import { holder, planned } from '../../src/testing/plans.ts';
import reads from '../reads.ts';

const text = (name: string): JsonObject => object({ [name]: { type: 'string', minLength: 1 } });

const contract = await contractOf(
  operation('POST /books', 'addBook', { body: text('title'), result: made }),
  operation('POST /films', 'addFilm', { body: text('title'), result: made }),
  operation('GET /log', 'readLog', paged),
  operation('GET /find', 'find', {
    parameters: [{ name: 'q', in: 'query', required: true, schema: { type: 'string' } }],
  }),
  operation('POST /search', 'search', {
    body: text('query'),
    governed: { read: true },
    more: { parameters: [] },
  }),
  operation('GET /quota', 'readQuota'),
);

const principals = [holder(contract, 'all'), holder(contract, 'stranger', { scope: 'b' })];

const sent = (id: string, budget: 'quick' | 'standard' = 'quick'): readonly unknown[] =>
  planned(reads, contract, { principals, budget })
    .steps({ probe: 'sought-anywhere', operation: id })
    .map((step) => [step.operation, step.as, step.query?.find(([name]) => name === 'q')?.[1]]);

test('a log that no command fills is read from another scope', () => {
  expect(sent('readLog')).toEqual([
    ['addBook', 'all', undefined],
    ['readLog', 'stranger', undefined],
    ['readLog', 'all', undefined],
  ]);
  expect(sent('readLog', 'standard').map((each) => (each as readonly unknown[])[0])).toEqual([
    ...['addBook', 'readLog', 'readLog'],
    ...['addFilm', 'readLog', 'readLog'],
  ]);
});

test('a search is asked from another scope for the text of a record, in its query and in its body', () => {
  expect(sent('find')).toEqual([
    ['addBook', 'all', undefined],
    ['find', 'stranger', `\${marker:one}`],
    ['find', 'all', `\${marker:one}`],
  ]);
  const bodies = planned(reads, contract, { principals })
    .steps({ probe: 'sought-anywhere', operation: 'search' })
    .filter(({ as, operation: of }) => of === 'search' && as === 'stranger')
    .map(({ body }) => JSON.stringify(body));
  expect(bodies.length).toBeGreaterThan(1);
  expect(bodies.some((body) => body.includes(`\${marker}`))).toBe(true);
});

test('what shows no records is not read in this way', () => {
  expect(sent('readQuota')).toEqual([]);
  const alone = planned(reads, contract, { principals: principals.slice(0, 1) });
  expect(alone.steps({ probe: 'sought-anywhere', operation: 'readLog' })).toEqual([]);
});
