import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, truncate } from 'node:fs/promises';
import type { Clean } from '../model/clean.ts';
import type { FooterLine, LogLine } from './log.ts';

/** Appends lines to evidence.jsonl, in batches, hashing as it goes. */
export type LogWriter = {
  /**
   * Resolves when the writer can take more, or is undefined where it can: await it, and memory stays flat. The line is on
   * the disk within 200 ms. Once a line could not be written, every append rejects.
   */
  readonly append: (line: Clean<Exclude<LogLine, FooterLine>>) => Promise<void> | undefined;
  readonly flush: () => Promise<void>;
  /**
   * Writes what is left and the footer with the digest of all bytes before it, and closes the file. Where something
   * could not be written there is no footer: a log with a gap must not look whole.
   */
  readonly close: (footer: Clean<Omit<FooterLine, 'line' | 'sha256'>>) => Promise<Written>;
};

export type Written = {
  readonly footer: FooterLine;
  readonly totals: { readonly bytes: number; readonly lines: number; readonly sha256: string };
};

/** How many bytes are written at once, and how many may be held. */
const batchLength = 64 * 1024;
const mostWaiting = 1024 * 1024;
const longestWaitMs = 200;

/** The complete lines of a log that is continued; a torn line behind them is dropped. */
export type Earlier = { readonly bytes: number; readonly lines: number; readonly hash: Hash };

/** Opens a new log, or an earlier one to be written on. @throws what the file system says */
export async function openLog(file: string, earlier?: Earlier): Promise<LogWriter> {
  if (earlier !== undefined) await truncate(file, earlier.bytes);
  const handle: FileHandle = await open(file, earlier === undefined ? 'wx' : 'a');
  const hash = earlier?.hash.copy() ?? createHash('sha256');
  let waiting: string[] = [];
  let length = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let broken: unknown;
  let bytes = earlier?.bytes ?? 0;
  let lines = earlier?.lines ?? 0;
  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0 && broken === undefined) {
      const batch = Buffer.from(waiting.join(''));
      waiting = [];
      length = 0;
      hash.update(batch);
      bytes += batch.length;
      await handle.writeFile(batch);
    }
  };
  /** One write at a time; lines that arrive meanwhile are written next, together. */
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeAll()
      .catch((error: unknown) => {
        broken = error;
      })
      .finally(() => {
        writing = undefined;
      });
    return writing;
  };
  const checked = (): Promise<never> | undefined =>
    broken === undefined ? undefined : Promise.reject(broken);
  const drain = async (): Promise<void> => {
    while (broken === undefined && (waiting.length > 0 || writing !== undefined)) await flush();
    clearTimeout(timer);
    await checked();
  };
  return {
    append: (line) => {
      if (broken !== undefined) return checked();
      const text = `${JSON.stringify(line)}\n`;
      waiting.push(text);
      lines += 1;
      length += text.length;
      if (length >= mostWaiting) return flush().then(checked);
      if (length < batchLength) timer ??= setTimeout(() => void flush(), longestWaitMs);
      else void flush();
      return undefined;
    },
    flush: drain,
    close: async (footer) => {
      try {
        await drain();
        const line: FooterLine = { line: 'footer', ...footer, sha256: hash.copy().digest('hex') };
        const last = Buffer.from(`${JSON.stringify(line)}\n`);
        await handle.writeFile(last);
        return {
          footer: line,
          totals: {
            bytes: bytes + last.length,
            lines: lines + 1,
            sha256: hash.update(last).digest('hex'),
          },
        };
      } finally {
        await handle.close();
      }
    },
  };
}
