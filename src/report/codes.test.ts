import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codesInShort } from './codes.ts';

test.each([
  [['RID-1', 'RID-3'], 'RID-1, RID-3'],
  [['RID-1', 'RID-2', 'RID-3', 'RID-5', 'AUT-10', 'AUT-11', 'AUT-9', 'THR-1'], 'RID 1-3, 5; AUT 9-11; THR 1'],
])('%j in short', (codes, text) => {
  expect(codesInShort(codes)).toBe(text);
});

test('every code can be read from the short form, and no other', () => {
  const code = fc.tuple(fc.constantFrom('RID', 'AUT', 'IDM'), fc.integer({ min: 1, max: 30 }));
  fc.assert(
    fc.property(fc.uniqueArray(code, { minLength: 7, selector: String }), (codes) => {
      const text = codesInShort(codes.map(([name, number]) => `${name}-${number}`));
      const read = text.split('; ').flatMap((part) => {
        const [name = '', ...rest] = part.split(' ');
        return rest
          .join('')
          .split(',')
          .flatMap((span) => {
            const [from = 0, to = from] = span.split('-').map(Number);
            return Array.from({ length: to - from + 1 }, (_, index) => `${name}-${from + index}`);
          });
      });
      expect(read.sort()).toEqual(codes.map(([name, number]) => `${name}-${number}`).sort());
    }),
  );
});
