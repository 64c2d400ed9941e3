import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Budget } from '../model/configured.ts';
import { type FailOn, failOnPolicies, type GatePolicy } from '../report/gate.ts';
import type { Narrowing } from '../run/selection.ts';

export function whole(from: number, to = Number.MAX_SAFE_INTEGER): (text: string) => number {
  const most = to === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${to}`;
  return (text) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < from || value > to)
      throw new InvalidArgumentError(`It must be a whole number of at least ${from}${most}.`);
    return value;
  };
}

/** As in the configuration: what is printed can be given again. */
export function seedNumber(text: string): number {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || value < -(2 ** 31) || value >= 2 ** 31)
    throw new InvalidArgumentError('It must be a whole number of 32 bits.');
  return value;
}

/** Only printable ASCII: it is shown on terminals and pages, and compared character by character. */
export function challengeText(text: string): string {
  if (!/^[!-~]{8,200}$/.test(text))
    throw new InvalidArgumentError('It must be 8 to 200 printable ASCII characters without blanks.');
  return text;
}

/** The name of a folder; it cannot lead out of the folder of the runs. */
export function runName(text: string): string {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}$/.test(text))
    throw new InvalidArgumentError('It must be 1 to 100 letters, digits, dots, dashes or underscores.');
  return text;
}

/** An option that may be repeated, or given as a list with commas. */
export const collect = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  ...value.split(',').map((name) => name.trim()),
];

export const budgetOption = (usual: Budget = 'standard'): Option =>
  new Option('-b, --budget <name>', `depth of testing (default: ${usual})`).choices([
    'quick',
    'standard',
    'thorough',
  ] satisfies readonly Budget[]);

/** How a run or a merge ends: its exit code, its signatures, and what it prints. */
export type EndingOptions = {
  readonly against?: string;
  readonly key?: readonly string[];
  readonly failOn: FailOn;
  readonly unstable: GatePolicy['unstable'];
  readonly format: 'text' | 'json';
};

export function failOnOption(says: string): Option {
  return new Option('--fail-on <policy>', says).choices(failOnPolicies).default('any');
}

export function unstableOption(end: string): Option {
  const says = `whether a violation that no repeat reproduced ${end} with 1`;
  return new Option('--unstable <policy>', says).choices(['fail', 'pass']).default('fail');
}

export function formatOption(): Option {
  return new Option('--format <name>', 'what standard output shows')
    .choices(['text', 'json'])
    .default('text');
}

export function endingOf({ against, failOn, format, key, unstable }: EndingOptions) {
  return {
    against,
    keys: key,
    json: format === 'json',
    gate: failOn === 'any' && unstable === 'fail' ? undefined : { failOn, unstable },
  };
}

export type Filters = {
  readonly suite?: readonly string[];
  readonly operation?: readonly string[];
  readonly clause?: readonly string[];
  readonly tag?: readonly string[];
  readonly path?: readonly string[];
};

export function withFilters(command: Command): Command {
  return command
    .option(
      '-s, --suite <names>',
      'only these suites (repeatable, or a list with commas); the verdict is then PARTIAL',
      collect,
    )
    .option('-o, --operation <ids>', 'only these operations; PARTIAL too', collect)
    .option('--tag <names>', 'only operations with one of these tags in the contract; PARTIAL too', collect)
    .option('--path <paths>', 'only operations at these paths, such as "/cases/*"; PARTIAL too', collect)
    .option('--clause <codes>', 'only probes for these clauses; PARTIAL too', collect);
}

export function narrowing({ clause, operation, path, suite, tag }: Filters): Omit<Narrowing, 'lastFailed'> {
  return { suites: suite, operations: operation, clauses: clause, tags: tag, paths: path };
}

export function withoutFilters<Options extends Filters>(options: Options): Omit<Options, keyof Filters> {
  const { clause: _clause, operation: _operation, path: _path, suite: _suite, tag: _tag, ...rest } = options;
  return rest;
}
