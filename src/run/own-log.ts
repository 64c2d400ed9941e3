import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { isRegularFile } from '../evidence/regular-file.ts';
import { trouble } from '../model/input-error.ts';
import type { Report } from '../report/report.ts';
import { evidenceFile } from './bundle.ts';

/**
 * Whether the log of a report is next to it. Of another log the renderings would show requests that the report is not about.
 * @throws InputError where there is another one
 */
export async function hasOwnLog(folder: string, { evidence }: Report): Promise<boolean> {
  const file = join(folder, evidenceFile);
  if (!(await isRegularFile(file))) return false;
  const hash = createHash('sha256');
  for await (const part of createReadStream(file)) if (Buffer.isBuffer(part)) hash.update(part);
  if (hash.digest('hex') === evidence.sha256) return true;
  throw trouble(
    file,
    'this is not the log that report.json was made from, or it was altered',
    'name an unaltered run, or make its report again with `assay judge`',
  );
}
