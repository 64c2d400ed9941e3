import type { Clean } from '../model/clean.ts';
import type { Clock } from '../model/clock.ts';
import type { Contract, OperationId } from '../model/contract.ts';
import type { CarrierOfGuidance } from '../model/declaration.ts';
import type { Exchange, HeaderList, HookResult, Trace } from '../model/exchange.ts';
import type { Json } from '../model/json.ts';
import type { Mark } from '../model/marker.ts';
import type { Principal, PrincipalName } from '../model/principal.ts';
import type { Scenario, Step } from '../model/scenario.ts';
import type { Wire } from '../model/wire.ts';
import type { AcceptedCommands } from './accepted-commands.ts';
import type { ChosenIds, OwnMarkers } from './bind.ts';
import type { Spending } from './budget.ts';
import type { Governor } from './governor.ts';
import type { Rest } from './lanes.ts';
import type { LastWrites } from './last-writes.ts';
import type { Promptness } from './promptness.ts';
import type { Stops } from './stops.ts';
import type { UsedVersions } from './used-versions.ts';
import type { Vain } from './vain.ts';

/** The gate that everything passes before it is recorded. It learns of secrets that the harness itself derived. */
export type Redaction = {
  readonly exchange: (exchange: Exchange) => Clean<Exchange>;
  readonly value: <T>(value: T) => Clean<T>;
  readonly add: (name: string, secret: string) => void;
};

/** Runs a hook; it is not waited for once `signal` aborts. */
export type RunHook = (
  name: string,
  input: Readonly<Record<string, Json>>,
  signal?: AbortSignal,
) => Promise<HookResult>;

export type Stage = {
  readonly contract: Contract;
  readonly wire: Wire;
  readonly clock: Clock;
  readonly governor: Governor;
  readonly spending: Spending;
  readonly redaction: Redaction;
  readonly tokens: ReadonlyMap<PrincipalName, string>;
  /** Named where nothing responds. */
  readonly baseUrl?: string;
  readonly basePath: string;
  readonly extraHeaders: HeaderList;
  /** Further headers of the requests of a principal; they replace those of the same name. */
  readonly principalHeaders?: ReadonlyMap<PrincipalName, Readonly<Record<string, string>>>;
  /** Those who fill in parameters for themselves. */
  readonly principals?: readonly Principal[];
  readonly nonce: string;
  /** How markers begin where other shards send at the same time. */
  readonly mark?: string | undefined;
  /** Where all markers that are bound are noted. */
  readonly own?: OwnMarkers;
  /** What marks the bodies of commands that have no room for the usual marker, where the target was seen to take it. */
  readonly marks?: ReadonlyMap<OperationId, Mark> | undefined;
  /** Where the bodies of commands have values of their own (G19), as the target was seen to take them. */
  readonly ownValues?: ReadonlyMap<OperationId, readonly Mark[]> | undefined;
  /** Ids that attempts of the run chose for their records. */
  readonly takenIds?: ChosenIds;
  readonly usedVersions?: UsedVersions;
  readonly acceptedCommands?: AcceptedCommands;
  readonly lastWrites?: LastWrites;
  readonly promptness?: Promptness;
  /** What a valid request lately took, in milliseconds; undefined until enough were sent, and where they wait for each other. */
  readonly usualMs?: () => number | undefined;
  /** What the fastest of the first responses took, in milliseconds. */
  readonly firstMs?: number | undefined;
  /** Reads what a step reads, in a trace of its own. */
  readonly look?: (read: Step, rest: Rest) => Promise<Exchange | undefined>;
  /** Settling time of reads in milliseconds (open point G15). */
  readonly settleMs: number;
  /** The carrier of wait guidance that the vendor declares (open point G8). */
  readonly guidance: CarrierOfGuidance | undefined;
  readonly retries: number;
  readonly maxWaitMs: number;
  readonly vain?: Vain;
  readonly hook: RunHook;
  readonly nextExchange: () => string;
  readonly record: (exchange: Clean<Exchange>) => void | Promise<void>;
  readonly signal: AbortSignal;
  /** Resolves when a target that fell silent is there again, or is given up; undefined while it is there. */
  readonly away?: () => Promise<void> | undefined;
  /** Whether the target is there now; where it is not, its return is waited for first. */
  readonly there?: () => Promise<boolean>;
  /** What was under way when the target stopped responding. */
  readonly stops?: Stops;
  /** Whether nobody else uses the target, so that what stops it can be found out by sending it again. */
  readonly exclusive?: boolean;
};

/** What an attempt is of: its trace without what only sending it shows. */
export type AttemptOf = Omit<Trace, 'scenario' | 'bound' | 'exchanges' | 'hooks' | 'effects' | 'ended'> & {
  readonly scenario: Scenario;
};

export function halted({ stage }: { readonly stage: Stage }): boolean {
  return stage.signal.aborted || stage.spending.over();
}
