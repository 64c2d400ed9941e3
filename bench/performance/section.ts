/** What one part of the bench measured, as it is kept in docs/performance.json and shown in docs/performance.md. */
export type Section = {
  readonly title: string;
  /** How it was measured, in a sentence or two. */
  readonly method: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
};

export type Kept = Section & { readonly at: string; readonly machine: string };

export function sectionText({ at, columns, machine, method, rows, title }: Kept): readonly string[] {
  return [
    `## ${title}`,
    '',
    method,
    '',
    `Measured on ${at}: ${machine}.`,
    '',
    `| ${columns.join(' | ')} |`,
    `| ${columns.map((_, index) => (index === 0 ? '---' : '--:')).join(' | ')} |`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
  ];
}

export function plainText({ columns, rows, title }: Section): string {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ');
  return [title, line(columns), ...rows.map(line), ''].join('\n');
}

export function page(kept: Readonly<Record<string, Kept>>, order: readonly string[]): string {
  return [
    '# Performance',
    '',
    '`npm run bench` writes this page; `npm run bench -- --only start` measures one part. Each table says when and where it was measured. No test asserts these figures: the tests count work and virtual time instead.',
    '',
    'CPU time is that of the harness alone. The target runs in a process of its own. A busy machine makes all figures worse: CPU time too, since processes share caches.',
    '',
    'How other tools compare on the same service is measured in [other tools](peers.md), with CPU time for each request.',
    '',
    ...order.flatMap((name) => {
      const section = kept[name];
      return section === undefined ? [] : sectionText(section);
    }),
  ].join('\n');
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
