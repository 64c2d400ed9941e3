import type { Bound } from '../engine/estimate.ts';
import type { Plan, PlannedProbe } from '../engine/plan.ts';
import type { Rehearsed } from '../engine/rehearsal.ts';
import type { RunEvent } from '../engine/run.ts';
import type { Gate } from '../evidence/gate.ts';
import type { EndCause, ShardOf } from '../evidence/log.ts';
import type { Clean } from '../model/clean.ts';
import type { PrincipalName } from '../model/principal.ts';
import type { Cell } from '../model/verdict.ts';
import type { Preparations } from '../suite-kit/preparation.ts';
import type { Planning } from '../suite-kit/suite.ts';
import type { NarrowedRun } from './header.ts';
import type { Means } from './means.ts';
import type { Resumable } from './resume.ts';
import type { ReferenceChange, Session } from './session.ts';
import type { Shard } from './shard.ts';
import type { Judged } from './tally.ts';

/** What is asked of a run. */
export type Conduct = NarrowedRun & {
  /** The one probe to send, in place of a plan. */
  readonly probe?: PlannedProbe | undefined;
  readonly resume?: Resumable | undefined;
  /** The part of the plan to send; all of it where nothing is given. */
  readonly shard?: Shard | undefined;
  /** Ends the run after this many violated cells, each reproduced or proved by one trace. */
  readonly bail?: number | undefined;
  /** A fault or a variant of the embedded reference service. */
  readonly reference?: ReferenceChange | undefined;
  readonly selfTest?: string | undefined;
  /** The auditor's challenge: it enters the header and every key. */
  readonly challenge?: string | undefined;
  /** Name of the run's folder; by default it is made from the start time. */
  readonly runName?: string | undefined;
  /** No report is asked for, so nothing is gathered for one. */
  readonly cellsOnly?: boolean;
  /** Called when the plan is about to be made. */
  readonly planning?: () => void;
  /** Called when the run begins, with its clock in milliseconds since the start. */
  readonly begin?: (about: {
    readonly probes: number;
    readonly target: string;
    readonly now: () => number;
    readonly spent: () => number;
    readonly rehearsed: Rehearsed;
    readonly prepared: Preparations;
  }) => void;
  /** Called at each event, with the number of requests sent by then. */
  readonly onEvent?: (event: RunEvent, requests: number) => void;
};

/** How a run ended: with evidence to judge, or void. */
export type Conducted =
  | { readonly kind: 'void'; readonly because: Clean<string> }
  | {
      readonly kind: 'evidence';
      readonly folder: string;
      /** The cells as judged during the run; judging the evidence again gives the same. */
      readonly cells: readonly Cell[];
      readonly judged: () => Judged;
      readonly requests: number;
      /** Replaces every secret of the run in a text. */
      readonly clean: Gate['document'];
      readonly ended: 'complete' | 'interrupted' | 'budget';
      readonly seconds: number;
      /** The least time that the run could have taken on this target. */
      readonly bound: Bound;
      /** Why it ended early; undefined if only its limits or the user ended it. */
      readonly cause: EndCause | undefined;
    };

/** What a run is made of before its target is reached. */
export type Work = {
  readonly session: Session;
  readonly of: Conduct;
  /** The user's: aborts when the run is to end. */
  readonly signal: AbortSignal;
  readonly means: Means;
  readonly tokens: Map<PrincipalName, string>;
  /** Seconds for which tokens are good, where their commands say so. */
  readonly expiries: ReadonlyMap<PrincipalName, number>;
  readonly planning: Planning;
  readonly plan: () => Promise<Plan>;
  readonly shard: ShardOf | undefined;
};
