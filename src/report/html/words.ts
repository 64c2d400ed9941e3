import type { Role } from '../../model/scenario.ts';

const grouped = new Intl.NumberFormat('en');

/** `12,345` */
export function number(value: number): string {
  return grouped.format(value);
}

/** `1 request`, `12 requests` */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** A share as whole percents; what is not nothing is never 0%, and what is not all never 100%. */
export function percent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0%';
  if (part === whole) return '100%';
  return `${Math.min(99, Math.max(1, Math.round((100 * part) / whole)))}%`;
}

/** Milliseconds as people say them: `0.4 ms`, `12 ms`, `3.25 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 10) return `${trimmed(milliseconds, 1)} ms`;
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${trimmed(milliseconds / 1000, milliseconds < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 3600) return together(seconds, 'min', 's');
  return together(Math.round(seconds / 60), 'h', 'min');
}

function together(value: number, large: string, small: string): string {
  const rest = value % 60;
  return `${Math.floor(value / 60)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}

/** An ISO 8601 time of ours as `2026-01-31 10:00:00 UTC`; any other text as it is. */
export function moment(iso: string): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(iso);
  return match === null ? iso : `${match[1]} ${match[2]} UTC`;
}

export function roleWord(role: Role): string {
  return role === 'test' ? 'test request' : role;
}

/** An ID for a place in the page: another text has another ID. */
export function anchor(kind: string, text: string): string {
  const plain = text.replaceAll(
    /[^A-Za-z0-9-]/gu,
    (letter) => `_${(letter.codePointAt(0) ?? 0).toString(16)}_`,
  );
  return `${kind}-${plain}`;
}

export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** Text in which nothing hides: controls, and what turns the direction or has no width, stand as their escapes. */
export function visible(text: string): string {
  return text.replaceAll(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\r(?!\n)|\p{Surrogate}/gu,
    (letter) => `\\u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
