import { stopWords } from '../model/stop.ts';
import { cut, timesWords } from '../model/text.ts';
import { visibleValue } from '../model/visible.ts';
import { alikeGroups, differenceInShort } from './alike.ts';
import { causesOf, causeWords } from './causes.ts';
import { changeLines } from './change-lines.ts';
import { codesInShort } from './codes.ts';
import { type CiGate, gateWords } from './gate.ts';
import { openGroups, operationsInShort } from './open.ts';
import type { Paint } from './paint.ts';
import { repeatWords } from './repeats.ts';
import type { Comparison, Finding, Report } from './report.ts';
import { stopsOf } from './stops.ts';
import { pointLines } from './terminal-points.ts';
import { uncovered } from './uncovered.ts';

/** Members whose lines are commands to be pasted. */
const commands: ReadonlySet<string> = new Set(['curl']);

/** The report as text: the verdict first, then what was violated, what was not tested, and the matrix in short. */
export function terminalReport(
  given: Report,
  paint: Paint,
  folder: string | undefined,
  gate?: CiGate,
  comparison?: Comparison,
): string {
  const report = visibleValue(given, commands);
  const lines: string[] = ['', ...headline(report, paint, gate), ''];
  if (comparison !== undefined) lines.push(...changeLines(visibleValue(comparison, new Set()), paint), '');
  lines.push(...causeLines(report, paint));
  const ordered = causesOf(report.violations).flatMap(({ findings }) => findings);
  for (const [index, violation] of ordered.entries())
    lines.push(...violationLines(violation, index + 1, paint), '');
  if (report.advisories.length > 0)
    lines.push(
      paint.bold('Advisories (good practice; they never fail a run)'),
      ...report.advisories.map(
        (one) => `  ${one.clause} ${one.operation}: ${one.text} ${paint.dim(`Got ${cut(one.actual, 90)}`)}`,
      ),
      '',
    );
  const notes = report.cells.flatMap((cell) =>
    cell.advisories.map(
      (note) => `  ${cell.clause} ${cell.operation}: ${note.text} (${timesWords(note.count)})`,
    ),
  );
  if (notes.length > 0) lines.push(paint.bold('Tolerated, with a note'), ...notes, '');
  lines.push(...waiverLines(report, paint));
  lines.push(...stopLines(report, paint));
  lines.push(...openLines(report, paint));
  lines.push(...pointLines(report, paint));
  lines.push(...matrixLines(report, paint), '');
  if (gate !== undefined && !gate.passed && gate.policy.failOn !== 'any')
    lines.push(
      paint.bold(`The gate failed (--fail-on ${gate.policy.failOn})`),
      ...gate.failures.map((failure) => `  ${failure}`),
      '',
    );
  if (folder !== undefined)
    lines.push(
      `${colourOf(report, paint)(paint.bold(gateWords(report, gate)))}  ${folder}/report.html`,
      paint.dim(`next: ${nextCommand(report, folder)}`),
      '',
    );
  return lines.join('\n');
}

const mostCauses = 8;

function causeLines({ violations }: Report, paint: Paint): readonly string[] {
  const words = causeWords(violations);
  if (words === undefined) return [];
  const causes = causesOf(violations);
  return [
    paint.bold(words),
    ...causes
      .slice(0, mostCauses)
      .map(({ findings, scenario }) => `  ${findings.map(({ id }) => id).join(', ')}: ${scenario}`),
    ...(causes.length > mostCauses ? [`  and ${causes.length - mostCauses} more`] : []),
    '',
  ];
}

