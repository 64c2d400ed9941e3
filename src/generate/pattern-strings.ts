import fc from 'fast-check';
import { matcherOf } from './matching.ts';
import { type Pattern, parsePattern } from './pattern-syntax.ts';
import type { TextBounds } from './text.ts';

export type PatternStrings = { readonly arbitrary: fc.Arbitrary<string>; readonly smallest: string };

/** Repetitions beyond the least, where neither pattern nor bounds limit them. */
const EXTRA = 12;
/** How often a text is made again until it matches. */
const ATTEMPTS = 24;
const saysSomething = /[\p{L}\p{N}]/u;
/** How many decisions are searched for a first match. */
const SEARCHED = 400;

/** Text with a match of the pattern, within bounds in code points, that `accepts`; undefined where none was found. */
export function patternStrings(
  source: string,
  bounds: TextBounds = { min: 0, max: Infinity },
  accepts: (text: string) => boolean = () => true,
): PatternStrings | undefined {
  const pattern = parsePattern(source);
  if (pattern === undefined) return undefined;
  const matches = matcherOf(source);
  const ahead = lookaheads(pattern);
  const shortest = shortestOf();
  const good = (text: string): boolean => {
    const length = [...text].length;
    return length >= bounds.min && length <= bounds.max && matches(text) && accepts(text);
  };
  const write = (decisions: readonly number[]): string | undefined => {
    const drawn = drawer(decisions);
    for (let attempt = 0; attempt < (decisions.length === 0 ? 2 : ATTEMPTS); attempt++) {
      const draw = drawn(attempt);
      const text = writeOnce(pattern, bounds, draw, attempt, shortest);
      const planted =
        attempt > 2 ? ahead.reduce((host, item) => plant(host, item, draw, shortest), text) : text;
      if (good(planted)) return planted;
    }
    return undefined;
  };
  const smallest = searched(write);
  if (smallest === undefined) return undefined;
  const decisions = fc.array(fc.nat({ max: 0xff }), { maxLength: 48, size: 'max' });
  return { arbitrary: decisions.map((list) => write(list) ?? smallest), smallest };
}

/** One text that matches a pattern; undefined where none was found. */
export function sampleOfPattern(source: string): string | undefined {
  return patternStrings(source)?.smallest;
}

/** Gives a number below a bound, in turn. */
type Draw = (below: number) => number;

/**
 * The shortest text of no decisions and of a fixed row of pseudo-random ones; one with a letter or digit comes first. Where a
 * pattern makes all of a number optional, services still refuse an empty one, and a sign alone.
 */
function searched(write: (decisions: readonly number[]) => string | undefined): string | undefined {
  const first = write([]);
  if (first !== undefined && saysSomething.test(first)) return first;
  let best = first;
  for (let seed = 1; seed < SEARCHED; seed++) {
    const text = write(Array.from({ length: 24 }, (_, position) => scrambled(seed * 31 + position)));
    if (text === undefined) continue;
    if (best === undefined || worth(text) < worth(best)) best = text;
    if (best !== first && seed > 40) break;
  }
  return best;
}

function worth(text: string): number {
  return text.length + (saysSomething.test(text) ? 0 : 1_000) + (text.trim() === '' ? 1_000_000 : 0);
}

/** Decisions first; then the least in the first attempt, and pseudo-random ones that follow from them later. */
function drawer(decisions: readonly number[]): (attempt: number) => Draw {
  let position = 0;
  const start = decisions.reduce((sum, decision) => (sum * 31 + decision) % 0x7fffffff, 7);
  return (attempt) => (below) => {
    const own = decisions[position++];
    if (below <= 1) return 0;
    if (own !== undefined) return own % below;
    return attempt === 0 || decisions.length === 0 ? 0 : scrambled(start + position) % below;
  };
}

