import { isArray, isObject, type Json, type JsonObject } from '../model/json.ts';
import { type TimeValue, timeValue, unitSeconds } from './instant.ts';

/** What is taken for guidance by the form of its name and value. */
export type FormGuidance = {
  readonly source: string;
  readonly seconds: number;
  readonly kind: TimeValue['kind'];
  /** Whether name or value give the unit: only then can it be honoured. */
  readonly unit: boolean;
};

/** Guidance under a name that the harness does not know, and what may be guidance or not, in a few words each. */
export type FormFound = { readonly sure: readonly FormGuidance[]; readonly doubts: readonly string[] };

/** Of the name without its separators. */
const waiting = /retry|(?<!a)wait|(?<!p)reset|backoff|cooldown|(?<!un)available|refill|limit(?:ed)?after/;
const never =
  /(?:limit|remaining|policy|used)$|^(?:date|age|cachecontrol|keepalive|stricttransportsecurity)$/;
/** Words of a name that stand for a number of times or things, or for what has passed. */
const noTime = new Set(
  'count counts attempt attempts tries retries max maximum min allowed retryable token tokens quota requests url uri link ID code status policy strategy version'.split(
    ' ',
  ),
);
/** Words of a name that stand for what has passed. */
const past = new Set('last previous since started'.split(' '));
const timely = new Set(
  'in at after for until till delay duration interval time timeout period on when from again value amount'.split(
    ' ',
  ),
);
/** Names that may mean a wait, with any time, and those that may with a unit alone. */
const perhaps = new Set('delay until till again pause sleep penalty unblock unlock lockout'.split(' '));
const perhapsWithUnit = new Set(
  'next throttle throttled throttling blocked block ban banned hold locked expires expiry expiration ttl after'.split(
    ' ',
  ),
);
/** 300 years. */
const longest = 1e10;
/** An instant within the current second may be written as one that has just passed. */
const slack = 2;

const folded = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Words of `retryAfterMs`, `X-Rate-Limit-Reset` or `wait_seconds`. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The unit that a name ends in: `retryAfterMs`, `wait_seconds`, `retryafterseconds`. */
function unitOf(name: string): number | undefined {
  const words = wordsOf(name).toReversed();
  const spelt = words.find((word) => unitSeconds(word) !== undefined);
  if (spelt !== undefined) return unitSeconds(spelt);
  const end = /(milliseconds|millis|seconds|secs|minutes|mins|hours)$/.exec(folded(name))?.[1];
  return end === undefined ? undefined : unitSeconds(end);
}

/** Reads one header field or member by the form of its name and value. */
export function byForm(name: string, value: Json, source: string, now: number): FormFound {
  const none: FormFound = { sure: [], doubts: [] };
  const plain = folded(name);
  // As a member of a body, `expires` may be the end of a ban.
  const caching = source === name && plain === 'expires';
  if (caching || never.test(plain) || (typeof value !== 'string' && typeof value !== 'number')) return none;
  const time = timeValue(value, now);
  if (time === undefined)
    return waiting.test(plain) && typeof value === 'string'
      ? { sure: [], doubts: durationsIn(value, source) }
      : none;
  const words = wordsOf(name);
  const doubt: FormFound = { sure: [], doubts: [`${source} is ${JSON.stringify(value).slice(0, 60)}`] };
  const named = unitOf(name);
  const over = words.some((word) => past.has(word));
  if (time.seconds < -slack)
    return waiting.test(plain) && !over && !words.some((word) => noTime.has(word)) ? doubt : none;
  if (waiting.test(plain)) {
    if (time.seconds > longest) return doubt;
    if (over) return doubt;
    if (!time.unit && words.some((word) => noTime.has(word))) return none;
    const hasUnit = time.unit || named !== undefined;
    // `available: 0` may as well be what is left.
    if (!hasUnit && /^(?:.*(?:available|refill))$/.test(plain) && !words.some((word) => timely.has(word)))
      return doubt;
    const seconds = time.unit ? time.seconds : time.seconds * (named ?? 1);
    return { sure: [{ source, seconds: Math.max(0, seconds), kind: time.kind, unit: hasUnit }], doubts: [] };
  }
  if (words.some((word) => perhaps.has(word)) || /expires?in$/.test(plain)) return doubt;
  return words.some((word) => perhapsWithUnit.has(word)) && (time.unit || named !== undefined) ? doubt : none;
}

/** The name under which the members of an object are read: `retry: {after: 5}` is `retry after`. */
export function innerName(outer: string, name: string): string {
  const words = wordsOf(name);
  return waiting.test(folded(outer)) &&
    words.every((word) => timely.has(word) || unitSeconds(word) !== undefined)
    ? `${outer} ${name}`
    : name;
}

/** `{value: 30, unit: "seconds"}` as the text `30 seconds`; any other object as it is. */
export function measured(value: JsonObject): Json {
  const amount = value['value'] ?? value['amount'];
  const { unit } = value;
  return typeof amount === 'number' && typeof unit === 'string' && unitSeconds(unit) !== undefined
    ? `${amount} ${unit}`
    : value;
}

const units =
  'ms|msecs?|millis(?:econds?)?|s|secs?|seconds?|sek(?:unden?)?|secondes?|segundos?|secondi|sekund(?:er|y)?|saniye|сек\\p{L}*|m|mins?|minut\\p{L}*|dakika|мин\\p{L}*|h|hrs?|hours?|stunden?|heures?|horas?|час\\p{L}*|days?';
const spoken = new RegExp(
  String.raw`(?<![\p{L}\p{N}.])(?:\d+(?:[.,]\d+)?\s*|(?:an?|one|ein(?:e|er)?|une?)\s+)(?:${units})(?![\p{L}\p{N}])|\d+\s*(?:秒|分|小时|時間|초|분)`,
  'giu',
);
const instants =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d|(?<![\d:])\d{1,2}:\d\d(?![\d:])/g;
const epochs = /(?<=\b(?:until|till|at|after)\s{1,3})1\d{9}(?:\d{3})?(?!\d)/g;
/** "100 requests per 60 seconds" is a limit. */
const rate = /(?:\bper|\bevery|\beach|\bpro|\bpar|\bpor|\bje|\/|每)\s*$/iu;

/** Times to wait that prose speaks of; a rate is none. */
export function durationsIn(text: string, source: string): readonly string[] {
  const short = text.slice(0, 2000);
  const found = [...short.matchAll(spoken)].find(
    (match) => !rate.test(short.slice(Math.max(0, match.index - 12), match.index)),
  );
  const match =
    found ??
    [...short.matchAll(instants), ...short.matchAll(epochs)].find(
      (one) => one[0].length < short.trim().length - 8,
    );
  if (match === undefined) return [];
  const start = Math.max(0, match.index - 40);
  const words = short
    .slice(start, match.index + match[0].length + 20)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return [`${source} says ${JSON.stringify(words)}`];
}

/** Every text of a body, with its place, that may speak of a wait. */
export function proseOf(value: Json, at: string, depth: number): readonly (readonly [string, string])[] {
  if (depth > 20) return [];
  if (typeof value === 'string') return /\s|\p{Script=Han}/u.test(value) ? [[at, value]] : [];
  if (isArray(value))
    return value.slice(0, 50).flatMap((item, index) => proseOf(item, `${at}/${index}`, depth + 1));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    never.test(folded(name)) ? [] : proseOf(member, `${at}/${name}`, depth + 1),
  );
}
