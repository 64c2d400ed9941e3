import { availableParallelism } from 'node:os';
import type { TextOutput } from '../model/text-output.ts';
import { faults } from '../reference/faults/catalogue.ts';
import type { ContractJob, ContractResult } from './contract-trial.ts';
import { coverage, drawContracts } from './random-contracts.ts';
import { inWorkers } from './trial-workers.ts';

export type ContractsFlags = {
  /** How many random contracts with legal choices, on which nothing may be accused. */
  readonly contracts: number;
  /** How many trials of a seeded fault on a random contract. */
  readonly contractFaults: number;
  readonly seed: number;
  readonly jobs: number | undefined;
};

type Tried = { readonly job: ContractJob; readonly result: ContractResult };

/**
 * The proof on contracts that nobody wrote: no legal choice is accused, no run hangs or fails, and each seeded fault is
 * caught where the clauses that it breaks pass without it. A failure is shrunk to the fewest shapes and choices.
 */
export async function contractsSelftest(
  flags: ContractsFlags,
  output: TextOutput,
  signal: AbortSignal,
): Promise<number> {
  const drawn = drawContracts(Math.max(flags.contracts, flags.contractFaults), flags.seed);
  const workers = flags.jobs ?? availableParallelism();
  const run = async (jobs: readonly ContractJob[], what: string): Promise<readonly Tried[]> => {
    const tried: Tried[] = [];
    const start = performance.now();
    await inWorkers<ContractJob, ContractResult>('contract-worker', jobs, workers, signal, (one) => {
      tried.push(one);
      const left = ((performance.now() - start) / tried.length) * (jobs.length - tried.length);
      output.err(
        `${lineOf(one)}  (${what} ${tried.length} of ${jobs.length}, about ${Math.ceil(left / 60_000)} min left)\n`,
      );
    });
    return tried;
  };
  const jobOf = (index: number): ContractJob => ({
    shapes: drawn[index]?.shapes ?? [],
    variants: drawn[index]?.variants ?? [],
    seed: flags.seed + index,
    budget: 'quick',
  });
  const conforming = await run(
    Array.from({ length: Math.max(flags.contracts, flags.contractFaults) }, (_, index) => jobOf(index)),
    'contract',
  );
  const wrong = conforming.filter(isWrong);
  const faulty = await run(faultJobs(conforming, flags), 'fault');
  const missed = faulty.filter(({ job, result }) => !isCaught(job, result));
  const stray = faulty.filter(({ job, result }) => strays(job, result).length > 0);

  const { shapes, pairs } = coverage(drawn);
  const fewest = Math.min(...shapes.values());
  output.out(
    [
      '',
      `random contracts                ${conforming.length}`,
      `  accused, hung or failed       ${wrong.length}`,
      `  requests                      ${conforming.reduce((sum, { result }) => sum + result.requests, 0)}`,
      `  shapes                        ${shapes.size}, each at least ${fewest} times`,
      `  pairs of shapes that met      ${pairs.met} of ${pairs.possible}`,
      `trials of a fault               ${faulty.length}`,
      `  caught                        ${faulty.length - missed.length}`,
      `  with stray clauses            ${stray.length}`,
      '',
      ...missed.map(({ job }) => `missed  ${nameOf(job)}`),
      ...stray.map((one) => `stray   ${nameOf(one.job)}: ${strays(one.job, one.result).join(', ')}`),
      '',
    ].join('\n'),
  );
  for (const one of wrong.slice(0, 10)) output.out(`${await smallest(one, signal)}\n`);
  const enough = faulty.length === 0 || (faulty.length - missed.length) / faulty.length >= leastCaught;
  return signal.aborted ? 3 : wrong.length === 0 && enough && stray.length === 0 ? 0 : 1;
}

/** Of the trials of a fault so many must catch it. */
const leastCaught = 0.99;

/** A fault applies where clauses that it breaks pass on the same contract without it; the rarest faults come first. */
function faultJobs(conforming: readonly Tried[], flags: ContractsFlags): readonly ContractJob[] {
  const times = new Map(faults.map(({ id }) => [id, 0]));
  return conforming.slice(0, flags.contractFaults).flatMap(({ job, result }) => {
    const passed = new Set(result.passed);
    const fitting = faults.filter(
      ({ breaks }) => breaks.length > 0 && breaks.every((code) => passed.has(code)),
    );
    const least = Math.min(...fitting.map(({ id }) => times.get(id) ?? 0));
    const fault = fitting.find(({ id }) => times.get(id) === least);
    if (fault === undefined) return [];
    times.set(fault.id, least + 1);
    // A fault replaces a choice at the same decision, so it is tried without any.
    return [{ ...job, variants: [], fault: fault.id, budget: 'standard' as const }];
  });
}

const codeOf = (violated: string): string => violated.split('/')[0] ?? '';

function isCaught({ fault }: ContractJob, { violated }: ContractResult): boolean {
  const breaks = faults.find(({ id }) => id === fault)?.breaks ?? [];
  return violated.some((one) => breaks.includes(codeOf(one)));
}

/** Clauses that fired and are no consequence of the fault. */
function strays({ fault }: ContractJob, { violated }: ContractResult): readonly string[] {
  const known = faults.find(({ id }) => id === fault);
  const may = new Set([...(known?.breaks ?? []), ...(known?.also ?? [])]);
  return [...new Set(violated.map(codeOf))].filter((code) => !may.has(code));
}

function isWrong({ result }: Tried): boolean {
  return result.trouble !== undefined || result.violated.length > 0;
}

/** Leaves out one shape or choice after the other, as long as it still goes wrong. */
async function smallest(of: Tried, signal: AbortSignal): Promise<string> {
  const { contractTrial } = await import('./contract-trial.ts');
  let best = of;
  let went = true;
  while (went && !signal.aborted) {
    went = false;
    for (const job of smaller(best.job)) {
      const tried = { job, result: await contractTrial(job) };
      if (!isWrong(tried)) continue;
      best = tried;
      went = true;
      break;
    }
  }
  const { result } = best;
  return `WRONG  ${nameOf(best.job)}\n${[...(result.trouble === undefined ? [] : [result.trouble]), ...result.violated].map((line) => `  ${line}`).join('\n')}`;
}

function smaller(job: ContractJob): readonly ContractJob[] {
  const without = (names: readonly string[]): readonly (readonly string[])[] =>
    names.map((name) => names.filter((other) => other !== name));
  return [
    ...(job.shapes.length > 1 ? without(job.shapes).map((shapes) => ({ ...job, shapes })) : []),
    ...without(job.variants).map((variants) => ({ ...job, variants })),
  ];
}

function nameOf({ shapes, variants, seed, fault }: ContractJob): string {
  return `seed ${seed}: ${shapes.join(' + ')}${variants.length === 0 ? '' : ` with ${variants.join(', ')}`}${fault === undefined ? '' : `, fault ${fault}`}`;
}

function lineOf(one: Tried): string {
  const { job, result } = one;
  const state =
    job.fault === undefined
      ? isWrong(one)
        ? 'WRONG '
        : 'ok    '
      : isCaught(job, result)
        ? 'caught'
        : 'MISSED';
  const what =
    result.trouble ?? (result.violated.map((cell) => cell.split(':')[0]).join(', ') || 'nothing fired');
  return `${state} ${nameOf(job)}: ${what}`;
}
