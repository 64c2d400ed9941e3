import type { PrincipalName } from '../model/principal.ts';
import { makeTurns, type Use } from './turns.ts';

/** Who sends, and what nobody else may use meanwhile: the whole target, or one principal; or who may not write. */
export type LaneUse = {
  readonly uses: readonly PrincipalName[];
  readonly alone?: 'target' | 'reading' | { readonly principal: PrincipalName } | undefined;
  /** Who is kept for it from the moment it asks for that. */
  readonly reserves?: PrincipalName | undefined;
  /** It gets a principal or a quiet target for itself only after this. */
  readonly after?: Promise<void>;
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
  readonly reserves?: () => boolean;
  /** Waits between two requests where one that is due needs the target for itself. */
  readonly pass?: () => Promise<void>;
  /** Lets others use the target again, but for one principal. */
  readonly narrow?: () => void;
  /** Waits until the principal of its claim is free, and keeps it. */
  readonly reserve?: () => Promise<void>;
  /** Waits until nobody has anything to send, and keeps it so, but for others that read likewise. Says since when it is so. */
  readonly quieten?: (now: () => number) => Promise<{ readonly since: number }>;
  /** Gives back what was reserved or kept quiet. */
  readonly release?: () => void;
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
  /** One that has the target for itself, or all that read while nobody writes. */
  const quiet = new Set<LaneUse>();
  let quietSince: number | undefined;
  const turns = makeTurns();

  const comesQuiet = ({ alone }: LaneUse): boolean => alone === 'target' || alone === 'reading';
  const fits = (claim: LaneUse): boolean => {
    const { uses, alone } = claim;
    if (active >= width) return false;
    if (alone === 'reading' && !quiet.has(claim))
      return quiet.size === 0
        ? underWay === 0 && locks.size === 0
        : [...quiet].every((other) => other.alone === 'reading');
    if (quiet.size > 0 && !quiet.has(claim)) return false;
    if (alone === 'target') return active === 0;
    if (alone === 'reading') return true;
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
    if (comesQuiet(claim)) quiet.add(claim);
    else if (typeof claim.alone === 'object') locks.set(claim.alone.principal, claim);
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
      !comesQuiet(claim) && (due === undefined || claim.lasting !== true);
    const room = (): boolean => underWay < 2 * width && alive < mostAlive;
    while (
      active < width &&
      (admitOne(returning, (claim) => !comesQuiet(claim) || quiet.has(claim)) ||
        (room() && admitOne(coming, shared)))
    );
    // Who needs a quiet target is served when nobody else has anything to send.
    if (hurrying > 0) return;
    while (admitOne(returning, comesQuiet));
    admitOne(coming, comesQuiet);
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
      const endTurn = claim.records === undefined ? undefined : await turns.take(claim.records);
      await (claim.due === undefined ? wait(coming, claim) : comeDue(claim, claim.due));
      let held = claim;
      const release = (): void => {
        if (quiet.delete(held) && quiet.size === 0) quietSince = undefined;
        if (typeof held.alone === 'object') locks.delete(held.alone.principal);
        held = { ...held, alone: undefined };
        pump();
      };
      const keep = async (alone: NonNullable<LaneUse['alone']>): Promise<void> => {
        count(held, -1);
        underWay -= 1;
        pump();
        await claim.after;
        held = { ...held, alone };
        await wait(returning, held);
        underWay += 1;
      };
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
        quiet.delete(held);
        held = { ...held, alone: { principal } };
        locks.set(principal, held);
        pump();
      };
      const quieten = async (now: () => number): Promise<{ readonly since: number }> => {
        if (held.alone === undefined) await keep('reading');
        quietSince ??= now();
        return { since: quietSince };
      };
      const { narrowsTo, reserves } = claim;
      return {
        rest: Object.assign(rest, {
          reserves: () => held.alone !== undefined,
          pass,
          quieten,
          release: () => {
            if (claim.alone === undefined && held.alone !== undefined) release();
          },
          ...(narrowsTo === undefined ? {} : { narrow: () => narrow(narrowsTo) }),
          ...(reserves === undefined
            ? {}
            : {
                reserve: async () => {
                  if (held.alone === undefined) await keep({ principal: reserves });
                },
              }),
        }),
        leave: () => {
          count(held, -1);
          underWay -= 1;
          alive -= 1;
          endTurn?.();
          release();
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
