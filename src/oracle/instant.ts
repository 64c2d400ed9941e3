import { httpDate } from './http-date.ts';

export type TimeValue = {
  /** To wait, or until the instant; negative where it has passed. */
  readonly seconds: number;
  readonly kind: 'delta' | 'date' | 'epoch';
  /** False for a bare number: seconds, milliseconds or minutes. */
  readonly unit: boolean;
};

/** Seconds since 1970 where a number has the size of such, in seconds or in milliseconds. */
export function epochOf(number: number): number | undefined {
  if (number >= 1e9 && number < 1e10) return number;
  return number >= 1e12 && number < 1e13 ? number / 1000 : undefined;
}

const numeric = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/;
const unitPart = /(\d+(?:[.,]\d+)?)\s*([a-zµ]+)\.?(?:\s*(?:,|and)?\s*)/giy;
const iso = /^P(?=.)(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;
const clock = /^(\d{1,3}):([0-5]\d):([0-5]\d(?:\.\d+)?)$/;
const rfc3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d|60)(\.\d+)?)?\s?(?:([Zz]|UTC)|([+-])(\d\d):?(\d\d)(?: [A-Z]{3,4})?)?$/;
/** `Sun, 06 Nov 1994 08:49:37 -0000` of mail, `Sun Nov 06 1994 08:49:37 GMT+0100 (CET)` of JavaScript. */
const mail =
  /^[A-Z][a-z]{2}, (\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) (?:UTC?|Z|([+-])(\d\d)(\d\d))$/;
const script =
  /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d\d) (\d{4}) (\d\d:\d\d:\d\d) GMT([+-])(\d\d)(\d\d)(?: \([^()]{1,60}\))?$/;

const inSeconds: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|msecs?|millis|milliseconds?)$/, 0.001],
  [/^(?:s|secs?|seconds?)$/, 1],
  [/^(?:m|mins?|minutes?)$/, 60],
  [/^(?:h|hrs?|hours?)$/, 3600],
  [/^(?:d|days?)$/, 86_400],
];

/** Seconds in a unit of time, as it is abbreviated or spelt. */
export function unitSeconds(word: string): number | undefined {
  return inSeconds.find(([form]) => form.test(word.toLowerCase()))?.[1];
}

/** Milliseconds since 1970 of an RFC 3339 date-time; `zoned` is false where it leaves the zone open. */
export function dateTime(text: string): { readonly at: number; readonly zoned: boolean } | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part = '0') => Number(part));
  const at = Date.UTC(year, month - 1, day, hour, minute, second) + Math.round(Number(match[7] ?? 0) * 1000);
  if (month < 1 || month > 12 || new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day)
    return undefined;
  return {
    at: at - offsetOf(match[9], match[10], match[11]),
    zoned: (match[8] ?? match[9]) !== undefined,
  };
}

/** Milliseconds by which a zone is ahead of UTC. */
function offsetOf(sign: string | undefined, hours = '0', minutes = '0'): number {
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? -offset : offset;
}

/** Milliseconds since 1970 of a date that is written as in HTTP but for its zone, or as JavaScript prints it. */
function spokenDate(text: string): number | undefined {
  const sent = mail.exec(text);
  const [, day, month, year, time, ...zone] = sent ?? [];
  const printed = sent === null ? script.exec(text) : null;
  const [, otherMonth, otherDay, otherYear, otherTime, ...otherZone] = printed ?? [];
  const date = `Mon, ${(day ?? otherDay ?? '').padStart(2, '0')} ${month ?? otherMonth} ${year ?? otherYear} ${time ?? otherTime} GMT`;
  const at = httpDate(date);
  const [sign, hours, minutes] = sent === null ? otherZone : zone;
  return at === undefined ? undefined : at - offsetOf(sign, hours, minutes);
}

/** Reads a duration (`30s`, `PT30S`, `00:00:30`) or an instant (a time since 1970, an HTTP-date, RFC 3339). */
export function timeValue(value: string | number, now: number): TimeValue | undefined {
  const text = String(value).trim();
  if (typeof value === 'number' || numeric.test(text)) {
    const number = Number(text);
    if (!Number.isFinite(number)) return undefined;
    const epoch = epochOf(number);
    return epoch === undefined
      ? { seconds: number, kind: 'delta', unit: false }
      : { seconds: epoch - now, kind: 'epoch', unit: true };
  }
  if (text.length > 80) return undefined;
  const duration = durationOf(text);
  if (duration !== undefined) return { seconds: duration, kind: 'delta', unit: true };
  const date = httpDate(text) ?? spokenDate(text);
  if (date !== undefined) return { seconds: date / 1000 - now, kind: 'date', unit: true };
  const moment = dateTime(text);
  return moment === undefined
    ? undefined
    : { seconds: moment.at / 1000 - now, kind: 'date', unit: moment.zoned };
}

function durationOf(text: string): number | undefined {
  const standard = iso.exec(text);
  if (standard !== null) return weighed(standard.slice(1), [86_400, 3600, 60, 1]);
  const span = clock.exec(text);
  if (span !== null) return weighed(span.slice(1), [3600, 60, 1]);
  let total = 0;
  let end = 0;
  unitPart.lastIndex = 0;
  for (let part = unitPart.exec(text); part !== null; part = unitPart.exec(text)) {
    const unit = unitSeconds(part[2] ?? '');
    if (unit === undefined) return undefined;
    total += Number((part[1] ?? '').replace(',', '.')) * unit;
    end = unitPart.lastIndex;
  }
  return end === text.length && end > 0 ? total : undefined;
}

function weighed(parts: readonly (string | undefined)[], weights: readonly number[]): number {
  return parts.reduce((sum, part, index) => sum + Number(part ?? 0) * (weights[index] ?? 0), 0);
}
