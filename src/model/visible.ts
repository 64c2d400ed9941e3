/**
 * Controls of a terminal (C0 without the end of line, DEL, C1), of the direction of writing, and ends of line and marks
 * that no one sees.
 */
const unseen =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Text of any origin as it may be shown: what could change a terminal, or hide what is written, is spelled out. */
export function visible(text: string): string {
  return text.replaceAll(unseen, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (character === '\t') return ' ';
    if (character === '\r') return '\\r';
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

/** {@link visible} text on one line. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll('\n', '\\n'));
}

/** A value with all its texts visible, on one line but for those of the named members: commands keep their lines. */
export function visibleValue<T>(value: T, lines: ReadonlySet<string>): T {
  const shown = (given: unknown, name: string): unknown => {
    if (typeof given === 'string') return lines.has(name) ? visible(given) : visibleLine(given);
    if (Array.isArray(given)) return given.map((one) => shown(one, name));
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([key, one]) => [visibleLine(key), shown(one, key)]));
  };
  return shown(value, '') as T;
}
