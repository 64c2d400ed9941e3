import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives all tests, and the processes that they start, one folder for temporary files, and removes it in the end. */
export default async function temporaryFolder(): Promise<() => Promise<void>> {
  const before = process.env['TMPDIR'];
  const folder = await mkdtemp(join(tmpdir(), 'assay-tests-'));
  process.env['TMPDIR'] = folder;
  return async () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
