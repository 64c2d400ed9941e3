import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { bare } from '../../model/path.ts';
import { shown, type VersionPlace } from '../judging/own-version.ts';
import { isQueued, type Seen, seen, violated } from '../judging/reading.ts';
import { newlyShown, type RecordChange, recordChanges } from '../judging/record-changes.ts';

/**
 * A result that has the version which the record had before the command, though the read shows the change under another one (CMD-6):
 * the next command with it is refused. An ETag in a response to PUT is that of the new representation (RFC 9110, 9.3.4).
 */
export function* staleVersion(context: Context, trace: Trace): Iterable<Ruling> {
  // Where reads lag behind, a result may come from what reads see.
  if ((context.declared.G15 ?? 0) > 0) return;
  const all = seen(context, trace);
  for (const change of recordChanges(context, trace, () => true)) {
    const { one, read } = change;
    // The result of a command elsewhere may be another resource than the record.
    const isIts = bare(one.operation.path) === bare(read.operation.path) && !isQueued(one.answer);
    const before = isIts && newlyShown(change).length > 0 ? readBefore(all, change) : undefined;
    if (before === undefined) continue;
    for (const place of placesOf(change)) {
      const [was, is, result] = [before, read, one].map((each) => shown(each, place));
      if (was === undefined || is === undefined || result !== was || is === was) continue;
      const at = 'header' in place ? place.header : place.at;
      yield violated([one, before, read], {
        expected: `${is} at ${at}, as the read shows it`,
        actual: `${was} at ${at}, as before the command`,
        because:
          'The command took effect and moved the version, but its result has the version that the record had before.',
      });
      break;
    }
  }
}

function placesOf({ one: { operation } }: RecordChange): readonly VersionPlace[] {
  const source = operation.version?.source;
  const tag: VersionPlace = { header: 'etag' };
  return source?.in === 'body' ? [tag, { at: source.at }] : [tag];
}

/** The last read of the record that had ended before the command. */
function readBefore(all: readonly Seen[], { one, read }: RecordChange): Seen | undefined {
  return all.findLast(
    ({ exchange, operation }) =>
      operation === read.operation &&
      exchange.request.path === read.exchange.request.path &&
      exchange.endedAt <= one.exchange.startedAt,
  );
}
