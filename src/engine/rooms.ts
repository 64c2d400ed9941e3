import type { Clock } from '../model/clock.ts';
import type { Operation, OperationId } from '../model/contract.ts';
import type { PrincipalName } from '../model/principal.ts';

/** Whose request it is, of which operation and kind. */
export type Sender = {
  readonly principal: PrincipalName;
  readonly operation: OperationId;
  readonly kind: Operation['kind'];
  /** It is sent some time after the others of its wave, and takes its turn then. */
  readonly delayed?: boolean;
};

/** How the target took a request: it served it, was too busy, or asks its caller to wait so many milliseconds. */
export type Reception = {
  readonly startedAt: number;
  /** When the response came, where that was before now. */
  readonly endedAt?: number;
  readonly was: 'served' | 'busy' | { readonly throttled: number };
};

/** Bounds how many requests are in flight where a target refuses more. */
export type Rooms = {
  /** A limit may be one of a caller or of the whole target, for commands, reads or both. */
  readonly of: (sender: Sender) => readonly Room[];
  /** The rooms in which these requests have no place now. More than a room holds go when nobody else is in it. */
  readonly full: (senders: readonly Sender[]) => readonly Room[];
  /** Whether a room soon has a place again: no request in it has been in flight for long. */
  readonly turnsOver: (room: Room) => boolean;
  /** Whether one more may be tried where all requests in a full room have been in flight for long. */
  readonly mayOverfill: (room: Room) => boolean;
  /** How many of these requests, from the first, a target takes at once that refused more; all where nothing shows it. */
  readonly atOnce: (senders: readonly Sender[]) => number;
  /** Counts requests until they end. */
  readonly enter: (senders: readonly Sender[]) => Stay;
};

export type Stay = {
  /** One of the requests, by its number from 0, has ended before all have. */
  readonly leave: (number: number) => void;
  /**
   * All have ended. Returns for each whether the number in flight explains that it was refused; what nothing is known of is
   * undefined.
   */
  readonly end: (receptions: readonly (Reception | undefined)[]) => readonly boolean[];
};

/** What is known of the requests in flight of one kind and caller, or of all. */
export type Room = {
  most: number;
  inFlight: number;
  /** When each visit began that has not ended. */
  readonly entered: Set<{ readonly at: number; count: number }>;
  /** How many requests were served while so many others were in flight. */
  served: number[];
  loweredAt: number;
  /** Requests served since then, and those of them that took the last place. */
  held: number;
  /** The bound within which enough were served; 0 where none is. */
  proved: number;
  calm: number;
  patience: number;
  /** One more than it holds was refused: that is not tried again. */
  overfull: boolean;
  endedAt: number;
  /** For how long the target keeps a place after its response; none is given before. */
  lag: number;
};

/** A request in a room: along with how many others, and how many milliseconds after the last one ended. */
type Visit = { readonly room: Room; readonly level: number; readonly quiet: number };

/** So many requests that enter a room together. */
type Group = { count: number; served: number; readonly others: number; readonly quiet: number };

/** That many requests, served along with as many others, show that their number was not too much. */
const shown = 10;
/** After so many requests in a full room it grows by a place; a failed try makes that four times as many. */
const firstPatience = 50;
const mostPatience = 3200;
/** A request refused so soon after another ended may have found its place still taken; so long may that last. */
const soonMs = 50;
/** A request in flight for so long may be held on purpose, and for longer: others need not wait for its place. */
export const heldMs = 200;
const lags = [4, 16] as const;

