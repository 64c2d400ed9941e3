import type { ClauseCode, Context, Judge, Ruling } from '../../model/clause.ts';
import { isCount } from '../../model/contract.ts';
import type { Exchange, Trace } from '../../model/exchange.ts';
import { makesRecords } from '../../model/makes-records.ts';
import { sentMeaning } from '../../model/response.ts';
import { chosenIdAt, namesResult } from '../../model/result-id.ts';
import type { Step } from '../../model/scenario.ts';
import { type Explanation, explain, smallestUnexplained } from '../../oracle/history.ts';
import { type Command, choicesOf, type Defect } from '../../oracle/key-service.ts';
import { areSure, type EffectsJudge, effectsOf, unfinishedRead } from './effects.ts';
import {
  bodyName,
  find,
  holds,
  idOf,
  inconclusive,
  responseClass,
  type Seen,
  seen,
  summary,
  undecided,
  violated,
} from './reading.ts';

/** Commands of a trace that are judged together, with their exchanges. */
type Played = { readonly one: Seen; readonly command: Command };

/** Several clauses judge one history. */
const histories = new WeakMap<
  Trace['exchanges'],
  { readonly context: Context; readonly all: readonly Played[]; explanation?: Explanation }
>();

function played(context: Context, trace: Trace): readonly Played[] {
  if (!seen(context, trace).some(isOfHistory)) return [];
  const known = histories.get(trace.exchanges);
  if (known?.context === context) return known.all;
  const all = playedIn(context, trace);
  histories.set(trace.exchanges, { context, all });
  return all;
}

function isOfHistory({ step }: Seen): boolean {
  return step.key.use === 'named' && find(step, 'key-reuse')?.difference === 'history';
}

function playedIn(context: Context, trace: Trace): readonly Played[] {
  const scopes = new Map(context.principals.map((principal) => [principal.name, principal]));
  const waves = new Map(
    trace.scenario.waves.flatMap((wave, index) =>
      'steps' in wave ? wave.steps.map((step) => [step.id, index] as const) : [],
    ),
  );
  // Two bodies may be one as they are sent: where the ID that is put into both is all in which they differ.
  const names = new Map<string, string>();
  const nameOf = (step: Step, request: Exchange['request']): string => {
    const text = sentMeaning(request);
    const name = names.get(text) ?? bodyName(step) ?? '';
    names.set(text, name);
    return name;
  };
  return seen(context, trace).flatMap((one): readonly Played[] => {
    const { step, exchange } = one;
    if (find(step, 'key-reuse')?.difference !== 'history' || step.key.use !== 'named') return [];
    const principal = scopes.get(step.as);
    const command: Command = {
      id: step.id,
      wave: waves.get(step.id) ?? 0,
      key: step.key.name,
      caller: principal?.identity ?? step.as,
      scope: principal?.scope,
      operation: step.operation,
      body: nameOf(step, exchange.request),
      outcome: outcomeOf(one),
    };
    // An earlier request that was lost, or failed, may have been accepted: then what was sent again is a duplicate.
    const lost = exchange.earlier.some(({ answer }) =>
      ['failed', 'no-response'].includes(responseClass(answer)),
    );
    return [
      ...(lost ? [{ one, command: { ...command, outcome: { kind: 'unknown' } } } as const] : []),
      { one, command },
    ];
    function outcomeOf({ operation }: Seen): Command['outcome'] {
      const { answer } = exchange;
      const its = responseClass(answer);
      if (answer === undefined || its === 'failed') return { kind: 'unknown' };
      if (its === 'accepted') {
        const id = idOf(operation, answer);
        // Commands on one record, or under an ID of their choice, have different results under one ID.
        const isOld = !makesRecords(context.contract, operation);
        if (id === undefined || isOld || namesResult(operation, exchange.request, id))
          return { kind: 'accepted', result: undefined };
        const result = isCount(id) ? `${operation.id} ${principal?.scope ?? ''} ${id}` : id;
        return { kind: 'accepted', result };
      }
      // Another command may have used up the one verification of a history, or moved the record that bodies name.
      const isSpent = operation.verification?.singleUse === true || (operation.named ?? []).length > 0;
      if (answer.status === 409) return { kind: isSpent ? 'unknown' : 'conflict' };
      return its === 'throttled' ? { kind: 'throttled' } : { kind: 'other', status: answer.status };
    }
  });
}

