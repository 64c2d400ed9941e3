import type { Operation } from '../../model/contract.ts';
import { canonicalJson, isObject } from '../../model/json.ts';
import { bare } from '../../model/path.ts';

/** Whether the result of a command is declared as a read is, and not as one of several documents. */
export function isShownAsRead(one: Operation, read: Operation): boolean {
  const [mine, its] = [one.success.schema, read.success.schema];
  return isObject(mine) && Object.keys(mine).length > 0 && canonicalJson(mine) === canonicalJson(its ?? null);
}

/** Whether a command and a read name what belongs to a record by one path, such as its settings, which need not show its ID. */
export function isBelowRecord(one: Operation, read: Operation): boolean {
  return !bare(one.path).endsWith('}') && bare(read.path) === bare(one.path);
}
