import { setMaxListeners } from 'node:events';
import type { Clock } from '../model/clock.ts';
import type { Rest } from './lanes.ts';
import type { Pace } from './pace.ts';
import { makePaces, type Sent } from './paces.ts';
import { heldMs, makeRooms, type Reception, type Room, type Rooms, type Sender } from './rooms.ts';

/** Requests to be sent at once. */
export type Admission = {
  readonly senders: readonly Sender[];
  /** They meet a limit on purpose, and do not wait for it. */
  readonly exempt?: boolean;
  /** Milliseconds that the sender must wait later in any case; the longest goes first. */
  readonly ahead?: number;
  /** When the scenario began: of those with as much ahead the oldest goes first, so that it comes to its end. */
  readonly since?: number;
  /** The lower, the older, of those that began at the same moment. */
  readonly number?: number;
  readonly rest?: Rest;
};

/** It was refused for its credential: `counted` where a limit throttled it before, else `uncounted`. */
export type Refused = 'counted' | 'uncounted';

/** Reports that the requests have ended, and how each was taken where that says something. */
export type Landing = {
  (receptions: readonly (Reception | Refused | undefined)[]): void;
  /** A delayed one, by its number from 0, is sent now. */
  readonly sent: (number: number) => void;
  /** One of them has ended while others go on: its place is free. */
  readonly ended: (number: number) => void;
};

/** Keeps below the limits of the target for every suite but the throttling one: on the rate, and on requests in flight. */
export type Governor = {
  /** Waits until all may be sent; undefined if the wait would exceed the milliseconds left. */
  readonly admit: (wanted: Admission, signal?: AbortSignal) => Promise<Landing | undefined>;
  readonly atOnce: Rooms['atOnce'];
  /** Forgets what was met: it was no limit of the principals. */
  readonly forget: () => void;
  /** The least milliseconds that the requests so far take at the limits that were met. */
  readonly least: () => number;
  /** Whether a limit of the target counts all callers together. */
  readonly areShared: () => boolean;
};

type Waiter = {
  readonly senders: readonly Sender[];
  /** Those that are sent as soon as they are admitted. */
  readonly prompt: readonly Sender[];
  /** Those that it waits for, under this grouping. */
  paces: readonly Pace[];
  grouping: number;
  readonly rooms: readonly Room[];
  /** Who has a place may wait for the lane that it reserves. */
  readonly reserves: boolean;
  readonly ahead: number;
  readonly since: number;
  readonly number: number;
  /** `counted`: the requests count for their paces. */
  release: (landing: Landing | undefined, counted: boolean) => void;
};

/**
 * A request whose lane comes so much later than its turn waits for another turn: while one scenario has the target for
 * itself, the turns of all others pass, and they would be sent together.
 */
const lateMs = 25;

function promptOf(senders: readonly Sender[]): readonly Sender[] {
  return senders.filter(({ delayed = false }) => !delayed);
}

const alwaysGoingOn: Rest = (work) => work();