/** The clause that a service with this defect breaks. */
const brokenBy: Readonly<Record<Defect, ClauseCode>> = {
  duplicate: 'IDM-5',
  race: 'IDM-8',
  'other-request': 'IDM-6',
  'other-operation': 'IDM-13',
  'other-caller': 'IDM-12',
  'other-key': 'IDM-10',
  throttled: 'IDM-14',
  'unused-key': 'IDM-11',
};

/** Judges histories as a whole, for the clause whose breach alone would explain them. */
export function inHistories(code: ClauseCode): Judge {
  return {
    over: 'trace',
    needs: ['again-history'],
    *rule(context, trace): Iterable<Ruling> {
      const all = played(context, trace);
      if (all.length === 0) return;
      const history = all.map(({ command }) => command);
      const sent = [...new Map(all.map((each) => [each.one, each])).values()];
      // An equal body that chooses the ID of its record is about one that is there.
      const isChosen = all.some(({ one }) => chosenIdAt(one.operation) !== undefined);
      const choices = choicesOf(isChosen ? { ...context.declared, G19: 'conflict' } : context.declared);
      const kept = histories.get(trace.exchanges);
      const explanation = kept?.explanation ?? explain(history, choices);
      if (kept !== undefined) kept.explanation = explanation;
      if (explanation.explained) {
        // It holds for an operation that was accepted, and so has a result.
        const [accepted, rest] = [true, false].map((was) =>
          sent.filter(({ command }) => (command.outcome.kind === 'accepted') === was),
        );
        if (code === 'IDM-5' && accepted !== undefined && accepted.length > 0)
          yield holds(
            [...accepted, ...(rest ?? [])].slice(0, 6).map(({ one }) => one),
            {
              expected: 'responses that some order of the commands explains',
              actual: `${sent.length} responses, explained`,
              because: 'A conforming service can give these responses.',
            },
          );
        return;
      }
      const { defects } = explanation;
      const unexplained = smallestUnexplained(history, choices);
      const suspects = defects.length > 0 ? defects : likely(unexplained);
      const [broken, ...others] = suspects.map((defect) => brokenBy[defect]);
      if (broken !== code) return;
      const inQuestion = all.filter(({ command }) => unexplained.includes(command));
      const last = inQuestion.at(-1);
      if (last === undefined) return;
      const rest = sent.filter(
        ({ command, one }) =>
          unexplained.some(({ key }) => key === command.key) && inQuestion.every((each) => each.one !== one),
      );
      const shown = [last, ...inQuestion.filter((each) => each !== last), ...rest];
      const on = [...new Set(shown.map(({ one }) => one))];
      const expected = 'responses that some order of the commands explains';
      const actual = [
        ...[last, ...inQuestion.filter((each) => each !== last)].map(
          ({ command, one }) => `${command.id}: ${summary(one.exchange)}`,
        ),
        ...rest.map(({ command, one }) => `${command.id}: ${one.exchange.answer?.status ?? 'no response'}`),
      ].join(', ');
      const isState = (command: Command): boolean => mayBeOfState(command, history);
      if (
        unexplained.some(isState) &&
        (defects.includes('unused-key') || explain(history.map(unless(isState)), choices).explained)
      )
        yield inconclusive(
          on,
          'A command returned 409. That may be a conflict of state: no equal command was accepted.',
        );
      else
        yield violated(on, {
          expected,
          actual,
          because: `${unexplainedText(unexplained)}${
            others.length === 0
              ? ''
              : defects.length > 0
                ? ` A breach of ${others.join(' or ')} would explain it as well.`
                : ` A breach of one clause alone does not explain it either: it may be ${[broken, ...others].join(' and ')} together.`
          }`,
          ...(others.length === 0 ? { conclusive: twoResults(unexplained) } : { candidates: others }),
        });
    },
  };
}

/** Whether one caller's request has two results under one key: no lost response and no timing looks like that. */
function twoResults(unexplained: readonly Command[]): boolean {
  const [one, other] = unexplained;
  return (
    unexplained.length === 2 &&
    one !== undefined &&
    other !== undefined &&
    one.outcome.kind === 'accepted' &&
    other.outcome.kind === 'accepted' &&
    one.outcome.result !== undefined &&
    other.outcome.result !== undefined &&
    one.outcome.result !== other.outcome.result &&
    one.key === other.key &&
    one.caller === other.caller &&
    one.operation === other.operation &&
    one.body === other.body
  );
}

