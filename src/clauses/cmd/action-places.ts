import type { Contract, Operation } from '../../model/contract.ts';
import { lastOf, membersAt, plain } from '../../model/described-places.ts';
import { type JsonPointer, pointerOf, pointerTokens } from '../../model/json.ts';
import { wordsOf } from '../../model/name-words.ts';
import { envelopes } from '../../model/result-id.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { secret } from '../judging/changes.ts';
import { isBookkeeping } from '../judging/removal.ts';
import { isAlike, isSpecial } from './promised.ts';

/** Where a record shows what an action was sent. `within`: in an object of the record; `named`: after the action; `alone`: as the action names it. */
export type ActionPlace = { readonly at: JsonPointer; readonly how: 'within' | 'named' | 'alone' };

/** So deep are objects within a record looked at. */
const deepest = 3;

/**
 * The places where the read of a record declares what one of the actions on it sends: members of the same name and type, or with
 * the action in front, as `cancelReason`. What other commands set there is another matter.
 */
export function actionPlaces(
  contract: Contract,
  operation: Operation,
  read: Operation,
  name: string,
): readonly ActionPlace[] {
  const root = rootOf(read);
  const own = schemasAt(operation.body?.schema, `${rootOfBody(operation)}${pointerOf([name])}`);
  if (own.length === 0 || own.some(isSpecial) || secret.test(name) || isBookkeeping(pointerOf([name])))
    return [];
  return placesFrom(read, root, '').flatMap((at): readonly ActionPlace[] => {
    const schemas = schemasAt(read.success.schema, `${root}${at}`);
    const how = howNamed(operation, at, name);
    if (how === undefined || schemas.some(isSpecial) || !isAlike(own, schemas)) return [];
    return how === 'alone' && isSetElsewhere(contract, operation, read, at) ? [] : [{ at, how }];
  });
}

/** Where the record is in what a read returns, as far as its schema says. */
function rootOf({ success: { schema } }: Operation): JsonPointer {
  return enveloped(schema);
}

function rootOfBody({ body }: Operation): JsonPointer {
  return enveloped(body?.schema);
}

function enveloped(schema: Operation['success']['schema']): JsonPointer {
  const names = membersAt(schema, '');
  const found = envelopes
    .flatMap((each) => names.find((name) => name.toLowerCase() === each) ?? [])
    .find((name) => membersAt(schema, pointerOf([name])).length > 0);
  return found === undefined ? '' : pointerOf([found]);
}

function placesFrom(read: Operation, root: JsonPointer, at: JsonPointer): readonly JsonPointer[] {
  if (pointerTokens(at).length >= deepest) return [];
  return membersAt(read.success.schema, `${root}${at}`).flatMap((name) => {
    const place = `${at}${pointerOf([name])}`;
    return [place, ...placesFrom(read, root, place)];
  });
}

function howNamed(operation: Operation, at: JsonPointer, name: string): ActionPlace['how'] | undefined {
  if (plain(lastOf(at)) === plain(name)) return pointerTokens(at).length > 1 ? 'within' : 'alone';
  const [all, words] = [wordsOf(lastOf(at)), wordsOf(name)];
  const before = all.slice(0, -words.length);
  const isIts = before.length === 1 && all.slice(-words.length).join() === words.join();
  return isIts && actionWords(operation).some((word) => isOfOneStem(word, before[0] ?? ''))
    ? 'named'
    : undefined;
}

/** The words for what an action does: `cancel` of `cancelOrder`, and of `/orders/{orderId}/cancel`. */
function actionWords({ id, path }: Operation): readonly string[] {
  const last = path.split(/[/:]/).findLast((part) => part !== '') ?? '';
  return [wordsOf(id)[0] ?? '', ...(last.endsWith('}') ? [] : wordsOf(last))];
}

/** Whether two words begin alike, as `cancel` and `cancellation`, `approve` and `approval`, or `ack` and `acknowledge`. */
function isOfOneStem(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  const end = [...one].findIndex((letter, index) => letter !== other[index]);
  const shared = end < 0 ? one.length : end;
  return shorter >= 3 && (shared === shorter || (shared >= 4 && shared >= shorter - 2));
}

/** Whether a body of another command than an action describes the member: then that one may be what is meant. */
function isSetElsewhere(contract: Contract, operation: Operation, read: Operation, at: JsonPointer): boolean {
  return contract.operations.some(
    (other) =>
      other.id !== operation.id &&
      other.effect?.read === read.id &&
      (other.method !== 'POST' || other.pathFields.length < read.pathFields.length) &&
      schemasAt(other.body?.schema, `${rootOfBody(other)}${at}`).length > 0,
  );
}
