import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { openedGate } from '../src/evidence/gate.ts';
import type { LogLine } from '../src/evidence/log.ts';
import { openLog } from '../src/evidence/write.ts';
import { isObject, parseJson } from '../src/model/json.ts';

/** Writes a log with the header and the plan of another, and its traces over and over until there are so many exchanges. */
export async function lengthen(from: string, to: string, exchanges: number): Promise<number> {
  const lines: string[] = [];
  const heads: string[] = [];
  let perCopy = 0;
  let traces = 0;
  for await (const line of createInterface({ input: createReadStream(from) })) {
    if (line.startsWith('{"line":"header"') || line.startsWith('{"line":"plan"')) heads.push(line);
    else if (!line.startsWith('{"line":"footer"')) {
      lines.push(line);
      if (line.startsWith('{"line":"exchange"')) perCopy += 1;
      if (line.startsWith('{"line":"trace"')) traces += 1;
    }
  }
  const log = await openLog(to);
  const append = async (text: string): Promise<void> => {
    const line = lineOf(text);
    if (line !== undefined) await log.append(openedGate.value(line));
  };
  for (const head of heads) await append(head);
  const copies = Math.ceil(exchanges / perCopy);
  for (let copy = 0; copy < copies; copy += 1)
    for (const line of lines) {
      if (copy > 0 && line.startsWith('{"line":"skip"')) continue;
      await append(renamed(line, copy, perCopy, traces));
    }
  await log.close(
    openedGate.value({
      end: 'complete',
      counts: { exchanges: copies * perCopy, traces: copies * traces },
      endedAt: new Date(Date.UTC(2026, 0, 1)).toISOString(),
      elapsedMs: copies * 1000,
      redaction: [],
    }),
  );
  return copies * perCopy;
}

/** Ids of exchanges, traces and requests that no other copy has. */
function renamed(line: string, copy: number, exchanges: number, traces: number): string {
  if (copy === 0) return line;
  return line
    .replaceAll(/"x(\d+)"/g, (_, id: string) => `"x${Number(id) + copy * exchanges}"`)
    .replaceAll(/"t(\d+)"/g, (_, id: string) => `"t${Number(id) + copy * traces}"`)
    .replaceAll(/\b(req|case)_[0-9a-f]+/g, (id) => `${id}${copy.toString(16)}`);
}

function lineOf(text: string): Exclude<LogLine, { line: 'footer' }> | undefined {
  const value: unknown = parseJson(text);
  return isLine(value) ? value : undefined;
}

function isLine(value: unknown): value is Exclude<LogLine, { line: 'footer' }> {
  return isObject(value) && value['line'] !== 'footer';
}
