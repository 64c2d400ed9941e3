import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Effects, Exchange, Trace, TraceId } from '../model/exchange.ts';
import { trouble } from '../model/input-error.ts';
import type { StopSuspect } from '../model/stop.ts';
import type { FooterLine, HeaderLine, SegmentLine, SkipLine } from './log.ts';
import { logLineOf } from './log-line.ts';
import { makeNumberSet, type NumberSet } from './number-set.ts';
import { isRegularFile } from './regular-file.ts';
import { earlierFormat, evidenceFormat } from './schema.ts';
import { idPrefix } from './shards.ts';
import { makeShards } from './shards-in-log.ts';

/** What a log holds, in its order: each trace whole, and its effects when they were read. */
export type LogEntry =
  | { readonly kind: 'header'; readonly header: HeaderLine }
  /** The next shard of a run that several processes share begins. */
  | { readonly kind: 'shard'; readonly header: HeaderLine }
  | { readonly kind: 'segment'; readonly segment: SegmentLine }
  | { readonly kind: 'skip'; readonly skip: SkipLine }
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  | { readonly kind: 'trace'; readonly trace: Trace }
  | { readonly kind: 'effects'; readonly trace: Trace }
  | { readonly kind: 'stop'; readonly stop: StopSuspect }
  | { readonly kind: 'footer'; readonly footer: FooterLine };

export type LogProblem = { readonly line: number; readonly problem: string };

export type Replay = {
  readonly entries: AsyncIterable<LogEntry>;
  /** Complete once `entries` has ended. */
  readonly problems: readonly LogProblem[];
  readonly totals: { readonly bytes: number; readonly lines: number; readonly sha256: string };
};

type Totals = { bytes: number; lines: number; sha256: string };

/** Reads a log line by line, in flat memory. A torn or altered log is read as far as it goes, and its problems are listed. */
export function replay(file: string): Replay {
  const problems: LogProblem[] = [];
  const totals: Totals = { bytes: 0, lines: 0, sha256: '' };
  return { entries: entriesOf(file, problems, totals), problems, totals };
}

