import { visibleLine } from './visible.ts';

/** A place in a file: line and column, counted from 1. */
export type Position = { readonly line: number; readonly column: number };

/** What is wrong with an input, where, and what to do about it. */
export type InputProblem = {
  /** The file as the user named it, or the flag (`--base-url`) that carried the value. */
  readonly file: string;
  /** Absent where no place in the file is meant: it is missing, or the value came from a flag. */
  readonly position?: Position | undefined;
  readonly problem: string;
  /** What to do, in the imperative. */
  readonly remedy: string;
};

/** The one error that bad input causes: a line `file:line:column: problem; remedy` for each problem, up to a number. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly file: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly problem: string;
  readonly remedy: string;
  readonly problems: readonly InputProblem[];

  constructor(first: InputProblem, others: readonly InputProblem[] = []) {
    const { file, position, problem, remedy } = first;
    // What many operations share is wrong once.
    const problems = [...new Map([first, ...others].map((one) => [problemText(one), one])).values()];
    const more = problems.length - mostShown;
    super(
      `${problems
        .slice(0, mostShown)
        .map((one) => visibleLine(problemText(one)))
        .join('\n')}${more > 0 ? `\n(and ${more} more)` : ''}`,
    );
    this.file = file;
    this.line = position?.line;
    this.column = position?.column;
    this.problem = problem;
    this.remedy = remedy;
    this.problems = problems;
  }
}

export function trouble(file: string, problem: string, remedy: string, position?: Position): InputError {
  return new InputError({ file, position, problem, remedy });
}

/** So many problems of one input are printed. */
const mostShown = 50;

/** `file:line:column: problem; remedy` */
export function problemText({ file, position, problem, remedy }: InputProblem): string {
  const where = position === undefined ? file : `${file}:${position.line}:${position.column}`;
  return `${where}: ${problem}; ${remedy}`;
}

/** Throws one error for all the problems, if there are any. */
export function refuse(problems: readonly InputProblem[]): void {
  const [first, ...rest] = problems;
  if (first !== undefined) throw new InputError(first, rest);
}
