import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../config/load.ts';
import { loadContract } from '../contract/load.ts';
import { rulingsOf } from '../judge.ts';
import type { Clause, ClauseCode, Context, Ruling } from '../model/clause.ts';
import { operationNamed } from '../model/contract.ts';
import type { Exchange, Trace } from '../model/exchange.ts';
import { isAccepted, isFailed } from '../model/response.ts';
import { type Step, type StepId, stepsOf } from '../model/scenario.ts';
import { concerns, traitsOf } from '../model/traits.ts';
import { Undecided } from '../model/undecided.ts';
import { makeContext } from '../oracle/context.ts';
import { withoutControl } from '../testing/without-control.ts';
import { bothWays } from './cases/both-ways.ts';
import { contextOf, tracesOf } from './cases/judged.ts';
import type { Case } from './cases/trace.ts';
import { clauseOf, clauses } from './catalogue.ts';

/** Traces on which none of the clauses is violated; the last one is judged. */
type Sound = {
  readonly name: string;
  readonly clauses: readonly Clause[];
  readonly context: Context;
  readonly traces: readonly Trace[];
};

const isCase = (value: unknown): value is Case =>
  typeof value === 'object' && value !== null && 'clause' in value && 'when' in value && 'trace' in value;
const files = readdirSync('src/clauses/cases').map((name) => name.replace(/\.ts$/, ''));
const exported = await Promise.all(
  files.map(async (name): Promise<readonly unknown[]> => Object.values(await import(`./cases/${name}.ts`))),
);
const written: readonly Case[] = [
  ...exported.flat().flatMap((value) => (Array.isArray(value) ? value.filter(isCase) : [])),
  ...bothWays.map(
    ([clause, holds, , shows]): Case => ({
      ...{ clause, kind: 'holds', when: 'both ways', trace: holds },
      ...(shows === undefined ? {} : { shows: shows.holds }),
    }),
  ),
];
const config = await loadConfig('fixtures/contracts/extended.config.yaml');
const recordedIn = makeContext({
  contract: await loadContract(config.contract),
  declared: config.declared,
  principals: config.principals,
  proven: new Set(config.principals.map(({ name }) => name)),
});
const sound: readonly Sound[] = [
  ...written.flatMap((one): readonly Sound[] => {
    const clause = clauseOf(one.clause);
    return clause === undefined || one.kind === 'violates'
      ? []
      : [
          {
            name: `${one.clause}: ${one.when}`,
            clauses: [clause],
            context: contextOf(one.declares, one.proven),
            traces: tracesOf(one),
          },
        ];
  }),
  ...readdirSync('fixtures/traces').map((name): Sound => {
    const { holds }: { holds: Trace } = JSON.parse(readFileSync(join('fixtures/traces', name), 'utf8'));
    return { name, clauses, context: recordedIn, traces: [holds] };
  }),
];

function judged({ clauses: asked, context, traces }: Sound): ReadonlyMap<ClauseCode, readonly Ruling[]> {
  const before = traces.slice(0, -1);
  const last = traces.slice(-1);
  return new Map(
    asked.map((clause) => [clause.code, before.length === 0 ? plain(clause) : inTurn(clause)] as const),
  );

  function plain(clause: Clause): readonly Ruling[] {
    return last.flatMap((trace) => ruled(clause, () => rulingsOf(clause, context, trace)));
  }

  function inTurn(clause: Clause): readonly Ruling[] {
    return clause.judges.flatMap((judge) => {
      const fold = judge.over === 'run' ? judge.start() : undefined;
      return [...before, ...last]
        .filter((trace) => concerns(judge, traitsOf(context, trace)))
        .flatMap((trace) =>
          ruled(clause, () => [
            ...(judge.over === 'run' ? (fold?.see(context, trace) ?? []) : judge.rule(context, trace)),
          ]),
        );
    });
  }

  function ruled(clause: Clause, rule: () => readonly Ruling[]): readonly Ruling[] {
    try {
      return rule().filter(({ operation }) => {
        const named = operationNamed(context.contract, operation);
        return named !== undefined && clause.applies(context.contract, named);
      });
    } catch (error) {
      if (error instanceof Undecided) return [];
      throw error;
    }
  }
}

const unsent = { reason: 'harness', detail: 'not sent', partial: undefined } as const;
const reset = { reason: 'reset', detail: 'the connection was reset', partial: undefined } as const;
const lost = (one: Exchange, why: Exchange['noAnswer'] = reset): Exchange => ({
  ...one,
  answer: undefined,
  noAnswer: why,
  requestIds: [],
});
const returned = (one: Exchange, status: number): Exchange =>
  one.answer === undefined
    ? one
    : {
        ...one,
        answer: {
          ...one.answer,
          status,
          headers: [...one.answer.headers, ['Retry-After', '1']],
          body: '{"error":"no"}',
          bodyBytes: 14,
        },
      };
