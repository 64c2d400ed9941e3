import type { PrincipalName } from '../model/principal.ts';
import { makePace, type Pace, type Throttled, type Why } from './pace.ts';
import { makeReach } from './reach.ts';
import type { Reception, Sender } from './rooms.ts';
import { makeSharing, type Sharing } from './sharing.ts';

/** `exempt`: it meets a limit on purpose. `scout`: it finds out whether a limit counts it together with what rests. */
export type Sent = 'paced' | 'exempt' | 'scout';

/** Keeps below the rate at which the target throttles, for what it counts together. */
export type Paces = {
  readonly of: (sender: Sender) => Pace;
  /** Changes when requests are paced together in another way. */
  readonly grouping: () => number;
  readonly count: (sender: Sender, as: Sent) => void;
  readonly giveBack: (sender: Sender) => void;
  readonly uncount: (sender: Sender, at: number) => void;
  readonly countRefusals: (sender: Sender) => void;
  readonly served: (sender: Sender, startedAt: number) => void;
  readonly throttled: (sender: Sender, of: Throttled, why: Why) => void;
  /** Whether it may be sent while others of its caller rest, to find out whether a limit counts them together. */
  readonly mayScout: (sender: Sender) => boolean;
  /** Counts such a request until it ends. */
  readonly scout: (sender: Sender) => (reception: Reception | undefined) => void;
  readonly least: () => number;
  /** Whether a limit counts all callers together. */
  readonly areShared: () => boolean;
  readonly forget: () => void;
};

/** What a limit counts together, of each caller or of all. */
type Group = {
  readonly sharing: Sharing;
  /** What all callers send together is paced along, so that the pace is known once it shows that they share a limit. */
  readonly common: Pace;
  readonly paces: Map<PrincipalName, Pace>;
};

/** `least`: milliseconds between requests of a principal that are kept from the beginning. */
export function makePaces(now: () => number, least: number): Paces {
  const reach = makeReach(now);
  const groups = new Map<string, Group>();
  let grouping = 0;
  const groupOf = (sender: Sender): Group => {
    const name = reach.groupOf(sender);
    const known = groups.get(name);
    if (known !== undefined) return known;
    const made = { sharing: makeSharing(), common: makePace(now, 0), paces: new Map<PrincipalName, Pace>() };
    groups.set(name, made);
    return made;
  };
  const ownOf = ({ paces }: Group, principal: PrincipalName): Pace => {
    const known = paces.get(principal);
    if (known !== undefined) return known;
    const made = makePace(now, least);
    paces.set(principal, made);
    return made;
  };
  const of = (sender: Sender): Pace => {
    const group = groupOf(sender);
    return group.sharing.isShared() ? group.common : ownOf(group, sender.principal);
  };
  /** Those that a request counts for. */
  const all = (group: Group, principal: PrincipalName): readonly Pace[] =>
    group.sharing.isShared() ? [group.common] : [ownOf(group, principal), group.common];
  const throttled = (sender: Sender, rest: Throttled, why: Why): void => {
    const group = groupOf(sender);
    const wasShared = group.sharing.isShared();
    if (least === 0) {
      group.sharing.throttled(sender.principal, rest);
      // Where the number in flight explains it, the rate does not.
      if (!why.crowded) reach.throttled(sender, rest);
    }
    if (group.sharing.isShared() !== wasShared) grouping += 1;
    for (const pace of all(group, sender.principal)) pace.slow(rest, why);
  };
  const regroup = (): void => {
    groups.clear();
    grouping += 1;
    for (const rest of reach.resting())
      for (const pace of all(groupOf(rest.sender), rest.sender.principal))
        pace.slow(rest.of, { counted: false, crowded: false });
  };
  return {
    of,
    grouping: () => grouping,
    count: (sender, as) => {
      reach.count();
      if (as !== 'paced') return;
      const group = groupOf(sender);
      group.sharing.count(sender.principal);
      for (const pace of all(group, sender.principal)) pace.count();
    },
    giveBack: (sender) => {
      for (const pace of all(groupOf(sender), sender.principal)) pace.giveBack();
    },
    uncount: (sender, at) => {
      for (const pace of all(groupOf(sender), sender.principal)) pace.uncount(at);
    },
    countRefusals: (sender) => {
      for (const pace of all(groupOf(sender), sender.principal)) pace.countRefusals();
    },
    served: (sender, startedAt) => {
      const group = groupOf(sender);
      group.sharing.served(sender.principal, startedAt);
      for (const pace of all(group, sender.principal)) pace.served(startedAt);
    },
    throttled,
    mayScout: (sender) => least === 0 && reach.mayScout(sender),
    scout: (sender) => {
      const end = reach.scout(sender);
      return (reception) => {
        if (end(reception)) regroup();
      };
    },
    least: () =>
      Math.max(
        0,
        ...[...groups.values()]
          .flatMap(({ common, paces, sharing }) => (sharing.isShared() ? [common] : [...paces.values()]))
          .map((pace) => pace.least()),
      ),
    areShared: () => [...groups.values()].some(({ sharing }) => sharing.isShared()),
    forget: () => {
      groups.clear();
      reach.forget();
      grouping += 1;
    },
  };
}
