import type { Context, Ruling } from '../../model/clause.ts';
import { isReadById, operationNamed } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import {
  isArray,
  type Json,
  type JsonObject,
  type JsonPointer,
  type JsonSchema,
  parentOf,
  pointerOf,
} from '../../model/json.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { idAt, idPointer } from '../../model/result-id.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { isId, isSame, type Members, wentOn } from '../judging/changes.ts';
import {
  type Answered,
  answered,
  faultsOf,
  isAccepted,
  isQueued,
  pathValues,
  type Seen,
  seen,
  violated,
} from '../judging/reading.ts';
import { isWord, plainMembers, statesAround, withinAttributes } from '../judging/record-changes.ts';
import { isBookkeeping } from '../judging/removal.ts';
import { isShownAsRead } from '../judging/shown-as-read.ts';
import { isSpecial } from './promised.ts';

/**
 * An action on a record whose result shows another state of it, while the record keeps the one from before, though it shows
 * something else of the action (CMD-6). One that reads as before but for its version is for {@link changed}.
 */
export function* stateNotKept(context: Context, trace: Trace): Iterable<Ruling> {
  const all = seen(context, trace);
  for (const one of answered(context, trace)) {
    if (!isAction(context, one) || !isAccepted(one.answer) || isQueued(one.answer)) continue;
    if (faultsOf(one.step).length > 0) continue;
    const around = statesAround(context, all, one);
    if (around === undefined) continue;
    const { read } = around;
    const [was, is] = [withinAttributes(around.was), withinAttributes(around.is)];
    const said = plainMembers(exactJsonOf(one.answer));
    const isKept = (name: string): boolean => isSame(was.get(name) ?? null, is.get(name) ?? null);
    // A result may show fewer members than a read: what it lacks is new only if it was sent.
    const sent = plainMembers(sentJson(one.exchange.request));
    const isMoved = [...is.keys()].some(
      (name) => !isKept(name) && !isBookkeeping(pointerOf([name])) && (was.has(name) || sent.has(name)),
    );
    // Of some records only one may have a state: a command on another one takes it away.
    if (!isMoved || wentOn(was, said, is) || !areOfOne(said, is)) continue;
    for (const [name, value] of said) {
      const before = was.get(name);
      if (before === undefined || !isKept(name) || isSame(before, value)) continue;
      if (!isState(name, before, value) || !isOfRecord(one, read, name)) continue;
      const at = pointerOf([name]);
      yield violated([one, read], {
        expected: `${JSON.stringify(value)} at ${at}, as the result shows it`,
        actual: `${JSON.stringify(before)} at ${at}`,
        because: `The action changed the record, and its result shows ${JSON.stringify(value)} at ${at}. There the record still has the value from before.`,
        moved: { read: read.operation.id, at: [at] },
      });
    }
  }
}

/** Whether a result and a record have the same IDs, as far as they have any. */
function areOfOne(said: Members, is: Members): boolean {
  return [...is].every(([name, value]) => !isId(name) || isSame(said.get(name) ?? value, value));
}

/** A POST on a record that its path names. A restart or a refresh may bring a state back by itself. */
function isAction({ contract }: Context, { operation }: Answered): boolean {
  const { effect, id, kind, method, path, pathFields } = operation;
  return (
    kind === 'command' &&
    method === 'POST' &&
    pathFields.length > 0 &&
    operationNamed(contract, effect?.read) !== undefined &&
    !isReadById(contract, operation) &&
    !passing.test(`${id} ${path.split('/').at(-1) ?? ''}`)
  );
}

const passing =
  /re(boot|build|calc|cycle|deploy|fresh|index|load|new|run|send|set|start|sume|sync|try)|ping|poll|rotat|sync|test|toggle|trigger/i;

/** States that a record soon leaves: `processing`, `pending`. */
const fleeting =
  /ing$|^(accepted|enqueued|in.?(flight|progress|work)|initiated|new|queued|received|requested|scheduled|started|submitted)$/i;

/** Whether a member changed from one word to another, or is a flag. */
function isState(name: string, before: Json, value: Json): boolean {
  if (isBookkeeping(pointerOf([name]))) return false;
  if (typeof before === 'boolean') return typeof value === 'boolean';
  return isWord(before) && isWord(value) && !fleeting.test(String(value));
}

/** Whether the result shows this member of the record that the read shows, by what the contract declares for both. */
function isOfRecord({ answer, exchange, operation }: Answered, read: Seen, name: string): boolean {
  const [mine, its] = [operation.success.schema, read.operation.success.schema];
  const around = parentOf(idPointer(operation));
  const own = memberIn(mine, around, name);
  const shown = memberIn(its, around, name);
  // The result of an action may have one state alone.
  if ([...own, ...shown].some(({ const: _, ...schema }) => isSpecial(schema))) return false;
  if (isShownAsRead(operation, read.operation)) return true;
  const isNamed = idAt(exactJsonOf(answer), idPointer(operation)) === pathValues(operation, exchange).at(-1);
  const [choices, others] = [choicesIn(own), choicesIn(shown)];
  return isNamed && choices.length > 0 && choices.every((choice) => others.includes(choice));
}

function memberIn(schema: JsonSchema | undefined, around: JsonPointer, name: string): readonly JsonObject[] {
  const places = new Set(['', around, '/data', '/data/attributes']);
  return [...places].flatMap((place) => schemasAt(schema, `${place}${pointerOf([name])}`));
}

/** What a member may be, where that is a flag or one of several words. */
function choicesIn(schemas: readonly JsonObject[]): readonly Json[] {
  return schemas.flatMap((each): readonly Json[] => {
    if (each['type'] === 'boolean') return [true, false];
    if (each['const'] !== undefined) return [each['const']];
    return isArray(each['enum']) ? each['enum'] : [];
  });
}
