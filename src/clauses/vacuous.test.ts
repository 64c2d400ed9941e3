import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../config/load.ts';
import { loadContract } from '../contract/load.ts';
import { rulingsOf } from '../judge.ts';
import type { ClauseCode, Context } from '../model/clause.ts';
import type { Exchange, HttpResponse, Trace } from '../model/exchange.ts';
import { isAccepted } from '../model/response.ts';
import { makeContext } from '../oracle/context.ts';
import { withoutControl } from '../testing/without-control.ts';
import { bothWays } from './cases/both-ways.ts';
import { contextOf, rulingsOn, tracesOf } from './cases/judged.ts';
import { type Case, trace } from './cases/trace.ts';
import { clauses } from './catalogue.ts';

/** A service that accepts nothing: it returns this status, or nothing, wherever it would have accepted. */
const instead = [422, 503, 404, 409, 401, 429, undefined] as const;

function refusing(observed: Trace, status: (typeof instead)[number]): Trace {
  const answerOf = (answer: HttpResponse | undefined): HttpResponse | undefined =>
    !isAccepted(answer) || answer === undefined
      ? answer
      : status === undefined
        ? undefined
        : { ...answer, status, body: '{"error":"no"}', bodyBytes: 14 };
  const lost: Exchange['noAnswer'] = { reason: 'reset', detail: '', partial: undefined };
  return {
    ...observed,
    exchanges: observed.exchanges.map((exchange) => {
      const answer = answerOf(exchange.answer);
      return {
        ...exchange,
        answer,
        noAnswer: answer === undefined ? lost : undefined,
        earlier: exchange.earlier.map((early) => ({ ...early, answer: answerOf(early.answer) })),
      };
    }),
    ...(observed.effects === undefined
      ? {}
      : {
          effects: {
            ...observed.effects,
            byMarker: Object.fromEntries(Object.keys(observed.effects.byMarker).map((key) => [key, []])),
            listed: [],
          },
        }),
  };
}

/** Clauses that hold on a trace, whatever operation it is. */
function holding(context: Context, observed: Trace): readonly ClauseCode[] {
  return clauses
    .filter((clause) => rulingsOf(clause, context, observed).some(({ verdict }) => verdict === 'holds'))
    .map(({ code }) => code);
}

const listed = new Set(Object.keys(withoutControl));
const seen = new Set<ClauseCode>();
const unlisted = (codes: readonly ClauseCode[]): readonly ClauseCode[] => {
  for (const code of codes) seen.add(code);
  return codes.filter((code) => !listed.has(code));
};

const files = readdirSync('src/clauses/cases').filter((name) => name.endsWith('.ts'));
const exported = await Promise.all(
  files.map(async (name): Promise<readonly unknown[]> => Object.values(await import(`./cases/${name}`))),
);
const isCase = (value: unknown): value is Case =>
  typeof value === 'object' && value !== null && 'clause' in value && 'when' in value && 'trace' in value;
const literal: readonly Case[] = exported
  .flat()
  .flatMap((value) => (Array.isArray(value) ? value.filter(isCase) : []));

describe('where nothing is accepted, no clause about refusals or duplicates passes', () => {
  test('the literal cases are here', () => expect(literal.length).toBeGreaterThan(800));

  test.each(instead.map((status) => ({ status })))('literal cases: $status', ({ status }) => {
    const vacuous = literal
      .filter(({ kind }) => kind === 'holds')
      .filter((one) => {
        const rulings = rulingsOn(
          one,
          tracesOf(one).map((each) => refusing(each, status)),
        );
        return rulings.some(({ verdict }) => verdict === 'holds') && unlisted([one.clause]).length > 0;
      })
      .map(({ clause, when }) => `${clause}: ${when}`);
    expect(vacuous).toEqual([]);
  });

  test.each(instead.map((status) => ({ status })))(
    'all clauses on one trace of each: $status',
    ({ status }) => {
      const vacuous = bothWays.flatMap(([code, holds]) =>
        unlisted(holding(contextOf(), refusing(trace(holds), status))).map(
          (found) => `${found} on that of ${code}`,
        ),
      );
      expect(vacuous).toEqual([]);
    },
  );

  const folder = 'fixtures/traces';
  test.each(instead.map((status) => ({ status })))('recorded traces: $status', async ({ status }) => {
    const config = await loadConfig('fixtures/contracts/extended.config.yaml');
    const context = makeContext({
      contract: await loadContract(config.contract),
      declared: config.declared,
      principals: config.principals,
      proven: new Set(config.principals.map((principal) => principal.name)),
    });
    const vacuous = readdirSync(folder).flatMap((name) => {
      const { holds }: { holds: Trace } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      return unlisted(holding(context, refusing(holds, status))).map((found) => `${found} on ${name}`);
    });
    expect(vacuous).toEqual([]);
  });

  test('each clause of the table holds where nothing is accepted, so it belongs there', () => {
    expect([...listed].filter((code) => !seen.has(code))).toEqual([]);
  });
});
