import type { Principal } from '../model/principal.ts';
import type { ReferencePrincipal, Service, Settings } from './behaviour.ts';
import { createEffects } from './effects.ts';
import { createInjections } from './injections.ts';
import { createKeys } from './key-store.ts';
import { createLocks } from './locks.ts';
import { createRecords } from './records.ts';
import { handlingOf } from './resource.ts';
import { createSchemas, type Schemas } from './schemas.ts';
import { fairWeather } from './weather.ts';

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

export type ServiceOptions = Pick<
  Service,
  'contract' | 'behaviour' | 'settings' | 'clock' | 'randomBytes'
> & {
  readonly principals: readonly ReferencePrincipal[];
  readonly closing: AbortSignal;
  readonly records?: ReadonlyMap<string, string>;
  readonly schemas?: Schemas;
};

export function createService(options: ServiceOptions): Service {
  const { principals, records: vendorRecords = new Map(), schemas = createSchemas(), ...given } = options;
  return {
    ...given,
    principals: new Map(principals.map((principal) => [principal.token, principal])),
    withdrawn: new Map(),
    vendorRecords,
    handling: new Map(
      options.contract.operations.map((operation) => [operation.id, handlingOf(options.contract, operation)]),
    ),
    schemas,
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

export function randomHex(service: Service, bytes: number): string {
  return Buffer.from(service.randomBytes(bytes)).toString('hex');
}

/** What a principal is permitted now: as issued, less what was withdrawn. */
export function permissionsOf(service: Service, principal: Principal): readonly string[] {
  const withdrawn = service.withdrawn.get(principal.name);
  if (withdrawn === undefined) return principal.permissions;
  return principal.permissions.filter((permission) => !withdrawn.has(permission));
}
