const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Sun, 06 Nov 1994 08:49:37 GMT */
const fixed =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
/** Sunday, 06-Nov-94 08:49:37 GMT */
const rfc850 = /^[A-Z][a-z]{5,8}, (\d{2})-([A-Z][a-z]{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
/** Sun Nov  6 08:49:37 1994 */
const asctime = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/;

/** Milliseconds since 1970 of an HTTP-date in any of its three forms (RFC 9110, 5.6.7), or undefined. */
export function httpDate(text: string): number | undefined {
  const match = fixed.exec(text) ?? rfc850.exec(text);
  if (match !== null) {
    const [, day, month, year, ...time] = match;
    return at(fullYear(year ?? ''), month, day, time);
  }
  const old = asctime.exec(text);
  if (old === null) return undefined;
  const [, month, day, hour, minute, second, year] = old;
  return at(Number(year), month, day, [hour, minute, second]);
}

/** Two digits mean the century that is not more than 50 years ahead; services that still write them live in this one. */
function fullYear(year: string): number {
  if (year.length === 4) return Number(year);
  return Number(year) + (Number(year) < 70 ? 2000 : 1900);
}

function at(
  year: number,
  month: string | undefined,
  day: string | undefined,
  time: readonly (string | undefined)[],
): number | undefined {
  const [hour = 0, minute = 0, second = 0] = time.map(Number);
  const index = months.indexOf(month ?? '');
  if (index < 0) return undefined;
  if (Number(day) < 1 || Number(day) > 31 || hour > 23 || minute > 59 || second > 60) return undefined;
  return Date.UTC(year, index, Number(day), hour, minute, second);
}
