import type { CarrierOfGuidance } from '../model/declaration.ts';
import type { HeaderList } from '../model/exchange.ts';
import { isArray, isObject, type Json } from '../model/json.ts';
import { jsonOf } from '../model/response.ts';
import { byForm, durationsIn, type FormFound, innerName, measured, proseOf } from './guidance-form.ts';
import { httpDate } from './http-date.ts';
import { epochOf, timeValue } from './instant.ts';
import { type Member, structuredMembers } from './structured-field.ts';

/** One piece of wait guidance in a 429 (Errors table, 429; its carrier is not shown). */
export type Guidance = {
  /** `Retry-After`, `RateLimit`, `body /error/retryAfterMs`... */
  readonly source: string;
  /** 0 where the value is no number at all. */
  readonly seconds: number;
  readonly kind: 'delta' | 'date' | 'epoch';
  /** Why it cannot be honoured: no number, negative, in the past, an epoch where seconds are due. */
  readonly rejected?: string;
  readonly advisory?: string;
  /** True where neither the harness nor a declaration knows the name: it is taken for guidance by its form. */
  readonly byForm?: true;
  /** True where nothing gives the unit, so that it cannot be honoured. */
  readonly unitless?: true;
};

export type GuidanceFound = {
  readonly found: readonly Guidance[];
  /** What may be guidance or not: a time in prose, a name that may mean something else. */
  readonly doubts: readonly string[];
  /** Seconds: the largest usable one; undefined where none is. */
  readonly wait: number | undefined;
  /** True where usable ones differ by more than a second. */
  readonly disagree: boolean;
  /** True where a usable one is an HTTP-date, which is exact to a second only. */
  readonly dated: boolean;
};

const day = 86_400;
const week = 7 * day;
const longest = 1e10;
const deepest = 60;
/** A reset within the current second may be written as one that has just passed. */
const slack = 2;

/** All wait guidance of a response. `receivedAt` (ms since 1970) is used where it has no Date. Never throws. */
export function guidanceOf(
  answer: { readonly headers: HeaderList; readonly body: string },
  receivedAt: number,
  declared?: CarrierOfGuidance,
): GuidanceFound {
  const values = (name: string): readonly string[] =>
    answer.headers
      .filter(([field]) => field.toLowerCase() === name.toLowerCase())
      .map(([, value]) => value.trim());
  const now = (httpDate(values('Date')[0] ?? '') ?? receivedAt) / 1000;
  const limits = values('RateLimit');
  const body = jsonOf(answer);
  const known = [
    ...values('Retry-After').map((value) => retryAfter('Retry-After', value, now)),
    ...(limits.length === 0 ? [] : rateLimit(limits.join(', '))),
    ...['RateLimit-Reset', 'X-RateLimit-Reset', 'X-Rate-Limit-Reset'].flatMap((name) =>
      values(name).map((value) => reset(name, value, now)),
    ),
    ...bodyGuidance(body, '', 0, now),
    ...(declared === undefined ? [] : declaredGuidance(declared, answer.headers, body, now)),
  ];
  const others = unknownNames(answer, body, now, declared);
  const taken = new Set(known.map(({ source }) => source.replace(/ \(date\)$/, '').toLowerCase()));
  const found = [
    ...known,
    ...others.sure
      .filter(({ source }) => !taken.has(source.toLowerCase()))
      .map(
        ({ source, seconds, kind, unit }): Guidance => ({
          source,
          seconds,
          kind,
          byForm: true,
          ...(unit ? {} : { unitless: true }),
        }),
      ),
  ];
  const usable = found.filter((each) => each.rejected === undefined && each.unitless !== true);
  const seconds = usable.map((each) => each.seconds);
  return {
    found,
    doubts: others.doubts,
    wait: usable.length === 0 ? undefined : Math.max(...seconds),
    disagree: usable.length > 1 && Math.max(...seconds) - Math.min(...seconds) > 1,
    dated: usable.some((each) => each.kind === 'date'),
  };
}

/** Milliseconds to wait to honour it: the wait and max(250 ms, 5%), one second more for an HTTP-date. 0 where there is no usable guidance. */
export function honouredWait({ wait, dated }: Pick<GuidanceFound, 'wait' | 'dated'>): number {
  if (wait === undefined) return 0;
  const milliseconds = wait * 1000;
  return Math.ceil(milliseconds + Math.max(250, milliseconds * 0.05) + (dated ? 1000 : 0));
}

