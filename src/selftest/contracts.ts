import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseContract } from '../contract/load.ts';
import type { ClauseCode } from '../model/clause.ts';
import { type OperationId, operationNamed } from '../model/contract.ts';
import type { TextOutput } from '../model/text-output.ts';
import { faults } from '../reference/faults/catalogue.ts';
import type { Fault } from '../reference/faults/fault.ts';
import type { ContractJob, ContractResult } from './contract-trial.ts';
import { strays } from './lines.ts';
import { contractOfShapes, coverage, drawContracts } from './random-contracts.ts';
import { known } from './selftest.ts';
import { canShow } from './showing.ts';
import { inWorkers } from './trial-workers.ts';

export type ContractsFlags = {
  /** How many random contracts with legal choices, on which nothing may be accused. */
  readonly contracts: number;
  /** How many trials of a seeded fault on a random contract. */
  readonly contractFaults: number;
  /** The faults to try; undefined for all. */
  readonly fault?: readonly string[];
  readonly seed: number;
  /** How many contracts of the seed are left out first, because an earlier run tried them. */
  readonly skip: number;
  readonly jobs?: number;
  readonly http?: boolean;
  readonly json?: string;
  /** Where a folder with contract, configuration and evidence of each trial that went wrong is kept. */
  readonly keep?: string;
};

type Run = (jobs: readonly ContractJob[], what: string) => Promise<readonly Tried[]>;

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
  known(
    'fault',
    flags.fault,
    faults.map(({ id }) => id),
  );
  const count = Math.max(flags.contracts, flags.contractFaults);
  const drawn = drawContracts(flags.skip + count, flags.seed).slice(flags.skip);
  const way = { workers: flags.jobs ?? availableParallelism(), http: flags.http === true };
  const run: Run = async (jobs: readonly ContractJob[], what: string): Promise<readonly Tried[]> => {
    const tried: Tried[] = [];
    if (signal.aborted) return tried;
    const start = performance.now();
    await inWorkers<ContractJob, ContractResult>('contract-worker', jobs, way, signal, (one) => {
      tried.push(one);
      if (one.job.keep !== undefined && !isBad(one)) rmSync(one.job.keep, { recursive: true, force: true });
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
    seed: flags.seed + flags.skip + index,
    budget: 'quick',
    ...keepIn(flags, `${flags.seed + flags.skip + index}`),
  });
  const conforming = await run(
    drawn.map((_, index) => jobOf(index)),
    'contract',
  );
  const wrong = conforming.filter(isWrong);
  const faulty = await run(await faultJobs(conforming, flags), 'fault');
  const missed = faulty.filter(({ job, result }) => !isCaught(job, result));
  const stray = faulty.filter((one) => straysOf(one).length > 0);

  // A fault that was asked for and not tried was not caught.
  const untried = faulty.length === 0 && flags.fault !== undefined;

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
      ...(untried ? [`not tried  ${flags.fault?.join(', ')}: can show in none of these contracts`] : []),
      ...missed.map(({ job }) => `missed  ${nameOf(job)}${againWith(job, flags)}`),
      ...stray.map(
        (one) => `stray   ${nameOf(one.job)}: ${straysOf(one).join(', ')}${againWith(one.job, flags)}`,
      ),
      '',
    ].join('\n'),
  );
  if (flags.json !== undefined)
    await writeFile(flags.json, JSON.stringify([...conforming, ...faulty], null, 1));
  for (const one of wrong.slice(0, 10)) output.out(`${await smallest(one, run)}\n`);
  const enough = !untried && faulty.length - missed.length >= leastCaught * faulty.length;
  return signal.aborted ? 3 : wrong.length === 0 && enough && stray.length === 0 ? 0 : 1;
}

/** Of the trials of a fault so many must catch it. */
const leastCaught = 0.99;

/** Faults in the words of the built-in contracts: a member `subject`, a filter `status`, a read `getCase`. */
const boundToReference = new Set(
  'V02 V03 V06 V13 V15 V65 V72 P60 P63 P65 M02 M04 G60 G83 G85 V76'.split(' '),
);

const isRead = (operation: OperationId): boolean => /^(?:list|get)/.test(operation);

/** A fault applies where it can show, and its clauses pass without it; the rarest faults come first. */
async function faultJobs(
  conforming: readonly Tried[],
  flags: ContractsFlags,
): Promise<readonly ContractJob[]> {
  const from = flags.skip % faults.length;
  const inTurn = [...faults.slice(from), ...faults.slice(0, from)].filter(
    ({ id }) => flags.fault?.includes(id) ?? true,
  );
  const times = new Map(faults.map(({ id }) => [id, 0]));
  const jobs: ContractJob[] = [];
  for (const { job, result } of conforming.slice(0, flags.contractFaults)) {
    const contract = await parseContract(contractOfShapes(job.shapes).text, 'contract.yaml');
    // Only commands have a CMD clause; what commands alone return, such as 409, no read shows.
    const commands = new Set(result.passed.filter((cell) => cell.startsWith('CMD-')).map(operationIn));
    const cellsFor = ({ id, operations }: Fault): readonly string[] =>
      result.passed.filter((cell) => {
        const operation = operationNamed(contract, operationIn(cell));
        return (
          operation !== undefined &&
          (operations.some(isRead) || commands.has(operation.id)) &&
          canShow(id, operation, contract)
        );
      });
    const fitting = inTurn.filter((fault) => {
      if (boundToReference.has(fault.id) || fault.breaks.length === 0) return false;
      const codes = new Set(cellsFor(fault).map(codeOf));
      return fault.breaks.every((code) => codes.has(code));
    });
    const least = Math.min(...fitting.map(({ id }) => times.get(id) ?? 0));
    const fault = fitting.find(({ id }) => times.get(id) === least);
    if (fault === undefined) continue;
    times.set(fault.id, least + 1);
    const operations = operationsFor(fault.breaks, cellsFor(fault), job.seed);
    // A fault replaces a choice at the same decision, so it is tried without any.
    jobs.push({
      ...job,
      variants: [],
      fault: fault.id,
      operations,
      budget: 'standard',
      known: result.advised,
      ...keepIn(flags, `${job.seed}-${fault.id}`),
    });
  }
  return jobs;
}

