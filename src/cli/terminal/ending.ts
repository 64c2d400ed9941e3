import { InputError } from '../../model/input-error.ts';
import { StoppedPlanning } from '../../model/stopped-planning.ts';
import { failureText } from '../../run/failure-text.ts';
import type { Output } from './output.ts';

/** Exit code of a harness or a configuration that failed: nothing is said about the target. */
const failed = 2;

/** Exit codes of a second Ctrl-C, and of a second SIGTERM. */
const [interrupted, terminated] = [130, 143];

/**
 * Holds the process to its exit codes. Node would end with 1, the code of violations, and with a stack trace, where
 * an exception reaches nobody or standard output cannot be written.
 */
export function keepExitCodes(process: NodeJS.Process, output: Output): void {
  let lost = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`| head`) ends nothing: log, report and exit code are as ever.
    if (error.code === 'EPIPE' || lost) return;
    lost = true;
    output.err(`assay: standard output cannot be written (${error.code ?? error.message})\n`);
  });
  // Progress and warnings that reach nobody change no verdict.
  process.stderr.on('error', () => undefined);
  process.on('exit', () => {
    if (lost) process.exitCode = failed;
  });
  process.on('uncaughtException', (error) => {
    output.err(`assay: ${failureText(error, process.env)}\n`);
    process.exit(failed);
  });
}

/** Runs a command to its exit code, and turns what it throws into one clear line and the code of a failed harness. */
export async function exitCodeOf(
  work: () => Promise<number>,
  output: Output,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  // A suite, a signer or whatever else is loaded may end the process, or leave it with nothing to wait for.
  const cutShort = (code: number): void => {
    if (code === interrupted || code === terminated || code === failed) return;
    output.err(
      'assay: the process ended before the command did; look in your own modules for process.exit, or for an await that never ends\n',
    );
    process.exitCode = failed;
  };
  process.on('exit', cutShort);
  try {
    return await work();
  } catch (error) {
    const isClear = error instanceof InputError || error instanceof StoppedPlanning;
    output.err(`assay: ${isClear ? error.message : failureText(error, env)}\n`);
    return failed;
  } finally {
    process.off('exit', cutShort);
  }
}
