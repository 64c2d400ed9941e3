import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clauseOf, clauses } from '../clauses/catalogue.ts';
import { specification } from '../clauses/specification.ts';
import { suggestion } from '../document/nearest.ts';
import { trouble } from '../model/input-error.ts';
import type { PointEntry } from '../oracle/open-points/point.ts';
import { openPointOf, openPoints } from '../oracle/open-points/register.ts';
import { sourcePage } from '../run/package.ts';
import { packageRoot } from '../run/place.ts';
import { type SourceLine, type SourceLines, sourceLines, writtenLines } from '../selftest/source-lines.ts';
import type { Output } from './terminal/output.ts';

/** Says what a clause demands, where the contract says so, how it is tested, what a violation looks like and how to fix it. @throws InputError */
export function explain(code: string, output: Output): number {
  const point = openPointOf(code.toUpperCase());
  if (point !== undefined) return explainPoint(point, output);
  const clause = clauseOf(code.toUpperCase());
  if (clause === undefined)
    throw trouble(
      'explain',
      `unknown clause or open point '${code}'`,
      suggestion(code, [...clauses.map((one) => one.code), ...openPoints.map((one) => one.point)]),
    );
  const { bold, dim } = output.colours;
  output.out(
    [
      `${bold(clause.code)} ${dim(clause.level)}`,
      clause.text,
      '',
      `Source     "${clause.source.quote}" (${clause.source.where})`,
      `Test       ${clause.test}`,
      `Violation  ${clause.violation}`,
      `Fix        ${clause.fix}`,
      ...sourceTexts(clause.code).map((text) => dim(text)),
      '',
    ].join('\n'),
  );
  return 0;
}

const mostLines = 4;

/** Where the clause, its faults, its traces and its suites are: lines of a checkout, or links into the repository. */
function sourceTexts(code: string): readonly string[] {
  const its = linesOf(code);
  if (its === undefined) return [];
  const page = inCheckout() ? undefined : sourcePage();
  const place = ({ file, line, of }: SourceLine): string =>
    `${page === undefined ? `${file}:${line}` : `${page}/${file}#L${line}`}${of === undefined ? '' : ` (${of})`}`;
  const listed = (label: string, lines: readonly SourceLine[], none: string): readonly string[] => {
    const shown = lines.length === 0 ? [none] : lines.slice(0, mostLines).map(place);
    const more = lines.length > mostLines ? [`and ${lines.length - mostLines} more`] : [];
    return [...shown, ...more].map((text, index) => `${(index === 0 ? label : '').padEnd(11)}${text}`);
  };
  return [
    ...listed('Code', its.clause, 'none'),
    ...listed('Faults', its.faults, 'none'),
    ...listed('Traces', its.traces, 'none'),
    ...listed('Suites', its.suites, 'all: it is judged on every response'),
  ];
}

function inCheckout(): boolean {
  return existsSync(join(packageRoot(), 'src/clauses'));
}

function linesOf(code: string): SourceLines | undefined {
  if (inCheckout()) return sourceLines(packageRoot())[code];
  const written = join(packageRoot(), 'dist/source-lines.json');
  return existsSync(written) ? writtenLines(readFileSync(written, 'utf8'), code) : undefined;
}

function explainPoint(point: PointEntry, output: Output): number {
  const { bold, dim } = output.colours;
  output.out(
    [
      `${bold(point.point)} ${dim('open point')}`,
      point.title,
      '',
      `Source     ${point.quote}`,
      `Readings   ${point.readings.join('; ')}`,
      `Always     ${point.always}`,
      `Default    ${point.byDefault}`,
      `Declare    declares.${point.point} in the configuration: ${point.declares.description}`,
      `Clauses    ${point.clauses.join(', ')}`,
      '',
    ].join('\n'),
  );
  return 0;
}

/** The specification sentence by sentence, each with the clauses that test it or the reason why none can. */
export function explainSpecification(json: boolean, output: Output): number {
  if (json) {
    output.out(`${JSON.stringify(specification, null, 2)}\n`);
    return 0;
  }
  const { bold, dim } = output.colours;
  let where = '';
  for (const sentence of specification) {
    if (sentence.where !== where) output.out(`\n${bold(sentence.where)}\n`);
    where = sentence.where;
    output.out(`  "${sentence.quote}"\n`);
    if (sentence.clauses.length > 0) output.out(`    tested by ${sentence.clauses.join(', ')}\n`);
    if (sentence.because !== undefined) output.out(dim(`    ${sentence.because}\n`));
  }
  const tested = specification.filter((sentence) => sentence.clauses.length > 0).length;
  output.out(
    `\n${specification.length} sentences and rows: ${tested} tested by clauses, ${specification.length - tested} that no client can test.\n`,
  );
  return 0;
}
