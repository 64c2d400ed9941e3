import type { VNode } from 'preact';
import type { Verdict } from '../../model/verdict.ts';
import type { ClassRows, ClauseRow } from './class-rows.ts';
import { PlotKey } from './layout.tsx';
import { lookOf, verdicts } from './verdicts.tsx';
import { number } from './words.ts';

const width = 900;
const left = 56;
const rowHeight = 6;
const gap = 5;

/** The whole matrix in one picture, one path for each verdict, so that 34,000 cells stay light. */
export function Atlas({
  classes,
  operations,
}: {
  readonly classes: readonly ClassRows[];
  readonly operations: readonly string[];
}): VNode {
  const columns = new Map(operations.map((operation, index) => [operation, index]));
  const column = (width - left) / operations.length;
  const places = placesOf(classes);
  const height = (places[places.length - 1]?.bottom ?? 0) + gap;
  const all = classes.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells));
  return (
    <figure>
      <svg
        class="plot atlas"
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-labelledby="atlas-title atlas-text"
      >
        <title id="atlas-title">Verdicts of all clauses on all operations</title>
        <desc id="atlas-text">
          {verdicts
            .map(
              (verdict) =>
                `${number(all.filter((cell) => cell.verdict === verdict).length)} ${lookOf(verdict).label}`,
            )
            .join(', ')}
          . The tables below say the same.
        </desc>
        {places.map(({ name, top, bottom }) => (
          <text class="class-name" x={0} y={(top + bottom) / 2 + 4}>
            {name}
          </text>
        ))}
        {[...verdicts].reverse().map((verdict) => {
          const path = places
            .flatMap(({ rows, top }) =>
              rows.map((row, index) => runsOf(row, verdict, columns, column, top + index * rowHeight)),
            )
            .join('');
          return path === '' ? undefined : <path class={`mark ${lookOf(verdict).tone}`} d={path} />;
        })}
      </svg>
      <PlotKey label="Colours of the picture" entries={verdicts.map(lookOf)} />
      <figcaption>
        A row for each clause, by class; a column for each operation, in the order of the contract.
      </figcaption>
    </figure>
  );
}

type Band = {
  readonly name: string;
  readonly rows: readonly ClauseRow[];
  readonly top: number;
  readonly bottom: number;
};

function placesOf(classes: readonly ClassRows[]): readonly Band[] {
  const places: Band[] = [];
  let top = gap;
  for (const { name, rows } of classes) {
    const bottom = top + Math.max(rows.length * rowHeight, 13);
    places.push({ name, rows, top, bottom });
    top = bottom + gap;
  }
  return places;
}

/** Neighbours of one verdict as one rectangle. */
function runsOf(
  row: ClauseRow,
  verdict: Verdict,
  columns: ReadonlyMap<string, number>,
  width: number,
  top: number,
): string {
  const indices = row.cells
    .filter((cell) => cell.verdict === verdict)
    .map(({ operation }) => columns.get(operation) ?? 0);
  let path = '';
  for (let at = 0; at < indices.length; ) {
    const from = indices[at] ?? 0;
    let length = 1;
    while (indices[at + length] === from + length) length += 1;
    at += length;
    path += `M${round(left + from * width)} ${top}h${round(length * width)}v${rowHeight - 1}h${round(-length * width)}z`;
  }
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
