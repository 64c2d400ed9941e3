import type { Overrides } from '../config/config.ts';
import { folderOf } from '../config/folder.ts';
import { openedGate } from '../evidence/gate.ts';
import { trouble } from '../model/input-error.ts';
import { evidenceFile } from '../run/bundle.ts';
import { deleteAll, deletionOf, deletionText } from '../run/cleanup.ts';
import { machineClock } from '../run/clock.ts';
import { createdIn } from '../run/created.ts';
import { openSession, openTarget, resolveTokens } from '../run/session.ts';
import type { Output } from './terminal/output.ts';

export type CleanupFlags = {
  readonly config?: string | undefined;
  readonly overrides: Overrides;
  readonly run?: boolean | undefined;
};

/** Prints how to delete what a run created, or deletes it. 0 where all can be or were deleted, 3 where some remain. */
export async function cleanup(
  folder: string,
  flags: CleanupFlags,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  const { header, records } = await createdIn(folder).catch(() => ({ header: undefined, records: [] }));
  if (header === undefined)
    throw trouble(
      `${folder}/${evidenceFile}`,
      'there is no evidence of a run',
      'name the folder of a run, such as reports/<run>',
    );
  const baseUrl = flags.overrides.baseUrl ?? header.target.baseUrl;
  if (records.length === 0 || baseUrl === 'reference') {
    output.err(
      records.length === 0
        ? 'assay: the run created no record\n'
        : 'assay: the embedded reference service ended with its run, and its records with it\n',
    );
    return 0;
  }
  const config = flags.config ?? header.configuration.file;
  const session = await openSession(config, { ...flags.overrides, baseUrl });
  const { principals, target: declared } = session.config;
  const command =
    declared.cleanup === undefined ? undefined : { text: declared.cleanup, folder: folderOf(session.config) };
  const deletions = records.map((record) => deletionOf(record, command, session.contract, principals));
  if (flags.run !== true) {
    const lines = deletions.map((deletion, index) => {
      const { id, operation } = records[index] ?? { id: '', operation: '' };
      return deletion.kind === 'none'
        ? `# ${operation} ${JSON.stringify(id)}: ${deletion.because}`
        : deletionText(deletion, baseUrl);
    });
    if (session.config.target.sign !== undefined && deletions.some(({ kind }) => kind === 'request'))
      lines.unshift('# each request needs a signature, which target.sign makes: --run signs by itself');
    output.out(openedGate.document(lines.map((line) => `${line}\n`).join('')));
    return deletions.some(({ kind }) => kind === 'none') ? 3 : 0;
  }
  const tokens = await resolveTokens(session.config, process.env);
  let left = records.length;
  let at = 0;
  const target = await openTarget(session, tokens, machineClock);
  for await (const { detail, ok } of deleteAll(deletions, { session, target, tokens, signal })) {
    const { id, operation } = records[at] ?? { id: '', operation: '' };
    at += 1;
    if (ok) left -= 1;
    else output.err(openedGate.document(`assay: ${operation} ${JSON.stringify(id)} remains: ${detail}\n`));
  }
  output.out(`${records.length - left} of ${records.length} records deleted\n`);
  return left === 0 ? 0 : 3;
}