function checked(source: string, seconds: number, kind: Guidance['kind'], advisory?: string): Guidance {
  const base = { source, seconds, kind };
  if (!Number.isFinite(seconds)) return unusable(source, 'is not a finite number', kind);
  if (seconds < 0) return { ...base, rejected: kind === 'delta' ? 'is negative' : 'lies in the past' };
  if (seconds > longest) return unusable(source, 'is more than 300 years', kind);
  const notes = [
    ...(advisory === undefined ? [] : [advisory]),
    ...(seconds > day ? [`${source} is more than 24 hours (${Math.round(seconds)} s)`] : []),
    ...(seconds === 0 ? [`${source} is 0: a request at once must be accepted`] : []),
  ];
  return notes.length === 0 ? base : { ...base, advisory: notes.join('; ') };
}

/** Seconds to wait, where a time since 1970 would be a mistake. */
function checkedDelta(source: string, seconds: number, advisory?: string): Guidance {
  return epochOf(seconds) === undefined
    ? checked(source, seconds, 'delta', advisory)
    : {
        source,
        seconds,
        kind: 'delta',
        rejected: `${seconds} has the shape of a time since 1970, where seconds to wait are due`,
      };
}

function unusable(source: string, rejected: string, kind: Guidance['kind'] = 'delta'): Guidance {
  return { source, seconds: 0, kind, rejected };
}

function shown(value: string): string {
  return `'${value.slice(0, 40)}'`;
}

const whole = /^-?\d+$/;
const decimal = /^-?\d+\.\d+$/;

/** RFC 9110, 10.2.3: whole seconds or an HTTP-date. */
function retryAfter(source: string, value: string, now: number): Guidance {
  if (whole.test(value)) return checkedDelta(source, Number(value));
  if (decimal.test(value))
    return checkedDelta(source, Math.ceil(Number(value)), `${source} is ${value}: it must be whole seconds`);
  const date = httpDate(value);
  if (date !== undefined) return checked(`${source} (date)`, date / 1000 - now, 'date');
  const time = timeValue(value, now);
  return time?.kind === 'date' && time.unit
    ? checked(
        `${source} (date)`,
        time.seconds,
        'date',
        `${source} is ${shown(value)}: it must be an HTTP-date`,
      )
    : unusable(source, `${shown(value)} is neither whole seconds nor an HTTP-date`);
}

/** RateLimit of the drafts: `"default";r=0;t=5`, or `limit=10, remaining=0, reset=5`. */
function rateLimit(value: string): readonly Guidance[] {
  const members = structuredMembers(value);
  if (members === undefined) {
    const time = /(?:^|[;,\s])(?:t|reset)\s*=\s*([^;,\s]+)/i.exec(value)?.[1];
    return time === undefined ? [] : [delta(time)];
  }
  const policies = members.filter((member) => timeOf(member) !== undefined);
  // A policy with requests left has throttled nobody: `"burst";r=0;t=2, "daily";r=900;t=3600`.
  const spent = policies.filter((member) => (member.parameters.get('r') ?? 0) === 0);
  return (spent.length > 0 ? spent : policies).map((member) => delta(String(timeOf(member))));
}

function timeOf({ key, value, parameters }: Member): Member['value'] | undefined {
  return key === 'reset' ? value : (parameters.get('t') ?? parameters.get('reset'));
}

function delta(value: string): Guidance {
  return whole.test(value) || decimal.test(value)
    ? checkedDelta('RateLimit', Math.ceil(Number(value)))
    : unusable('RateLimit', `${shown(value)} is not a number of seconds`);
}

/** Vendors mean a delta, epoch seconds or epoch milliseconds; their sizes show which. */
function reset(source: string, value: string, now: number): Guidance {
  if (!whole.test(value) && !decimal.test(value)) {
    const time = timeValue(value, now);
    return time === undefined
      ? unusable(source, `${shown(value)} is not a number`)
      : checked(source, time.seconds > -slack ? Math.max(0, time.seconds) : time.seconds, time.kind);
  }
  const number = Number(value);
  const epoch = epochOf(number);
  if (epoch !== undefined) {
    const seconds = epoch - now;
    const drafts =
      source === 'RateLimit-Reset'
        ? `${source} is a time since 1970, where the drafts have seconds`
        : undefined;
    return checked(source, seconds > -slack ? Math.max(0, seconds) : seconds, 'epoch', drafts);
  }
  return Number.isFinite(number) && number > week
    ? unusable(source, `${shown(value)} is neither seconds to wait (up to 7 days) nor a time since 1970`)
    : checked(source, Math.ceil(number), 'delta');
}

const secondsNames: ReadonlySet<string> = new Set([
  'retryafter',
  'retryafterseconds',
  'retryafters',
  'retryafterinseconds',
]);
const millisecondsNames: ReadonlySet<string> = new Set([
  'retryafterms',
  'retryaftermilliseconds',
  'retryafterinms',
]);

