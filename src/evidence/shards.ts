import { createHash } from 'node:crypto';
import { canonicalJson, parseJson } from '../model/json.ts';
import type { HeaderLine, PlanLine, ShardOf } from './log.ts';

/** `2/3`, or `last`. */
export function shardName({ number, of }: Pick<ShardOf, 'number' | 'of'>): string {
  return number === 'last' ? number : `${number}/${of}`;
}

/** The prefix for the numbers of exchanges and traces, so that those of all shards differ. */
export function idPrefix(shard: Pick<ShardOf, 'number'> | undefined): string {
  return shard === undefined ? '' : `${shard.number}-`;
}

/** The prefix in an ID: `2-` in `x2-17`. */
export function prefixIn(id: string): string {
  return /^[xt]((?:\d+|last)-)/.exec(id)?.[1] ?? '';
}

/** The shards that are missing, by name; the last is needed only where something was left to it. */
export function missingShards(shards: readonly ShardOf[]): readonly string[] {
  const numbers = new Set(shards.map(({ number }) => number));
  const of = shards.find((shard) => shard.of !== undefined)?.of;
  const absent =
    of === undefined
      ? ['all but the last']
      : Array.from({ length: of }, (_, index) => index + 1)
          .filter((number) => !numbers.has(number))
          .map((number) => shardName({ number, of }));
  return [...absent, ...(shards.some(({ quiet }) => quiet > 0) && !numbers.has('last') ? ['last'] : [])];
}

/** SHA-256 over the probes of a plan, in whatever order. */
export function planDigest(probes: PlanLine['probes']): string {
  const lines = probes.map(({ suite, probe, operation, seed, scenarios, random }) =>
    JSON.stringify([suite, probe, operation, seed, scenarios, random]),
  );
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

/** What differs between two shards but must be the same in one run. */
export function shardDifferences(one: HeaderLine, other: HeaderLine): readonly string[] {
  const [mine, theirs] = [alike(one), alike(other)];
  return Object.keys(mine).filter((name) => mine[name] !== theirs[name]);
}

/** What all shards have in common, in words. Where they ran, and with which tokens, may differ. */
function alike(header: HeaderLine): Readonly<Record<string, string>> {
  const { certificate: _certificate, signedBy: _signedBy, ...target } = header.target;
  const text = (value: unknown): string => canonicalJson(parseJson(JSON.stringify(value ?? null)) ?? null);
  const { shard } = header;
  return {
    'run id': text([shard?.run, header.nonce]),
    seed: text(header.seed),
    contract: text(header.contract.digest),
    configuration: text(header.configuration.digest),
    suites: text(header.suites.digest),
    'version of Assay': text(header.harness),
    target: text(target),
    budget: text([header.budget, header.limits, header.throttling]),
    filters: text([header.partial, header.narrowing, header.operations, header.clauses]),
    challenge: text(header.challenge),
    declaration: text(header.declaration),
    principals: text(header.principals.map(({ token: _token, from: _from, ...principal }) => principal)),
    settings: text([header.hooks, header.excluded, header.parameters, header.waivers, header.selfTest]),
    plan: text([shard?.plan, shard?.quiet]),
  };
}

/** The same for the number of shards, which the last does not know. */
export function otherCount(one: ShardOf, other: ShardOf): boolean {
  return one.of !== undefined && other.of !== undefined && one.of !== other.of;
}