const cut = (one: Exchange): Exchange =>
  one.answer === undefined
    ? one
    : {
        ...one,
        answer: {
          ...one.answer,
          truncated: true,
          body: one.answer.body.slice(0, one.answer.body.length / 2),
        },
      };

/** What takes a value from a response that is gone is not sent either. */
function dependents({ scenario }: Trace, of: StepId): ReadonlySet<StepId> {
  const gone = new Set([of]);
  const steps = stepsOf(scenario.waves);
  const takes = ({ bearer, query, target, verification, version }: Step): string =>
    JSON.stringify([bearer, query, target, verification, version]);
  for (let size = 0; size < gone.size; ) {
    size = gone.size;
    for (const step of steps)
      if ([...gone].some((id) => takes(step).includes(`"step":"${id}"`))) gone.add(step.id);
  }
  gone.delete(of);
  return gone;
}

/** The last trace with one exchange, or several, as they are after something went wrong. */
function broken(
  one: Sound,
  isBroken: (exchange: Exchange) => boolean,
  how: (one: Exchange) => Exchange,
): Sound {
  const last = one.traces.at(-1);
  if (last === undefined) return one;
  const changed = last.exchanges.map((each) => (isBroken(each) ? how(each) : each));
  const shows = ({ answer }: Exchange): boolean => isAccepted(answer) && answer?.truncated !== true;
  const without = new Set(
    changed.flatMap((each) => (isBroken(each) && !shows(each) ? [...dependents(last, each.step)] : [])),
  );
  const exchanges = changed.map((each) =>
    without.has(each.step) && !isBroken(each) ? lost(each, unsent) : each,
  );
  return { ...one, traces: [...one.traces.slice(0, -1), { ...last, exchanges }] };
}

type Found = readonly [clause: ClauseCode, where: string];

/** What is said, and not violated, before anything is broken. */
const speaking: readonly Sound[] = sound.map((one) => {
  const asked = judged(one);
  return {
    ...one,
    clauses: one.clauses.filter(({ code }) => {
      const rulings = asked.get(code) ?? [];
      return rulings.length > 0 && !rulings.some(({ verdict }) => verdict === 'violated');
    }),
  };
});

/** Clauses on which mutations of the last trace come to something that they must not come to. */
function* found(
  mutations: (last: Trace, one: Sound) => Iterable<readonly [where: string, mutated: Sound]>,
  isWrong: (ruling: Ruling, mutated: Trace) => boolean,
): Iterable<Found> {
  for (const one of speaking) {
    const last = one.traces.at(-1);
    if (last === undefined || one.clauses.length === 0) continue;
    for (const [where, mutated] of mutations(last, one))
      for (const [code, rulings] of judged(mutated))
        if (rulings.some((ruling) => isWrong(ruling, mutated.traces.at(-1) ?? last)))
          yield [code, `${one.name}: ${where}`];
  }
}

/** Each exchange in turn. */
const each = (
  how: (one: Exchange) => Exchange,
  counts: (step: Step) => boolean = () => true,
): Parameters<typeof found>[0] =>
  function* (last, one) {
    const steps = new Map(stepsOf(last.scenario.waves).map((step) => [step.id, step]));
    for (const { id, step } of last.exchanges) {
      const its = steps.get(step);
      if (its !== undefined && counts(its)) yield [step, broken(one, (other) => other.id === id, how)];
    }
  };

/** What is left after exceptions that have a reason; each exception must be needed. */
function left(all: Iterable<Found>, exceptions: Readonly<Record<ClauseCode, string>>): readonly string[] {
  const needed = new Set<ClauseCode>();
  const others: string[] = [];
  for (const [code, where] of all)
    if (code in exceptions) needed.add(code);
    else others.push(`${code} on ${where}`);
  const idle = Object.keys(exceptions).filter((code) => !needed.has(code));
  return [...others, ...idle.map((code) => `${code} needs no exception`)];
}

/** What rests on a 5xx counts only where each repeat shows it, and good practice accuses nobody. */
const isViolated = (ruling: Ruling, { exchanges }: Trace): boolean =>
  ruling.verdict === 'violated' &&
  !exchanges.some(({ answer, id }) => isFailed(answer) && ruling.exchanges.includes(id));

const lostProof =
  'That a record moved by itself is shown by one read alone; it is read again in each repeat.';
const lostComparison =
  'A name that any error may have is compared with another response, which a repeat has.';

