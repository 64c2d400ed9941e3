import { clauses } from '../clauses/catalogue.ts';
import { openLog } from '../evidence/write.ts';
import type { Clause } from '../model/clause.ts';
import type { Clock } from '../model/clock.ts';
import { openWire } from '../wire/wire.ts';
import { machineClock } from './clock.ts';

/** What a run works with; tests replace parts of it. */
export type Means = {
  readonly openWire: typeof openWire;
  readonly openLog: typeof openLog;
  readonly clauses: readonly Clause[];
  readonly clock: Clock;
};

export const usualMeans: Means = { openWire, openLog, clauses, clock: machineClock };
