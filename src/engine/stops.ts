import type { Exchange, NoResponse, Trace, TraceId } from '../model/exchange.ts';
import type { Scenario } from '../model/scenario.ts';
import type { StopSuspect } from '../model/stop.ts';
import type { PlannedProbe } from './plan.ts';

export type Tried = {
  readonly planned: PlannedProbe;
  readonly scenario: Scenario;
  readonly scenarioIndex: number;
  readonly path: string | undefined;
};

/** A scenario of which a request was there when the target stopped responding. */
export type Suspect = {
  /** Undefined where no scenario of the plan is known: it cannot be sent again. */
  readonly tried: Tried | undefined;
  readonly exchange: Exchange;
  /** The stops at which it was there. */
  readonly at: Set<number>;
};

/** Remembers what was under way when the target stopped responding. */
export type Stops = {
  readonly began: (trace: TraceId, tried: Tried) => void;
  /** A request was there at a stop; the first stop has the number 1. */
  readonly saw: (exchange: Exchange, stop: number) => void;
  readonly count: () => number;
  /** What was there at most stops comes first. */
  readonly suspects: () => readonly Suspect[];
  /** From now on stops are counted, and nobody else is suspected. */
  readonly freeze: () => void;
};

/** More scenarios than can be under way. */
const remembered = 1024;
const mostSuspects = 200;

export function makeStops(): Stops {
  const under = new Map<TraceId, Tried>();
  const suspects = new Map<string, Suspect>();
  let count = 0;
  let frozen = false;
  return {
    began: (trace, tried) => {
      under.set(trace, tried);
      const [oldest] = under.keys();
      if (under.size > remembered && oldest !== undefined) under.delete(oldest);
    },
    saw: (exchange, stop) => {
      count = Math.max(count, stop);
      if (frozen) return;
      const tried = under.get(exchange.trace);
      const name =
        tried === undefined
          ? `${exchange.operation} ${exchange.step}`
          : JSON.stringify([
              tried.planned.suite,
              tried.planned.probe.id,
              tried.planned.seed,
              tried.scenarioIndex,
              tried.path,
            ]);
      const known = suspects.get(name);
      if (known !== undefined) known.at.add(stop);
      else if (suspects.size < mostSuspects) suspects.set(name, { tried, exchange, at: new Set([stop]) });
    },
    count: () => count,
    suspects: () => [...suspects.values()].toSorted((one, other) => other.at.size - one.at.size),
    freeze: () => {
      frozen = true;
    },
  };
}

/** Failures of a request that was in flight when the target stopped. */
const broke: ReadonlySet<NoResponse['reason']> = new Set(['reset', 'closed', 'timeout']);

/** Whether a request reached the target and got no response; one that was refused came too late to be the cause. */
export function wasInFlight({
  earlier,
  noAnswer,
  sentAt,
}: Pick<Exchange, 'earlier' | 'noAnswer' | 'sentAt'>): boolean {
  const lost = earlier.map((each) => each.noAnswer);
  return [...lost, ...(sentAt === undefined ? [] : [noAnswer])].some(
    (each) => each !== undefined && broke.has(each.reason),
  );
}

/** The request of a trace after which the target stopped: the first without a response, or the one before it. */
export function stoppingRequest({ exchanges }: Pick<Trace, 'exchanges'>): Exchange | undefined {
  const first = exchanges.findIndex(
    (exchange) => wasInFlight(exchange) || exchange.noAnswer?.reason === 'refused',
  );
  if (first < 0) return exchanges.at(-1);
  const found = exchanges[first];
  return found !== undefined && wasInFlight(found) ? found : (exchanges[first - 1] ?? found);
}

/** Whether connections were refused after a request got no response: a process that is started again at once is seen so. */
export function wasRefusedAfter({ exchanges }: Pick<Trace, 'exchanges'>): boolean {
  const lost = exchanges.findIndex(wasInFlight);
  return lost >= 0 && exchanges.slice(lost).some(({ noAnswer }) => noAnswer?.reason === 'refused');
}

const mostBody = 80;

export function suspectOf(
  { at, exchange, tried }: Suspect,
  counted: Pick<StopSuspect, 'again' | 'stopped' | 'stops'>,
): StopSuspect {
  const { body, method, path } = exchange.request;
  const bytes = body === undefined ? 0 : Buffer.byteLength(body);
  const start = body?.slice(0, mostBody) ?? '';
  return {
    exchange: exchange.id,
    operation: exchange.operation,
    request: `${method} ${path}${bytes === 0 ? '' : `, body of ${bytes} bytes: ${start}${start === body ? '' : '...'}`}`,
    scenario: tried?.scenario.title ?? exchange.step,
    suite: tried?.planned.suite ?? 'preflight',
    probe: tried?.planned.probe.id ?? exchange.step,
    there: at.size,
    ...counted,
  };
}
