import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distance, nearest, suggestion } from './nearest.ts';

describe('distance', () => {
  test.each([
    ['', '', 0],
    ['case', '', 4],
    ['kitten', 'sitting', 3],
    ['createCase', 'creatCase', 1],
    ['test', 'tset', 1],
  ])('%s to %s is %i', (a, b, expected) => {
    expect(distance(a, b)).toBe(expected);
  });

  test('is symmetric, and zero of equal texts alone', () => {
    const text = fc.string({ maxLength: 8 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(distance(a, b)).toBe(distance(b, a));
        expect(distance(a, b) === 0).toBe(a === b);
        expect(distance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(distance(a, b)).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
      }),
    );
  });
});

describe('suggestion', () => {
  test('names what was probably meant', () => {
    expect(nearest('principles', ['target', 'principals', 'operations'])).toBe('principals');
    expect(nearest('CREATECASE', ['createCase', 'closeCase'])).toBe('createCase');
    expect(suggestion('creatCase', ['createCase', 'closeCase'])).toBe("did you mean 'createCase'?");
  });

  test('names all where nothing comes near', () => {
    expect(nearest('xyz', ['createCase', 'closeCase'])).toBeUndefined();
    expect(suggestion('xyz', ['createCase', 'closeCase'])).toBe('known are: createCase, closeCase');
    expect(suggestion('xyz', [])).toBe('there are none');
  });
});
