import { setImmediate } from 'node:timers/promises';
import { openLog } from '../evidence/write.ts';
import type { Clause } from '../model/clause.ts';
import type { Clock } from '../model/clock.ts';
import type { Reference } from '../reference/server.ts';
import { type OpenWire, openWire, type WireTarget } from '../wire/wire.ts';
import { machineClock } from './clock.ts';

/** What a run works with; tests replace parts of it. */
export type Means = {
  /** @param reference the embedded reference service, where it is the target */
  readonly openWire: (target: WireTarget, clock: Clock, reference?: Reference) => OpenWire;
  readonly openLog: typeof openLog;
  /** Loaded once the first request has been sent: what judges takes a while to read. */
  readonly clauses: () => Promise<readonly Clause[]>;
  readonly clock: Clock;
  /** Waits for modules that are read; virtual time stands still meanwhile. */
  readonly reading: <Result>(work: Promise<Result>) => Promise<Result>;
  /** In the middle of long work, lets signals and responses get their turn. */
  readonly turn: () => Promise<void>;
};

export const usualMeans: Means = {
  openWire,
  openLog,
  clauses: async () => (await import('../clauses/catalogue.ts')).clauses,
  clock: machineClock,
  reading: (work) => work,
  turn: setImmediate,
};
