import { effectReadsOf } from '../engine/sweep.ts';
import type { Ledger, Violation } from '../judge.ts';
import type { Trace, TraceId } from '../model/exchange.ts';
import type { PrincipalName } from '../model/principal.ts';
import type { Planning } from '../suite-kit/suite.ts';
import type { Notes } from './notes.ts';
import type { Restored, Resumable } from './resume.ts';
import { type LiveJudgement, provenIn, seeProof, type Tally } from './tally.ts';

/** The state in which earlier segments leave a run. */
export type Restoration = {
  /** Undefined if preflight did not finish: then nothing was judged yet. */
  readonly live: LiveJudgement | undefined;
  readonly early: readonly Trace[];
  readonly restored: readonly Restored[];
  /** Traces of preflight whose effects have no line. */
  readonly unread: readonly Trace[];
};

/** Judges the earlier segments again, in the order of the log, as `assay judge` does. */
export async function restore(
  { entries }: Resumable,
  tally: Tally,
  begin: (proven: Set<PrincipalName>) => Promise<LiveJudgement>,
): Promise<Restoration> {
  const first = entries.findIndex((each) => each.kind === 'trace' && each.trace.suite !== 'preflight');
  const early = tracesIn(first < 0 ? entries : entries.slice(0, first)).filter(
    ({ suite }) => suite === 'preflight',
  );
  const live = first < 0 ? undefined : await begin(provenIn(early));
  if (live !== undefined) judgeEarly(live.ledger, entries, early);
  const restored = new Map<TraceId, { trace: Trace; violations: Violation[]; read: boolean }>();
  const unread = new Map<TraceId, Trace>();
  for (const each of entries) {
    tally.take(each);
    if (each.kind !== 'trace' && each.kind !== 'effects') continue;
    const { trace } = each;
    if (trace.suite === 'preflight') {
      if (each.kind === 'trace') {
        unread.set(trace.id, trace);
        if (live !== undefined && !early.includes(trace)) seeProof(live, trace);
      } else unread.delete(trace.id);
    } else if (each.kind === 'trace')
      restored.set(trace.id, {
        trace,
        violations: [...(live?.ledger.see(trace) ?? [])],
        // A sweep is itself a read of effects.
        read: trace.suite === 'sweep',
      });
    else {
      const known = restored.get(trace.id);
      if (known === undefined) continue;
      known.read = true;
      known.violations.push(...(live?.ledger.seeEffects(trace) ?? []));
    }
  }
  return { live, early, restored: [...restored.values()], unread: [...unread.values()] };
}

/** Restored traces. If no read can show the effects of one, it is judged without them at once. */
export async function withEffects(
  restoration: Restoration | undefined,
  planning: Planning,
  ledger: Ledger,
  notes: Notes,
): Promise<readonly Restored[]> {
  const restored: Restored[] = [];
  for (const { read, trace, violations } of restoration?.restored ?? []) {
    const unseen = !read && effectReadsOf(planning, trace).length === 0;
    if (unseen) await notes.append({ line: 'effects', trace: trace.id, effects: 'none' });
    const more = unseen ? ledger.seeEffects(trace) : [];
    restored.push({ trace, violations: [...violations, ...more], read: read || unseen });
  }
  return restored;
}

/** Judges what had to wait until preflight showed which principals work. */
export function judgeEarly(ledger: Ledger, entries: Resumable['entries'], early: readonly Trace[]): void {
  for (const each of entries) if (each.kind === 'skip') ledger.skip(each.skip);
  for (const trace of early) ledger.see(trace);
  for (const trace of early) ledger.seeEffects(trace);
}

function tracesIn(entries: Resumable['entries']): readonly Trace[] {
  return entries.flatMap((each) => (each.kind === 'trace' ? [each.trace] : []));
}