export function makeGovernor(
  clock: Clock,
  /** `interval`: milliseconds between requests of a principal that are kept from the beginning. */
  limits: { readonly left: () => number; readonly interval?: number },
): Governor {
  const { interval: least = 0 } = limits;
  const paces = makePaces(clock.monotonic, least);
  const rooms = makeRooms(clock, () => wake());
  let queue: readonly Waiter[] = [];
  let serving = false;
  let heard: AbortSignal | undefined;
  let wake = (): void => undefined;
  const fly = (senders: readonly Sender[], as: Sent = 'paced'): Landing => {
    for (const sender of promptOf(senders)) paces.count(sender, as);
    const sentAt = senders.map(clock.monotonic);
    const scouts = as === 'scout' ? senders.map(paces.scout) : [];
    const stay = rooms.enter(senders);
    const land = (taken: Parameters<Landing>[0]): void => {
      const receptions = taken.map((one) => (typeof one === 'string' ? undefined : one));
      const crowded = stay.end(receptions);
      for (const [index, sender] of senders.entries()) {
        const reception = receptions[index];
        if (taken[index] === 'uncounted' && as === 'paced') paces.uncount(sender, sentAt[index] ?? 0);
        if (taken[index] === 'counted') paces.countRefusals(sender);
        const { startedAt = 0, endedAt = clock.monotonic(), was } = reception ?? {};
        if (was === 'served' && as !== 'scout') paces.served(sender, startedAt);
        if (typeof was === 'object')
          paces.throttled(
            sender,
            { startedAt, endedAt, until: clock.monotonic() + was.throttled },
            { counted: as === 'paced', crowded: crowded[index] === true },
          );
        scouts[index]?.(reception);
      }
      wake();
    };
    const sent = (number: number): void => {
      const sender = senders[number];
      if (sender !== undefined) paces.count(sender, as);
      sentAt[number] = clock.monotonic();
    };
    const ended = (number: number): void => {
      stay.leave(number);
      wake();
    };
    return Object.assign(land, { sent, ended });
  };
  const giveBack = (senders: readonly Sender[], landing: Landing, counted: boolean): void => {
    if (counted) for (const sender of promptOf(senders)) paces.giveBack(sender);
    landing([]);
  };
  /** The paces of a waiter as requests are grouped now. */
  const pacesOf = (waiter: Waiter): readonly Pace[] => {
    if (waiter.grouping !== paces.grouping()) {
      waiter.paces = [...new Set(waiter.senders.map(paces.of))];
      waiter.grouping = paces.grouping();
    }
    return waiter.paces;
  };
  const waitOf = (waiter: Waiter): number => {
    const [first, ...others] = pacesOf(waiter);
    if (first === undefined) return 0;
    if (others.length === 0) return first.due(waiter.prompt.length);
    const together = (pace: Pace): number => waiter.prompt.filter((one) => paces.of(one) === pace).length;
    return Math.max(...[first, ...others].map((pace) => pace.due(together(pace))));
  };
  const mayScout = ({ senders: [one, ...others], reserves }: Waiter): boolean =>
    one !== undefined && others.length === 0 && !reserves && paces.mayScout(one);
  /** Whether requests may be sent at once where nobody else waits. */
  const isFree = (waiter: Waiter): boolean => {
    const wait = waitOf(waiter);
    if (wait > 0 || wait > limits.left() || heard?.aborted === true) return false;
    return waiter.reserves || rooms.full(waiter.senders).length === 0;
  };
  /** Lets go all that may be sent, in turn; returns the milliseconds until the next one may. */
  const admitQueue = (): number => {
    const blocked = new Set<Pace | Room>();
    const isBlocked = (one: Pace | Room): boolean => blocked.has(one);
    let soonest = Number.POSITIVE_INFINITY;
    const gone = new Set<Waiter>();
    for (const waiter of queue) {
      const { release, senders } = waiter;
      if (mayScout(waiter) && heard?.aborted !== true && rooms.full(senders).length === 0) {
        gone.add(waiter);
        release(fly(senders, 'scout'), false);
        continue;
      }
      const own = pacesOf(waiter);
      const isHeldUp = own.some(isBlocked) || waiter.rooms.some(isBlocked);
      if (isHeldUp && !waiter.reserves && heard?.aborted !== true) continue;
      const wait = waitOf(waiter);
      const over = heard?.aborted === true || wait > limits.left();
      const full = waiter.reserves ? [] : rooms.full(senders);
      const isPaced = full.length > 0 && own.every((pace) => pace.isKept());
      // Where a pace explains the refusals, one more is tried next to those that are held.
      const crowded =
        isPaced && senders.length === 1 ? full.filter((room) => !rooms.mayOverfill(room)) : full;
      // A request that is held up for long holds up no other.
      if (!over && crowded.some((room) => !rooms.turnsOver(room))) {
        if (isPaced) soonest = Math.min(soonest, heldMs);
        continue;
      }
      const blocking = wait > 0 ? own : crowded;
      if (!over && blocking.length > 0) {
        soonest = Math.min(soonest, wait > 0 ? wait : heldMs);
        for (const one of blocking) blocked.add(one);
        continue;
      }
      gone.add(waiter);
      release(over ? undefined : fly(senders), !over);
    }
    if (gone.size > 0) queue = queue.filter((waiter) => !gone.has(waiter));
    return soonest;
  };
  /** Who must wait longest later goes first, and of these the oldest; of equals, who came first. */
  const isBefore = (one: Waiter, other: Waiter): boolean =>
    (other.ahead - one.ahead || one.since - other.since || one.number - other.number) < 0;
  const enqueue = (waiter: Waiter): void => {
    const at = queue.findLastIndex((other) => !isBefore(waiter, other)) + 1;
    queue = queue.toSpliced(at, 0, waiter);
  };
  const serve = async (): Promise<void> => {
    serving = true;
    const served = new AbortController();
    // Sleeps that something else cut short listen until all is served.
    setMaxListeners(0, served.signal);
    let wakesAt = Number.POSITIVE_INFINITY;
    for (let wait = admitQueue(); queue.length > 0; wait = admitQueue())
      await new Promise<void>((resolve) => {
        wake = resolve;
        const until = clock.monotonic() + wait;
        // To wake too early, or twice, costs less than to end each sleep that something else cut short.
        if (until >= wakesAt - 0.001) return;
        wakesAt = until;
        void clock.sleep(wait, served.signal).then(() => {
          if (wakesAt === until) wakesAt = Number.POSITIVE_INFINITY;
          wake();
        });
      });
    // With a reason, none is made up: that takes longer than all the rest.
    served.abort('served');
    serving = false;
  };
  return {
    async admit({ senders, exempt, ahead = 0, since = 0, number = 0, rest = alwaysGoingOn }, signal) {
      if (signal?.aborted === true) return undefined;
      if (exempt === true) return fly(senders, 'exempt');
      // One signal ends all of a run.
      if (heard !== signal) signal?.addEventListener('abort', () => wake(), { once: true });
      heard = signal;
      const waiter: Waiter = {
        senders,
        prompt: promptOf(senders),
        paces: [],
        grouping: -1,
        rooms: senders.flatMap(rooms.of),
        reserves: rest.reserves?.() === true,
        ahead,
        since,
        number,
        release: () => undefined,
      };
      for (;;) {
        if (queue.length === 0 && isFree(waiter)) return fly(senders);
        let admittedAt = 0;
        let isCounted = false;
        const waiting = new Promise<Landing | undefined>((resolve) => {
          waiter.release = (landing, counted) => {
            admittedAt = clock.monotonic();
            isCounted = counted;
            resolve(landing);
          };
        });
        enqueue(waiter);
        admitQueue();
        if (!queue.includes(waiter)) return waiting;
        if (serving) wake();
        else void serve();
        const landing = await rest(() => waiting, ahead > 0 ? 'pace before a wait' : 'pace');
        if (landing === undefined || clock.monotonic() - admittedAt <= lateMs) return landing;
        giveBack(senders, landing, isCounted);
      }
    },
    atOnce: rooms.atOnce,
    forget() {
      paces.forget();
      wake();
    },
    least: paces.least,
    areShared: paces.areShared,
  };
}
