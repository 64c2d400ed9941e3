import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { HeaderLine, ShardOf } from '../evidence/log.ts';
import { replay, torn, unended } from '../evidence/replay.ts';
import { otherCount, shardDifferences, shardName } from '../evidence/shards.ts';
import { InputError, trouble } from '../model/input-error.ts';
import { codeOf, messageOf } from '../model/thrown.ts';
import { evidenceFile } from './bundle.ts';
import { judged } from './rejudge.ts';
import type { Judged } from './tally.ts';
import { makeFolder } from './write-file.ts';

type ShardRun = {
  readonly folder: string;
  readonly file: string;
  readonly header: HeaderLine;
  readonly shard: ShardOf;
};

/** Joins the logs of the shards, each as it is, one behind another. @throws InputError where they do not belong together */
export async function merge(folders: readonly string[], out: string): Promise<Judged> {
  const parts: ShardRun[] = [];
  for (const folder of folders) parts.push(fitting(await partIn(folder), parts));
  // The first shows when the run began.
  parts.sort((one, other) => Date.parse(one.header.startedAt) - Date.parse(other.header.startedAt));
  const to = join(out, evidenceFile);
  await written(parts, to);
  const whole = await judged(to);
  const [problem] = whole.problems;
  if (problem !== undefined) {
    await rm(to, { force: true });
    throw trouble(parts.map(({ folder }) => folder).join(' '), problem.problem, remedyOf(problem.problem));
  }
  return whole;
}

function remedyOf(problem: string): string {
  return problem.startsWith('the last shard began')
    ? 'run `--shard last` again, after the others'
    : 'run the shards again with one version, plan and run ID';
}

async function partIn(folder: string): Promise<ShardRun> {
  const file = join(folder, evidenceFile);
  const { entries, problems } = replay(file);
  let header: HeaderLine | undefined;
  try {
    for await (const entry of entries) {
      if (entry.kind === 'header') header = entry.header;
      if (entry.kind === 'shard')
        throw trouble(folder, 'it is merged already', 'name the folders of the shards themselves');
    }
  } catch (error) {
    if (error instanceof InputError && error.file !== file) throw error;
    throw trouble(file, 'there is no such log', 'name the folder of a shard, such as reports/<run>');
  }
  if (header?.shard === undefined)
    throw trouble(
      folder,
      header === undefined ? 'it has no evidence of a run' : 'it is not a shard: it ran a whole plan',
      'name folders of runs with --shard',
    );
  // A writer that is killed leaves no footer, and perhaps a torn line.
  const first = problems.find(({ problem }) => problem !== unended && problem !== torn);
  if (first === undefined && problems.length > 0)
    throw trouble(
      folder,
      `shard ${shardName(header.shard)} did not end`,
      `continue it with \`assay run --resume ${folder}\`, or leave it out`,
    );
  if (first !== undefined)
    throw trouble(
      `${file}:${first.line}`,
      first.problem,
      'an altered log cannot be merged; run the shard again',
    );
  return { folder, file, header, shard: header.shard };
}

/** The shard, if it fits those before it. */
function fitting(part: ShardRun, before: readonly ShardRun[]): ShardRun {
  const name = shardName(part.shard);
  const twin = before.find(({ shard }) => shard.number === part.shard.number);
  const [first] = before;
  if (first === undefined) return part;
  const different = shardDifferences(first.header, part.header);
  if (different.length > 0)
    throw trouble(
      part.folder,
      `shard ${name} differs from ${first.folder} in ${different.join(', ')}`,
      'merge shards of one run alone',
    );
  if (twin !== undefined)
    throw trouble(part.folder, `shard ${name} is in ${twin.folder} too`, 'leave one of them out');
  const other = before.find(({ shard }) => otherCount(shard, part.shard));
  if (other !== undefined)
    throw trouble(
      part.folder,
      `it is shard ${name}, but ${other.folder} is ${shardName(other.shard)}`,
      'run all shards with the same number of shards',
    );
  return part;
}

async function written(parts: readonly ShardRun[], to: string): Promise<void> {
  await makeFolder(join(to, '..'));
  try {
    const handle = await open(to, 'wx');
    await handle.close();
    for (const { file } of parts)
      await pipeline(createReadStream(file), (await open(to, 'a')).createWriteStream());
  } catch (error) {
    const taken = codeOf(error) === 'EEXIST';
    throw trouble(
      to,
      taken ? 'evidence already exists here' : `it cannot be written (${messageOf(error)})`,
      'name a new folder with --out',
    );
  }
}
