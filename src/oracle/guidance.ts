import type { HeaderList } from '../model/exchange.ts';
import { isObject, type Json, parseJson } from '../model/json.ts';

/** One piece of wait guidance in a 429 (Errors table, 429; its carrier is not shown). */
export type Guidance = {
  readonly source: string;
  readonly seconds: number;
  readonly kind: 'delta' | 'date' | 'epoch';
  /** Why it cannot be honoured: not a number, negative, in the past, over 24 h. */
  readonly rejected?: string;
  readonly advisory?: string;
};

export type GuidanceFound = {
  readonly found: readonly Guidance[];
  readonly wait: number | undefined;
  readonly disagree: boolean;
  readonly dated: boolean;
};

const day = 86_400;

/** All wait guidance of an answer. `receivedAt` (ms since 1970) stands in where the answer has no Date. `wait` is the largest usable one, in seconds. */
export function guidanceOf(
  answer: { readonly headers: HeaderList; readonly body: string },
  receivedAt: number,
): GuidanceFound {
  const values = (name: string): readonly string[] =>
    answer.headers.filter(([field]) => field.toLowerCase() === name).map(([, value]) => value.trim());
  const own = Date.parse(values('date')[0] ?? '');
  const now = (Number.isFinite(own) ? own : receivedAt) / 1000;
  const found = [
    ...values('retry-after').map((value) => retryAfter(value, now)),
    ...values('ratelimit').flatMap(rateLimit),
    ...values('ratelimit-reset').map((value) => delta('RateLimit-Reset', value)),
    ...['x-ratelimit-reset', 'x-rate-limit-reset'].flatMap((name) =>
      values(name).map((value) =>
        reset(name === 'x-ratelimit-reset' ? 'X-RateLimit-Reset' : 'X-Rate-Limit-Reset', value, now),
      ),
    ),
    ...bodyGuidance(parseJson(answer.body), '', 0),
  ];
  const usable = found.filter((each) => each.rejected === undefined);
  const seconds = usable.map((each) => each.seconds);
  return {
    found,
    wait: usable.length === 0 ? undefined : Math.max(...seconds),
    disagree: usable.length > 1 && Math.max(...seconds) - Math.min(...seconds) > 1,
    dated: usable.some((each) => each.kind === 'date'),
  };
}

/** Milliseconds to wait to honour it: the wait and max(250 ms, 5 %), one second more for an HTTP-date. 0 where there is no usable guidance. */
export function honouredWait({ wait, dated }: Pick<GuidanceFound, 'wait' | 'dated'>): number {
  if (wait === undefined) return 0;
  const milliseconds = wait * 1000;
  return Math.ceil(milliseconds + Math.max(250, milliseconds * 0.05) + (dated ? 1000 : 0));
}

function checked(source: string, seconds: number, kind: Guidance['kind'], advisory?: string): Guidance {
  const base = { source, seconds, kind };
  if (!Number.isFinite(seconds)) return { ...base, seconds: 0, rejected: 'is not a finite number' };
  if (seconds < 0) return { ...base, rejected: kind === 'delta' ? 'is negative' : 'lies in the past' };
  if (seconds > day) return { ...base, rejected: `is more than 24 hours (${Math.round(seconds)} s)` };
  return advisory === undefined ? base : { ...base, advisory };
}

const digits = /^\d+$/;
const decimal = /^\d+\.\d+$/;

/** RFC 9110, 10.2.3: whole seconds or an HTTP-date. */
function retryAfter(value: string, now: number): Guidance {
  if (digits.test(value)) return checked('Retry-After', Number(value), 'delta');
  if (decimal.test(value))
    return checked(
      'Retry-After',
      Math.ceil(Number(value)),
      'delta',
      `Retry-After is ${value}: it must be whole seconds`,
    );
  if (/^[A-Z][a-z]{2,8},? /.test(value)) {
    const date = Date.parse(value) / 1000;
    if (Number.isFinite(date)) return checked('Retry-After (date)', date - now, 'date');
  }
  const seconds = Number(value);
  return value !== '' && Number.isFinite(seconds)
    ? checked('Retry-After', seconds, 'delta')
    : {
        source: 'Retry-After',
        seconds: 0,
        kind: 'delta',
        rejected: `'${value.slice(0, 40)}' is neither whole seconds nor an HTTP-date`,
      };
}

/** RateLimit of the drafts: `"default";r=0;t=5`, or `limit=10, remaining=0, reset=5`. */
function rateLimit(value: string): readonly Guidance[] {
  const times = [...value.matchAll(/(?:^|[;,\s])(?:t|reset)\s*=\s*([^;,\s]+)/gi)].map(
    (match) => match[1] ?? '',
  );
  return times.map((time) => delta('RateLimit', time));
}

function delta(source: string, value: string): Guidance {
  return digits.test(value) || decimal.test(value) || /^-\d+/.test(value)
    ? checked(source, Math.ceil(Number(value)), 'delta')
    : { source, seconds: 0, kind: 'delta', rejected: `'${value.slice(0, 40)}' is no number` };
}

/** Vendors mean a delta, epoch seconds or epoch milliseconds; their sizes tell which. */
function reset(source: string, value: string, now: number): Guidance {
  const number = Number(value);
  if (value === '' || !Number.isFinite(number))
    return { source, seconds: 0, kind: 'delta', rejected: `'${value.slice(0, 40)}' is no number` };
  if (number >= 1e12 && number < 1e13) return checked(source, Math.max(0, number / 1000 - now), 'epoch');
  // A reset within the current second is written as one that has just passed.
  if (number >= 1e9 && number < 1e10)
    return checked(source, number - now > -2 ? Math.max(0, number - now) : number - now, 'epoch');
  return checked(source, Math.ceil(number), 'delta');
}

const secondsNames = new Set(['retryafter', 'retryafterseconds', 'retryafters', 'retryafterinseconds']);
const millisecondsNames = new Set(['retryafterms', 'retryaftermilliseconds', 'retryafterinms']);

function bodyGuidance(value: Json | undefined, at: string, depth: number): readonly Guidance[] {
  if (depth > 8 || typeof value !== 'object' || value === null) return [];
  if (!isObject(value))
    return value.flatMap((item, index) => bodyGuidance(item, `${at}/${index}`, depth + 1));
  return Object.entries(value).flatMap(([name, member]): readonly Guidance[] => {
    const folded = name.toLowerCase().replaceAll(/[_-]/g, '');
    const source = `body ${at}/${name}`;
    if (folded === 'retrydelay' && typeof member === 'string') {
      const match = /^(-?\d+(?:\.\d+)?)s$/.exec(member);
      return match === null ? [] : [checked(source, Number(match[1]), 'delta')];
    }
    const number =
      typeof member === 'number'
        ? member
        : typeof member === 'string' && /^-?\d+(?:\.\d+)?$/.test(member)
          ? Number(member)
          : undefined;
    if (number !== undefined && secondsNames.has(folded)) return [checked(source, number, 'delta')];
    if (number !== undefined && millisecondsNames.has(folded))
      return [checked(source, number / 1000, 'delta')];
    return bodyGuidance(member, `${at}/${name}`, depth + 1);
  });
}
