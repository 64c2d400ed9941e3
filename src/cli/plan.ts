import { clauseCodes } from '../clauses/codes.ts';
import type { Overrides } from '../config/config.ts';
import { usualLimits } from '../engine/budget.ts';
import {
  boundOf,
  boundText,
  type Estimate,
  estimateOf,
  requestsOfProbe,
  secondsAtLimit,
  type Term,
} from '../engine/estimate.ts';
import type { PlannedProbe } from '../engine/plan.ts';
import { partsOf } from '../engine/shards.ts';
import { mostForeignPages } from '../engine/walk.ts';
import { shardName } from '../evidence/shards.ts';
import type { ClauseCode } from '../model/clause.ts';
import type { OperationId } from '../model/contract.ts';
import { type Declared, settleMs } from '../model/declaration.ts';
import { type AlikeGroup, alikeGroups } from '../report/alike.ts';
import { codesInShort } from '../report/codes.ts';
import { planInTurns } from '../run/planned.ts';
import { type Narrowing, narrowed } from '../run/selection.ts';
import { openSession, type Session } from '../run/session.ts';
import type { Shard } from '../run/shard.ts';
import { unaimed } from '../run/unaimed.ts';
import type { Skip } from '../suite-kit/suite.ts';
import { unsaidEffects } from './proposals.ts';
import { type Output, warnOfContract } from './terminal/output.ts';

/** Says what a run would send, and what cannot be tested with this configuration and why. Sends nothing, and reads no token. */
export async function plan(
  file: string,
  flags: Narrowing & {
    readonly overrides: Overrides;
    readonly part?: Pick<Shard, 'number' | 'of'> | undefined;
  },
  output: Output,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const session = await openSession(file, flags.overrides, undefined, undefined, signal);
  const selection = await narrowed(session, flags);
  const planning = session.planning(new Map());
  const whole = await planInTurns(session, planning, selection, signal);
  const { skips } = whole;
  const { bold, dim, yellow } = output.colours;
  warnOfContract(session.contract, output);
  const unsaid = unsaidEffects(session.contract);
  if (unsaid !== undefined) output.err(`assay: ${unsaid}\n`);
  let { probes } = whole;
  if (flags.part !== undefined) {
    const { number, of } = flags.part;
    const { last, shards } = partsOf(whole, planning, of ?? 1);
    const parts: readonly PlanPart[] = [
      ...(of === undefined
        ? []
        : shards.map((each, index): PlanPart => [shardName({ number: index + 1, of }), each])),
      ['last', last],
    ];
    for (const [name, each] of parts)
      output.out(
        `shard ${name.padEnd(8)} ${String(each.length).padStart(5)} probes, about ${requestsOfAll(each)} requests\n`,
      );
    output.out('\n');
    probes = number === 'last' ? last : (shards[number - 1] ?? []);
  }
  let total = 0;
  for (const suite of await session.suites()) {
    const own = probes.filter((probe) => probe.suite === suite.name);
    if (own.length === 0) continue;
    const requests = requestsOfAll(own);
    total += requests;
    output.out(
      `${bold(suite.name.padEnd(24))} ${String(own.length).padStart(5)} ${own.length === 1 ? 'probe, ' : 'probes,'} about ${requests} requests\n`,
    );
  }
  output.out(
    `${(flags.part === undefined ? 'all' : `shard ${shardName(flags.part)}`).padEnd(24)} ${String(probes.length).padStart(5)} probes, about ${total} requests at the ${session.config.budget} budget, seed ${session.seed}\n`,
  );
  output.out(`${expectation(session, estimateOf(planning, probes, settleMs(session.config.declared)))}\n`);
  for (const [code, because] of await unaimed(session, planning, selection, whole))
    output.out(`\n${yellow(code)}\n  ${because}\n`);
  // Of clauses that were asked for, each reason counts.
  const groups = remedies(selection.clauses === undefined ? untestable(skips) : skips);
  if (groups.length > 0) output.out(`\n${bold('Cannot be tested with this configuration')}\n`);
  for (const { because, clauses, differs } of groups) {
    output.out(`  ${yellow(codesInShort(clauses))}\n    ${dim(because)}\n`);
    if (differs.length > 0) output.out(`      ${dim(differs.map(({ words }) => words).join(', '))}\n`);
  }
  return 0;
}

