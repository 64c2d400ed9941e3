import { headerOf } from '../../model/exchange.ts';
import type { Excerpt } from '../report.ts';
import { duration } from './words.ts';

/** A history laid out on a page: who speaks when, from the top down, with the time between. */
export type Layout = {
  readonly height: number;
  readonly callers: readonly { readonly name: string; readonly x: number }[];
  readonly messages: readonly Message[];
  readonly busy: readonly { readonly x: number; readonly from: number; readonly to: number }[];
  /** Waits that are not drawn to scale. */
  readonly pauses: readonly { readonly y: number; readonly text: string }[];
};

export type Message = {
  readonly index: number;
  readonly kind: 'request' | 'answer' | 'no response';
  readonly y: number;
  readonly x: number;
  readonly at: number;
};

export type Drawing = {
  readonly width: number;
  readonly left: number;
  readonly service: number;
  readonly top: number;
  /** Most room between two callers, and for all of them. */
  readonly lane: number;
  readonly lanes: number;
  /** Most characters of what is said. */
  readonly said: number;
  /** Times are said with each message, where there is no room next to the callers. */
  readonly slim: boolean;
};

export const broad: Drawing = {
  width: 864,
  left: 90,
  service: 800,
  top: 34,
  lane: 130,
  lanes: 330,
  said: 44,
  slim: false,
};

/** For pages about as wide as a telephone. */
export const slim: Drawing = {
  width: 340,
  left: 38,
  service: 308,
  top: 34,
  lane: 50,
  lanes: 90,
  said: 18,
  slim: true,
};

const step = 34;
const pauseFrom = 250;
const pauseHeight = 26;
const busyWidth = 8;

/** Steps grow with the logarithm of the time, from microseconds to minutes; above a quarter of a second is a pause. */
export function layOut(exchanges: readonly Excerpt[], drawing: Drawing = broad): Layout {
  const names = [...new Set(exchanges.map(({ principal }) => principal))];
  const spacing = Math.min(drawing.lane, drawing.lanes / Math.max(1, names.length - 1));
  const callers = names.map((name, index) => ({ name, x: drawing.left + index * spacing }));
  const zero = Math.min(...exchanges.map(({ startedAt }) => startedAt));
  const moments = exchanges
    .flatMap((exchange, index) => {
      const x = callers.find(({ name }) => name === exchange.principal)?.x ?? drawing.left;
      const end: Message['kind'] = exchange.status === undefined ? 'no response' : 'answer';
      return [
        { index, x, kind: 'request' as const, at: exchange.startedAt - zero },
        { index, x, kind: end, at: exchange.endedAt - zero },
      ];
    })
    .sort((one, other) => one.at - other.at || one.index - other.index || rank(one.kind) - rank(other.kind));
  const messages: Message[] = [];
  const pauses: { readonly y: number; readonly text: string }[] = [];
  let y: number = drawing.top;
  let before: number | undefined;
  for (const moment of moments) {
    const passed = before === undefined ? 0 : moment.at - before;
    if (passed >= pauseFrom) {
      pauses.push({ y: y + step / 2 + pauseHeight / 2, text: `${duration(passed)} later` });
      y += pauseHeight;
    }
    y += step + Math.min(14, 5 * Math.log10(1 + passed));
    messages.push({ ...moment, y: Math.round(y) });
    before = moment.at;
  }
  return { height: Math.round(y + 24), callers, messages, busy: busyOf(messages, drawing.service), pauses };
}

function rank(kind: Message['kind']): number {
  return kind === 'request' ? 0 : 1;
}

/** While the service works on a request; those at the same time are side by side. */
function busyOf(messages: readonly Message[], service: number): Layout['busy'] {
  const columns: (number | undefined)[] = [];
  const open = new Map<number, { readonly column: number; readonly from: number }>();
  const found: { readonly x: number; readonly from: number; readonly to: number }[] = [];
  for (const { index, kind, y } of messages)
    if (kind === 'request') {
      const free = columns.indexOf(undefined);
      const column = free === -1 ? columns.length : free;
      columns[column] = index;
      open.set(index, { column, from: y });
    } else {
      const bar = open.get(index);
      if (bar === undefined) continue;
      columns[bar.column] = undefined;
      found.push({ x: service + bar.column * busyWidth, from: bar.from, to: y });
    }
  return found;
}

/** Letters for the idempotency keys of a history, in order of appearance. */
export function keyLetters(exchanges: readonly Excerpt[]): ReadonlyMap<string, string> {
  const letters = new Map<string, string>();
  for (const exchange of exchanges) {
    const key = keyOf(exchange);
    if (key !== undefined && !letters.has(key)) letters.set(key, letterAt(letters.size));
  }
  return letters;
}

export function keyOf(exchange: Excerpt): string | undefined {
  return headerOf(exchange.requestHeaders, 'idempotency-key');
}

function letterAt(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : `K${index + 1}`;
}
