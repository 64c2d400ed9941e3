import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Clean } from '../model/clean.ts';
import type { FooterLine, LogLine } from './log.ts';

/** Appends lines to evidence.jsonl, in batches, hashing as it goes. */
export type LogWriter = {
  /** Resolves when the writer can take more: await it, and memory stays flat. */
  readonly append: (line: Clean<Exclude<LogLine, FooterLine>>) => Promise<void>;
  /**
   * Writes what is left and the footer with the digest of all bytes before it, and closes the file. Where something
   * could not be written there is no footer: a log with a gap must not look whole.
   */
  readonly close: (footer: Clean<Omit<FooterLine, 'line' | 'sha256'>>) => Promise<void>;
};

const batchBytes = 64 * 1024;

/**
 * Opens a new log.
 * @throws what the file system says; a line that cannot be written rejects the append that carried it
 */
export async function openLog(file: string): Promise<LogWriter> {
  const handle: FileHandle = await open(file, 'wx');
  const hash = createHash('sha256');
  let waiting: string[] = [];
  let size = 0;
  let writing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    const batch = Buffer.from(waiting.join(''));
    waiting = [];
    size = 0;
    writing = writing.then(async () => {
      if (batch.length === 0) return;
      hash.update(batch);
      await handle.writeFile(batch);
    });
    return writing;
  };
  const put = (line: object): void => {
    const text = `${JSON.stringify(line)}\n`;
    waiting.push(text);
    size += text.length;
  };
  return {
    append: async (line) => {
      put(line);
      // What a killed process has seen to its end stays readable; the rest may wait for its batch.
      if (size >= batchBytes || line.line === 'trace' || line.line === 'plan') await flush();
    },
    close: async (footer) => {
      try {
        await flush();
        const line = { line: 'footer', ...footer, sha256: hash.digest('hex') };
        await handle.writeFile(`${JSON.stringify(line)}\n`);
      } finally {
        await handle.close();
      }
    },
  };
}
