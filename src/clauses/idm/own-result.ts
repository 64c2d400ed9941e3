import { isDeclared, type Operation, writtenSchema } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import { canonicalJson } from '../../model/json.ts';
import { namedTarget } from '../../model/named-records.ts';
import { bare, pathTexts } from '../../model/path.ts';
import { sameState } from '../../oracle/record-state.ts';

type Sent = { readonly exchange: Exchange; readonly operation: Operation };

/**
 * Whether a command may show by itself the record that another operation made: its path names that record, or it takes one
 * of the collection, as `POST /jobs/claim` takes the newest job. Only a stored result has the status of the other operation
 * as well, which is none of its own, and shows the record as it was.
 */
export function mayBeOwnResult(first: Sent, again: Sent, id: string): boolean {
  if (!pathTexts(again.exchange.request).includes(id) && !takesOne(again.operation, first.operation))
    return false;
  const { status } = again.exchange.answer ?? {};
  const isStored =
    status !== undefined &&
    status === first.exchange.answer?.status &&
    !isDeclared(again.operation, status) &&
    sameState(first, again);
  return !isStored;
}

/** Whether a command names no record, and shows one of the kind that another one makes. */
function takesOne(operation: Operation, maker: Operation): boolean {
  if (operation.pathFields.length > 0 || namedTarget(operation) !== undefined) return false;
  const [own, collection] = [bare(operation.path), bare(maker.path)];
  const isWithin = own.startsWith(`${collection}/`) || own.startsWith(`${collection}:`);
  const isOfKind =
    own !== collection &&
    operation.success.schema !== undefined &&
    canonicalJson(writtenSchema(operation) ?? null) === canonicalJson(writtenSchema(maker) ?? null);
  return isWithin || isOfKind;
}
