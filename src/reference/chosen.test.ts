import { expect, test } from 'vitest';
import { linkTo, object, operation } from '../selftest/shapes/document.ts';
import { contractOf, made } from '../testing/contracts.ts';
import { withTrial } from '../testing/trial.ts';

test('an ID that a caller chose within one record is refused within another one', async () => {
  const parameters = ['book', 'page'].map((name) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  }));
  const contract = await contractOf(
    operation('POST /books', 'write', { result: made, links: linkTo('put', 'book', '/id') }),
    operation('PUT /books/{book}/pages/{page}', 'put', {
      parameters,
      body: object({ text: { type: 'string' } }, ['text']),
      result: true,
    }),
  );
  await withTrial({ contract }, async ({ ask }) => {
    const write = async (key: string): Promise<string> =>
      (await ask('POST', '/books', { key })).textAt('/id');
    const put = async (book: string, key: string): Promise<number> =>
      (await ask('PUT', `/books/${book}/pages/one`, { key, body: { text: 'x' } })).status;
    const [first, second] = [await write('a'), await write('b')];
    expect([await put(first, 'c'), await put(second, 'd'), await put(first, 'e')]).toEqual([201, 409, 201]);
  });
});