async function* entriesOf(file: string, problems: LogProblem[], totals: Totals): AsyncIterable<LogEntry> {
  const exchanges = new Map<string, Exchange>();
  const waiting = new Map<TraceId, Trace>();
  const hash = createHash('sha256');
  /** The digest of the current shard, which was a log of its own. */
  let own = hash;
  let counts = { exchanges: 0, traces: 0 };
  const shards = makeShards();
  let format: HeaderLine['format'] = evidenceFormat;
  let ids = '';
  let later = 0;
  /** The traces of each shard, by the prefix of its IDs. */
  const traces = new Map<string, NumberSet>();
  let last = 0;
  let number = 0;
  let planned = false;
  let segments = 1;
  let footer: FooterLine | undefined;
  for await (const chunk of chunks(file))
    for (const { bytes, whole, written } of chunk) {
      number += 1;
      totals.bytes += written.length;
      totals.lines = number;
      const chains = startsWith(bytes, footerStart) || startsWith(bytes, segmentStart);
      const before = chains ? own.copy() : undefined;
      const begins = shards.goesOn() && startsWith(bytes, headerStart);
      if (begins) own = createHash('sha256');
      // The raw bytes: decoding would make different broken bytes equal.
      hash.update(written);
      if (own !== hash) own.update(written);
      // Only an unfinished run may continue behind its footer.
      const resumed = footer?.end !== 'complete' && startsWith(bytes, segmentStart);
      if (footer !== undefined && !begins && !resumed) {
        if (!problems.some(({ problem }) => problem === behind))
          problems.push({ line: number, problem: behind });
        continue;
      }
      const line = logLineOf(bytes.toString('utf8'), format);
      if (line === undefined) {
        problems.push({
          line: number,
          problem: whole ? 'the line is not one of a log' : torn,
        });
        continue;
      }
      if (number === 1 && !(line.line === 'header' && isReadable(line.format))) {
        problems.push({
          line: 1,
          problem: `the log does not begin with a header of format ${evidenceFormat}`,
        });
        return;
      }
      if (line.line === 'header') format = line.format;
      if (line.line === 'segment') {
        const digest = before?.digest('hex') ?? 'not known, for the line is not as it is written';
        if (digest !== line.sha256)
          problems.push({
            line: number,
            problem: `the digest of the lines before is ${digest}, and the segment says ${line.sha256}`,
          });
        segments += 1;
        if (line.number !== segments)
          problems.push({ line: number, problem: `segment ${line.number} is where ${segments} belongs` });
        if (!planned) problems.push({ line: number, problem: 'a segment follows before the log has a plan' });
        footer = undefined;
        // Exchanges in flight have no trace, and no later line may give them one.
        exchanges.clear();
        yield { kind: 'segment', segment: line };
        continue;
      }
      if (line.line === 'footer') {
        footer = line;
        shards.end(line);
        const digest = before?.digest('hex') ?? 'not known, for the footer is not as it is written';
        if (digest !== line.sha256)
          problems.push({
            line: number,
            problem: `the digest of the lines before is ${digest}, and the footer says ${line.sha256}`,
          });
        if (line.counts.exchanges !== counts.exchanges || line.counts.traces !== counts.traces)
          problems.push({
            line: number,
            problem: `the footer counts ${line.counts.exchanges} exchanges and ${line.counts.traces} traces, and there are ${counts.exchanges} and ${counts.traces}`,
          });
        // A complete run leaves nothing open; one that was cut short may.
        if (line.end === 'complete') {
          const [orphan] = exchanges.keys();
          if (orphan !== undefined)
            problems.push({ line: number, problem: `no trace refers to exchange ${orphan}` });
          const [unread] = waiting.keys();
          if (unread !== undefined)
            problems.push({
              line: number,
              problem: `the line with the effects of trace ${unread} is missing`,
            });
          if (!planned) problems.push({ line: number, problem: 'the log has no plan' });
        }
        yield { kind: 'footer', footer: line };
        continue;
      }
      if (line.line === 'header') {
        if (number > 1 && !begins) {
          problems.push({ line: number, problem: 'the log has a second header' });
          continue;
        }
        if (begins && footer === undefined) problems.push({ line: number, problem: unended });
        problems.push(...shards.begin(line).map((problem) => ({ line: number, problem })));
        ids = idPrefix(line.shard);
        later = shards.later(line);
        exchanges.clear();
        waiting.clear();
        [counts, last, planned, segments, footer] = [{ exchanges: 0, traces: 0 }, 0, false, 1, undefined];
        yield number === 1 ? { kind: 'header', header: line } : { kind: 'shard', header: line };
      } else if (line.line === 'plan') {
        if (planned) problems.push({ line: number, problem: 'the log has a second plan' });
        planned = true;
        shards.plan(line);
      } else if (line.line === 'skip') yield { kind: 'skip', skip: line };
      else if (line.line === 'stop') yield { kind: 'stop', stop: line.stop };
      else if (line.line === 'exchange') {
        counts.exchanges += 1;
        if (line.exchange.id !== `x${ids}${last + 1}`)
          problems.push({
            line: number,
            problem: `exchange ${line.exchange.id.slice(0, 40)} is where x${ids}${last + 1} belongs: lines were left out, repeated, altered or put into another order`,
          });
        last += 1;
        const exchange = later === 0 ? line.exchange : delayed(line.exchange, later);
        exchanges.set(exchange.id, exchange);
        yield { kind: 'exchange', exchange };
      } else if (line.line === 'trace') {
        counts.traces += 1;
        const { id } = line.trace;
        const numbered = id.startsWith(`t${ids}`) && /^[1-9]\d{0,14}$/.test(id.slice(1 + ids.length));
        if (!numbered || !setOf(traces, ids).add(Number(id.slice(1 + ids.length)))) {
          problems.push({
            line: number,
            problem: numbered
              ? `there are two traces ${id}`
              : `'${id.slice(0, 40)}' is not the ID of a trace`,
          });
          continue;
        }
        const held = line.exchanges.flatMap((id) => exchanges.get(id) ?? []);
        for (const id of line.exchanges) exchanges.delete(id);
        if (held.length !== line.exchanges.length) {
          // Without its exchanges the trace could show what never happened.
          problems.push({ line: number, problem: `exchanges of trace ${id} are missing` });
          continue;
        }
        const foreign = held.find((exchange) => exchange.trace !== id);
        if (foreign !== undefined) {
          problems.push({
            line: number,
            problem: `exchange ${foreign.id} belongs to another trace than ${id}`,
          });
          continue;
        }
        const trace: Trace = { ...line.trace, exchanges: held, effects: undefined };
        // A sweep is itself a read of effects, and has none of its own: it would wait, with all that it read, to the end.
        if (trace.suite !== 'sweep') waiting.set(trace.id, trace);
        yield { kind: 'trace', trace };
      } else if (line.line === 'effects') {
        const trace = waiting.get(line.trace);
        waiting.delete(line.trace);
        const effects: Effects | undefined = line.effects === 'none' ? undefined : line.effects;
        if (trace === undefined) problems.push({ line: number, problem: `there is no trace ${line.trace}` });
        else yield { kind: 'effects', trace: { ...trace, effects } };
      }
    }
  totals.sha256 = hash.digest('hex');
  if (footer === undefined) problems.push({ line: number, problem: unended });
  problems.push(...shards.finish().map((problem) => ({ line: number, problem })));
}