/** Where no defect alone explains commands that cannot all be right: what they have in common. */
function likely(unexplained: readonly Command[]): readonly Defect[] {
  const pairs = unexplained.flatMap((one, index) =>
    unexplained.slice(index + 1).map((other) => [one, other] as const),
  );
  const some = (matches: (one: Command, other: Command) => boolean): boolean =>
    pairs.some(([one, other]) => one.key === other.key && matches(one, other));
  const equal = (one: Command, other: Command): boolean =>
    one.caller === other.caller && one.operation === other.operation && one.body === other.body;
  const found: readonly Defect[] = [
    ...(some((one, other) => equal(one, other) && one.wave !== other.wave) ? (['duplicate'] as const) : []),
    ...(some((one, other) => equal(one, other) && one.wave === other.wave) ? (['race'] as const) : []),
    ...(some((one, other) => !equal(one, other)) ? (['other-request'] as const) : []),
  ];
  return found.length > 0 ? found : ['other-key'];
}

function unexplainedText(unexplained: readonly Command[]): string {
  const these = unexplained.map(({ id }) => id).join(', ');
  return `No order of the commands, and no reading of the key space (G18), explains the ${unexplained.length === 1 ? 'response' : 'combined responses'} to ${these}.`;
}

/** Whether a conflict may be one of the service's state, since no equal command of the scope was accepted. */
function mayBeOfState(command: Command, history: readonly Command[]): boolean {
  return (
    command.outcome.kind === 'conflict' &&
    !history.some(
      (other) =>
        other.outcome.kind === 'accepted' &&
        other.operation === command.operation &&
        other.body === command.body &&
        other.scope === command.scope,
    )
  );
}

/** A conflict of state says nothing of the keys: as if nothing were known of such a command. */
function unless(isState: (command: Command) => boolean): (command: Command) => Command {
  return (command) => (isState(command) ? { ...command, outcome: { kind: 'unknown' } } : command);
}

/** Whether a command was accepted, and an equal one under its key got a response. */
function isAgain({ command, one }: Played, group: readonly Played[]): boolean {
  return (
    command.outcome.kind === 'accepted' &&
    group.some(
      (other) =>
        other.one !== one &&
        undecided(other.one) === undefined &&
        other.command.key === command.key &&
        other.command.caller === command.caller &&
        other.command.operation === command.operation,
    )
  );
}

/** In a history a body has as many records as commands with it were accepted under keys of their own, and no more. */
export const historyEffects: EffectsJudge = {
  over: 'effects',
  needs: ['again-history'],
  *rule(context, trace) {
    const all = played(context, trace);
    const bodies = new Map<string, Played[]>();
    for (const each of all) {
      const group = bodies.get(each.command.body) ?? [];
      bodies.set(each.command.body, group);
      group.push(each);
    }
    for (const [name, group] of bodies) {
      const { complete, ids, idsOnly } = effectsOf(context, trace, name);
      if (idsOnly) continue;
      // Where nothing has an ID, each caller may have had an effect of its own under each key, with each operation and target.
      const placeOf = ({ command: { caller, key, operation }, one }: Played): string =>
        JSON.stringify([caller, key, operation, one.exchange.request.path]);
      const ofKind = (kind: Command['outcome']['kind']): readonly Played[] =>
        group.filter(({ command }) => command.outcome.kind === kind);
      const places = new Set(ofKind('accepted').map(placeOf));
      const accepted = new Set(
        ofKind('accepted').map((each) => {
          const { outcome } = each.command;
          return (outcome.kind === 'accepted' ? outcome.result : undefined) ?? placeOf(each);
        }),
      );
      // A command that was lost and an equal one that was accepted under its key are one command.
      const lost = new Set(
        ofKind('unknown')
          .map(placeOf)
          .filter((place) => !places.has(place)),
      );
      const most = accepted.size + lost.size;
      const on = [...new Set(group.map(({ one }) => one))];
      const said = {
        expected: `at most ${most} ${most === 1 ? 'record' : 'records'}`,
        actual: `${ids.length} ${ids.length === 1 ? 'record' : 'records'}`,
      };
      if (ids.length > most)
        yield violated(on, {
          ...said,
          because: 'An independent read shows more records than the responses account for.',
          conclusive: areSure(trace, name),
        });
      else if (!complete) yield inconclusive(on, unfinishedRead);
      else if (ids.length > 0 && group.some((each) => isAgain(each, group)))
        yield holds(on, { ...said, because: 'The responses account for every record.' });
    }
  },
};
