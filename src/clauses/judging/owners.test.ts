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

test('the oldest values are forgotten, and at least as many as asked for are known', () => {
  const owners = makeOwners(2);
  for (const value of ['a', 'b', 'c', 'd', 'e']) owners.claim(value, owner(value));
  expect(owners.claim('c', owner('again')).exchange).toBe('c');
  expect(owners.claim('d', owner('again')).exchange).toBe('d');
  expect(owners.claim('e', owner('again')).exchange).toBe('e');
  expect(owners.claim('a', owner('again')).exchange).toBe('again');
});

test('among many values that differ little, each has its own owner', () => {
  const owners = makeOwners();
  const values = Array.from({ length: 50_000 }, (_, index) => [
    `req_${index}`,
    `req_${index.toString(16).padStart(32, '0')}`,
    `REQ_${index}`,
    `${index}_req`,
  ]).flat();
  expect(values.filter((value) => owners.claim(value, owner(value)).exchange !== value)).toEqual([]);
  expect(
    values.slice(-100_000).filter((value) => owners.claim(value, owner('again')).exchange !== value),
  ).toEqual([]);
});
