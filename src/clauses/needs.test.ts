import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../config/load.ts';
import { loadContract } from '../contract/load.ts';
import type { Context, Judge, Ruling } from '../model/clause.ts';
import type { Trace } from '../model/exchange.ts';
import { traitsOf } from '../model/traits.ts';
import { makeContext } from '../oracle/context.ts';
import { bothWays } from './cases/both-ways.ts';
import { contextOf, tracesOf } from './cases/judged.ts';
import { clauses } from './catalogue.ts';

const folder = 'fixtures/traces';
const config = await loadConfig('fixtures/contracts/extended.config.yaml');
const contract = await loadContract(config.contract);
const recordedIn = makeContext({
  contract,
  declared: config.declared,
  principals: config.principals,
  proven: new Set(config.principals.map(({ name }) => name)),
});
const recorded: readonly (readonly [Context, Trace])[] = readdirSync(folder).flatMap((name) => {
  const { holds, violates }: { holds: Trace; violates: Trace } = JSON.parse(
    readFileSync(join(folder, name), 'utf8'),
  );
  return [[recordedIn, holds] as const, [recordedIn, violates] as const];
});

const literal: readonly (readonly [Context, Trace])[] = bothWays.flatMap(([code, holds, violates, shows]) =>
  (['holds', 'violates'] as const).flatMap((kind) =>
    tracesOf({
      clause: code,
      kind,
      when: '',
      trace: kind === 'holds' ? holds : violates,
      ...(shows === undefined ? {} : { shows: shows[kind] }),
    }).map((each) => [contextOf(), each] as const),
  ),
);

function rulings(judge: Judge, context: Context, trace: Trace): readonly Ruling[] {
  return judge.over === 'run' ? [...judge.start().see(context, trace)] : [...judge.rule(context, trace)];
}

/** Traces about which a judge speaks although they have nothing of what it says that it needs. */
function spokenOf(judge: Judge, traces: readonly (readonly [Context, Trace])[]): readonly string[] {
  const { needs } = judge;
  if (needs === undefined) return [];
  return traces.flatMap(([context, trace]) => {
    const traits = traitsOf(context, trace);
    return needs.some((one) => traits.has(one)) || rulings(judge, context, trace).length === 0
      ? []
      : [`${trace.suite} ${trace.probe} (${[...traits].join(', ')})`];
  });
}

test.each(clauses.map((clause) => [clause.code, clause] as const))(
  '%s says nothing where what it needs is missing',
  (_, { judges }) => {
    expect(judges.flatMap((judge) => spokenOf(judge, [...recorded, ...literal]))).toEqual([]);
  },
);

test('a judge that needs a deviation is asked only about traces that have it', () => {
  const asked = clauses.flatMap(({ judges }) => judges).filter(({ needs }) => needs !== undefined);
  expect(asked.length).toBeGreaterThan(100);
});
