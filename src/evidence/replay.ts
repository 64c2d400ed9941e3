import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Effects, Exchange, Trace, TraceId } from '../model/exchange.ts';
import { isObject } from '../model/json.ts';
import { evidenceFormat, type FooterLine, type HeaderLine, type LogLine, type SkipLine } from './log.ts';

/** What a log tells, in its order: each trace whole, and its effects when they were read. */
export type Told =
  | { readonly kind: 'header'; readonly header: HeaderLine }
  | { readonly kind: 'skip'; readonly skip: SkipLine }
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  | { readonly kind: 'trace'; readonly trace: Trace }
  | { readonly kind: 'effects'; readonly trace: Trace }
  | { readonly kind: 'footer'; readonly footer: FooterLine };

export type LogProblem = { readonly line: number; readonly problem: string };

export type Replay = {
  readonly tell: AsyncIterable<Told>;
  /** Complete once `tell` has ended. */
  readonly problems: readonly LogProblem[];
  /** Of the file as a whole; complete once `tell` has ended. */
  readonly totals: { readonly bytes: number; readonly lines: number; readonly sha256: string };
};

type Totals = { bytes: number; lines: number; sha256: string };

/** Reads a log line by line, in flat memory. A torn or altered log is read as far as it goes, and its problems are listed. */
export function replay(file: string): Replay {
  const problems: LogProblem[] = [];
  const totals: Totals = { bytes: 0, lines: 0, sha256: '' };
  return { tell: tellAll(file, problems, totals), problems, totals };
}

async function* tellAll(file: string, problems: LogProblem[], totals: Totals): AsyncIterable<Told> {
  const exchanges = new Map<string, Exchange>();
  const waiting = new Map<TraceId, Trace>();
  const hash = createHash('sha256');
  const counts = { exchanges: 0, traces: 0 };
  let last = 0;
  let number = 0;
  let footer: FooterLine | undefined;
  for await (const { bytes, whole } of lines(file)) {
    number += 1;
    totals.bytes += bytes.length + (whole ? 1 : 0);
    totals.lines = number;
    const before = bytes.subarray(0, footerStart.length).equals(footerStart) ? hash.copy() : undefined;
    // The bytes as they stand: decoding would make different broken bytes equal.
    hash.update(bytes);
    if (whole) hash.update('\n');
    if (footer !== undefined) {
      if (!problems.some(({ problem }) => problem === behind))
        problems.push({ line: number, problem: behind });
      continue;
    }
    const line = parsed(bytes.toString('utf8'));
    if (line === undefined) {
      problems.push({
        line: number,
        problem: whole ? 'the line is not one of a log' : 'the line is torn: the writer was killed',
      });
      continue;
    }
    if (number === 1 && !(line.line === 'header' && line.format === evidenceFormat)) {
      problems.push({ line: 1, problem: `the log does not begin with a header of format ${evidenceFormat}` });
      return;
    }
    if (line.line === 'footer') {
      footer = line;
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
      yield { kind: 'footer', footer: line };
      continue;
    }
    if (line.line === 'header') yield { kind: 'header', header: line };
    else if (line.line === 'skip') yield { kind: 'skip', skip: line };
    else if (line.line === 'exchange') {
      counts.exchanges += 1;
      const ordinal = Number(/^x(\d+)$/.exec(line.exchange.id)?.[1] ?? Number.NaN);
      if (ordinal <= last)
        problems.push({
          line: number,
          problem: `exchange x${ordinal} stands behind x${last}: lines were put into another order, or repeated`,
        });
      if (ordinal > last) last = ordinal;
      exchanges.set(line.exchange.id, line.exchange);
      yield { kind: 'exchange', exchange: line.exchange };
    } else if (line.line === 'trace') {
      counts.traces += 1;
      const own = line.exchanges.flatMap((id) => exchanges.get(id) ?? []);
      for (const id of line.exchanges) exchanges.delete(id);
      if (own.length !== line.exchanges.length) {
        // Judged without them, it could show what never happened.
        problems.push({ line: number, problem: `exchanges of trace ${line.trace.id} are missing` });
        continue;
      }
      const trace: Trace = { ...line.trace, exchanges: own, effects: undefined };
      waiting.set(trace.id, trace);
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
  if (footer === undefined)
    problems.push({ line: number, problem: 'there is no footer: the run did not end' });
}

/** How the writer begins a footer. */
const footerStart = Buffer.from('{"line":"footer"');

const behind = 'there is more behind the footer';

function parsed(text: string): LogLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isLine(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Lines are written by this harness and guarded by their digest; only what replay itself builds on is checked. */
function isLine(value: unknown): value is LogLine {
  if (!isObject(value)) return false;
  switch (value['line']) {
    case 'header':
      return isObject(value['contract']) && isObject(value['target']) && Array.isArray(value['waivers']);
    case 'plan':
      return true;
    case 'skip':
      return Array.isArray(value['clauses']) && isObject(value['need']);
    case 'exchange':
      return isObject(value['exchange']) && typeof value['exchange']['id'] === 'string';
    case 'trace':
      return isObject(value['trace']) && Array.isArray(value['exchanges']);
    case 'effects':
      return typeof value['trace'] === 'string';
    case 'footer':
      return isObject(value['counts']) && typeof value['sha256'] === 'string';
    default:
      return false;
  }
}

async function* lines(file: string): AsyncIterable<{ readonly bytes: Buffer; readonly whole: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    let bytes: Buffer = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10)) {
      yield { bytes: bytes.subarray(0, at), whole: true };
      bytes = bytes.subarray(at + 1);
    }
    rest = bytes;
  }
  if (rest.length > 0) yield { bytes: rest, whole: false };
}
