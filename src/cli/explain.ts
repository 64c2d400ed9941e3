import { clauseOf, clauses } from '../clauses/catalogue.ts';
import { specification } from '../clauses/specification.ts';
import { suggestion } from '../document/nearest.ts';
import { InputError } from '../model/input-error.ts';
import type { PointEntry } from '../oracle/open-points/point.ts';
import { openPointOf, openPoints } from '../oracle/open-points/register.ts';
import type { Output } from './terminal/output.ts';

/** Says what a clause demands, where the contract says so, how it is tested, what a violation looks like and what to mend. @throws InputError */
export function explain(code: string, output: Output): number {
  const point = openPointOf(code.toUpperCase());
  if (point !== undefined) return explainPoint(point, output);
  const clause = clauseOf(code.toUpperCase());
  if (clause === undefined)
    throw new InputError({
      file: 'assay explain',
      position: undefined,
      problem: `there is no clause or open point '${code}'`,
      remedy: suggestion(code, [...clauses.map((one) => one.code), ...openPoints.map((one) => one.point)]),
    });
  const { bold, dim } = output.colours;
  output.out(
    [
      `${bold(clause.code)} ${dim(clause.level)}`,
      clause.text,
      '',
      `Source     "${clause.source.quote}" (${clause.source.where})`,
      `Test       ${clause.explain.test}`,
      `Violation  ${clause.explain.violation}`,
      `Fix        ${clause.explain.fix}`,
      '',
    ].join('\n'),
  );
  return 0;
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
      `Declare    declares: { ${point.point}: ... } in the configuration`,
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