/** The fewest operations on which each of these clauses passed. */
export function operationsFor(
  codes: readonly ClauseCode[],
  passed: readonly string[],
  random: number,
): readonly OperationId[] {
  const chosen: OperationId[] = [];
  let open = codes;
  while (open.length > 0) {
    const cells = passed.filter((cell) => open.includes(codeOf(cell)));
    const times = new Map<OperationId, number>();
    for (const cell of cells) times.set(operationIn(cell), (times.get(operationIn(cell)) ?? 0) + 1);
    const most = Math.max(...times.values());
    const best = [...times.keys()].filter((id) => times.get(id) === most);
    const operation = best[random % best.length];
    if (operation === undefined) break;
    chosen.push(operation);
    open = open.filter((code) => !passed.includes(`${code}/${operation}`));
  }
  return chosen;
}

const codeOf = (cell: string): ClauseCode => cell.split('/')[0] ?? '';

const operationIn = (cell: string): OperationId => cell.slice(cell.indexOf('/') + 1);

/** Something fired that the fault breaks, or that follows from it. */
function isCaught({ fault, known = [] }: ContractJob, { advised, violated }: ContractResult): boolean {
  const { also = [], breaks = [] } = faults.find(({ id }) => id === fault) ?? {};
  const may = new Set([...breaks, ...also]);
  return (
    violated.some((cell) => may.has(codeOf(cell))) ||
    advised.some((note) => !known.includes(note) && breaks.some((code) => note.startsWith(`${code}: `)))
  );
}

function straysOf({ job, result }: Tried): readonly ClauseCode[] {
  return strays(job.fault ?? '', [...new Set(result.violated.map(codeOf))]);
}

function isBad(one: Tried): boolean {
  const { job, result } = one;
  return job.fault === undefined ? isWrong(one) : !isCaught(job, result) || straysOf(one).length > 0;
}

function isWrong({ result }: Tried): boolean {
  return result.trouble !== undefined || result.violated.length > 0;
}

/** Leaves out shapes and choices, several ways at once, as long as it still goes wrong. */
async function smallest({ job: { keep: _, ...job }, result: first }: Tried, run: Run): Promise<string> {
  let best: Tried = { job, result: first };
  for (;;) {
    const next = (await run(smaller(best.job), 'smaller')).filter(isWrong);
    const least = next.reduce<Tried | undefined>(
      (one, other) => (one === undefined || size(other.job) < size(one.job) ? other : one),
      undefined,
    );
    if (least === undefined) break;
    best = least;
  }
  const { result } = best;
  return `WRONG  ${nameOf(best.job)}\n${[...(result.trouble === undefined ? [] : [result.trouble]), ...result.violated].map((line) => `  ${line}`).join('\n')}`;
}

const size = ({ shapes, variants }: ContractJob): number => shapes.length + variants.length;

/** Each shape alone, with and without the choices; then one shape or choice fewer. */
function smaller(job: ContractJob): readonly ContractJob[] {
  const without = (names: readonly string[]): readonly (readonly string[])[] =>
    names.map((name) => names.filter((other) => other !== name));
  const jobs = [
    ...(job.shapes.length > 1
      ? job.shapes.flatMap((shape) => [
          { ...job, shapes: [shape] },
          { ...job, shapes: [shape], variants: [] },
        ])
      : []),
    ...(job.shapes.length > 2 ? without(job.shapes).map((shapes) => ({ ...job, shapes })) : []),
    ...without(job.variants).map((variants) => ({ ...job, variants })),
  ];
  const texts = jobs.map((one) => JSON.stringify(one));
  return jobs.filter((_, at) => texts.indexOf(texts[at] ?? '') === at);
}

function nameOf({ shapes, variants, seed, fault, operations }: ContractJob): string {
  return `seed ${seed}: ${shapes.join(' + ')}${variants.length === 0 ? '' : ` with ${variants.join(', ')}`}${fault === undefined ? '' : `, fault ${fault} on ${operations?.join(', ')}`}`;
}

/** How to try this fault on this contract alone. */
function againWith({ fault, seed }: ContractJob, flags: ContractsFlags): string {
  return `\n        again: assay selftest --contracts 1 --contract-faults 1 --seed ${flags.seed} --skip ${seed - flags.seed} --fault ${fault}`;
}

const keepIn = ({ keep }: ContractsFlags, name: string): Pick<ContractJob, 'keep'> =>
  keep === undefined ? {} : { keep: join(keep, name) };

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
