import { clauseOf, clauses } from '../clauses/catalogue.ts';
import { suggestion } from '../document/nearest.ts';
import { InputError } from '../model/input-error.ts';
import type { Output } from './output.ts';

/** Says what a clause demands, where the contract says so, how it is tested, what a violation looks like and what to mend. @throws InputError */
export function explain(code: string, output: Output): number {
  const clause = clauseOf(code.toUpperCase());
  if (clause === undefined)
    throw new InputError({
      file: 'assay explain',
      position: undefined,
      problem: `there is no clause '${code}'`,
      remedy: suggestion(
        code,
        clauses.map((one) => one.code),
      ),
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
