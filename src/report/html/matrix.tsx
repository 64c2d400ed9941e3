import { group, rollup, sum } from 'd3-array';
import type { ComponentChildren, VNode } from 'preact';
import type { Verdict } from '../../model/verdict.ts';
import type { CellReport, Report } from '../report.ts';
import { Atlas } from './atlas.tsx';
import { type ClassRows, type ClauseRow, classesOf } from './class-rows.ts';
import { Prose, Section, Wide } from './layout.tsx';
import { Share } from './share.tsx';
import { Icon, lookOf, verdicts } from './verdicts.tsx';
import { anchor, number, plural } from './words.ts';

/** With more operations than this there is a column for each verdict, not for each operation. */
const mostColumns = 12;

/** So many operations are named behind a clause. */
const mostNamed = 12;

const classNames: Readonly<Record<string, string>> = {
  RID: 'Request IDs',
  AUT: 'Credentials',
  PRM: 'Permissions',
  CMD: 'Commands',
  VAL: 'Validation',
  IDM: 'Idempotency',
  CNF: 'Conflicts of state',
  VER: 'Versions',
  STV: 'Stronger verification',
  THR: 'Throttling',
  RDS: 'Reads',
  ERR: 'Errors',
  PRE: 'Precedence of errors',
};

function titleOf(name: string): string {
  const title = classNames[name];
  return title === undefined ? name : `${name}: ${title}`;
}

export function Matrix({ report }: { readonly report: Report }): VNode {
  const { scope, cells } = report;
  const classes = classesOf(report);
  const few = scope.operations.length <= mostColumns;
  return (
    <Section
      id="matrix"
      title="Clauses and operations"
      lead={`${plural(classes.flatMap(({ rows }) => rows).length, 'clause')} on ${plural(scope.operations.length, 'operation')}, ${plural(cells.length, 'cell')}. ${few ? 'The number after a verdict is its ruling count; n/a means not applicable.' : 'Numbers are operations.'} Advisory clauses never fail a run.`}
    >
      {few ? (
        <ByOperation classes={classes} operations={scope.operations.map(({ id }) => id)} />
      ) : (
        <>
          <Atlas classes={classes} operations={scope.operations.map(({ id }) => id)} />
          <ByVerdict classes={classes} />
          <Operations report={report} />
        </>
      )}
    </Section>
  );
}

function Head({ row }: { readonly row: ClauseRow }): VNode {
  return (
    <th scope="row" class="row narrow" id={anchor('m', row.code)}>
      <code>{row.code}</code> <Prose text={row.text} />
      {row.level === 'stated' ? undefined : <span class="muted">{` (${row.level})`}</span>}
    </th>
  );
}

function Classes({
  classes,
  width,
  children,
}: {
  readonly classes: readonly ClassRows[];
  /** How many columns follow the clause. */
  readonly width: number;
  readonly children: (row: ClauseRow) => VNode;
}): VNode {
  return (
    <>
      {classes.map(({ name, rows }) => (
        <tbody class="group">
          <tr>
            <th scope="rowgroup" class="row">
              {titleOf(name)}
            </th>
            <td colspan={width} />
          </tr>
          {rows.map((row) => (
            <tr>
              <Head row={row} />
              {children(row)}
            </tr>
          ))}
        </tbody>
      ))}
    </>
  );
}

function ByOperation({
  classes,
  operations,
}: {
  readonly classes: readonly ClassRows[];
  readonly operations: readonly string[];
}): VNode {
  return (
    <Grid
      label="Matrix of clauses and operations"
      kind="matrix by-operation"
      first="Clause"
      columns={operations.map((operation) => <th scope="col">{operation}</th>)}
    >
      <Classes classes={classes} width={operations.length}>
        {({ cells }) => (
          <>
            {operations.map((operation) => (
              <td>
                <Cell cell={cells.find((cell) => cell.operation === operation)} />
              </td>
            ))}
          </>
        )}
      </Classes>
    </Grid>
  );
}