/** What most readers do next: look into a violation, see what is open, or sign. */
function nextCommand(report: Report, folder: string): string {
  const [first] = causesOf(report.violations).flatMap(({ findings }) => findings);
  const { baseline, counts, verdict } = report;
  const program = baseline.environment.program ?? 'assay';
  if ((report.run.shards?.missing.length ?? 0) > 0)
    return `${program} merge <folders of all shards> --out <folder>: one verdict for all shards`;
  if (first !== undefined) return `${program} explain ${first.clause}`;
  if (verdict.certifiable) return `${program} attest ${folder} --key <private key>`;
  if (counts['not-tested'] + counts.inconclusive > 0)
    return `${program} plan, which shows what would test the rest`;
  return baseline.budget === 'quick'
    ? `${program} run --budget standard: a quick run is never certifiable`
    : `${program} run, once the reasons above are resolved`;
}

function colourOf({ verdict }: Report, paint: Paint): (text: string) => string {
  if (verdict.outcome === 'conformant') return paint.green;
  return verdict.outcome === 'violations' ? paint.red : paint.yellow;
}

function headline(report: Report, paint: Paint, gate: CiGate | undefined): readonly string[] {
  const { verdict, run, counts, scope, subject, baseline } = report;
  const gaps = uncovered(report);
  const within =
    scope.governedOperations === undefined
      ? `${scope.operations.length}`
      : `${scope.operations.length} of ${scope.governedOperations}`;
  return [
    `${colourOf(report, paint)(paint.bold(`Verdict: ${gateWords(report, gate)}`))}  ${paint.dim(`(exit ${gate?.exitCode ?? verdict.exitCode})`)}${gaps === undefined ? '' : paint.yellow(`  ${gaps.words}`)}`,
    `  ${counts.pass} pass, ${counts.fail} fail, ${counts.unstable} unstable, ${counts.inconclusive} inconclusive, ${counts['not-tested']} not tested, ${counts['not-applicable']} not applicable`,
    `  contract ${baseline.contract.version}, ${within} governed operations in this scope; target ${subject.asserted.baseUrl}`,
    `  ${run.exchanges} requests in ${(run.elapsedMs / 1000).toFixed(1)} s, budget ${baseline.budget}, seed ${baseline.seed}${run.ended === 'complete' ? '' : `, ended early: ${run.cause?.what ?? run.ended}`}`,
    ...endLines(report),
    `  certifiable: ${verdict.certifiable ? 'yes' : `no (${verdict.shortfalls.join('; ')})`}`,
  ];
}

function endLines({ run: { cause } }: Report): readonly string[] {
  if (cause?.before === undefined) return [];
  return [
    `  ended: ${cause.what}; the rest of the plan is not tested. The last requests before:`,
    ...cause.before.map((line) => `    ${line}`),
  ];
}

/** After which requests the target stops responding: no violation, and shown outside the verdict. */
function stopLines(report: Report, paint: Paint): readonly string[] {
  const listed = stopsOf(report);
  if (listed === undefined) return [];
  return [
    paint.bold('The target stopped responding (not part of the verdict)'),
    ...listed.stops.flatMap((stop) => [
      `  ${paint.yellow(stop.operation)} ${stop.exchange}: ${stopWords(stop)}`,
      `    ${cut(stop.request, 160)}${stop.again === 0 ? '' : paint.dim(` (${stop.scenario}; ${stop.suite}/${stop.probe})`)}`,
    ]),
    ...(listed.others === undefined ? [] : [`  ${listed.others}`]),
    '',
  ];
}

function violationLines(violation: Finding, number: number, paint: Paint): readonly string[] {
  const repeated = `, ${repeatWords(violation)}`;
  return [
    `${paint.red(paint.bold(`${number}. ${violation.clause}`))} ${paint.bold(violation.operation)} ${paint.dim(`${violation.level}, ${violation.verdict}${repeated}`)}${violation.waiver === undefined ? '' : paint.yellow(` waived by ${violation.waiver.owner} until ${violation.waiver.expires}`)}`,
    `   ${violation.text}`,
    paint.dim(`   "${violation.source.quote}" (${violation.source.where})`),
    `   expected     ${violation.expected}`,
    `   actual       ${paint.red(cut(violation.actual, 220))}`,
    `   because      ${violation.because}`,
    `   request IDs  ${violation.requestIds.length > 0 ? violation.requestIds.join(', ') : `none was sent; exchanges ${violation.exchanges.map((one) => one.id).join(', ')}, ${violation.exchanges[0]?.time ?? ''}`}`,
    `   situation    ${violation.scenario} (${violation.suite}/${violation.probe})`,
    '   reproduce (with the tokens in the environment):',
    ...violation.curl.map((line) => paint.cyan(`     ${line}`)),
    `   run again    ${violation.reproduce}`,
    `   fix          ${violation.fix}`,
  ];
}

