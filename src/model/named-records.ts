import { type Contract, isCarried, type NamedRecord, type Operation } from './contract.ts';
import type { JsonPointer } from './json.ts';

/** The record that a command acts on, where its body alone names it. */
export function namedTarget({ named, pathFields }: Operation): NamedRecord | undefined {
  return pathFields.length === 0 ? named?.find(({ acts }) => acts) : undefined;
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
  /^(dest|target|source|recipient|receiver|sender|payee|payer|beneficiary|buyer|seller|partner|peer|counterpart|invite|share|user|member|account|person|company|org|tenant|team|shop|store|merchant|provider|supplier|vendor|wallet|iban)|_(to|by)$/i;
const isDirected = /^(to|from)(?![a-z])|(To|By)$/;

/** The members of a body that refer to a record of the caller's scope, which the command does not act on. */
export function referencesOf(contract: Contract, { named = [] }: Operation): readonly NamedRecord[] {
  const known = named.filter(({ second }) => second !== true);
  return known.filter(
    (one) =>
      one.acts !== true &&
      one.field.source !== undefined &&
      isScoped(contract, one) &&
      !mayBeAbroad.test(one.at.slice(1)) &&
      !isDirected.test(one.at.slice(1)) &&
      // Of two records of a kind, one may be the other side.
      known.every((other) => other === one || other.read !== one.read),
  );
}

/** Whether the engine puts something in at a place of the body: what is carried, or the ID of a record that was made for it. */
export function isPutIn(operation: Operation, pointer: JsonPointer): boolean {
  return (
    isCarried(operation, pointer) ||
    operation.named?.some(({ at, field }) => at === pointer && field.source !== undefined) === true
  );
}