function Cell({ cell }: { readonly cell: CellReport | undefined }): VNode | undefined {
  if (cell === undefined) return undefined;
  const look = lookOf(cell.verdict);
  const rulings = cell.rulings.holds + cell.rulings.violated + cell.rulings.inconclusive;
  const violated = cell.verdict === 'fail' || cell.verdict === 'unstable';
  const label = cell.verdict === 'not-applicable' ? 'n/a' : look.label;
  // Nothing that cannot fail a run is red.
  const tone = violated && cell.level === 'advisory' ? 'open' : look.tone;
  return (
    <span class={`cell ${tone}`} title={violated || cell.verdict === 'pass' ? undefined : cell.because}>
      <Icon name={look.icon} />
      {violated ? <a href={`#${anchor('v', `${cell.clause}/${cell.operation}`)}`}>{look.label}</a> : label}
      {rulings === 0 ? undefined : (
        <span class="note">{`${number(rulings)}${cell.idsOnly ? ', by IDs only' : ''}`}</span>
      )}
    </span>
  );
}

function ByVerdict({ classes }: { readonly classes: readonly ClassRows[] }): VNode {
  return (
    <Grid
      label="Clauses, with the number of operations by verdict"
      first="Clause"
      columns={[...verdictColumns(), <th scope="col">Needs attention</th>]}
    >
      <Classes classes={classes} width={verdicts.length + 1}>
        {({ cells }) => (
          <>
            <Counts cells={cells} />
            <td class="narrow">
              <NotPass cells={cells} />
            </td>
          </>
        )}
      </Classes>
    </Grid>
  );
}

function verdictColumns(): readonly VNode[] {
  return verdicts.map((verdict) => (
    <th scope="col" class="n">
      {lookOf(verdict).label}
    </th>
  ));
}

function Grid({
  label,
  kind = 'matrix',
  first,
  columns,
  children,
}: {
  readonly label: string;
  readonly kind?: string;
  readonly first: string;
  readonly columns: readonly VNode[];
  readonly children: ComponentChildren;
}): VNode {
  return (
    <Wide label={label} tall={true}>
      <table class={kind}>
        <thead>
          <tr>
            <th scope="col" class="row">
              {first}
            </th>
            {columns}
          </tr>
        </thead>
        {children}
      </table>
    </Wide>
  );
}

function Counts({ cells }: { readonly cells: readonly CellReport[] }): VNode {
  const counts = countsOf(cells);
  return (
    <>
      {verdicts.map((verdict) => {
        const count = counts.get(verdict) ?? 0;
        return (
          <td class={count === 0 ? 'n zero' : `n ${lookOf(verdict).tone}`}>
            {count === 0 ? '·' : <span class="toned">{number(count)}</span>}
          </td>
        );
      })}
    </>
  );
}

function countsOf(cells: readonly CellReport[]): ReadonlyMap<Verdict, number> {
  return rollup(
    cells,
    (some) => some.length,
    ({ verdict }) => verdict,
  );
}

/** Where a clause is neither passed nor out of place. */
function NotPass({ cells }: { readonly cells: readonly CellReport[] }): VNode {
  const [violated] = cells.filter(({ verdict }) => verdict === 'fail' || verdict === 'unstable');
  const open = cells.filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'not-tested');
  return (
    <>
      {violated === undefined ? undefined : <a href={`#${anchor('c', violated.clause)}`}>violations</a>}
      {open.length === 0 ? undefined : (
        <details class="rest">
          <summary>{`${number(open.length)} without a verdict`}</summary>
          <p>{open[0]?.because}</p>
          <p class="muted">
            {open
              .slice(0, mostNamed)
              .map(({ operation }) => operation)
              .join(', ')}
            {open.length > mostNamed ? ` and ${number(open.length - mostNamed)} more, in report.json` : ''}
          </p>
        </details>
      )}
    </>
  );
}

function Operations({ report }: { readonly report: Report }): VNode {
  const byOperation = group(report.cells, ({ operation }) => operation);
  return (
    <>
      <h3 class="part">By operation</h3>
      <Grid
        label="Operations, with the number of clauses by verdict"
        first="Operation"
        columns={[<th scope="col">Share</th>, ...verdictColumns()]}
      >
        <tbody>
          {report.scope.operations.map(({ id, method, path }) => {
            const counts = countsOf(byOperation.get(id) ?? []);
            return (
              <tr>
                <th scope="row" class="row narrow">
                  {id} <span class="muted">{`${method} ${path}`}</span>
                </th>
                <td>
                  {sum(counts.values()) === 0 ? undefined : (
                    <Share
                      thin={true}
                      parts={verdicts.map((verdict) => ({
                        tone: lookOf(verdict).tone,
                        count: counts.get(verdict) ?? 0,
                      }))}
                    />
                  )}
                </td>
                <Counts cells={byOperation.get(id) ?? []} />
              </tr>
            );
          })}
        </tbody>
      </Grid>
    </>
  );
}
