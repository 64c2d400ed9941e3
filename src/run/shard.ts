import { createHash, randomBytes } from 'node:crypto';
import { type ChosenIds, takenIds } from '../engine/bind.ts';
import type { Plan } from '../engine/plan.ts';
import { partsOf } from '../engine/shards.ts';
import type { ShardOf } from '../evidence/log.ts';
import { planDigest, shardName } from '../evidence/shards.ts';
import type { Declared } from '../model/declaration.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { probesOfPlan } from './notes.ts';

/** The part of the plan that a process runs, and the run that all processes make together. */
export type Shard = Pick<ShardOf, 'run' | 'number' | 'of'>;

/** The part of a plan that a shard runs, and what its header says. Clauses that cannot be planned are in every part. */
export function shardOfPlan(
  plan: Plan,
  planning: Planning,
  { run, number, of }: Shard,
): { readonly plan: Plan; readonly shard: ShardOf } {
  const { last, shards } = partsOf(plan, planning, of ?? 1);
  return {
    plan: { probes: number === 'last' ? last : (shards[number - 1] ?? []), skips: plan.skips },
    shard: {
      run,
      number,
      ...(of === undefined || number === 'last' ? {} : { of }),
      quiet: last.length,
      plan: planDigest(probesOfPlan(plan.probes)),
      salt: randomBytes(16).toString('hex'),
    },
  };
}

/** The name of a shard's folder: shards may begin in the same millisecond. */
export function folderOf(id: string, shard: ShardOf | undefined): string {
  return shard === undefined ? id : `${id}-${shardName(shard).replace('/', 'of')}`;
}

/** Ids that callers choose for records: no two shards that run at the same time choose one. */
export function idsOfShard(shard: ShardOf | undefined): ChosenIds {
  const { number, of } = shard ?? {};
  return typeof number === 'number' && of !== undefined ? takenIds({ number, of }) : takenIds();
}

/** What all shards of a run derive the same nonce from. */
export function nonceOfRun(run: string): string {
  return createHash('sha256').update(`assay run ${run}`).digest('hex').slice(0, 32);
}

/** The seed of a run of shards that was given none. */
export function seedOfRun(run: string): number {
  return createHash('sha256').update(`assay seed ${run}`).digest().readUInt32BE(0) >>> 1;
}

/** Milliseconds between requests of a principal by which all shards together keep to the declared limit (G8). */
export function sharedInterval(
  { G8: { rate } }: Pick<Declared, 'G8'>,
  shard: Pick<ShardOf, 'of'> | undefined,
): number {
  const { of = 1 } = shard ?? {};
  return rate === undefined || rate.requests <= 0 || of < 2
    ? 0
    : (of * rate.perSeconds * 1000) / rate.requests;
}
