import type { Clock } from '../model/clock.ts';
import type { Contract, OperationId } from '../model/contract.ts';
import type { Json } from '../model/json.ts';
import type { Principal, PrincipalName } from '../model/principal.ts';
import type { Behaviour } from './behaviour.ts';
import { createEffects, type Effects } from './effects.ts';
import { createInjections, type Injections } from './injections.ts';
import { createKeys, type Keys } from './keys.ts';
import { createLocks, type Locks } from './locks.ts';
import { createRecords, type Records } from './records.ts';
import { type Handling, handlingOf } from './resource.ts';
import { createSchemas, type Schemas } from './schemas.ts';
import type { Buckets } from './throttle.ts';
import type { Verifications } from './verification.ts';
import { fairWeather, type Weather } from './weather.ts';

/** A principal with the token that the service issued to it. */
export type ReferencePrincipal = Principal & { readonly token: string };

/** Sizes, rates and times; milliseconds and bytes. */
export type Settings = {
  /** Requests that one bucket may send in one window. */
  readonly rateLimit: number;
  readonly rateWindowMs: number;
  /** How long a write stays invisible to reads. */
  readonly readLagMs: number;
  readonly bodyBytes: number;
  readonly bodyDepth: number;
  readonly keyLength: number;
  readonly pageSize: number;
  readonly pageSizeMax: number;
  readonly verificationTtlMs: number;
  readonly weather: Weather;
};

export const usualSettings: Settings = {
  rateLimit: 60,
  rateWindowMs: 500,
  readLagMs: 0,
  bodyBytes: 1024 * 1024,
  bodyDepth: 256,
  keyLength: 255,
  pageSize: 20,
  pageSizeMax: 100,
  verificationTtlMs: 300_000,
  weather: fairWeather,
};

/** All that one running service knows. Nothing outlives it, and two services have nothing in common. */
export type Service = {
  readonly contract: Contract;
  readonly behaviour: Behaviour;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly randomBytes: (length: number) => Uint8Array;
  /** By token; refreshed tokens are added. */
  readonly principals: Map<string, ReferencePrincipal>;
  /** Permissions withdrawn since the start, by name of the principal. */
  readonly withdrawn: Map<PrincipalName, Set<string>>;
  readonly handling: ReadonlyMap<OperationId, Handling>;
  /** Ids of records that are there from the start, each with its scope. */
  readonly vendorRecords: ReadonlyMap<string, string>;
  readonly schemas: Schemas;
  readonly records: Records;
  readonly keys: Keys;
  readonly locks: Locks;
  readonly buckets: Buckets;
  readonly verifications: Verifications;
  readonly injections: Injections;
  readonly effects: Effects;
  /** Signs cursors. */
  readonly secret: Uint8Array;
  /** What decisions want to remember between requests. */
  readonly notes: Map<string, Json>;
  /** Aborts when the service closes. */
  readonly closing: AbortSignal;
};

export type ServiceOptions = Pick<
  Service,
  'contract' | 'behaviour' | 'settings' | 'clock' | 'randomBytes'
> & {
  readonly principals: readonly ReferencePrincipal[];
  readonly closing: AbortSignal;
  readonly records?: ReadonlyMap<string, string>;
};

export function createService(options: ServiceOptions): Service {
  const { principals, records: vendorRecords = new Map(), ...given } = options;
  return {
    ...given,
    principals: new Map(principals.map((principal) => [principal.token, principal])),
    withdrawn: new Map(),
    vendorRecords,
    handling: new Map(
      options.contract.operations.map((operation) => [operation.id, handlingOf(options.contract, operation)]),
    ),
    schemas: createSchemas(),
    records: createRecords(),
    keys: createKeys(),
    locks: createLocks(),
    buckets: new Map(),
    verifications: new Map(),
    injections: createInjections(),
    effects: createEffects(),
    secret: options.randomBytes(32),
    notes: new Map(),
  };
}

/** Random lower-case hexadecimal digits, two for each byte. */
export function randomHex(service: Service, bytes: number): string {
  return Buffer.from(service.randomBytes(bytes)).toString('hex');
}

/** What a principal is permitted now: as issued, less what was withdrawn. */
export function permissionsOf(service: Service, principal: Principal): readonly string[] {
  const withdrawn = service.withdrawn.get(principal.name);
  if (withdrawn === undefined) return principal.permissions;
  return principal.permissions.filter((permission) => !withdrawn.has(permission));
}
