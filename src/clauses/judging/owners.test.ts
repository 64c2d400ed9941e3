import { expect, test } from 'vitest';
import { makeOwners } from './owners.ts';

const owner = (exchange: string) => ({ group: exchange, exchange });

test('a value belongs to its first owner', () => {
  const owners = makeOwners();
  expect(owners.claim('a', owner('x1')).exchange).toBe('x1');
  expect(owners.claim('b', owner('x2')).exchange).toBe('x2');
  expect(owners.claim('a', owner('x3')).exchange).toBe('x1');
});

test('who is of the group of the first owner may share a value', () => {
  const owners = makeOwners();
  expect(owners.claim('a', { group: 'key 1', exchange: 'x1' })).toEqual({ exchange: 'x1', shares: true });
  expect(owners.claim('a', { group: 'key 2', exchange: 'x2' })).toEqual({ exchange: 'x1', shares: false });
  expect(owners.claim('a', { group: 'key 1', exchange: 'x3' })).toEqual({ exchange: 'x1', shares: true });
});

test('the oldest values are forgotten, and no more than needed', () => {
  const owners = makeOwners(2);
  for (const value of ['a', 'b', 'c']) owners.claim(value, owner(value));
  expect(owners.claim('b', owner('again')).exchange).toBe('b');
  expect(owners.claim('c', owner('again')).exchange).toBe('c');
  expect(owners.claim('a', owner('again')).exchange).toBe('again');
});
