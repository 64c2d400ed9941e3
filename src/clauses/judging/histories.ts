import type { ClauseCode, Context, Judge, Ruling } from '../../model/clause.ts';
import { isCount } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { type Choices, type Command, choicesOf, explain } from '../../oracle/history.ts';
import { type EffectsJudge, effectsOf, unfinishedRead } from './effects.ts';
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
  violated,
} from './reading.ts';

/** Commands of a trace that are judged together, beside their exchanges. */
type Played = { readonly one: Seen; readonly command: Command };

function played(context: Context, trace: Trace): readonly Played[] {
  const scopes = new Map(context.principals.map((principal) => [principal.name, principal]));
  const waves = new Map(
    trace.scenario.waves.flatMap((wave, index) =>
      'steps' in wave ? wave.steps.map((step) => [step.id, index] as const) : [],
    ),
  );
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
      body: bodyName(step) ?? '',
      outcome: outcomeOf(one),
    };
    // A try whose answer was lost may have been accepted: then what was sent again is a duplicate of it.
    const lost = exchange.earlier.some(({ answer }) => answer === undefined);
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
        const result =
          id !== undefined && isCount(id) ? `${operation.id} ${principal?.scope ?? ''} ${id}` : id;
        return { kind: 'accepted', result };
      }
      if (answer.status === 409) return { kind: 'conflict' };
      return its === 'throttled' ? { kind: 'throttled' } : { kind: 'other', status: answer.status };
    }
  });
}

/**
 * Which obligation was broken. Where the commands under the key are explained once all callers, or all operations of one
 * caller, count as one, that is what the service got wrong. Otherwise the narrowest part of the history that nothing
 * explains tells it: one caller's commands of one operation, then of all its operations, then of all callers.
 */
export function clauseFor(culprit: Command, history: readonly Command[], choices: Choices): ClauseCode {
  const ofKey = history.filter((command) => command.key === culprit.key);
  const own = ofKey.filter((command) => command.caller === culprit.caller);
  const same = own.filter((command) => command.operation === culprit.operation);
  const shared = (commands: readonly Command[], as: Partial<Command>): boolean =>
    explain(
      commands.map((command) => ({ ...command, ...as })),
      choices,
    ).explained;
  if (own.length < ofKey.length && shared(ofKey, { caller: culprit.caller, scope: culprit.scope }))
    return 'IDM-12';
  if (same.length < own.length && shared(own, { operation: culprit.operation })) return 'IDM-13';
  const alone = explain(same, choices);
  if (!alone.explained) {
    const { body, wave } = alone.culprit;
    const others = same.filter((command) => command !== alone.culprit && command.wave <= wave);
    const [first] = others;
    const racing = others.some((command) => command.wave === wave && command.body === body);
    if (first !== undefined) return racing ? 'IDM-8' : first.body === body ? 'IDM-5' : 'IDM-6';
  }
  if (own.length > same.length && !explain(own, choices).explained) return 'IDM-13';
  if (ofKey.length > own.length && !explain(ofKey, choices).explained) return 'IDM-12';
  return culprit.outcome.kind === 'conflict' ? 'IDM-11' : 'IDM-10';
}

/** Judges histories as a whole, for the clause that the unexplained command broke. */
export function inHistories(code: ClauseCode): Judge {
  return {
    over: 'trace',
    *rule(context, trace): Iterable<Ruling> {
      const all = played(context, trace);
      if (all.length === 0) return;
      const history = all.map(({ command }) => command);
      const sent = [...new Map(all.map((each) => [each.one, each])).values()];
      const choices = choicesOf(context.declaration);
      const explanation = explain(history, choices);
      if (explanation.explained) {
        if (code === 'IDM-5')
          yield holds(
            sent.slice(0, 6).map(({ one }) => one),
            {
              expected: 'responses that some order of the commands explains',
              actual: `${sent.length} responses, explained`,
              because: 'A correct service could have given these responses.',
            },
          );
        return;
      }
      const { culprit } = explanation;
      if (clauseFor(culprit, history, choices) !== code) return;
      const at = all.find(({ command }) => command === culprit);
      if (at === undefined) return;
      const others = sent.filter(({ command, one }) => command.key === culprit.key && one !== at.one);
      yield violated([at.one, ...others.map(({ one }) => one)], {
        expected: 'a response that some order of the commands explains',
        actual: `${culprit.id}: ${summary(at.one.exchange)}; ${others.map(({ command, one }) => `${command.id}: ${one.exchange.answer?.status ?? 'no response'}`).join(', ')}`,
        because:
          'No order of these commands, and no reading of the space in which keys are unique, explains this response.',
      });
    },
  };
}

/** In a history a body has as many records as commands with it were accepted under keys of their own, and no more. */
export const historyEffects: EffectsJudge = {
  over: 'effects',
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
      const accepted = new Set(
        group.flatMap(({ command }) => (command.outcome.kind === 'accepted' ? [command.outcome.result] : [])),
      );
      const lost = group.filter(({ command }) => command.outcome.kind === 'unknown').length;
      const most = accepted.size + lost;
      const on = [...new Set(group.map(({ one }) => one))];
      const said = {
        expected: `at most ${most} ${most === 1 ? 'record' : 'records'}`,
        actual: `${ids.length} ${ids.length === 1 ? 'record' : 'records'}`,
      };
      if (ids.length > most)
        yield violated(on, {
          ...said,
          because: 'An independent read shows more records than the responses account for.',
          conclusive: true,
        });
      else if (complete) yield holds(on, { ...said, because: 'The responses account for every record.' });
      else yield inconclusive(on, unfinishedRead);
    }
  },
};