function waiverLines(report: Report, paint: Paint): readonly string[] {
  if (report.waivers.length === 0) return [];
  return [
    paint.bold('Waivers (they do not change the verdict)'),
    ...report.waivers.map((waiver) => {
      const what = `${waiver.clause} ${waiver.operation ?? 'on every operation'}`;
      const state =
        waiver.state === 'expired'
          ? paint.red(`expired on ${waiver.expires}, without effect`)
          : `${waiver.state}, until ${waiver.expires}`;
      return `  ${what}: ${state}; ${waiver.owner}: ${waiver.reason}${waiver.link === undefined ? '' : ` ${waiver.link}`}`;
    }),
    '',
  ];
}

function openLines({ cells, scope }: Report, paint: Paint): readonly string[] {
  const lines: string[] = [];
  const groups = openGroups(cells);
  for (const verdict of ['inconclusive', 'not-tested'] as const) {
    const found = groups.filter((group) => group.verdict === verdict);
    if (found.length === 0) continue;
    lines.push(
      paint.bold(verdict === 'inconclusive' ? 'Inconclusive' : 'Not tested, and what would test it'),
    );
    const alike = alikeGroups(found);
    for (const [index, group] of alike.entries()) {
      const { because, clauses, differs, operations } = group;
      const named =
        differs.length > 0
          ? `${operations.length} operations`
          : operationsInShort(operations, scope.operations.length);
      lines.push(`  ${paint.yellow(codesInShort(clauses))} ${paint.dim(named)}`);
      // The reason once, for all groups that have it.
      if (differs.length > 0)
        lines.push(`    ${because}`, `      ${differenceInShort(group, scope.operations.length)}`);
      else if (alike[index + 1]?.because !== because) lines.push(`    ${because}`);
    }
    lines.push('');
  }
  return lines;
}

/** One line for each class of clauses and operation: how many cells of each verdict. */
function matrixLines(report: Report, paint: Paint): readonly string[] {
  const lines = [
    paint.bold('Clauses by class'),
    paint.dim('  class       pass fail unst inco not-tested n/a'),
  ];
  const classes = [...new Set(report.cells.map((cell) => cell.clause.split('-')[0] ?? ''))];
  const operations = [...new Set(report.cells.map((cell) => cell.operation))];
  const pad = (count: number, width: number): string => String(count === 0 ? '.' : count).padStart(width);
  for (const name of classes) {
    const cells = report.cells.filter(
      (cell) => cell.clause.startsWith(`${name}-`) && cell.level !== 'advisory',
    );
    if (cells.length === 0) continue;
    const count = (verdict: string): number => cells.filter((cell) => cell.verdict === verdict).length;
    const ids = cells.filter((cell) => cell.idsOnly).length;
    const line = `  ${name.padEnd(10)} ${pad(count('pass'), 5)}${pad(count('fail'), 5)}${pad(count('unstable'), 5)}${pad(count('inconclusive'), 5)}${pad(count('not-tested'), 11)}${pad(count('not-applicable'), 4)}${ids > 0 ? `  (${ids} by IDs only)` : ''}`;
    lines.push(count('fail') + count('unstable') > 0 ? paint.red(line) : line);
  }
  if (operations.length > 1)
    lines.push(paint.dim(`  over ${operations.length} operations; report.json has every cell`));
  return lines;
}
