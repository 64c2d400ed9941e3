import { expect, test } from 'vitest';
import { operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';
import type { Json } from './json.ts';
import { itemId } from './listed.ts';

const made = { type: 'object', properties: { id: { type: 'string' } } };

/** The ID of an item of the list of tags that a case has. */
async function idOf(item: Json, more: readonly string[] = []): Promise<string | undefined> {
  const contract = await contractOf(
    operation('POST /cases', 'addCase', { result: made }),
    operation('GET /cases/{caseId}', 'seeCase', { result: made }),
    operation('GET /cases/{caseId}/tags', 'tags', { result: true }),
    ...more.map((request) =>
      operation(request, request, {
        ...(request.startsWith('GET') ? {} : { governed: { effect: { list: 'tags' } } }),
        result: true,
      }),
    ),
  );
  return itemId(contract, 'tags')(item);
}

const drop = 'DELETE /cases/{caseId}/tags/{tag}';

test('an item is named by the field of the commands on it, where no read shows one alone', async () => {
  expect(await idOf({ tag: 'red' }, [drop])).toBe('red');
  expect(await idOf({ tag: 'red', id: 't_1' }, [drop])).toBe('t_1');
  expect(await idOf({ tag: 'red' })).toBe(undefined);
  expect(await idOf({ tag: 'red', key: 'r' }, [drop, 'GET /cases/{caseId}/tags/{key}'])).toBe('r');
});

test('an item that is no object is the name itself', async () => {
  expect(await idOf('red', [drop])).toBe('red');
  expect(await idOf('red')).toBe(undefined);
});
