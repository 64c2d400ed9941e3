import { type Contract, isCarried, type NamedRecord, type Operation } from './contract.ts';
import { isArray, type Json, type JsonPointer, pointerOf, pointerTokens, valueAt } from './json.ts';
import { wordsOf } from './name-words.ts';
import { bare, singular } from './path.ts';

/** The record that a command acts on, where its body alone names it. */
export function namedTarget({ named, pathFields }: Operation): NamedRecord | undefined {
  return pathFields.length === 0 ? named?.find(({ acts }) => acts) : undefined;
}

/** The first of several records that a command acts on, which its body names in a list. */
export function namedInList(operation: Operation): NamedRecord | undefined {
  const { effect, id, named = [], pathFields } = operation;
  if (pathFields.length > 0) return undefined;
  const known = named.filter(({ read, second }) => read !== undefined && second !== true);
  return known.find(
    ({ acts, at, field, read }) =>
      (acts === true || (effect?.read === read && field.source?.operation !== id)) &&
      named.some((other) => other.second === true && other.at === inSecondItem(at)?.second),
  );
}

/** Whether the body of a read names the record that it shows: it may search for what is there, and find nothing. */
export function asksInBody({ kind, pathFields }: Pick<Operation, 'kind' | 'pathFields'>): boolean {
  return kind === 'read' && pathFields.some(({ at }) => at !== undefined);
}

/** Whether a read by POST shows the record that its body names, or pages of a list: it looks for no words. */
export function asksForRecords(operation: Operation): boolean {
  const isPaged = operation.queryFields.some(({ at }) => at !== undefined);
  return operation.kind === 'read' && (isPaged || asksInBody(operation));
}

/** Whether the record that a command acts on is one of a scope. */
export function isScoped({ operations }: Contract, record: NamedRecord | undefined): boolean {
  return record !== undefined && operations.find(({ id }) => id === record.read)?.shared !== true;
}

/** Names of records that need not belong to the scope of the caller: the other side of a payment, somebody to be invited. */
const mayBeAbroad =
  /^(dest(ination)?|target|source|recipient|receiver|sender|payee|payer|beneficiary|creditor|debtor|buyer|seller|partner|peer|counterpart(y)?|invite[ed]?|invitation|shared?|user|member|account|person|people|contact|company|org(ani[sz]ation)?|tenant|team|shop|store|merchant|provider|supplier|vendor|wallet|iban|to|by)$/;
/** More of them: people who take part, and firms that serve many scopes. */
const mayServeMany =
  /^(friend|follow(er)?|guest|participant|attendee|colleague|mentor|referrer|referral|affiliate|sponsor|broker|carrier|courier|lender|borrower|landlord|lessor|lessee|insurer|franchisor|franchisee)$/;
/** What anybody who knows its ID may use, or what is offered to all. */
const isCapability =
  /^(code|coupon|voucher|promo(tion)?|gift|token|ticket|pass|listing|offer|vacancy|survey|poll|meeting|linked)$/;
const isDirected = /^from(?![a-z])/;

/** The members of a body that refer to a record of the caller's scope, which the command does not act on. */
export function referencesOf(contract: Contract, { named = [], path }: Operation): readonly NamedRecord[] {
  const known = named.filter(({ second }) => second !== true);
  return known.filter((one) => {
    const name = nameOf(one, path);
    const words = wordsOf(name);
    return (
      one.acts !== true &&
      one.field.source !== undefined &&
      isScoped(contract, one) &&
      !words.some((word) => [mayBeAbroad, mayServeMany, isCapability].some((each) => each.test(word))) &&
      !isDirected.test(name) &&
      // Of two records of a kind, one may be the other side, unless each name says what it is.
      (/^ids?$/.test(words.at(-1) ?? '') || known.every((other) => other === one || other.read !== one.read))
    );
  });
}

/** A record that a command takes something out of, and the one of the same kind that it goes to: accounts of a transfer. */
export type Drawn = { readonly from: NamedRecord; readonly to: NamedRecord };

const givesAway = /^(from|source|origin|sender|debit(ed)?|debtor|payer|remitter|withdraw(al|n)?|outgoing)$/;

/** The two records of a body between which something moves, where their names say in which direction. */
export function drawnOf(contract: Contract, { named = [], path }: Operation): Drawn | undefined {
  const known = named.filter(
    ({ acts, field, second }) => !acts && second !== true && field.source !== undefined,
  );
  const isGiving = (one: NamedRecord): boolean =>
    wordsOf(nameOf(one, path)).some((word) => givesAway.test(word));
  const found = known
    .filter((one) => isGiving(one) && isScoped(contract, one))
    .map((from) => {
      const others = known.filter((other) => other !== from && other.read === from.read);
      const [to] = others;
      return to === undefined || others.length > 1 || isGiving(to) ? undefined : { from, to };
    });
  return found.find((one) => one !== undefined);
}

/** The same place in the second item of the innermost list that has it in its first, and that list. */
export function inSecondItem(
  at: JsonPointer,
): { readonly list: JsonPointer; readonly second: JsonPointer } | undefined {
  const found = /^(.*)\/0(\/.*)?$/.exec(at);
  const [, list, within = ''] = found ?? [];
  return list === undefined ? undefined : { list, second: `${list}/1${within}` };
}

/** The places that a place in the first item of each of its lists has in the other items of these lists, as far as they are there. */
export function inOtherItems(body: Json, at: JsonPointer): readonly JsonPointer[] {
  const all = pointerTokens(at).reduce<readonly JsonPointer[]>(
    (found, token) => {
      return found.flatMap((place) => {
        const within = valueAt(body, place);
        const own = isArray(within) && token === '0' ? within.map((_, index) => String(index)) : [token];
        return own.map((name) => place + pointerOf([name])).filter((one) => valueAt(body, one) !== undefined);
      });
    },
    [''],
  );
  return all.filter((place) => place !== at);
}

/** The name of the member that names a record, or of the list that does, for one of them; in JSON:API that of the relationship. */
function nameOf({ at }: NamedRecord, path: string): string {
  const isLinkage = /^\/data(\/[01])?\/id$/.test(at);
  const relationship = isLinkage
    ? /\/([^/{}]+)\/?$/.exec(bare(path))?.[1]
    : /^\/data\/relationships\/([^/]+)\//.exec(at)?.[1];
  if (relationship !== undefined) return `${singular(relationship)}_id`;
  return singular(pointerTokens(at).findLast((token) => !/^\d+$/.test(token)) ?? '');
}

/** Whether the engine puts something in at a place of the body: what is carried, or the ID of a record that was made for it. */
export function isPutIn(operation: Operation, pointer: JsonPointer): boolean {
  return (
    isCarried(operation, pointer) ||
    operation.named?.some(({ at, field }) => at === pointer && field.source !== undefined) === true
  );
}