function bodyGuidance(value: Json | undefined, at: string, depth: number, now: number): readonly Guidance[] {
  if (depth > deepest || value === undefined) return [];
  if (isArray(value))
    return value.flatMap((item, index) => bodyGuidance(item, `${at}/${index}`, depth + 1, now));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]): readonly Guidance[] => {
    const own = memberGuidance(name.toLowerCase().replaceAll(/[_-]/g, ''), member, `body ${at}/${name}`, now);
    return own === undefined ? bodyGuidance(member, `${at}/${name}`, depth + 1, now) : [own];
  });
}

function memberGuidance(folded: string, value: Json, source: string, now: number): Guidance | undefined {
  if (folded === 'retrydelay') {
    const match = typeof value === 'string' ? /^(-?\d+(?:\.\d+)?)(m?s)$/.exec(value) : null;
    if (match === null) return undefined;
    return checkedDelta(source, Number(match[1]) / (match[2] === 'ms' ? 1000 : 1));
  }
  if (!secondsNames.has(folded) && !millisecondsNames.has(folded)) return undefined;
  const number = typeof value === 'number' ? value : numberOf(value);
  if (number === undefined)
    return typeof value === 'string' && httpDate(value) !== undefined
      ? retryAfter(source, value, now)
      : undefined;
  if (secondsNames.has(folded)) return checkedDelta(source, number);
  return epochOf(number) === undefined
    ? checked(source, number / 1000, 'delta')
    : checkedDelta(source, number);
}

function numberOf(value: Json): number | undefined {
  return typeof value === 'string' && (whole.test(value) || decimal.test(value)) ? Number(value) : undefined;
}

const standard = new Set([
  'retry-after',
  'ratelimit',
  'ratelimit-reset',
  'x-ratelimit-reset',
  'x-rate-limit-reset',
]);

/** Guidance under other names: header fields, then members of the body, then what only prose says. */
function unknownNames(
  { headers, body: text }: { readonly headers: HeaderList; readonly body: string },
  body: Json | undefined,
  now: number,
  declared: CarrierOfGuidance | undefined,
): FormFound {
  const own = (name: string): boolean => name.toLowerCase() === declared?.name.toLowerCase();
  const found = [
    ...headers
      .filter(([name]) => !standard.has(name.toLowerCase()) && !own(name))
      .map(([name, value]) => byForm(name, value.trim(), name, now)),
    ...membersByForm(body, '', '', 0, now, own),
  ];
  const sure = found.flatMap((one) => one.sure);
  const prose = body === undefined ? [['', text] as const] : proseOf(body, '', 0);
  return {
    sure,
    doubts: [
      ...found.flatMap((one) => one.doubts),
      ...prose.flatMap(([at, words]) => durationsIn(words, `body${at === '' ? '' : ` ${at}`}`)),
    ],
  };
}

function membersByForm(
  value: Json | undefined,
  outer: string,
  at: string,
  depth: number,
  now: number,
  own: (name: string) => boolean,
): readonly FormFound[] {
  if (depth > deepest || value === undefined) return [];
  if (isArray(value))
    return value.flatMap((item, index) => membersByForm(item, outer, `${at}/${index}`, depth + 1, now, own));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]): readonly FormFound[] => {
    if (own(name)) return [];
    const full = innerName(outer, name);
    const inner = isObject(member) ? measured(member) : member;
    return isObject(inner) || isArray(inner)
      ? membersByForm(inner, full, `${at}/${name}`, depth + 1, now, own)
      : [byForm(full, inner, `body ${at}/${name}`, now)];
  });
}

const declaredUnits = { milliseconds: 0.001, seconds: 1, minutes: 60 } as const;

/** Guidance under the name that the vendor declares, in a header field or at any depth of the body. */
function declaredGuidance(
  { name, unit }: CarrierOfGuidance,
  headers: HeaderList,
  body: Json | undefined,
  now: number,
): readonly Guidance[] {
  const read = (value: Json, source: string): Guidance => {
    const time = typeof value === 'string' || typeof value === 'number' ? timeValue(value, now) : undefined;
    if (time === undefined) return unusable(source, `${shown(JSON.stringify(value))} is not a time`);
    return checked(source, time.unit ? time.seconds : time.seconds * declaredUnits[unit], time.kind);
  };
  if (standard.has(name.toLowerCase())) return [];
  const wanted = name.toLowerCase();
  const members = (value: Json | undefined, at: string, depth: number): readonly Guidance[] => {
    if (depth > deepest || value === undefined) return [];
    if (isArray(value)) return value.flatMap((item, index) => members(item, `${at}/${index}`, depth + 1));
    if (!isObject(value)) return [];
    return Object.entries(value).flatMap(([key, member]) =>
      key.toLowerCase() === wanted
        ? [read(member, `body ${at}/${key}`)]
        : members(member, `${at}/${key}`, depth + 1),
    );
  };
  return [
    ...headers
      .filter(([field]) => field.toLowerCase() === wanted)
      .map(([field, value]) => read(value.trim(), field)),
    ...members(body, '', 0),
  ];
}
