import { expect, test } from 'vitest';
import { clauses } from './catalogue.ts';
import { specification } from './specification.ts';

const codes = clauses.map((clause) => clause.code);

test('every sentence names the clauses that test it, or why none can', () => {
  for (const { quote, clauses: named, because } of specification)
    expect([quote, named.length > 0 || (because ?? '') !== '']).toEqual([quote, true]);
});

test('only clauses that there are, and each of them somewhere', () => {
  const named = new Set(specification.flatMap((sentence) => sentence.clauses));
  expect([...named].filter((code) => !codes.includes(code))).toEqual([]);
  expect(codes.filter((code) => !named.has(code))).toEqual([]);
});

test('a stated clause quotes a sentence that names it', () => {
  const plain = (text: string): string =>
    text
      .replaceAll(/[`*|:]/g, '')
      .replaceAll(/\s+/g, ' ')
      .toLowerCase();
  const strangers = clauses
    .filter((clause) => clause.level === 'stated')
    .filter((clause) => {
      const own = specification.filter((sentence) => sentence.clauses.includes(clause.code));
      const quote = plain(clause.source.quote);
      return !own.some(
        (sentence) => plain(sentence.quote).includes(quote) || quote.includes(plain(sentence.quote)),
      );
    });
  expect(strangers.map((clause) => `${clause.code}: ${clause.source.quote}`)).toEqual([]);
});

test('nothing is there twice', () => {
  const quotes = specification.map(({ where, quote }) => `${where}: ${quote}`);
  expect(new Set(quotes).size).toBe(quotes.length);
  // As many as the specification has sentences, items and rows.
  expect(specification).toHaveLength(67);
});
