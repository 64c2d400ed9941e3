import { violatedNow } from './compare.ts';
import type { Paint } from './paint.ts';
import type { CellChange, Comparison } from './report.ts';

/** What changed since an earlier run, by name: new violations first, then what was fixed and what is no longer tested. */
export function changeLines(comparison: Comparison, paint: Paint): readonly string[] {
  const { before, changes, obstacles } = comparison;
  const title = (words: string): string => paint.bold(`Since ${before.id}: ${words}`);
  if (obstacles.length > 0)
    return [title('the runs cannot be compared'), ...obstacles.map((obstacle) => `  ${obstacle}`)];
  const binding = changes.filter(({ level }) => level !== 'advisory');
  const kinds: readonly (readonly [string, readonly CellChange[], (text: string) => string])[] = [
    ['new', binding.filter(violatedNow), paint.red],
    ['fixed', binding.filter(({ kind }) => kind === 'fixed'), paint.green],
    ['lost coverage', binding.filter(({ kind }) => kind === 'coverage lost'), paint.yellow],
    ['not comparable', binding.filter(({ kind }) => kind === 'not comparable'), paint.yellow],
  ];
  const found = kinds.filter(([, some]) => some.length > 0);
  if (found.length === 0) return [title('nothing new, nothing fixed')];
  return [
    title(found.map(([name, some]) => `${some.length} ${name}`).join(', ')),
    ...found.flatMap(([name, some, colour]) => byReason(some).map((line) => `  ${colour(name)}  ${line}`)),
  ];
}

const mostNamed = 20;

/** New and fixed cells have a line each; what was not tested has one for each reason. */
function byReason(changes: readonly CellChange[]): readonly string[] {
  const lines = new Map<string, string[]>();
  for (const { after, because, before, cell, kind } of changes) {
    const open = kind === 'coverage lost' || kind === 'not comparable';
    const key = open ? because : cell;
    lines.set(key, [
      ...(lines.get(key) ?? []),
      open ? cell : `${cell} (was ${before ?? 'absent'}, now ${after ?? 'absent'})`,
    ]);
  }
  return [...lines].map(([key, cells]) => {
    const rest = cells.length - mostNamed;
    const named = cells.slice(0, rest > 1 ? mostNamed : cells.length).join(', ');
    return `${named}${rest > 1 ? ` and ${rest} more (comparison.json)` : ''}${cells[0]?.startsWith(key) === true ? '' : `: ${key}`}`;
  });
}
