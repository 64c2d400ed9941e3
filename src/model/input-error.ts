/** A place in a file: line and column, counted from 1. */
export type Position = { readonly line: number; readonly column: number };

/** What is wrong with an input, where, and what to do about it. */
export type InputProblem = {
  /** The file as the user named it, or the flag (`--base-url`) that carried the value. */
  readonly file: string;
  /** Undefined where no place in the file is meant: it is missing, or the value came from a flag. */
  readonly position: Position | undefined;
  readonly problem: string;
  /** What to do, in the imperative. */
  readonly remedy: string;
};

/**
 * The one error that bad input causes. Its message is `file:line:column: problem; remedy`, and ends with
 * `(and n more)` where further problems were found.
 */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly file: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly problem: string;
  readonly remedy: string;
  /** Further problems of the same input. */
  readonly more: number;

  constructor({ file, position, problem, remedy }: InputProblem, more = 0) {
    const where = position === undefined ? file : `${file}:${position.line}:${position.column}`;
    super(`${where}: ${problem}; ${remedy}${more > 0 ? ` (and ${more} more)` : ''}`);
    this.file = file;
    this.line = position?.line;
    this.column = position?.column;
    this.problem = problem;
    this.remedy = remedy;
    this.more = more;
  }
}

/** Throws the first of the problems, if there is one, and tells how many there are beside it. */
export function refuse(problems: readonly InputProblem[]): void {
  const [first, ...rest] = problems;
  if (first !== undefined) throw new InputError(first, rest.length);
}
