import { openedGate } from '../evidence/gate.ts';
import { signingKeys } from '../run/keys.ts';
import { merge as mergeShards } from '../run/merge.ts';
import { conclude, type Ending, earlierReport } from './conclude.ts';
import type { Output } from './terminal/output.ts';

/** Makes one run of the shards of a plan, and judges it. @throws InputError where they do not belong together */
export async function merge(
  folders: readonly string[],
  out: string,
  flags: Ending & { readonly keys?: readonly string[] | undefined },
  output: Output,
): Promise<number> {
  const keys = await signingKeys(flags.keys ?? [], process.env);
  const earlier = await earlierReport(flags);
  const { failures, report } = await mergeShards(folders, out);
  for (const failure of failures)
    output.err(`assay: the harness itself failed, which says nothing about the target: ${failure}\n`);
  for (const name of report.run.shards?.missing ?? []) output.err(`assay: shard ${name} is missing\n`);
  return conclude({ folder: out, report, clean: openedGate.document }, { ...flags, keys, earlier }, output);
}
