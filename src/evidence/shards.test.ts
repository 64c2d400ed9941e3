import { expect, test } from 'vitest';
import { idPrefix, missingShards, planDigest, prefixIn, shardName } from './shards.ts';

const shard = (number: number | 'last', quiet = 1, of = 3) => ({
  run: 'r',
  number,
  ...(number === 'last' ? {} : { of }),
  quiet,
  plan: '',
  salt: '',
});

test('missing shards are named; the last is needed where something was left to it', () => {
  expect(missingShards([shard(1), shard(2), shard(3), shard('last')])).toEqual([]);
  expect(missingShards([shard(3), shard(1)])).toEqual(['2/3', 'last']);
  expect(missingShards([shard(1, 0), shard(2, 0), shard(3, 0)])).toEqual([]);
  expect(missingShards([shard('last')])).toEqual(['all but the last']);
  expect(missingShards([shard(1, 0, 1)])).toEqual([]);
});

test('ids say which shard they are of', () => {
  expect(['x17', 'x2-17', 'tlast-1', 't1'].map(prefixIn)).toEqual(['', '2-', 'last-', '']);
  expect([undefined, shard(2), shard('last')].map(idPrefix)).toEqual(['', '2-', 'last-']);
  expect([shard(2), shard('last')].map(shardName)).toEqual(['2/3', 'last']);
});

test('the parts of a plan have its digest, in whatever order', () => {
  const probe = (name: string) => ({
    suite: 's',
    probe: name,
    operation: 'o',
    seed: 1,
    scenarios: 1,
    random: 0,
  });
  const whole = planDigest(['a', 'b', 'c'].map(probe));
  expect(planDigest(['c', 'a', 'b'].map(probe))).toBe(whole);
  expect(planDigest(['a', 'b'].map(probe))).not.toBe(whole);
  expect(planDigest(['a', 'b', 'b', 'c'].map(probe))).not.toBe(whole);
});