/** A fixed scrambling of the integers (Murmur3's finaliser). */
function scrambled(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function writeOnce(
  pattern: Pattern,
  bounds: TextBounds,
  draw: Draw,
  attempt: number,
  shortest: Shortest,
): string {
  const least = shortest(pattern);
  const room = Math.max(0, Math.min(bounds.max, Math.max(bounds.min, least) + 2 * EXTRA) - least);
  const wanted = Math.max(0, bounds.min - least);
  // Odd attempts fill what they can; even ones draw how much.
  const state: Writing = {
    shortest,
    draw,
    room,
    wanted,
    greedy: attempt % 2 === 1,
    groups: new Map(),
    parts: [],
  };
  const { start, end } = anchored(pattern);
  writeItem(pattern, state);
  let text = state.parts.join('');
  if (state.wanted > 0 && !end) text += padding(state.wanted, draw);
  else if (state.wanted > 0 && !start) text = padding(state.wanted, draw) + text;
  // Text around a match is as good as the match.
  if (!end && state.room > 0 && draw(3) === 2) text += padding(1 + draw(Math.min(3, state.room)), draw);
  return text;
}

type Shortest = (pattern: Pattern) => number;

type Writing = {
  readonly shortest: Shortest;
  readonly draw: Draw;
  /** Characters that may still be added to the least. */
  room: number;
  /** Characters that must still be added to the least. */
  wanted: number;
  readonly greedy: boolean;
  readonly groups: Map<string, string>;
  readonly parts: string[];
};

function spend(state: Writing, characters: number): void {
  state.room -= characters;
  state.wanted -= characters;
}

function writeItem(pattern: Pattern, state: Writing): void {
  switch (pattern.kind) {
    case 'character':
      state.parts.push(pattern.from[state.draw(pattern.from.length)] ?? '');
      return;
    case 'sequence':
      for (const item of pattern.items) writeItem(item, state);
      return;
    case 'choice': {
      const least = state.shortest(pattern);
      const fitting = pattern.options.filter((option) => state.shortest(option) - least <= state.room);
      const chosen = fitting[state.draw(fitting.length)];
      if (chosen === undefined) return;
      spend(state, state.shortest(chosen) - least);
      writeItem(chosen, state);
      return;
    }
    case 'repeat': {
      const each = Math.max(1, state.shortest(pattern.item));
      const most = Math.max(0, Math.min(pattern.max - pattern.min, Math.floor(state.room / each)));
      const needed = Math.max(0, Math.min(most, Math.ceil(state.wanted / each)));
      const usual = Math.min(most, Math.max(needed, EXTRA));
      const extra = state.greedy ? Math.max(needed, state.draw(usual + 1)) : state.draw(usual + 1);
      spend(state, extra * each);
      for (let count = 0; count < pattern.min + extra; count++) writeItem(pattern.item, state);
      return;
    }
    case 'group': {
      const from = state.parts.length;
      writeItem(pattern.item, state);
      const text = state.parts.slice(from).join('');
      for (const name of pattern.names) state.groups.set(name, text);
      return;
    }
    case 'backreference':
      state.parts.push(state.groups.get(pattern.to) ?? '');
      return;
    case 'assertion':
      // A boundary between two letters needs something between them.
      return;
  }
}

/** The fewest characters that a pattern takes, each part asked only once. */
function shortestOf(): (pattern: Pattern) => number {
  const known = new Map<Pattern, number>();
  const shortest = (pattern: Pattern): number => {
    const before = known.get(pattern);
    if (before !== undefined) return before;
    const length = measure(pattern);
    known.set(pattern, length);
    return length;
  };
  const measure = (pattern: Pattern): number => {
    switch (pattern.kind) {
      case 'character':
        return 1;
      case 'sequence':
        return pattern.items.reduce((sum, item) => sum + shortest(item), 0);
      case 'choice':
        return Math.min(...pattern.options.map(shortest));
      case 'repeat':
        return pattern.min * shortest(pattern.item);
      case 'group':
        return shortest(pattern.item);
      default:
        return 0;
    }
  };
  return shortest;
}

/** Whether text may be put before or after what the pattern says, by its outermost anchors. */
function anchored(pattern: Pattern): { readonly start: boolean; readonly end: boolean } {
  if (pattern.kind === 'group') return anchored(pattern.item);
  if (pattern.kind === 'choice') {
    const options = pattern.options.map(anchored);
    return { start: options.some((option) => option.start), end: options.some((option) => option.end) };
  }
  if (pattern.kind !== 'sequence')
    return { start: isAnchor(pattern, 'start'), end: isAnchor(pattern, 'end') };
  return { start: isAnchor(pattern.items[0], 'start'), end: isAnchor(pattern.items.at(-1), 'end') };
}

function isAnchor(pattern: Pattern | undefined, is: 'start' | 'end'): boolean {
  return pattern?.kind === 'assertion' && pattern.is === is;
}

function padding(length: number, draw: Draw): string {
  return Array.from({ length }, () => 'abcdefghijklmnopqrstuvwxyz0123456789'[draw(36)] ?? 'a').join('');
}

/** What positive lookaheads ask for, wherever they stand. */
function lookaheads(pattern: Pattern): readonly Pattern[] {
  switch (pattern.kind) {
    case 'assertion':
      return pattern.is === 'ahead' && pattern.item !== undefined ? [pattern.item] : [];
    case 'sequence':
      return pattern.items.flatMap(lookaheads);
    case 'choice':
      return pattern.options.flatMap(lookaheads);
    case 'repeat':
    case 'group':
      return lookaheads(pattern.item);
    default:
      return [];
  }
}

/** Overwrites some of the text with what a lookahead asks for. */
function plant(host: string, item: Pattern, draw: Draw, shortest: Shortest): string {
  const state: Writing = { shortest, draw, room: 0, wanted: 0, greedy: false, groups: new Map(), parts: [] };
  writeItem(item, state);
  const piece = [...state.parts.join('')];
  const text = [...host];
  const at = draw(Math.max(1, text.length - piece.length + 1));
  text.splice(at, piece.length, ...piece);
  return text.join('');
}
