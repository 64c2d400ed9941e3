import type { Clause, Context, Ruling } from '../../model/clause.ts';
import { operationOf } from '../../model/contract.ts';
import type { Declaration } from '../../model/declaration.ts';
import type { Trace } from '../../model/exchange.ts';
import { concerns, traitsOf } from '../../model/traits.ts';
import { makeContext, type Validators } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { clauseOf } from '../catalogue.ts';
import { contract, principals } from './contract.ts';
import { type Case, shown, trace } from './trace.ts';

/** One contract is judged again and again here: its schemas are compiled once. */
const compiled: Validators = new WeakMap();

/** A context over the literal contract. */
export function contextOf(declaration: Declaration = {}, proven: readonly string[] = []): Context {
  return makeContext(
    { contract, declared: parsedDeclaration(declaration), principals, proven: new Set(['full', ...proven]) },
    compiled,
  );
}

/** What a case states about its rulings, in the form of an outcome. */
export function stated({ advisory, kind, rulings }: Case): Judgement {
  return { kind, advisory: advisory ?? false, ...(rulings === undefined ? {} : { rulings }) };
}

type Judgement = Pick<Case, 'kind' | 'rulings'> & { readonly advisory: boolean };

/** What the rulings of a clause on a literal trace come to, and why. */
export function judged(one: Case): { readonly outcome: Judgement; readonly because: string } {
  const traces = tracesOf(one);
  const rulings = rulingsOn(one, traces);
  const has = (verdict: Ruling['verdict']): boolean => rulings.some((ruling) => ruling.verdict === verdict);
  return {
    outcome: {
      kind: has('violated') ? 'violates' : has('holds') ? 'holds' : 'silent',
      advisory: rulings.some((ruling) => 'advisory' in ruling),
      ...(one.rulings === undefined ? {} : { rulings: rulings.map((ruling) => inShort(traces, ruling)) }),
    },
    because: rulings.map(inWords).join('\n'),
  };
}

/** The traces of a case in the order in which they were recorded; the last one is the case itself. */
export function tracesOf({ after = [], partly, shows, trace: parts }: Case): readonly Trace[] {
  const effects = shows === undefined ? {} : { effects: shown('t', shows, partly !== true) };
  return [...after.map((before, index) => trace(before, { id: `t${index}` })), trace(parts, effects)];
}

/** What the clause of a case says, on operations that it applies to. */
export function rulingsOn(
  { clause: code, declares, proven }: Pick<Case, 'clause' | 'declares' | 'proven'>,
  traces: readonly Trace[],
): readonly Ruling[] {
  const clause = clauseOf(code);
  if (clause === undefined) throw new Error(`there is no clause ${code}`);
  const context = contextOf(declares, proven);
  return rulingsOf(clause, context, traces).filter((ruling) =>
    clause.applies(context.contract, operationOf(context.contract, ruling.operation)),
  );
}

function rulingsOf(clause: Clause, context: Context, traces: readonly Trace[]): readonly Ruling[] {
  return clause.judges.flatMap((judge) => {
    const asked = traces.filter((one) => concerns(judge, traitsOf(context, one)));
    if (judge.over === 'trace' || judge.over === 'effects')
      return asked.flatMap((one) => [...judge.rule(context, one)]);
    if (judge.over !== 'run') throw new Error(`${clause.code} judges nothing`);
    const fold = judge.start();
    return asked.flatMap((one) => [...fold.see(context, one)]);
  });
}

function inWords(ruling: Ruling): string {
  const actual = 'actual' in ruling ? ` (${ruling.actual})` : '';
  return `${ruling.verdict}: ${ruling.because}${actual}`;
}

/** A ruling with the names of steps for exchanges: `violated again first (conclusive)`. */
function inShort(traces: readonly Trace[], ruling: Ruling): string {
  const steps = ruling.exchanges.map((id) => {
    const exchange = traces.flatMap((one) => one.exchanges).find((each) => each.id === id);
    if (exchange === undefined) return id;
    return exchange.ordinal === 0 ? exchange.step : `${exchange.step}#${exchange.ordinal}`;
  });
  const words = [
    ruling.because,
    ...('expected' in ruling ? [ruling.expected, ruling.actual, ruling.advisory ?? '-'] : []),
  ];
  const also = [
    ...('conclusive' in ruling && ruling.conclusive ? ['conclusive'] : []),
    ...('idsOnly' in ruling && ruling.idsOnly ? ['ids only'] : []),
    ...('advisory' in ruling ? ['advisory'] : []),
    ...words.flatMap((it) => (it ? [] : 'no words')),
  ];
  return [ruling.verdict, ...steps, ...(also.length === 0 ? [] : [`(${also.join(', ')})`])].join(' ');
}
