import type { Holds, Inconclusive, NotTested, Ruling, Seen, Violated } from './clause.ts';
import type { OperationId } from './contract.ts';
import type { ExchangeId } from './exchange.ts';
import { summary } from './exchange.ts';

/** What makes a ruling: the reason stands next to the verdict, so neither can be chosen without the other. */
type Made = {
  readonly expected: string;
  /** The response in question, where nothing else is given. */
  readonly actual?: string;
  readonly because: string;
  readonly advisory?: string | undefined;
  readonly idsOnly?: boolean;
  /** The operation in question, where it is not that of the first exchange. */
  readonly operation?: OperationId;
  /** Further exchanges, of the independent read for one. */
  readonly seenIn?: readonly ExchangeId[];
};

/** The clause has nothing to say about a response. */
export const notApplicable = undefined;

/** A ruling that says no more than that a clause holds: most do. */
class Held implements Holds {
  readonly verdict = 'holds';
  readonly operation: OperationId;
  readonly exchanges: readonly ExchangeId[];
  readonly expected: string;
  readonly because: string;
  readonly #first: Seen | undefined;
  readonly #actual: string | undefined;

  constructor(on: readonly Seen[], { actual, because, expected, operation }: Made) {
    const [first] = on;
    this.operation = operation ?? first?.operation.id ?? '';
    this.exchanges = on.map((one) => one.exchange.id);
    this.expected = expected;
    this.because = because;
    this.#first = first;
    this.#actual = actual;
  }

  /** Nothing shows what was returned where a clause holds, but for those who look closely. */
  get actual(): string {
    return this.#actual ?? (this.#first === undefined ? '' : summary(this.#first.exchange));
  }
}

/** The first exchange is the one in question. */
export function holds(on: readonly Seen[], made: Made): Holds {
  const { advisory, idsOnly, seenIn } = made;
  if (advisory === undefined && idsOnly !== true && seenIn === undefined) return new Held(on, made);
  return { verdict: 'holds', ...about(on, made), ...finding(on, made) };
}

export function violated(
  on: readonly Seen[],
  made: Made & { readonly conclusive?: boolean } & Pick<
      Violated,
      'candidates' | 'moved' | 'unwritten' | 'within'
    >,
): Violated {
  return {
    verdict: 'violated',
    ...about(on, made),
    ...finding(on, made),
    ...(made.conclusive === true ? { conclusive: true } : {}),
    ...(made.candidates === undefined ? {} : { candidates: made.candidates }),
    ...(made.moved === undefined ? {} : { moved: made.moved }),
    ...(made.unwritten === true ? { unwritten: true } : {}),
    ...(made.within === undefined ? {} : { within: made.within }),
  };
}

export function inconclusive(on: readonly Seen[], because: string, advisory?: string): Inconclusive {
  return { verdict: 'inconclusive', ...about(on), because, ...(advisory === undefined ? {} : { advisory }) };
}

/** `need`: what would bring the situation about. */
export function notTested(on: readonly Seen[], need: string): NotTested {
  return { verdict: 'not-tested', ...about(on), because: need };
}

/** A conclusion from which nothing follows after all. */
export function doubted({ exchanges, operation }: Holds | Violated, because: string): Inconclusive {
  return { verdict: 'inconclusive', operation, exchanges, because };
}

/** The same ruling, unless there is such a doubt. */
export function inDoubt(ruling: Ruling, doubt: string | undefined): Ruling {
  if (doubt === undefined || ruling.verdict === 'inconclusive' || ruling.verdict === 'not-tested')
    return ruling;
  return doubted(ruling, doubt);
}

function about(
  on: readonly Seen[],
  { operation, seenIn }: Partial<Made> = {},
): { operation: OperationId; exchanges: readonly ExchangeId[] } {
  const exchanges = on.map((one) => one.exchange.id);
  if (seenIn !== undefined) exchanges.push(...seenIn);
  return { operation: operation ?? on[0]?.operation.id ?? '', exchanges };
}

function finding(
  [first]: readonly Seen[],
  { actual, advisory, because, expected, idsOnly }: Made,
): Omit<Holds, 'verdict' | 'operation' | 'exchanges'> {
  return {
    expected,
    actual: actual ?? (first === undefined ? '' : summary(first.exchange)),
    because,
    ...(advisory === undefined ? {} : { advisory }),
    ...(idsOnly === true ? { idsOnly } : {}),
  };
}