/** What would let the skipped probes be tried: once for each cause, however many operations have it. */
function remedies(skips: readonly Skip[]): readonly AlikeGroup[] {
  const groups = new Map<
    string,
    { readonly clauses: Set<ClauseCode>; readonly operations: Set<OperationId> }
  >();
  for (const { clauses, need, operation } of skips) {
    const group = groups.get(need.remedy) ?? { clauses: new Set(), operations: new Set() };
    groups.set(need.remedy, group);
    for (const code of clauses) group.clauses.add(code);
    group.operations.add(operation);
  }
  return alikeGroups(
    [...groups].map(([because, { clauses, operations }]) => ({
      verdict: 'not-tested',
      because,
      clauses: clauseCodes.filter((code) => clauses.has(code)),
      operations: [...operations],
      cells: clauses.size * operations.size,
    })),
  );
}

/** What a configuration could let a run test; of what the target has nothing there is nothing to test. */
export function untestable(skips: readonly Skip[]): readonly Skip[] {
  return skips.filter(({ need }) => need.kind !== 'inapplicable');
}

type PlanPart = readonly [name: string, probes: readonly PlannedProbe[]];

function requestsOfAll(probes: readonly PlannedProbe[]): number {
  return probes.reduce((sum, each) => sum + requestsOfProbe(each), 0);
}

/** A latency to reckon with, in milliseconds: the plan does not ask the target. */
const latencyMs = 20;

/** Requests and seconds of a run, in words, and a warning for each limit of it that is too small. */
export function expected(
  session: Session,
  probes: readonly PlannedProbe[],
): { readonly cost: string; readonly warnings: readonly string[] } {
  const estimate = estimateOf(session.planning(new Map()), probes, settleMs(session.config.declared));
  const [time = '', ...lines] = expectation(session, estimate).split('\n');
  const [seconds = ''] = time.split(' if ');
  const burst = requestsOfAll(probes.filter(({ suite }) => suite === 'throttling'));
  return {
    cost: `about ${requestsOfAll(probes)} requests (up to ${burst} to provoke 429) and ${seconds.replace(/^about /, '')}`,
    warnings: lines.filter((line) => line.startsWith('warning: ')).map((line) => line.slice(9)),
  };
}

/** What shortens a run, or makes room for it. */
function remedyOf(by: Term, declared: Declared): string {
  if (by === 'limit') return 'raise --max-seconds or the limit of the target';
  return by === 'waits' && declared.G15 === undefined
    ? 'raise --max-seconds, or declare G15: reads are given 5 s to show a write'
    : 'raise --max-seconds';
}

function expectation({ config, contract }: Session, estimate: Estimate): string {
  const limits = usualLimits(config.budget, contract.operations.length);
  const maxSeconds = config.maxSeconds ?? limits.maxSeconds;
  const maxRequests = config.maxRequests ?? limits.maxRequests;
  const terms = {
    waits: estimate.waitMs / 1000,
    latency: (estimate.requests * latencyMs) / config.concurrency / 1000,
    limit: secondsAtLimit(config.declared, estimate.mostOfOne),
  };
  const bound = boundOf(terms);
  const lines = [
    `about ${Math.ceil(bound.seconds * 1.2 + 1)} s if a response takes ${latencyMs} ms; at least ${boundText(bound)}`,
    `lists: reads at most ${mostForeignPages} pages of older records for each list and scope`,
  ];
  if (bound.seconds > maxSeconds)
    lines.push(
      `warning: the run ends after ${maxSeconds} s; ${remedyOf(bound.by, config.declared)}, or part of the plan remains untested`,
    );
  if (estimate.requests > maxRequests)
    lines.push(
      `warning: the run ends after ${maxRequests} requests; raise --max-requests, or part of the plan remains untested`,
    );
  return lines.join('\n');
}
