import { expect, test } from 'vitest';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import { sharedInterval } from '../run/shard.ts';
import { capture } from '../testing/captured.ts';
import { plan } from './plan.ts';
import { partOf, shardOf } from './shard.ts';

test.each([
  ['2/3', {}, { number: 2, of: 3 }],
  ['1/1', {}, { number: 1, of: 1 }],
  ['last', {}, { number: 'last' }],
  ['last/3', {}, { number: 'last' }],
  ['auto', { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4' }, { number: 1, of: 4 }],
  ['auto', { CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '4' }, { number: 1, of: 4 }],
  ['auto', { BUILDKITE_PARALLEL_JOB: '3', BUILDKITE_PARALLEL_JOB_COUNT: '4' }, { number: 4, of: 4 }],
  ['auto/5', { JOB_COMPLETION_INDEX: '0' }, { number: 1, of: 5 }],
  ['auto/5', { JOB_COMPLETION_INDEX: '4' }, { number: 5, of: 5 }],
  ['auto/4', { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4' }, { number: 2, of: 4 }],
] as const)('--shard %s with %j', (text, env, part) => {
  expect(partOf(text, env)).toEqual(part);
});

test.each([
  ['0/3', {}, "'0/3': there is no shard 0 of 3; write 1/3 to 3/3, or last"],
  ['4/3', {}, "'4/3': there is no shard 4 of 3; write 1/3 to 3/3, or last"],
  ['1/0', {}, 'there are 1 to 1000 shards, not 0'],
  ['-1/3', {}, "'-1/3' is not a shard; write a shard and how many there are, such as 2/3"],
  ['2', {}, "'2' is not a shard"],
  ['1.5/3', {}, "'1.5/3' is not a shard"],
  ['', {}, "'' is not a shard"],
  ['auto', {}, 'no variable of the environment says which shard this is'],
  [
    'auto',
    { JOB_COMPLETION_INDEX: '0' },
    'JOB_COMPLETION_INDEX gives no number of shards; add it, such as auto/3',
  ],
  ['auto/3', { JOB_COMPLETION_INDEX: '3' }, 'there is no shard 4 of 3'],
  ['auto/3', { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4' }, 'auto/3 contradicts CI_NODE_TOTAL, which is 4'],
  ['auto', { CI_NODE_INDEX: 'one', CI_NODE_TOTAL: '4' }, "CI_NODE_INDEX is 'one' and CI_NODE_TOTAL '4'"],
] as const)('--shard %s with %j is refused', (text, env, problem) => {
  expect(() => partOf(text, env)).toThrow(problem);
});

test('all shards of a pipeline find the same run id', () => {
  const given = { ASSAY_RUN_ID: 'mine', GITHUB_RUN_ID: '17' };
  expect(shardOf('1/2', 'here', given)).toEqual({ run: 'here', number: 1, of: 2 });
  expect(shardOf('1/2', undefined, given)).toEqual({ run: 'mine', number: 1, of: 2 });
  expect(shardOf('last', undefined, { CI_PIPELINE_ID: '9' })).toEqual({ run: '9', number: 'last' });
  expect(() => shardOf('1/2', undefined, {})).toThrow('shards need the ID of their common run');
  expect(() => shardOf('1/2', 'a b', {})).toThrow("'a b' is not a valid run ID");
});

test('a plan says what each shard would send, and sends nothing', async () => {
  const said = capture();
  const overrides = { budget: 'quick', seed: 4 } as const;
  const part = { number: 2, of: 3 };
  const suites = ['missing-keys', 'throttling'];
  expect(await plan('harness.config.yaml', { overrides, part, suites }, said.output)).toBe(0);
  const lines = said.text().split('\n');
  expect(
    lines.slice(0, 4).map((line) => line.replaceAll(/ +/g, ' ').replaceAll(/\d+ (?=probes|requests)/g, 'n ')),
  ).toEqual([
    'shard 1/3 n probes, about n requests',
    'shard 2/3 n probes, about n requests',
    'shard 3/3 n probes, about n requests',
    'shard last n probes, about n requests',
  ]);
  const probesIn = (line: string | undefined): number => Number(/(\d+) probes/.exec(line ?? '')?.[1]);
  expect(probesIn(lines[3])).toBe(1);
  expect(probesIn(lines.find((line) => line.startsWith('shard 2/3   ') && line.includes('budget')))).toBe(
    probesIn(lines[1]),
  );
});

test('all shards together keep to the declared limit', () => {
  const limit = parsedDeclaration({ G8: { requests: 20, perSeconds: 1 } });
  expect(sharedInterval(limit, { of: 4 })).toBe(200);
  expect(sharedInterval(limit, { of: 1 })).toBe(0);
  expect(sharedInterval(limit, {})).toBe(0);
  expect(sharedInterval(limit, undefined)).toBe(0);
  expect(sharedInterval(parsedDeclaration({}), { of: 4 })).toBe(0);
});
