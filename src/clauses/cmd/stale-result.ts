import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { pointerOf } from '../../model/json.ts';
import { exactJsonOf } from '../../model/response.ts';
import { isSame, secret } from '../judging/changes.ts';
import { isQueued, violated } from '../judging/reading.ts';
import {
  delicate,
  newlyShown,
  plainMembers,
  type RecordChange,
  recordChanges,
} from '../judging/record-changes.ts';
import { isShownAsRead } from '../judging/shown-as-read.ts';

/**
 * The result of an accepted PUT or PATCH that shows all that it changed as it was before, though the read shows the change (CMD-6):
 * a client takes it for a command that did nothing. The result has the schema of the read, so it is the record.
 */
export function* staleResult(context: Context, trace: Trace): Iterable<Ruling> {
  // Where reads lag behind, a result may come from what reads see.
  if ((context.declared.G15 ?? 0) > 0) return;
  for (const change of recordChanges(context, trace, () => true)) {
    const { is, one, read, was } = change;
    const isRecord = isShownAsRead(one.operation, read.operation);
    const at = isRecord && !isQueued(one.answer) ? staleIn(change) : undefined;
    if (at === undefined) continue;
    const short = (value: unknown): string => JSON.stringify(value).slice(0, 80);
    yield violated([one, read], {
      expected: `${short(is.get(at))} at ${pointerOf([at])}, as the read shows it`,
      actual: `${short(was.get(at))} at ${pointerOf([at])}`,
      because:
        'The command took effect, and its result has the schema of the record, but shows the record as it was before the command.',
    });
  }
}

/** The name of a changed member, where the result shows every changed text and number as it was. */
function staleIn(change: RecordChange): string | undefined {
  const { one, was } = change;
  const result = plainMembers(exactJsonOf(one.answer));
  const names = newlyShown(change).filter((name) => !secret.test(name) && !delicate.test(name));
  const isOld = (name: string): boolean =>
    result.has(name) && was.has(name) && isSame(result.get(name) ?? null, was.get(name) ?? null);
  return names.length > 0 && names.every(isOld) ? names.find((name) => was.get(name) !== null) : undefined;
}
