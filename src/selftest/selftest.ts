import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { unknownName } from '../document/nearest.ts';
import type { Budget } from '../model/configured.ts';
import { trouble } from '../model/input-error.ts';
import { parseJson } from '../model/json.ts';
import type { TextOutput } from '../model/text-output.ts';
import { faults } from '../reference/faults/catalogue.ts';
import { secondReading, variants } from '../reference/variants/catalogue.ts';
import { buildDigest, harness } from '../run/package.ts';
import { type Accuracy, changeOf, isAccuracy, type Job, type Line } from './accuracy.ts';
import { accuracyPage, figures } from './accuracy-page.ts';
import { isWorthKeeping, lineOf, strays } from './lines.ts';
import type { TrialResult } from './trial.ts';
import { inWorkers } from './trial-workers.ts';

export type SelfTestFlags = {
  readonly fault?: readonly string[];
  readonly variant?: readonly string[];
  readonly class?: readonly string[];
  readonly seeds: number;
  readonly budget: Budget;
  readonly combinations: number;
  readonly jobs?: number;
  readonly http?: boolean;
  readonly json?: string;
  readonly write?: string;
  /** Folder for the evidence of each fault, for a check without traffic, and of each trial that went wrong. */
  readonly keep?: string;
};

/** Runs the suites against seeded faults and legal choices: every fault must be caught, and no choice accused. @throws InputError */
export async function selftest(
  flags: SelfTestFlags,
  output: TextOutput,
  signal: AbortSignal,
): Promise<number> {
  const { keep } = flags;
  if (keep !== undefined) await mkdir(keep, { recursive: true });
  const jobs = jobsOf(flags).map((job) =>
    keep === undefined ? job : { ...job, keep: join(keep, logName(job)) },
  );
  if (jobs.length === 0)
    throw trouble('--class and --fault', 'no fault matches these classes and names', 'give one of the two');
  const lines: { readonly kind: Job['kind']; readonly line: Line }[] = [];
  const start = performance.now();
  let done = 0;
  const workers = flags.jobs ?? availableParallelism();
  output.err(`assay: ${jobs.length} trials, budget ${flags.budget}\n`);
  await inWorkers<Job, TrialResult>(
    'selftest-worker',
    jobs,
    { workers, http: flags.http === true },
    signal,
    ({ job, result }) => {
      const line = lineOf(job, result);
      if (job.keep !== undefined && !isWorthKeeping(job, line)) rmSync(job.keep, { force: true });
      lines.push({ kind: job.kind, line });
      done += 1;
      const left = ((performance.now() - start) / done) * (jobs.length - done);
      output.err(
        `${lineText(line, job.kind)}  (${done} of ${jobs.length}, about ${Math.ceil(left / 60_000)} min left)\n`,
      );
    },
  );
  const sorted = (kind: Job['kind']): readonly Line[] =>
    lines
      .filter((each) => each.kind === kind)
      .map(({ line }) => line)
      .sort(
        (one, other) =>
          one.id.localeCompare(other.id) || one.budget.localeCompare(other.budget) || one.seed - other.seed,
      );
  const accuracy: Accuracy = {
    format: 'assay-accuracy/1',
    harness: harness(),
    build: buildDigest(),
    budget: flags.budget,
    seeds: flags.seeds,
    took: { seconds: Math.round((performance.now() - start) / 1000), workers },
    faults: sorted('fault'),
    variants: sorted('variant'),
    passed:
      !signal.aborted &&
      lines.length === jobs.length &&
      passes(
        lines.map(({ line }) => line),
        flags.budget,
      ),
  };
  output.out(summary(accuracy));
  await writeAccuracy(accuracy, flags);
  return accuracy.passed ? 0 : signal.aborted ? 3 : 1;
}

/** Writes an earlier result again, with what may fire by now. @throws InputError where the file holds none */
export async function reread(file: string, flags: Pick<SelfTestFlags, 'json' | 'write'>): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const earlier: unknown = text === undefined ? undefined : parseJson(text);
  if (!isAccuracy(earlier))
    throw trouble(file, 'this is not the result of a self-test', 'make one: assay selftest --json <file>');
  const described = (kind: Job['kind'], line: Line): Line => ({
    ...line,
    describes: changeOf({ kind, ids: line.id.split('+') })?.describes ?? line.describes,
  });
  const tried = earlier.faults.map((line) => ({
    ...described('fault', line),
    unexpected: strays(line.id, line.fired),
  }));
  const accuracy = {
    ...earlier,
    faults: tried,
    variants: earlier.variants.map((line) => described('variant', line)),
    passed: passes([...tried, ...earlier.variants], earlier.budget),
  };
  await writeAccuracy(accuracy, flags);
  return accuracy.passed ? 0 : 1;
}

async function writeAccuracy(
  accuracy: Accuracy,
  { json, write }: Pick<SelfTestFlags, 'json' | 'write'>,
): Promise<void> {
  const text = `${JSON.stringify(accuracy, null, 1)}\n`;
  if (json !== undefined) await writeFile(json, text);
  if (write !== undefined)
    await writeFile(write, accuracyPage(accuracy, createHash('sha256').update(text).digest('hex')));
}

