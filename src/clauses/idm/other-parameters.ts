import type { Context, Ruling } from '../../model/clause.ts';
import { creates } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { isArray, isObject, type Json } from '../../model/json.ts';
import type { Step } from '../../model/scenario.ts';
import { sameState } from '../../oracle/record-state.ts';
import { duplicates } from '../judging/duplicates.ts';
import {
  controlOf,
  find,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  isShared,
  jsonOf,
  type Seen,
  seen,
  undecided,
  violated,
} from '../judging/reading.ts';
import { isChanged, undone, undoneUntil } from '../judging/undone.ts';

/** The stored result is wrong only if the parameter says what is to be done: a language may be about the response alone. */
export function* onOtherParameters(context: Context, trace: Trace): Iterable<Ruling> {
  for (const { again, first } of duplicates(context, trace, 'parameter')) {
    const original = first.exchange.answer;
    const { answer } = again.exchange;
    const changed = choiceOf(again) ?? parameterOf(first.step, again.step);
    if (original === undefined || !isAccepted(original) || changed === undefined) continue;
    const expected = `409 (the key is bound to the command with another ${changed.name})`;
    const on = [again, first];
    const doubt = undecided(again);
    const controlled = controlOf(context, trace, again.step.id) === 'accepted';
    if (answer === undefined || doubt !== undefined) yield inconclusive(on, doubt ?? '');
    else if (!controlled) yield inconclusive(on, 'The command was not accepted under another key either.');
    else if (answer.status === 409) yield holds(on, { expected, because: 'Refused as a conflict.' });
    else if (!isAccepted(answer)) {
      // The first command may have removed its target.
      if (creates(again.operation) || (answer.status !== 404 && answer.status !== 410))
        yield violated(on, {
          expected,
          because: `A valid command under a used key returned ${answer.status}, but is accepted under a new key.`,
        });
    } else if (undone(context, trace, first, again))
      yield violated(on, { expected, ...undoneUntil(context, trace) });
    else if (isResultOf(first, again) && !isChanged(context, trace)) {
      const control = seen(context, trace).find((one) => one.step.controls === again.step.id);
      const shown = control !== undefined && shows(first, again, control, changed);
      if (!isAboutResponse(changed.name) && (shown || isRequired(again, changed.name)))
        yield violated(on, {
          expected,
          because: `The command with ${changed.name} ${changed.other} got the result of the one with ${changed.name} ${changed.one}.`,
          conclusive: true,
        });
    } else if (idOf(again.operation, answer) !== undefined)
      yield holds(on, {
        expected,
        because: `The command got its own result: each ${changed.name} may have its own key space (G18).`,
        advisory: `each ${changed.name} has its own key space; other services return 409 here`,
      });
  }
}

type Changed = { readonly name: string; readonly one: string; readonly other: string };

/** The values of its path that a step has in place of those of its operation. */
function choiceOf({ operation, step }: Seen): Changed | undefined {
  if (step.path !== 'other-choice' || operation.otherPath === undefined) return undefined;
  const [own, others] = [operation.path.split('/'), operation.otherPath.split('/')];
  const at = own.findIndex((segment, index) => segment !== others[index]);
  return { name: 'path value', one: own[at] ?? '', other: others[at] ?? '' };
}

/** The query field or header in which two steps differ. */
function parameterOf(first: Step, again: Step): Changed | undefined {
  const name = find(again, 'parameter')?.name;
  const valueIn = ({ headers = [], query = [] }: Step): unknown =>
    [...query, ...headers].find(([each]) => each === name)?.[1];
  const [one, other] = [valueIn(first), valueIn(again)];
  return name === undefined || typeof one !== 'string' || typeof other !== 'string'
    ? undefined
    : { name, one, other };
}

function isRequired({ operation }: Seen, name: string): boolean {
  return operation.queryFields.some((field) => field.name === name && field.required);
}

const words: ReadonlySet<string> = new Set(
  `accept agent api callback client correlation debug detail embed expand expansion fields format include includes
   lang language languages locale mode output prefer pretty representation sdk select style timezone trace tracing tz v
   verbose verbosity version view`.split(/\s+/),
);

/** Whether a parameter is, by its name, about how the response is written, or about the client. */
function isAboutResponse(name: string): boolean {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => words.has(word));
}

function isResultOf(first: Seen, again: Seen): boolean {
  const [one, other] = [first.exchange.answer, again.exchange.answer];
  if (one === undefined || other === undefined) return false;
  const id = idOf(first.operation, one);
  if (!creates(first.operation)) return jsonOf(one) !== undefined && sameState(first, again);
  return (
    id !== undefined &&
    idOf(again.operation, other) === id &&
    (!isShared(id, again.exchange) || sameState(first, again))
  );
}

/** Whether the results show which value they are of: the first one's in both, the other in that of the control. */
function shows(first: Seen, again: Seen, control: Seen, { one, other }: Changed): boolean {
  const placesOf = ({ exchange }: Seen, text: string): readonly string[] =>
    exchange.answer === undefined ? [] : textsAt(jsonOf(exchange.answer) ?? null, text, '');
  const [before, after, controls] = [placesOf(first, one), placesOf(again, one), placesOf(control, other)];
  return before.some((place) => after.includes(place) && controls.includes(place));
}

function textsAt(value: Json, text: string, at: string): readonly string[] {
  if (isArray(value)) return value.flatMap((item, index) => textsAt(item, text, `${at}/${index}`));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, member]) => textsAt(member, text, `${at}/${name}`));
  return value !== null && String(value) === text ? [at] : [];
}
