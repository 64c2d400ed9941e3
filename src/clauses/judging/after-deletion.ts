import type { Context } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { resultOf } from './changes.ts';
import { type Answered, answered, isAccepted, isQueued } from './reading.ts';

/**
 * Reads by which a command was accepted for a record that was deleted: its read found it, finds it no more once the deletion was
 * accepted, and does not find it after the command either. An action may be about what was deleted, as a refund is: its result must
 * be the record, and the same action on it before must have left it there, as one that ends or restores what was deleted does not.
 */
export function deletedBefore(
  context: Context,
  trace: Trace,
  one: Answered,
): readonly Answered[] | undefined {
  const { answer, operation } = one;
  // What is queued (202) may still be refused, and says so in its work record.
  if (operation.kind !== 'command' || operation.method === 'DELETE' || isQueued(answer)) return undefined;
  const all = answered(context, trace);
  const at = all.indexOf(one);
  const path = pathOf(one);
  const deletion = all
    .slice(0, at)
    .findLast((each) => each.operation.method === 'DELETE' && isWithin(path, pathOf(each)));
  if (deletion === undefined || !isAccepted(deletion.answer) || isQueued(deletion.answer)) return undefined;
  const from = all.indexOf(deletion);
  const ofRecord = (some: readonly Answered[]): readonly Answered[] =>
    some.filter((each) => each.operation.kind === 'read' && pathOf(each) === pathOf(deletion));
  const kept = ofRecord(all.slice(0, from)).findLast((each) => isAccepted(each.answer));
  const [gone, ...others] = ofRecord(all.slice(from, at));
  const again = ofRecord(all.slice(at)).at(-1);
  if (kept === undefined || gone === undefined || again === undefined) return undefined;
  if (![gone, ...others, again].every(isGone)) return undefined;
  // One that brings the record back, and a later one that deletes it again, would leave no trace in the reads.
  const isBetween = (each: Answered): boolean =>
    each.operation.kind === 'command' &&
    each !== one &&
    each !== deletion &&
    isWithin(pathOf(each), pathOf(deletion));
  if (all.slice(from).some(isBetween)) return undefined;
  if (operation.method === 'POST') {
    const isLeftBy = (each: Answered): boolean =>
      each.operation === operation && pathOf(each) === path && isAccepted(each.answer);
    const isIts = resultOf(one, kept)?.isRecord === true;
    if (!isIts || !all.slice(0, all.indexOf(kept)).some(isLeftBy)) return undefined;
  }
  return [kept, deletion, gone, again];
}

const pathOf = ({ exchange }: Answered): string => exchange.request.path.split('?')[0] ?? '';

const isWithin = (path: string, record: string): boolean => path === record || path.startsWith(`${record}/`);

const isGone = ({ answer }: Answered): boolean => answer.status === 404 || answer.status === 410;