/** Whether nothing was missed that had to be caught, and nothing accused. */
function passes(lines: readonly Line[], budget: Budget): boolean {
  return (
    lines.every(
      (line) => line.unexpected.length === 0 && (line.missed.length === 0 || mayMiss(line, budget)),
    ) && quickShare(lines.filter((line) => line.breaks.length > 0)) >= leastQuick
  );
}

export function logName({ ids, budget, seed }: Pick<Job, 'ids' | 'budget' | 'seed'>): string {
  return `${ids.join('+')}.${budget}.${seed}.jsonl`;
}

/** Of a hundred faults the quick budget must catch at least so many. */
const leastQuick = 0.97;

/** The quick trial of a larger self-test may miss a fault that the larger budget catches. */
function mayMiss(line: Line, budget: Budget): boolean {
  return budget !== 'quick' && line.budget === 'quick' && line.breaks.length > 0;
}

function quickShare(lines: readonly Line[]): number {
  const quick = lines.filter((line) => line.budget === 'quick' && line.seed === 1);
  return quick.length === 0 ? 1 : quick.filter((line) => line.missed.length === 0).length / quick.length;
}

export function jobsOf(flags: SelfTestFlags): readonly Job[] {
  const chosenFaults = faults.filter(
    (fault) =>
      (flags.fault === undefined ? flags.variant === undefined : flags.fault.includes(fault.id)) &&
      (flags.class === undefined || flags.class.some((one) => fault.id.startsWith(one.toUpperCase()))),
  );
  const chosenVariants = variants.filter((variant) =>
    flags.variant === undefined
      ? flags.fault === undefined && flags.class === undefined
      : flags.variant.includes(variant.id),
  );
  const ids = faults.map(({ id }) => id);
  known('fault', flags.fault, ids);
  known(
    'variant',
    flags.variant,
    variants.map(({ id }) => id),
  );
  known(
    'class',
    flags.class?.map((one) => one.toUpperCase()),
    [...new Set(ids.map((id) => id.slice(0, 1)))],
  );
  const seeds = Array.from({ length: flags.seeds }, (_, index) => index + 1);
  const whole = flags.variant === undefined && flags.fault === undefined && flags.class === undefined;
  return [
    // The whole quick plan, to see what must not fire; then, at the budget asked for, until all that is broken has fired.
    ...chosenFaults.map(
      (fault): Job => ({ kind: 'fault', ids: [fault.id], seed: 1, budget: 'quick', early: false }),
    ),
    ...seeds
      .filter((seed) => flags.budget !== 'quick' || seed > 1)
      .flatMap((seed) =>
        chosenFaults.map(
          (fault): Job => ({ kind: 'fault', ids: [fault.id], seed, budget: flags.budget, early: true }),
        ),
      ),
    ...(flags.variant === undefined ? [1] : seeds).flatMap((seed) =>
      chosenVariants.map(
        (variant): Job => ({ kind: 'variant', ids: [variant.id], seed, budget: flags.budget, early: false }),
      ),
    ),
    ...(whole
      ? [
          {
            kind: 'variant' as const,
            ids: secondReading.map((variant) => variant.id),
            seed: 1,
            budget: flags.budget,
            early: false,
          },
        ]
      : []),
    ...drawn(flags.combinations),
  ];
}

function drawn(count: number): readonly Job[] {
  if (count === 0) return [];
  const combinable = variants.filter(({ alone }) => alone !== true);
  const groups = [...new Set(combinable.map((variant) => variant.group))];
  const one = fc.tuple(
    ...groups.map((group) =>
      fc.option(fc.constantFrom(...combinable.filter((variant) => variant.group === group)), { freq: 2 }),
    ),
  );
  return fc.sample(one, { numRuns: count, seed: 1 }).map(
    (chosen, index): Job => ({
      kind: 'variant',
      ids: chosen.flatMap((variant) => (variant === null ? [] : [variant.id])),
      seed: index + 1,
      budget: 'quick',
      early: false,
    }),
  );
}

export function known(kind: string, given: readonly string[] = [], all: readonly string[]): void {
  for (const id of given) if (!all.includes(id)) throw unknownName(`--${kind}`, kind, id, all);
}

function lineText(line: Line, kind: Job['kind']): string {
  const wrong = [
    ...(line.missed.length > 0 ? [`MISSED ${line.missed.join(', ')}`] : []),
    ...(line.unexpected.length > 0
      ? [`${kind === 'variant' ? 'ACCUSED' : 'UNEXPECTED'} ${line.unexpected.join(', ')}`]
      : []),
    ...(line.outcome.startsWith('no report') ? [line.outcome] : []),
  ];
  const fired =
    line.fired.length === 0
      ? line.breaks.length > 0
        ? `advisory of ${line.breaks.join(', ')}`
        : 'nothing fired'
      : `${line.fired.join(', ')}; the first after ${line.firstRequest ?? '?'} requests, ${(line.firstSeconds ?? 0).toFixed(1)} s`;
  return `${wrong.length > 0 ? 'NOT OK' : 'ok    '} ${line.id} seed ${line.seed} ${line.budget}: ${wrong.join('; ') || fired}`;
}

function summary(accuracy: Accuracy): string {
  return [
    '',
    ...figures(accuracy).map(([what, text]) => `${what.padEnd(54)}  ${text}`),
    accuracy.passed ? 'The self-test passed.' : 'The self-test FAILED.',
    '',
  ].join('\n');
}
