import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { regularText } from '../evidence/regular-file.ts';
import { InputError, trouble } from '../model/input-error.ts';
import { makeShelf, type SubjectRuns, type Unreadable } from '../report/html/runs.ts';
import { parseReport } from '../report/read.ts';
import type { Report } from '../report/report.ts';
import { reportFile } from './bundle.ts';

/** All runs below a folder, grouped by what they tested. */
export type Runs = {
  readonly subjects: readonly SubjectRuns[];
  readonly unreadable: readonly Unreadable[];
};

/** Whether a folder has the name of a run: only such folders are listed, and only such are served. */
export function isServable(name: string): boolean {
  return /^[\w-][\w.-]*$/.test(name);
}

/** Reads every report below a folder, one after the other. @throws InputError where there is no run at all */
export async function readRuns(folder: string): Promise<Runs> {
  const without = (problem: string): InputError =>
    trouble(folder, problem, 'name the folder that holds the runs, or make one with `assay run`');
  const found = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  if (found === undefined) throw without('there is no such folder');
  const shelf = makeShelf();
  const unreadable: Unreadable[] = [];
  // Folders are named after the time at which their runs started.
  const names = found
    .filter((entry) => entry.isDirectory() && isServable(entry.name))
    .map(({ name }) => name)
    .sort();
  for (const name of names) {
    const report = await reportIn(join(folder, name));
    if (typeof report === 'string') unreadable.push({ name, problem: report });
    else shelf.put(name, report);
  }
  const subjects = shelf.subjects();
  if (subjects.length === 0)
    throw without(
      unreadable.length === 0
        ? 'there are no runs in it'
        : `there are no runs with a report of this version in it (${unreadable[0]?.name}: ${unreadable[0]?.problem})`,
    );
  return { subjects, unreadable };
}

/** The report in a folder, or what is wrong with it. */
export async function reportIn(folder: string): Promise<Report | string> {
  const file = join(folder, reportFile);
  const text = await regularText(file);
  if (text === undefined) return `there is no ${reportFile}`;
  try {
    return parseReport(text, file);
  } catch (error) {
    if (error instanceof InputError) return error.problem;
    throw error;
  }
}
