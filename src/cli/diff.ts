import { changeKinds, compare, isLess, isWorse } from '../report/compare.ts';
import type { Comparison } from '../report/report.ts';
import { readReport } from '../run/bundle.ts';
import type { Output } from './terminal/output.ts';

/** Says what changed from one run to another. @throws InputError where one of them has no report */
export async function diff(
  before: string,
  after: string,
  flags: { readonly json: boolean },
  output: Output,
): Promise<number> {
  const comparison = compare(await readReport(before), await readReport(after));
  output.out(flags.json ? `${JSON.stringify(comparison, undefined, 2)}\n` : text(comparison, output));
  return isWorse(comparison) ? 1 : isLess(comparison) ? 3 : 0;
}

function text(comparison: Comparison, { colours }: Output): string {
  const { bold, dim, red, green, yellow } = colours;
  const { before, after, changes, obstacles, unchanged } = comparison;
  const lines = [
    `${dim('before')}  ${before.id}  ${before.outcome}`,
    `${dim('after')}   ${after.id}  ${after.outcome}`,
    '',
  ];
  if (obstacles.length > 0)
    lines.push(
      yellow(bold('The runs cannot be compared')),
      ...obstacles.map((obstacle) => `  ${obstacle}`),
      '',
    );
  for (const kind of changeKinds) {
    const found = changes.filter((change) => change.kind === kind);
    if (found.length === 0) continue;
    const paint = kind === 'regression' ? red : kind === 'fixed' ? green : yellow;
    lines.push(paint(bold(`${kind} (${found.length})`)));
    for (const change of found)
      lines.push(
        `  ${change.cell.padEnd(28)} ${change.before ?? 'absent'} -> ${change.after ?? 'absent'}${change.level === 'advisory' ? ', advisory' : ''}${change.because === '' ? '' : dim(`  ${change.because}`)}`,
      );
    lines.push('');
  }
  lines.push(`${changes.length} of ${changes.length + unchanged} cells changed`, '');
  return lines.join('\n');
}