export function makeRooms({ monotonic: now, sleep }: Clock, onFree: () => void): Rooms {
  const rooms = new Map<string, Room>();
  const roomOf = (name: string): Room => {
    const known = rooms.get(name);
    if (known !== undefined) return known;
    const room: Room = {
      most: Number.POSITIVE_INFINITY,
      inFlight: 0,
      entered: new Set(),
      served: [],
      loweredAt: -1,
      held: 0,
      calm: 0,
      proved: 0,
      patience: firstPatience,
      overfull: false,
      endedAt: -soonMs,
      lag: 0,
    };
    rooms.set(name, room);
    return room;
  };
  /** There are few senders, and every request asks for the rooms of its own. */
  const known = {
    command: new Map<PrincipalName, readonly Room[]>(),
    read: new Map<PrincipalName, readonly Room[]>(),
  };
  const roomsOf = ({ kind, principal }: Sender): readonly Room[] => {
    const before = known[kind].get(principal);
    if (before !== undefined) return before;
    const made = [principal, `${principal} ${kind}`, '', ` ${kind}`].map(roomOf);
    known[kind].set(principal, made);
    return made;
  };
  const serve = (room: Room, level: number): void => {
    room.served[level] = (room.served[level] ?? 0) + 1;
    room.held += 1;
    if (room.held === shown && room.most < Number.POSITIVE_INFINITY) room.proved = room.most;
    if (level + 1 < room.most) return;
    room.calm += 1;
    if (room.calm < room.patience) return;
    room.most += 1;
    room.calm = 0;
  };
  /** Whether a request was refused because so many others were in flight; if so, there will be no more than that. */
  const refuse = ({ room, level, quiet }: Visit, { startedAt, was }: Reception): boolean => {
    if (level >= room.most) {
      room.overfull ||= startedAt > room.loweredAt;
      return true;
    }
    const along = room.served.slice(level).reduce((sum, each) => sum + each, 0);
    const tried = room.most;
    if (level === 0 || along >= shown) {
      const longer = lags.find((lag) => lag > room.lag);
      if (tried === Number.POSITIVE_INFINITY || longer === undefined || quiet > soonMs) return false;
      room.lag = longer;
      return true;
    }
    const same = startedAt < room.loweredAt;
    const proved = room.held >= shown;
    // Where the last bound was too high at once, the next one is found faster.
    room.most =
      same || proved || tried === Number.POSITIVE_INFINITY ? level : Math.min(level, tried >> 1 || 1);
    if (!same && proved && tried < Number.POSITIVE_INFINITY) room.patience *= 4;
    if (room.most < room.proved) room.proved = 0;
    // What costs a long wait is tried less often.
    const cost = typeof was === 'object' ? was.throttled / 20 : 0;
    room.patience = Math.min(mostPatience, Math.max(room.patience, cost));
    room.served.length = Math.min(room.served.length, level);
    room.lag = Math.max(room.lag, lags[0]);
    room.loweredAt = now();
    room.held = 0;
    room.calm = 0;
    return true;
  };
  const leave = (room: Room, count: number): void => {
    room.endedAt = now();
    const free = (): void => {
      room.inFlight -= count;
    };
    if (room.lag === 0) free();
    else void sleep(room.lag).then(free).then(onFree);
  };
  /** The rooms of senders, with how many of them each is for. */
  const groupsOf = (senders: readonly Sender[]): ReadonlyMap<Room, Group> => {
    const groups = new Map<Room, Group>();
    for (const sender of senders)
      for (const room of roomsOf(sender)) {
        const group = groups.get(room);
        if (group !== undefined) group.count += 1;
        else groups.set(room, { count: 1, served: 0, others: room.inFlight, quiet: now() - room.endedAt });
      }
    return groups;
  };
  return {
    of: roomsOf,
    full: (senders) => {
      const [first] = senders;
      if (first !== undefined && senders.length === 1)
        return roomsOf(first).filter((room) => isFull(room, 1));
      return [...groupsOf(senders)].flatMap(([room, { count }]) => (isFull(room, count) ? [room] : []));
    },
    turnsOver: ({ entered }) => [...entered].every(({ at }) => now() - at < heldMs),
    mayOverfill: ({ entered, most, overfull }) =>
      !overfull &&
      [...entered].reduce((sum, { at, count }) => sum + (now() - at < heldMs ? 0 : count), 0) === most,
    atOnce: (senders) => {
      const counts = new Map<Room, number>();
      const last = senders.findIndex((sender) =>
        roomsOf(sender).some((room) => {
          const count = (counts.get(room) ?? 0) + 1;
          counts.set(room, count);
          return room.proved > 0 && count > room.most;
        }),
      );
      return last < 0 ? senders.length : last;
    },
    enter: (senders) => {
      const groups = groupsOf(senders);
      const visits = [...groups].map(([room, { count }]) => ({ room, visit: { at: now(), count } }));
      for (const { room, visit } of visits) {
        room.inFlight += visit.count;
        room.entered.add(visit);
      }
      const early = (number: number): void => {
        const sender = senders[number];
        if (sender === undefined) return;
        const left = new Set(roomsOf(sender));
        for (const { room, visit } of visits)
          if (left.has(room)) {
            leave(room, 1);
            visit.count -= 1;
          }
      };
      const end: Stay['end'] = (receptions) => {
        for (const { room, visit } of visits) {
          leave(room, visit.count);
          room.entered.delete(visit);
        }
        for (const [index, sender] of senders.entries())
          if (receptions[index]?.was === 'served')
            for (const room of roomsOf(sender)) {
              const group = groups.get(room);
              if (group !== undefined) group.served += 1;
            }
        return senders.map((sender, index) => {
          const reception = receptions[index];
          if (reception === undefined) return false;
          const seen = roomsOf(sender).map((room): Visit => {
            const { others = 0, quiet = 0, served = 0 } = groups.get(room) ?? {};
            return { room, quiet, level: others + served };
          });
          // The first that explains it is enough: one whose last place was tried, if there is one.
          const last = ({ level, room }: Visit): number => Number(level !== room.most - 1);
          if (reception.was !== 'served')
            return seen
              .toSorted((one, other) => last(one) - last(other))
              .some((visit) => refuse(visit, reception));
          for (const { level, room } of seen) serve(room, level - 1);
          return false;
        });
      };
      return { leave: early, end };
    },
  };
}

function isFull({ inFlight, most }: Room, count: number): boolean {
  return inFlight > 0 && inFlight + count > most;
}
