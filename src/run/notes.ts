import { join } from 'node:path';
import type { Plan } from '../engine/plan.ts';
import type { Gate } from '../evidence/gate.ts';
import type { EndCause, FooterLine, LogLine, PlanLine } from '../evidence/log.ts';
import type { LogEntry } from '../evidence/replay.ts';
import type { Earlier, LogWriter, openLog, Written } from '../evidence/write.ts';
import type { Clock } from '../model/clock.ts';
import type { Trace } from '../model/exchange.ts';
import { trouble } from '../model/input-error.ts';
import { messageOf } from '../model/thrown.ts';
import { evidenceFile } from './bundle.ts';
import { makeFolder } from './write-file.ts';

const taken = Promise.resolve();

/** The run's folder with a log in it. @throws InputError where there can be none */
export async function newLog(folder: string, open: typeof openLog, earlier?: Earlier): Promise<LogWriter> {
  await makeFolder(folder);
  try {
    return await open(join(folder, evidenceFile), earlier);
  } catch (error) {
    throw trouble(
      folder,
      `the evidence cannot be written there (${messageOf(error)})`,
      'choose another --output',
    );
  }
}

export type Notes = {
  readonly append: (line: Exclude<LogLine, FooterLine>) => Promise<void>;
  readonly flush: () => Promise<void>;
  readonly appendPlan: (plan: Plan) => Promise<void>;
  readonly appendTrace: (trace: Trace) => Promise<void>;
  readonly appendEffects: (trace: Trace) => Promise<void>;
  readonly nextExchange: () => string;
  readonly nextTrace: () => string;
  /** Why the evidence cannot be written; undefined while it can. */
  readonly broken: () => Error | undefined;
  readonly close: (
    end: 'complete' | 'interrupted' | 'budget',
    clock: Clock,
    elapsedMs: number,
    cause?: EndCause,
  ) => Promise<Written | undefined>;
};

/** The probes of a plan, as the log names them. */
export function probesOfPlan(probes: Plan['probes']): PlanLine['probes'] {
  return probes.map(({ suite, probe, seed }) => ({
    suite,
    probe: probe.id,
    operation: probe.operation,
    seed,
    scenarios: probe.scenarios.length,
    random: probe.random?.runs ?? 0,
  }));
}

/** Writes the evidence of a run through the redaction gate. If writing fails the run ends: a verdict without evidence is worthless. */
export function makeNotes(
  log: LogWriter,
  gate: Gate,
  onEntry: (entry: Exclude<LogEntry, { readonly kind: 'header' }>) => void,
  stop: () => void,
  /** What earlier segments hold: how many of each, and the highest number of a trace. */
  before: { readonly exchanges: number; readonly traces: number; readonly lastTrace: number } = {
    exchanges: 0,
    traces: 0,
    lastTrace: 0,
  },
  /** The prefix of IDs, before their number. */
  prefix = '',
): Notes {
  const counters = { exchange: before.exchanges, trace: before.lastTrace };
  const written = { exchanges: before.exchanges, traces: before.traces };
  let broken: Error | undefined;
  const kept = async <Result>(work: Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work;
    } catch (error) {
      broken ??= error instanceof Error ? error : new Error(String(error));
      stop();
      return undefined;
    }
  };
  const append: Notes['append'] = (line) => {
    if (line.line === 'exchange') {
      written.exchanges += 1;
      onEntry({ kind: 'exchange', exchange: line.exchange });
    }
    if (line.line === 'skip') onEntry({ kind: 'skip', skip: line });
    if (line.line === 'stop') onEntry({ kind: 'stop', stop: line.stop });
    if (line.line === 'trace') written.traces += 1;
    const writing = log.append(gate.value(line));
    return writing === undefined ? taken : kept(writing);
  };
  return {
    append,
    flush: () => kept(log.flush()),
    appendPlan: async ({ probes, skips }) => {
      await append({ line: 'plan', probes: probesOfPlan(probes) });
      for (const { suite, operation, clauses: codes, need } of skips)
        await append({ line: 'skip', suite, operation, clauses: codes, need });
    },
    appendTrace: (whole) => {
      const { exchanges, effects: _effects, ...trace } = whole;
      onEntry({ kind: 'trace', trace: whole });
      return append({ line: 'trace', trace, exchanges: exchanges.map((exchange) => exchange.id) });
    },
    appendEffects: (trace) => {
      const effects = trace.effects === undefined ? 'none' : gate.value(trace.effects);
      onEntry({ kind: 'effects', trace: effects === 'none' ? trace : { ...trace, effects } });
      return append({ line: 'effects', trace: trace.id, effects });
    },
    nextExchange: () => `x${prefix}${++counters.exchange}`,
    nextTrace: () => `t${prefix}${++counters.trace}`,
    broken: () => broken,
    close: async (end, clock, elapsedMs, cause) => {
      const result = await kept(
        log.close(
          gate.value({
            end,
            ...(cause === undefined ? {} : { cause }),
            counts: written,
            endedAt: new Date(clock.wall()).toISOString(),
            elapsedMs,
            redaction: gate.manifest(),
          }),
        ),
      );
      if (result !== undefined) onEntry({ kind: 'footer', footer: result.footer });
      return result;
    },
  };
}
