import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ExchangeId, TraceId } from '../model/exchange.ts';
import { openedGate } from './gate.ts';
import type { HeaderLine, LogLine, TraceLine } from './log.ts';
import { logLineOf } from './log-line.ts';
import { evidenceFormat } from './schema.ts';
import { idPrefix, prefixIn } from './shards.ts';
import { openLog } from './write.ts';

/** Which part of a log is kept for one finding. */
export type Wanted = {
  readonly exchanges: ReadonlySet<ExchangeId>;
  readonly suite: string;
  readonly probe: string;
};

/** From small to large: a smaller part may not lead to the same conclusion. */
export const widths = ['cited', 'probe', 'suite', 'all'] as const;
export type Width = (typeof widths)[number];

/** Writes the part of a log that one finding rests on as a log of its own, whose header names the digest of the whole. */
export async function writeExcerpt(
  from: string,
  to: string,
  wanted: Wanted,
  width: Width,
  of: NonNullable<HeaderLine['excerpt']>,
): Promise<void> {
  const traces = await tracesOf(from, wanted, width);
  const log = await openLog(to);
  const numbers = new Map<ExchangeId, ExchangeId>();
  const kept = { exchanges: 0, traces: 0 };
  const renumbered = (ids: readonly ExchangeId[]): readonly ExchangeId[] =>
    ids.flatMap((id) => numbers.get(id) ?? []);
  // Of a merged log, the shard that showed it: repeats of a trace are in its own shard.
  const [cited] = wanted.exchanges;
  let prefix = cited === undefined ? undefined : prefixIn(cited);
  let here = true;
  for await (const line of linesOf(from)) {
    if (line.line === 'header') {
      prefix ??= idPrefix(line.shard);
      here = idPrefix(line.shard) === prefix;
    }
    if (!here) continue;
    if (line.line === 'header')
      await log.append(openedGate.value({ ...line, format: evidenceFormat, partial: true, excerpt: of }));
    else if (line.line === 'plan') {
      const probes = line.probes.filter(
        ({ suite, probe }) => suite === wanted.suite && (width !== 'cited' || probe === wanted.probe),
      );
      await log.append(openedGate.value({ ...line, probes }));
    } else if (line.line === 'exchange' && traces.has(line.exchange.trace)) {
      kept.exchanges += 1;
      const id = `x${prefix}${kept.exchanges}`;
      numbers.set(line.exchange.id, id);
      await log.append(openedGate.value({ ...line, exchange: { ...line.exchange, id } }));
    } else if (line.line === 'trace' && traces.has(line.trace.id)) {
      kept.traces += 1;
      await log.append(openedGate.value({ ...line, exchanges: renumbered(line.exchanges) }));
    } else if (line.line === 'effects' && traces.has(line.trace)) {
      const { effects } = line;
      await log.append(
        openedGate.value(
          effects === 'none'
            ? line
            : { ...line, effects: { ...effects, seenIn: renumbered(effects.seenIn) } },
        ),
      );
    } else if (line.line === 'footer') {
      const { end, endedAt, elapsedMs, redaction } = line;
      await log.close(openedGate.value({ end, endedAt, elapsedMs, redaction, counts: kept }));
    }
  }
}

async function tracesOf(file: string, wanted: Wanted, width: Width): Promise<ReadonlySet<TraceId>> {
  const kept = new Set<TraceId>();
  const scenes = new Set<string>();
  const makers = new Map<ExchangeId, TraceId>();
  const all: TraceLine[] = [];
  const reads = new Map<TraceId, readonly ExchangeId[]>();
  for await (const line of linesOf(file)) {
    if (line.line === 'trace') {
      all.push({ ...line, trace: { ...line.trace, hooks: {} } });
      for (const id of line.exchanges) makers.set(id, line.trace.id);
    } else if (line.line === 'effects' && line.effects !== 'none') reads.set(line.trace, line.effects.seenIn);
  }
  const sceneOf = ({ trace: { suite, probe, scenarioIndex, path } }: TraceLine): string =>
    JSON.stringify([suite, probe, scenarioIndex, path]);
  for (const line of all)
    if (line.exchanges.some((id) => wanted.exchanges.has(id))) scenes.add(sceneOf(line));
  for (const line of all) {
    const { suite, probe, id } = line.trace;
    const near =
      suite === wanted.suite && (width === 'suite' || (width === 'probe' && probe === wanted.probe));
    // Preflight shows which credentials work.
    if (width === 'all' || suite === 'preflight' || near || scenes.has(sceneOf(line))) kept.add(id);
  }
  for (const line of all)
    if (line.trace.repeats !== undefined && kept.has(line.trace.repeats)) kept.add(line.trace.id);
  for (const id of [...kept])
    for (const exchange of reads.get(id) ?? []) {
      const maker = makers.get(exchange);
      if (maker !== undefined) kept.add(maker);
    }
  return kept;
}

async function* linesOf(file: string): AsyncIterable<LogLine> {
  const lines = createInterface({
    input: createReadStream(file, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  let format: HeaderLine['format'] = evidenceFormat;
  for await (const text of lines) {
    const line = logLineOf(text, format);
    if (line?.line === 'header') format = line.format;
    if (line !== undefined) yield line;
  }
}
