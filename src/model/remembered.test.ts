import { expect, test } from 'vitest';
import { remembered, rememberedWith } from './remembered.ts';

test('what follows from an object is found out once for each object', () => {
  const asked: string[] = [];
  const length = remembered(({ text }: { readonly text: string }) => {
    asked.push(text);
    return text.length;
  });
  const [empty, word] = [{ text: '' }, { text: 'word' }];
  expect([length(empty), length(word), length(empty), length(word), length({ text: '' })]).toEqual([
    0, 4, 0, 4, 0,
  ]);
  expect(asked).toEqual(['', 'word', '']);
});

test('what follows from another thing as well is found out again where that is another one', () => {
  let asked = 0;
  const at = rememberedWith((list: readonly string[], index: number) => {
    asked += 1;
    return list[index];
  });
  const list = ['a', 'b'];
  expect([at(list, 0), at(list, 0), at(list, 1), at(list, 7), at(list, 7), at(list, 0)]).toEqual([
    'a',
    'a',
    'b',
    undefined,
    undefined,
    'a',
  ]);
  expect(asked).toBe(4);
});