describe('no accusation rests on evidence that is missing', () => {
  test('a response is lost', () => {
    expect(
      left(found(each(lost), isViolated), {
        'VAL-3': lostComparison,
        'VER-2': lostProof,
        'THR-7': 'Good practice: it steers nothing.',
      }),
    ).toEqual([]);
  });

  test('a response is cut', () => {
    expect(left(found(each(cut), isViolated), { 'VER-2': lostProof })).toEqual([]);
  });

  test('the service fails once', () => {
    const all = found(
      each((one) => returned(one, 503)),
      isViolated,
    );
    expect(left(all, { 'VAL-3': lostComparison, 'VER-2': lostProof })).toEqual([]);
  });

  test('a read is throttled', () => {
    const all = found(
      each(
        (one) => returned(one, 429),
        ({ role }) => role === 'readback',
      ),
      isViolated,
    );
    expect(left(all, { 'THR-7': 'The 429 is what it is about.', 'VER-2': lostProof })).toEqual([]);
  });

  test('the run ends early', () => {
    const all = found(
      function* (last, one) {
        for (const { startedAt, step } of last.exchanges)
          yield [step, broken(one, (other) => other.startedAt > startedAt, lost)];
      },
      // Nothing is repeated any more.
      (ruling) => ruling.verdict === 'violated' && ruling.conclusive === true,
    );
    expect(left(all, {})).toEqual([]);
  });
});

const aboutThrottling: Readonly<Record<ClauseCode, string>> = {
  'THR-1': 'The 429 is what it is about.',
  'THR-5': 'The 429 is what it is about.',
  'THR-6': 'The 429 is what it is about.',
};
const byBurst = 'The accepted requests of the burst are its controls.';
const byEffect = 'That the command ran is shown by its effect.';
const shownOtherwise: Readonly<Record<ClauseCode, string>> = {
  'THR-1': byBurst,
  'THR-5': byBurst,
  'THR-6': byBurst,
  'IDM-4': byEffect,
  'IDM-15': byEffect,
  'IDM-16': byEffect,
  'IDM-17': byEffect,
  'VER-6': 'That the old version is stale is shown by the new one.',
};

describe('no pass without its evidence', () => {
  test.each([
    ['lost', lost, {}],
    ['throttled', (one: Exchange): Exchange => returned(one, 429), aboutThrottling],
  ] as const)('no test request gets another response: %s', (_, how, exceptions) => {
    const isTest = (trace: Trace) => {
      const tests = new Set(
        stepsOf(trace.scenario.waves).flatMap(({ id, role }) => (role === 'test' ? [id] : [])),
      );
      return ({ step }: Exchange): boolean => tests.has(step);
    };
    const all = found(
      (last, one) => [['all', broken(one, isTest(last), how)]],
      (ruling, trace) =>
        ruling.verdict === 'holds' &&
        trace.exchanges.some((one) => one.id === ruling.exchanges[0] && isTest(trace)(one)),
    );
    const formOnly = how === lost ? {} : withoutControl;
    expect(
      left(
        [...all].filter(([code]) => !(code in formOnly)),
        exceptions,
      ),
    ).toEqual([]);
  });

  test('no control is accepted', () => {
    const all = [422, 503, undefined].flatMap((status) => [
      ...found(
        function* (last, one) {
          for (const test of refusedTests(last)) {
            const controls = controlsOf(last, test);
            const how = (other: Exchange): Exchange =>
              status === undefined ? lost(other) : returned(other, status);
            yield [test.id, broken(one, ({ step }) => controls.has(step), how)];
          }
        },
        (ruling, trace) => {
          const one = trace.exchanges.find(({ id }) => id === ruling.exchanges[0]);
          const isRefused = one?.answer !== undefined && !isAccepted(one.answer);
          return (
            ruling.verdict === 'holds' && isRefused && refusedTests(trace).some(({ id }) => id === one.step)
          );
        },
      ),
    ]);
    expect(
      left(
        all.filter(([code]) => !(code in withoutControl)),
        shownOtherwise,
      ),
    ).toEqual([]);
  });
});

function refusedTests({ exchanges, scenario }: Trace): readonly Step[] {
  const answers = new Map(exchanges.map(({ answer, step }) => [step, answer]));
  return stepsOf(scenario.waves).filter(({ deviations, id, role }) => {
    const answer = answers.get(id);
    return role === 'test' && deviations.length > 0 && answer !== undefined && !isAccepted(answer);
  });
}

/** The valid requests of a test request: its controls, the command whose key it uses, and its correction. */
function controlsOf({ scenario }: Trace, test: Step): ReadonlySet<StepId> {
  const usedBy = ({ deviations }: Step): readonly StepId[] =>
    deviations.flatMap((each) => (each.kind === 'key-reuse' ? [each.of] : []));
  return new Set(
    stepsOf(scenario.waves).flatMap((step) =>
      step.id !== test.id &&
      ([test.id, '*'].includes(step.controls ?? '') ||
        usedBy(test).includes(step.id) ||
        usedBy(step).includes(test.id))
        ? [step.id]
        : [],
    ),
  );
}
