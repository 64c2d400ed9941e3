import { expect, test } from 'vitest';
import { stepsOf } from '../../src/model/scenario.ts';
import { operation } from '../../src/selftest/shapes/document.ts';
import { contractOf } from '../../src/testing/contracts.ts';
import { planned } from '../../src/testing/plans.ts';
import absentTargets from '../absent-targets.ts';

const result = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };

const match = { name: 'If-Match', in: 'header', required: true, schema: { type: 'string' } };
const versioned = {
  carrier: { in: 'header', name: 'If-Match' },
  source: { operation: 'getBook', in: 'header', name: 'ETag' },
};
const removal = operation('DELETE /books/{bookId}', 'removeBook', { status: '204' });
const read = operation('GET /books/{bookId}', 'getBook', {
  result,
  resultHeaders: { ETag: { schema: { type: 'string' } } },
});

/** The steps of a command on a record that was deleted; a PATCH needs its version. */
async function stepsOn(command: string, others = [removal, read]) {
  const isWithin = command.endsWith('/pages');
  const contract = await contractOf(
    operation('POST /books', 'addBook', { result }),
    operation(command, 'command', {
      ...(command.startsWith('PATCH') && others.includes(read)
        ? { status: '200', result, parameters: [match], governed: { version: versioned } }
        : { result, ...(isWithin ? { governed: { effect: { list: 'listPages' } } } : {}) }),
    }),
    ...(isWithin
      ? [operation('GET /books/{bookId}/pages', 'listPages', { result: { type: 'array', items: result } })]
      : []),
    ...others,
  );
  return planned(absentTargets, contract)
    .scenarios({ operation: 'command', probe: 'removed' })
    .flatMap(({ waves }) => stepsOf(waves))
    .map(({ deviations, id, operation: of, role, target }) => [
      id,
      of,
      role,
      deviations.length > 0,
      Object.values(target ?? {}).map((ref) => ('step' in ref ? ref.step : ref)),
    ]);
}

test('a change that needs a version is sent on a record that was deleted, and read where it is accepted', async () => {
  const [made, other] = [['make-bookId'], ['other-make-bookId']];
  expect(await stepsOn('PATCH /books/{bookId}')).toEqual([
    ['make-bookId', 'addBook', 'setup', false, []],
    ['read-version', 'getBook', 'setup', false, made],
    ['provoking', 'removeBook', 'setup', false, made],
    ['gone', 'getBook', 'readback', true, made],
    ['other-make-bookId', 'addBook', 'setup', false, []],
    ['other-read-version', 'getBook', 'setup', false, other],
    ['test', 'command', 'test', true, made],
    ['absent-read', 'getBook', 'readback', true, made],
    ['there-read', 'getBook', 'readback', false, other],
    ['control', 'command', 'control', false, other],
  ]);
});

test('of what is made within a deleted record, the declared list is read', async () => {
  const steps = await stepsOn('POST /books/{bookId}/pages');
  expect(steps.flatMap(([id, of]) => (String(id).endsWith('-read') ? [of] : []))).toEqual([
    'listPages',
    'listPages',
  ]);
});

test.each([
  ['nothing deletes the record', 'PATCH /books/{bookId}', [read]],
  ['nothing reads it', 'PATCH /books/{bookId}', [removal]],
  ['an action may be meant for deleted records', 'POST /books/{bookId}/restore', undefined],
])('none is sent where %s', async (_, command, others) => {
  expect(await stepsOn(command, others)).toEqual([]);
});
