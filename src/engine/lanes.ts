import type { PrincipalName } from '../model/principal.ts';
import { makeTurns, type Use } from './turns.ts';

/** Who sends, and what nobody else may use meanwhile: the whole target, or one principal. */
export type LaneUse = {
  readonly uses: readonly PrincipalName[];
  readonly alone?: 'target' | { readonly principal: PrincipalName } | undefined;
  /** Who alone is kept for it once the rest of the target need not be. */
  readonly narrowsTo?: PrincipalName | undefined;
  /** Records that other scenarios use as well. */
  readonly records?: readonly Use[];
  /** It keeps a request in flight for long, on purpose. */
  readonly lasting?: true;
  /** Once none of the others is lasting, they wait for it, until this resolves; then it waits for a time when none sends. */
  readonly due?: ((admitted: AbortSignal) => Promise<void>) | undefined;
};

/**
 * Lets `work` go on outside the lane: a scenario that waits holds none. One that waits only for its turn to send (`pace`)
 * still counts as under way, so that its steps stay close together. One that will have to wait later is not held up.
 */
export type Rest = {
  <Result>(work: () => Promise<Result>, why?: 'pace' | 'pace before a wait'): Promise<Result>;
  /** It keeps others from a lane, so it must not wait for one of them. */
  readonly reserves?: boolean;
  /** Waits between two requests where one that is due needs the target for itself. */
  readonly pass?: () => Promise<void>;
  /** Lets others use the target again, but for one principal. */
  readonly narrow?: () => void;
};

/** The right to have a request in flight. */
export type Lane = {
  readonly rest: Rest;
  readonly leave: () => void;
};

/** Limits requests in flight, not scenarios under way. */
export type Lanes = {
  /** Waits for a lane. Scenarios that come back from a rest go first, then the others in order. */
  readonly enter: (claim: LaneUse) => Promise<Lane>;
  readonly resize: (width: number) => void;
};

/** How many scenarios may be under way, to bound memory; nearly all of them wait. */
const mostAlive = 512;

type QueuedUse = { readonly claim: LaneUse; readonly admit: () => void; due: boolean };

export function makeLanes(initial: number): Lanes {
  let width = Math.max(1, initial);
  let active = 0;
  let underWay = 0;
  let alive = 0;
  let hurrying = 0;
  let lasting = 0;
  const returning: QueuedUse[] = [];
  const coming: QueuedUse[] = [];
  const using = new Map<PrincipalName, number>();
  /** What is reserved for one scenario, from its first lane to its last. */
  const locks = new Map<PrincipalName, LaneUse>();
  let quiet: LaneUse | undefined;
  const turns = makeTurns();

  const fits = (claim: LaneUse): boolean => {
    const { uses, alone } = claim;
    if (active >= width || quiet !== undefined) return false;
    if (alone === 'target') return active === 0;
    if (alone !== undefined && (using.get(alone.principal) ?? 0) > 0) return false;
    return [...uses, ...(alone === undefined ? [] : [alone.principal])].every(
      (principal) => (locks.get(principal) ?? claim) === claim,
    );
  };
  const count = (claim: LaneUse, by: 1 | -1): void => {
    active += by;
    if (claim.lasting === true) lasting += by;
    const { uses } = claim;
    for (const principal of uses) using.set(principal, (using.get(principal) ?? 0) + by);
  };
  const admitOne = (queue: QueuedUse[], wanted: (claim: LaneUse) => boolean): boolean => {
    const at = queue.findIndex(({ claim }) => wanted(claim) && fits(claim));
    const [next] = at < 0 ? [] : queue.splice(at, 1);
    if (next === undefined) return false;
    const { claim } = next;
    count(claim, 1);
    if (queue === coming) {
      underWay += 1;
      alive += 1;
    }
    if (claim.alone === 'target') quiet = claim;
    else if (claim.alone !== undefined) locks.set(claim.alone.principal, claim);
    next.admit();
    return true;
  };
  const dueOf = (): LaneUse | undefined => coming.find(({ due }) => due)?.claim;
  const pump = (): void => {
    const due = dueOf();
    if (due !== undefined && lasting === 0) {
      admitOne(coming, (claim) => claim === due);
      return;
    }
    const shared = (claim: LaneUse): boolean =>
      claim.alone !== 'target' && (due === undefined || claim.lasting !== true);
    const room = (): boolean => underWay < 2 * width && alive < mostAlive;
    while (
      active < width &&
      (admitOne(returning, ({ alone }) => alone !== 'target') || (room() && admitOne(coming, shared)))
    );
    // A claim to the whole target is served when nobody else has anything to send.
    if (hurrying === 0) admitOne(coming, (claim) => claim.alone === 'target');
  };
  const wait = (queue: QueuedUse[], claim: LaneUse): Promise<void> =>
    new Promise((resolve) => {
      queue.push({ claim, admit: resolve, due: false });
      pump();
    });
  /** The others wait for it, but not for longer than its claim says. */
  const comeDue = (claim: LaneUse, due: NonNullable<LaneUse['due']>): Promise<void> =>
    new Promise((resolve) => {
      const begun = new AbortController();
      const admit = (): void => {
        begun.abort();
        resolve();
      };
      const queued = { claim, admit, due: true };
      coming.push(queued);
      pump();
      if (!begun.signal.aborted)
        void due(begun.signal).then(() => {
          queued.due = false;
          pump();
        });
    });

  return {
    enter: async (claim) => {
      // The turn comes first: a scenario with a turn always gets a lane.
      const release = claim.records === undefined ? undefined : await turns.take(claim.records);
      await (claim.due === undefined ? wait(coming, claim) : comeDue(claim, claim.due));
      let held = claim;
      const rest = async <Result>(
        work: () => Promise<Result>,
        why?: 'pace' | 'pace before a wait',
      ): Promise<Result> => {
        // The target stays quiet for it while it waits.
        if (held.alone === 'target') return work();
        const forced = why === undefined ? 1 : 0;
        count(held, -1);
        underWay -= forced;
        const hurry = why === 'pace before a wait' ? 1 : 0;
        hurrying += hurry;
        pump();
        try {
          return await work();
        } finally {
          underWay += forced;
          await wait(returning, held);
          hurrying -= hurry;
        }
      };
      const pass = async (): Promise<void> => {
        if (held.alone === undefined && lasting === 0 && dueOf() !== undefined)
          await rest(() => Promise.resolve(), 'pace');
      };
      const narrow = (principal: PrincipalName): void => {
        if (held.alone !== 'target') return;
        quiet = undefined;
        held = { ...held, alone: { principal } };
        locks.set(principal, held);
        pump();
      };
      const { narrowsTo } = claim;
      return {
        rest: Object.assign(rest, {
          reserves: claim.alone !== undefined,
          pass,
          ...(narrowsTo === undefined ? {} : { narrow: () => narrow(narrowsTo) }),
        }),
        leave: () => {
          count(held, -1);
          underWay -= 1;
          alive -= 1;
          if (held.alone === 'target') quiet = undefined;
          else if (held.alone !== undefined) locks.delete(held.alone.principal);
          release?.();
          pump();
        },
      };
    },
    resize: (next) => {
      if (next === width) return;
      width = Math.max(1, next);
      pump();
    },
  };
}
