import { certificateOf } from './certificate.ts';
import { headerOf } from './header.ts';
import { limitsOf } from './limits.ts';
import type { OpenRun } from './open-run.ts';
import { harness } from './package.ts';
import { type Restoration, restore } from './restore.ts';
import type { Resumable } from './resume.ts';
import type { Work } from './work.ts';

/**
 * Writes with what a run begins: its header, or the segment that goes on with one that was cut short, which is restored.
 * Undefined where there is nothing to restore.
 */
export async function writeFirstLines(open: OpenRun, work: Work): Promise<Restoration | undefined> {
  const { resume } = work.of;
  if (resume !== undefined && open.segment !== undefined) return goOn(open, work, resume, open.segment);
  const { gate, nonce, notes, startedAt, tally, target } = open;
  const { of, session, shard } = work;
  const header = gate.value(
    await headerOf(session, of, {
      startedAt,
      nonce,
      shard,
      gate,
      limits: limitsOf(session),
      reference: target.reference !== undefined,
      certificate: await certificateOf(target.baseUrl, target.transport),
    }),
  );
  await notes.append(header);
  tally.begin(header, session.contract);
  return undefined;
}

async function goOn(
  open: OpenRun,
  { means, session }: Work,
  resume: Resumable,
  segment: NonNullable<OpenRun['segment']>,
): Promise<Restoration> {
  const { judge, notes, stage, tally } = open;
  await notes.append({
    line: 'segment',
    ...segment,
    startedAt: new Date(means.clock.wall()).toISOString(),
    harness: harness(),
    sha256: resume.earlier.hash.copy().digest('hex'),
  });
  tally.begin(resume.header, session.contract);
  const restoration = await restore(resume, tally, judge);
  for (const { trace } of restoration.restored)
    for (const id of Object.values(trace.bound.chosen ?? {})) stage.takenIds?.add(id);
  return restoration;
}
