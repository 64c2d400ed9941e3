import { guided, type Throttled } from './pace.ts';
import type { Reception, Sender } from './rooms.ts';

/**
 * Finds out which requests of a caller a limit on the rate counts together: all, those of one kind (commands or reads), or those
 * of one operation. While a request rests, a few of another kind or operation are sent all the same: scouts.
 */
export type Reach = {
  /** Names the requests that are counted together with this one. */
  readonly groupOf: (sender: Sender) => string;
  readonly count: () => void;
  readonly throttled: (sender: Sender, of: Throttled) => void;
  /** Whether it may be sent as a scout. */
  readonly mayScout: (sender: Sender) => boolean;
  /** Counts a scout until it ends; what is returned takes how it was received, and says whether groups became smaller. */
  readonly scout: (sender: Sender) => (reception: Reception | undefined) => boolean;
  /** Those who rest now, each with the 429 that it rests for. */
  readonly resting: () => readonly Rest[];
  readonly forget: () => void;
};

/** In what a scout differs from the request that rests. */
type Difference = 'kind' | 'operation';

/** What scouts showed while a request rests. */
type Scouted = { inFlight: number; served: number };

export type Rest = {
  readonly sender: Sender;
  readonly of: Throttled;
  /** When the wait ends that the target asked for. */
  readonly until: number;
  readonly scouted: Readonly<Record<Difference, Scouted>>;
  /** A scout was refused: no other is sent. */
  isOver: boolean;
};

/** After so many rests in which a scout was refused nothing more is tried. */
const mostRefused = 2;
const mostInFlight = 8;
/** More served than all callers ever sent between two rests: a window that opens in the meantime does not hold so many. */
const enough = 8;
const more = 1.3;

export function makeReach(now: () => number): Reach {
  let reach: 'caller' | Difference = 'caller';
  let rests: readonly Rest[] = [];
  let misses = 0;
  /** How many requests were sent since a caller last came to rest, and the most between two such times. */
  let sent = 0;
  let most = 0;
  const groupOf = ({ kind, operation }: Sender): string =>
    reach === 'caller' ? '' : reach === 'kind' ? kind : operation;
  const restOf = (sender: Sender): Rest | undefined =>
    rests.find(
      (rest) => rest.sender.principal === sender.principal && groupOf(rest.sender) === groupOf(sender),
    );
  const differenceOf = (sender: Sender, { sender: resting }: Rest): Difference | undefined => {
    if (sender.kind !== resting.kind) return 'kind';
    return sender.operation === resting.operation ? undefined : 'operation';
  };
  const isEnough = ({ served }: Scouted): boolean => served >= enough && served > more * most;
  return {
    groupOf,
    count: () => {
      sent += 1;
    },
    throttled: (sender, of) => {
      if (reach === 'operation') return;
      rests = rests.filter(({ until }) => until > now());
      if (restOf(sender) !== undefined) return;
      const until = of.endedAt + guided(of.until - of.endedAt);
      const scouted = (): Scouted => ({ inFlight: 0, served: 0 });
      rests = [
        ...rests,
        {
          sender,
          of,
          until,
          scouted: { kind: scouted(), operation: scouted() },
          isOver: false,
        },
      ];
      most = Math.max(most, sent);
      sent = 0;
    },
    mayScout: (sender) => {
      if (rests.length === 0 || misses >= mostRefused) return false;
      const rest = restOf(sender);
      if (rest === undefined || rest.isOver || now() >= rest.until) return false;
      const difference = differenceOf(sender, rest);
      if (difference === undefined) return false;
      const { inFlight, served } = rest.scouted[difference];
      return inFlight <= Math.min(served, mostInFlight - 1);
    },
    scout: (sender) => {
      const rest = restOf(sender);
      const difference = rest && differenceOf(sender, rest);
      if (rest === undefined || difference === undefined) return () => false;
      const scouted = rest.scouted[difference];
      scouted.inFlight += 1;
      return (reception) => {
        scouted.inFlight -= 1;
        if (reception === undefined || reception.was === 'busy') return false;
        if (reception.was !== 'served') {
          if (!rest.isOver) misses += 1;
          rest.isOver = true;
          return false;
        }
        scouted.served += 1;
        // What was found out in the meantime, or by a scout of another rest, is not undone.
        if (rest.isOver || reach === 'operation' || reach === difference || !isEnough(scouted)) return false;
        reach = difference;
        misses = 0;
        return true;
      };
    },
    resting: () => rests.filter(({ until }) => until > now()),
    forget: () => {
      reach = 'caller';
      rests = [];
      misses = 0;
      sent = 0;
      most = 0;
    },
  };
}
