import { selfTestDigest } from './package.ts';
import { type MinimalCase, type Reproduced, sendAgain } from './reproduce.ts';
import { openSession } from './session.ts';
import { VoidRun } from './void-run.ts';

/** What to send again. `assay reproduce --as vitest` prints one. */
export type ReproduceOptions = {
  /** Path of a configuration. */
  readonly config: string;
  readonly baseUrl?: string | undefined;
  readonly output?: string | undefined;
  readonly case: MinimalCase;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Sends the minimal case of a violation again, as `assay reproduce` does, and resolves to whether it is still there.
 * @throws InputError where the configuration is wrong, or the case does not fit the contract
 * @throws VoidRun where nothing could be sent
 */
export async function reproduce(of: ReproduceOptions): Promise<Reproduced> {
  const { baseUrl, case: minimal, config, output, signal } = of;
  const session = await openSession(config, { baseUrl, output, seed: minimal.seed });
  const result = await sendAgain(
    session,
    minimal,
    { selfTest: await selfTestDigest() },
    signal ?? new AbortController().signal,
  );
  if ('kind' in result) throw new VoidRun(result.because);
  return result;
}
