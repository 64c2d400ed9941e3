/** Ways to read a list, and what each lets the harness do. */
export const styles: Readonly<Record<string, string>> = {
  search: 'cursor, oldest first, with a filter by a part of the subject',
  filter: 'cursor, oldest first, with a filter by the whole subject',
  newest: 'cursor, newest first',
  page: 'page numbers, oldest first',
  cursor: 'cursor, oldest first, without a filter',
};

export type Measured = {
  readonly style: string;
  /** Older records of each scope. */
  readonly records: number;
  readonly requests: number;
  readonly seconds: number;
  /** Clause and operation of each violation; the service conforms, so that there must be none. */
  readonly accused: readonly string[];
  readonly inconclusive: readonly string[];
  readonly passed: number;
};

export function longListsPage(all: readonly Measured[], budget: string): string {
  const rows = all.map((one) => {
    const empty = all.find(({ style, records }) => style === one.style && records === 0);
    const more = empty === undefined ? '' : percent(one.requests / empty.requests - 1);
    return `| ${styles[one.style] ?? one.style} | ${one.records.toLocaleString('en')} | ${one.requests} | ${more} | ${one.seconds.toFixed(1)} | ${one.passed} | ${listed(one.accused)} | ${listed(one.inconclusive)} |`;
  });
  return `# Long lists

Each row is a run on a conforming service whose list holds older records, at the ${budget} budget with seed 1.
\`npm run long-lists\` makes this page. Older records cost little if the list can search within texts, shows the newest
records first, or has page numbers.
If a filter compares whole texts, Assay asks for each text that the run has sent. That cost depends on the run, not on the
list. Otherwise Assay reads the list once for each scope, within a budget. What lies beyond the budget is inconclusive,
never a pass. Assay uses a filter only if the filter has shown all that it must show, and nothing else.

RDS-7 stays inconclusive on all long lists: only the end of a list proves that it shows nothing of another scope. Without a
filter RDS-4 stays inconclusive too.

| the list | older records | requests | more than empty | seconds | cells passed | accused | inconclusive |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

const percent = (share: number): string => `${share < 0 ? '−' : ''}${Math.abs(share * 100).toFixed(1)}%`;
const listed = (cells: readonly string[]): string => (cells.length === 0 ? 'none' : cells.join(', '));
