import type { PrincipalName } from '../model/principal.ts';
import { makeTurns, type Use } from './turns.ts';
import type { Widths } from './width.ts';

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
  readonly resize: (widths: Widths) => void;
  /** How many have a lane that keep a request in flight for long. */
  readonly holding: () => number;
};

/** How many scenarios may be under way, to bound memory; nearly all of them wait. */
const mostAlive = 512;

type QueuedUse = { readonly claim: LaneUse; readonly admit: () => void; due: boolean };

/** The lanes of one kind: how many there are, those taken, the scenarios under way, and who waits. */
type Kind = {
  most: number;
  active: number;
  underWay: number;
  readonly returning: QueuedUse[];
  readonly coming: QueuedUse[];
};

/** @param held how many lanes more there are for scenarios that keep a request in flight for long; 0: they take those of all */
export function makeLanes(initial: number, held = initial): Lanes {
  const kindOf = (most: number): Kind => ({ most, active: 0, underWay: 0, returning: [], coming: [] });
  const usual = kindOf(Math.max(1, initial));
  /** A request that is held on purpose takes no work, so it takes no lane from the others. */
  const lasting = kindOf(held);
  const kinds = [usual, lasting];
  let alive = 0;
  let hurrying = 0;
  let holding = 0;
  const using = new Map<PrincipalName, number>();
  /** What is reserved for one scenario, from its first lane to its last. */
  const locks = new Map<PrincipalName, LaneUse>();
  /** One that has the target for itself, or all that read while nobody writes. */
  const quiet = new Set<LaneUse>();
  let quietSince: number | undefined;
  const turns = makeTurns();

  const comesQuiet = ({ alone }: LaneUse): boolean => alone === 'target' || alone === 'reading';
  const fits = ({ active, most }: Kind, claim: LaneUse): boolean => {
    const { uses, alone } = claim;
    if (active >= most) return false;
    if (alone === 'reading' && !quiet.has(claim))
      return quiet.size === 0
        ? locks.size === 0 && kinds.every(({ underWay }) => underWay === 0)
        : [...quiet].every((other) => other.alone === 'reading');
    if (quiet.size > 0 && !quiet.has(claim)) return false;
    if (alone === 'target') return kinds.every((kind) => kind.active === 0);
    if (alone === 'reading') return true;
    if (alone !== undefined && (using.get(alone.principal) ?? 0) > 0) return false;
    return [...uses, ...(alone === undefined ? [] : [alone.principal])].every(
      (principal) => (locks.get(principal) ?? claim) === claim,
    );
  };
  const count = (kind: Kind, { uses, lasting }: LaneUse, by: 1 | -1): void => {
    kind.active += by;
    if (lasting === true) holding += by;
    for (const principal of uses) using.set(principal, (using.get(principal) ?? 0) + by);
  };
  const admitOne = (kind: Kind, queue: QueuedUse[], wanted: (claim: LaneUse) => boolean): boolean => {
    if (kind.active >= kind.most) return false;
    const at = queue.findIndex(({ claim }) => wanted(claim) && fits(kind, claim));
    const [next] = at < 0 ? [] : queue.splice(at, 1);
    if (next === undefined) return false;
    const { claim } = next;
    count(kind, claim, 1);
    if (queue === kind.coming) {
      kind.underWay += 1;
      alive += 1;
    }
    if (comesQuiet(claim)) quiet.add(claim);
    else if (typeof claim.alone === 'object') locks.set(claim.alone.principal, claim);
    next.admit();
    return true;
  };
  const dueOf = (): LaneUse | undefined => usual.coming.find(({ due }) => due)?.claim;
  const begins = (claim: LaneUse, due: LaneUse | undefined): boolean =>
    !comesQuiet(claim) && (due === undefined || claim.lasting !== true);
  /** One that waited for its turn to send may have a request to be held as well. */
  const goesOn = (claim: LaneUse, due: LaneUse | undefined): boolean =>
    quiet.has(claim) || begins(claim, due);
  const admitAll = (kind: Kind, due: LaneUse | undefined): void => {
    const room = (): boolean => kind.underWay < 2 * kind.most && alive < mostAlive;
    while (
      admitOne(kind, kind.returning, (claim) => goesOn(claim, due)) ||
      (room() && admitOne(kind, kind.coming, (claim) => begins(claim, due)))
    );
  };
  const pump = (): void => {
    const due = dueOf();
    if (due !== undefined && holding === 0) {
      admitOne(usual, usual.coming, (claim) => claim === due);
      return;
    }
    for (const kind of kinds) admitAll(kind, due);
    // Who needs a quiet target is served when nobody else has anything to send.
    if (hurrying > 0) return;
    while (kinds.some((kind) => admitOne(kind, kind.returning, comesQuiet)));
    admitOne(usual, usual.coming, comesQuiet);
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
      usual.coming.push(queued);
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
      const kind = held > 0 && claim.lasting === true && !comesQuiet(claim) ? lasting : usual;
      await (claim.due === undefined ? wait(kind.coming, claim) : comeDue(claim, claim.due));
      let own = claim;
      const release = (): void => {
        if (quiet.delete(own) && quiet.size === 0) quietSince = undefined;
        if (typeof own.alone === 'object') locks.delete(own.alone.principal);
        own = { ...own, alone: undefined };
        pump();
      };
      const keep = async (alone: NonNullable<LaneUse['alone']>): Promise<void> => {
        count(kind, own, -1);
        kind.underWay -= 1;
        pump();
        await claim.after;
        own = { ...own, alone };
        await wait(kind.returning, own);
        kind.underWay += 1;
      };
      const rest = async <Result>(
        work: () => Promise<Result>,
        why?: 'pace' | 'pace before a wait',
      ): Promise<Result> => {
        // The target stays quiet for it while it waits.
        if (own.alone === 'target') return work();
        const forced = why === undefined ? 1 : 0;
        count(kind, own, -1);
        kind.underWay -= forced;
        const hurry = why === 'pace before a wait' ? 1 : 0;
        hurrying += hurry;
        pump();
        try {
          return await work();
        } finally {
          kind.underWay += forced;
          await wait(kind.returning, own);
          hurrying -= hurry;
        }
      };
      const pass = async (): Promise<void> => {
        if (own.alone === undefined && holding === 0 && dueOf() !== undefined)
          await rest(() => Promise.resolve(), 'pace');
      };
      const narrow = (principal: PrincipalName): void => {
        if (own.alone !== 'target') return;
        quiet.delete(own);
        own = { ...own, alone: { principal } };
        locks.set(principal, own);
        pump();
      };
      const quieten = async (now: () => number): Promise<{ readonly since: number }> => {
        if (own.alone === undefined) await keep('reading');
        quietSince ??= now();
        return { since: quietSince };
      };
      const { narrowsTo, reserves } = claim;
      return {
        rest: Object.assign(rest, {
          reserves: () => own.alone !== undefined,
          pass,
          quieten,
          release: () => {
            if (claim.alone === undefined && own.alone !== undefined) release();
          },
          ...(narrowsTo === undefined ? {} : { narrow: () => narrow(narrowsTo) }),
          ...(reserves === undefined
            ? {}
            : {
                reserve: async () => {
                  if (own.alone === undefined) await keep({ principal: reserves });
                },
              }),
        }),
        leave: () => {
          count(kind, own, -1);
          kind.underWay -= 1;
          alive -= 1;
          endTurn?.();
          release();
        },
      };
    },
    resize: (widths) => {
      if (widths.lanes === usual.most && widths.held === lasting.most) return;
      usual.most = Math.max(1, widths.lanes);
      lasting.most = widths.held;
      pump();
    },
    holding: () => holding,
  };
}
