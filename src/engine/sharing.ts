import type { PrincipalName } from '../model/principal.ts';
import type { Throttled } from './pace.ts';

/** Finds out whether all callers share one limit on the rate, as where a target counts requests by address. */
export type Sharing = {
  readonly count: (principal: PrincipalName) => void;
  readonly served: (principal: PrincipalName, startedAt: number) => void;
  readonly throttled: (principal: PrincipalName, of: Throttled) => void;
  readonly isShared: () => boolean;
  readonly forget: () => void;
};

/** How the requests of others were taken, from when a request was sent that got 429 until its caller may send again. */
type Rest = {
  readonly principal: PrincipalName;
  readonly from: number;
  /** How many requests the caller had sent before its first 429. */
  readonly sent: number;
  until: number;
  served: number;
};

/**
 * So many callers were throttled for the first time while another rested, and before they had sent half as many requests: they
 * have no limits of their own. By then no more than so many of their requests were served.
 */
const enough = 2;
const mostServed = 1;

export function makeSharing(): Sharing {
  const sent = new Map<PrincipalName, number>();
  /** How many requests each caller had sent before its first 429. */
  const first = new Map<PrincipalName, number>();
  let rests: readonly Rest[] = [];
  let early = 0;
  let shared = false;
  const ofOthers = (principal: PrincipalName, startedAt: number): readonly Rest[] =>
    rests.filter((rest) => rest.principal !== principal && rest.from <= startedAt && startedAt < rest.until);
  return {
    count: (principal) => {
      if (!shared) sent.set(principal, (sent.get(principal) ?? 0) + 1);
    },
    served: (principal, startedAt) => {
      if (rests.length > 0) for (const rest of ofOthers(principal, startedAt)) rest.served += 1;
    },
    throttled: (principal, { startedAt, until }) => {
      if (shared) return;
      const isFirst = !first.has(principal);
      const own = first.get(principal) ?? sent.get(principal) ?? 0;
      if (isFirst) {
        first.set(principal, own);
        const isEarly = ({ sent: most, served }: Rest): boolean => own * 2 <= most && served <= mostServed;
        if (ofOthers(principal, startedAt).some(isEarly)) early += 1;
        shared = early >= enough;
      }
      rests = rests.filter((rest) => rest.until > startedAt);
      const known = rests.find((rest) => rest.principal === principal);
      if (known === undefined)
        rests = [...rests, { principal, from: startedAt, sent: own, until, served: 0 }];
      else known.until = Math.max(known.until, until);
    },
    isShared: () => shared,
    forget: () => {
      sent.clear();
      first.clear();
      rests = [];
      early = 0;
      shared = false;
    },
  };
}
