import { expect, test } from 'vitest';
import { allChangedAlone } from '../generate/index.ts';
import { contractWith } from '../testing/described.ts';
import { manyMembers } from './wide.ts';

const objectOf = (members: number): string =>
  `{ type: object, properties: { ${Array.from({ length: members }, (_, index) => `m${index}: {}`).join(', ')} } }`;

test('an object with more members than are tried one by one is named in a warning', async () => {
  const { warnings } = await contractWith({ body: `{ properties: { inner: ${objectOf(251)} } }` });
  expect(warnings).toEqual([
    expect.stringMatching(
      /^c\.yaml:\d+:\d+: an object in the request body of 'make' has 251 members; wrong and other values are tried at some of them only, spread over all$/,
    ),
  ]);
});

test('the limit is that of what is generated', () => {
  expect(manyMembers).toBe(allChangedAlone);
});

test.each([
  ['an ordinary object', objectOf(250)],
  ['a value whose member is named properties', `{ type: object, default: ${objectOf(251)} }`],
])('%s is not', async (_, body) => {
  expect((await contractWith({ body })).warnings).toBeUndefined();
});
