import type { FooterLine, HeaderLine, PlanLine, ShardOf } from './log.ts';
import { missingShards, otherCount, planDigest, shardDifferences, shardName } from './shards.ts';

/** Checks that the shards of a merged log belong together. Each method returns what is wrong, in words. */
export type Shards = {
  readonly begin: (header: HeaderLine) => readonly string[];
  readonly plan: (line: PlanLine) => void;
  readonly end: (footer: FooterLine) => void;
  readonly goesOn: () => boolean;
  /** Milliseconds by which a shard began later than the first in the log. */
  readonly later: (header: HeaderLine) => number;
  readonly finish: () => readonly string[];
};

export function makeShards(): Shards {
  let first: HeaderLine | undefined;
  const seen: ShardOf[] = [];
  const probes: PlanLine['probes'][number][] = [];
  let othersEnded = Number.NEGATIVE_INFINITY;
  let lastStarted = Number.POSITIVE_INFINITY;
  let current: ShardOf | undefined;
  return {
    begin: (header) => {
      const { shard } = header;
      current = shard;
      if (shard?.number === 'last') lastStarted = Date.parse(header.startedAt);
      if (first === undefined) {
        first = header;
        if (shard !== undefined) seen.push(shard);
        return [];
      }
      if (shard === undefined) return ['the header names no shard'];
      const name = shardName(shard);
      const different = shardDifferences(first, header);
      const problems = [
        ...(different.length === 0
          ? []
          : [`shard ${name} differs from the first one in ${different.join(', ')}`]),
        ...(seen.some(({ number }) => number === shard.number) ? [`shard ${name} is there twice`] : []),
        ...(seen.some((other) => otherCount(other, shard))
          ? [`shard ${name} has another number of shards`]
          : []),
      ];
      seen.push(shard);
      return problems;
    },
    plan: (line) => {
      if (first?.shard !== undefined) probes.push(...line.probes);
    },
    end: ({ endedAt }) => {
      if (current !== undefined && current.number !== 'last')
        othersEnded = Math.max(othersEnded, Date.parse(endedAt));
    },
    goesOn: () => first?.shard !== undefined && first.excerpt === undefined,
    later: (header) =>
      first === undefined ? 0 : Math.max(0, Date.parse(header.startedAt) - Date.parse(first.startedAt)),
    finish: () => [
      ...(lastStarted < othersEnded ? ['the last shard began before the others had ended'] : []),
      ...(first?.shard !== undefined &&
      first.excerpt === undefined &&
      missingShards(seen).length === 0 &&
      planDigest(probes) !== first.shard.plan
        ? ['the plans of the shards are not the parts of one plan']
        : []),
    ],
  };
}
