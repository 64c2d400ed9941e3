import type { Readable } from 'node:stream';
import type { Output } from './terminal/output.ts';

type Keys = Readable & { readonly isTTY?: boolean; readonly setRawMode?: (raw: boolean) => unknown };

/** Runs, and runs again at each key press. Ends with the exit code of the last run, at `q`, Ctrl-C or the end of the input. */
export async function watch(
  once: () => Promise<number>,
  keys: Keys,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  for (;;) {
    const exitCode = await once();
    if (signal.aborted) return exitCode;
    output.err('assay: press a key to run again, q to end\n');
    if (!(await again(keys, signal))) return exitCode;
  }
}

/** Waits for a key; false where it ends the watch. */
function again(keys: Keys, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (go: boolean): void => {
      keys.off('data', hear).off('end', stop).off('close', stop);
      signal.removeEventListener('abort', stop);
      if (keys.isTTY === true) keys.setRawMode?.(false);
      keys.pause();
      resolve(go);
    };
    const stop = (): void => end(false);
    // In raw mode Ctrl-C and Ctrl-D are letters.
    const hear = (chunk: unknown): void => end(!/^[qQ\u0003\u0004]/.test(String(chunk)));
    if (keys.readableEnded || keys.destroyed) return resolve(false);
    if (keys.isTTY === true) keys.setRawMode?.(true);
    keys.on('data', hear).on('end', stop).on('close', stop);
    signal.addEventListener('abort', stop);
    keys.resume();
  });
}
