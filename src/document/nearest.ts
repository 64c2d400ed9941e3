import { type InputError, trouble } from '../model/input-error.ts';

/** Number of insertions, deletions, substitutions and swaps of neighbours that turn one text into the other. */
export function distance(a: string, b: string): number {
  let older: readonly number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const row = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const substituted = (previous[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      const swapped =
        i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j] ? (older[j - 1] ?? 0) + 1 : substituted;
      row.push(Math.min(substituted, swapped, (previous[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1));
    }
    older = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** The candidate that was probably meant, letter case aside; undefined where none comes near (a third of the longer name). */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: { readonly candidate: string; readonly at: number } | undefined;
  for (const candidate of candidates) {
    const at = distance(name.toLowerCase(), candidate.toLowerCase());
    const limit = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    if (at <= limit && (best === undefined || at < best.at)) best = { candidate, at };
  }
  return best?.candidate;
}

/** A remedy for an unknown name: what was probably meant, or all that there is. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  const known = [...candidates];
  const meant = nearest(name, known);
  if (meant !== undefined) return `did you mean '${meant}'?`;
  if (known.length === 0) return 'there are none';
  const shown = known.slice(0, 12).join(', ');
  return `known are: ${shown}${known.length > 12 ? ', ...' : ''}`;
}

/** The error that a flag names what does not exist: `there is no clause 'IDM-99'`. */
export function unknownName(flag: string, kind: string, name: string, known: Iterable<string>): InputError {
  return trouble(flag, `there is no ${kind} '${name}'`, suggestion(name, known));
}
