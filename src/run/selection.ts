import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { clauseCodes } from '../clauses/codes.ts';
import { suggestion } from '../document/nearest.ts';
import type { Selection, ShownCell } from '../engine/plan.ts';
import type { Contract, OperationId } from '../model/contract.ts';
import { trouble } from '../model/input-error.ts';
import { writtenPath } from '../model/path.ts';
import { readReport, reportFile } from './bundle.ts';
import { checkSelection, type Session } from './session.ts';

/** The filters of a run, as on the command line. They are combined with "and". */
export type Narrowing = {
  readonly suites?: readonly string[] | undefined;
  readonly operations?: readonly OperationId[] | undefined;
  readonly clauses?: readonly string[] | undefined;
  /** Tags of operations in the contract document. */
  readonly tags?: readonly string[] | undefined;
  /** Paths of operations as the contract writes them; `*` stands for any text. */
  readonly paths?: readonly string[] | undefined;
  /** Only what the newest run in this folder violated. */
  readonly lastFailed?: string | undefined;
};

export type Narrowed = Selection & { readonly narrowing: readonly string[] };

/** What the filters select. @throws InputError if a name is unknown, or nothing is left */
export async function narrowed(
  session: Pick<Session, 'suiteNames' | 'contract'>,
  given: Narrowing,
): Promise<Narrowed> {
  const { suites, operations, tags, paths, lastFailed } = given;
  checkSelection(session, { suites, operations });
  const clauses = given.clauses?.map((code) => clauseNamed(code));
  const { contract } = session;
  const filters = [
    ...(operations === undefined ? [] : [new Set(operations)]),
    ...(tags === undefined ? [] : [taggedWith(contract, tags)]),
    ...(paths === undefined ? [] : [atPaths(contract, paths)]),
  ];
  const left = contract.operations
    .map(({ id }) => id)
    .filter((id) => filters.every((filter) => filter.has(id)));
  if (left.length === 0)
    throw trouble('--operation, --tag and --path', 'no operation has them all', 'leave one of them out');
  const violations = lastFailed === undefined ? undefined : await violationsOf(lastFailed);
  return {
    suites,
    operations: filters.length === 0 ? undefined : left,
    ...(clauses === undefined ? {} : { clauses }),
    ...(violations === undefined ? {} : { violations: violations.shown }),
    narrowing: [
      ...(suites === undefined ? [] : [`--suite ${suites.join(',')}`]),
      ...(operations === undefined ? [] : [`--operation ${operations.join(',')}`]),
      ...(tags === undefined ? [] : [`--tag ${tags.join(',')}`]),
      ...(paths === undefined ? [] : [`--path ${paths.join(',')}`]),
      ...(clauses === undefined ? [] : [`--clause ${clauses.join(',')}`]),
      ...(violations === undefined ? [] : [`--last-failed (${violations.run})`]),
    ],
  };
}

function clauseNamed(given: string): string {
  const code = clauseCodes.find((one) => one.toLowerCase() === given.toLowerCase());
  if (code === undefined)
    throw trouble('--clause', `there is no clause '${given}'`, suggestion(given.toUpperCase(), clauseCodes));
  return code;
}

function taggedWith(
  { operations, tags: known = {} }: Contract,
  tags: readonly string[],
): ReadonlySet<OperationId> {
  const all = [...new Set(Object.values(known).flat())];
  for (const tag of tags)
    if (!all.includes(tag))
      throw trouble(
        '--tag',
        `no operation has the tag '${tag}'`,
        all.length === 0 ? 'the contract has no tags; use --path' : suggestion(tag, all),
      );
  return new Set(
    operations.flatMap(({ id }) => ((known[id] ?? []).some((tag) => tags.includes(tag)) ? [id] : [])),
  );
}

function atPaths({ operations }: Contract, paths: readonly string[]): ReadonlySet<OperationId> {
  return new Set(
    paths.flatMap((given) => {
      const pattern = new RegExp(
        `^${given
          .split('*')
          .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
          .join('.*')}$`,
      );
      const found = operations.filter((one) => pattern.test(writtenPath(one)));
      if (found.length === 0)
        throw trouble(
          '--path',
          `no operation is at '${given}'`,
          suggestion(given, operations.map(writtenPath)),
        );
      return found.map(({ id }) => id);
    }),
  );
}

/** What the newest run in a folder violated. @throws InputError where there is none, or it violated nothing */
async function violationsOf(
  output: string,
): Promise<{ readonly run: string; readonly shown: readonly ShownCell[] }> {
  const folder = await newestRun(output);
  const report = await readReport(folder);
  const { violations } = report;
  if (violations.length === 0)
    throw trouble('--last-failed', `the last run violated nothing (${folder})`, 'leave --last-failed out');
  return { run: report.run.id, shown: violations };
}

/** The folder of the newest run: that of `latest`, or else the last by its name. */
async function newestRun(output: string): Promise<string> {
  const names = await readdir(output).catch((): string[] => []);
  const withReport = async (name: string): Promise<boolean> =>
    (await readdir(join(output, name)).catch((): string[] => [])).includes(reportFile);
  if (await withReport('latest')) return realpath(join(output, 'latest'));
  for (const name of names.sort().reverse()) if (await withReport(name)) return join(output, name);
  throw trouble('--last-failed', `there is no run in ${output}`, 'run once without it');
}