function setOf(sets: Map<string, NumberSet>, prefix: string): NumberSet {
  const known = sets.get(prefix) ?? makeNumberSet();
  sets.set(prefix, known);
  return known;
}

const isReadable = (format: string): boolean => [evidenceFormat, earlierFormat].includes(format);

export const torn = 'the line is torn: the writer was killed';
export const unended = 'there is no footer: the run did not end';

/** Where the kind of a line begins. */
const kindAt = '{"line":"'.length;

/** How the writer begins a footer. */
const footerStart = Buffer.from('{"line":"footer"');

const segmentStart = Buffer.from('{"line":"segment"');
const headerStart = Buffer.from('{"line":"header"');

function startsWith(bytes: Buffer, start: Buffer): boolean {
  // Every line passes here, and the first letter of its kind rules most of them out.
  return bytes[kindAt] === start[kindAt] && bytes.subarray(0, start.length).equals(start);
}

/** Each shard counts milliseconds from its own start: here they count from the start of the first. */
function delayed(exchange: Exchange, by: number): Exchange {
  const { earlier, endedAt, sentAt, startedAt } = exchange;
  return {
    ...exchange,
    startedAt: startedAt + by,
    endedAt: endedAt + by,
    ...(sentAt === undefined ? {} : { sentAt: sentAt + by }),
    earlier: earlier.map((each) => ({
      ...each,
      startedAt: each.startedAt + by,
      endedAt: each.endedAt + by,
    })),
  };
}

const behind = 'there are more lines after the footer';

/** `written`: with the end of the line, where it has one. Both are there until the next chunk is asked for. */
type FileLine = { readonly bytes: Buffer; readonly whole: boolean; readonly written: Buffer };

/** Lines as they are read. One buffer for all, as large as the longest line: new ones would wait for the garbage collector. */
async function* chunks(file: string): AsyncIterable<readonly FileLine[]> {
  if (!(await isRegularFile(file)))
    throw trouble(file, 'there is no such log', 'name the folder of a run, such as reports/<run>');
  const handle = await open(file);
  try {
    let buffer = Buffer.alloc(256 * 1024);
    let filled = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
      const bytes = buffer.subarray(0, filled);
      const lines: FileLine[] = [];
      let from = 0;
      for (let at = bytes.indexOf(10, filled - bytesRead); at >= 0; at = bytes.indexOf(10, from)) {
        lines.push({ bytes: bytes.subarray(from, at), whole: true, written: bytes.subarray(from, at + 1) });
        from = at + 1;
      }
      yield lines;
      buffer.copyWithin(0, from, filled);
      filled -= from;
      if (filled === buffer.length) buffer = Buffer.concat([buffer], 2 * buffer.length);
    }
    const rest = buffer.subarray(0, filled);
    if (rest.length > 0) yield [{ bytes: rest, whole: false, written: rest }];
  } finally {
    await handle.close();
  }
}
