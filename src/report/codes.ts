import type { ClauseCode } from '../model/clause.ts';

/** So many codes are named one by one. */
const mostNamed = 6;

/** Codes for one line: `RID-1, RID-3`, and where there are many `RID 1-3, 5; AUT 1-11`. */
export function codesInShort(codes: readonly ClauseCode[]): string {
  if (codes.length <= mostNamed) return codes.join(', ');
  const classes = new Map<string, number[]>();
  for (const code of codes) {
    const [name = '', number = ''] = code.split('-');
    classes.set(name, [...(classes.get(name) ?? []), Number(number)]);
  }
  return [...classes].map(([name, numbers]) => `${name} ${spans(numbers)}`).join('; ');
}

/** `1-3, 5` */
function spans(numbers: readonly number[]): string {
  const found: { from: number; to: number }[] = [];
  for (const number of [...new Set(numbers)].sort((one, other) => one - other)) {
    const last = found[found.length - 1];
    if (last !== undefined && number === last.to + 1) last.to = number;
    else found.push({ from: number, to: number });
  }
  return found.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
}
