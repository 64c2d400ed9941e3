import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseContract } from '../contract/load.ts';
import type { OperationId } from '../model/contract.ts';
import { messageOf } from '../model/thrown.ts';
import type { Cell } from '../model/verdict.ts';
import { faults } from '../reference/faults/catalogue.ts';
import { variants } from '../reference/variants/catalogue.ts';
import { combined } from '../reference/variants/variant.ts';
import { conduct } from '../run/conduct.ts';
import type { Means } from '../run/means.ts';
import { openSession, type ReferenceChange } from '../run/session.ts';
import { inTemporaryFolder } from '../run/temporary-folder.ts';
import { contractOfShapes, type DrawnContract } from './random-contracts.ts';
import { configurationFor } from './shapes/configuration.ts';

export type ContractJob = DrawnContract & {
  readonly seed: number;
  readonly budget: 'quick' | 'standard';
  /** A seeded fault in place of conformance. */
  readonly fault?: string;
  readonly operations?: readonly OperationId[];
  readonly known?: readonly string[];
  /** Where its folder is to be kept; else it goes. */
  readonly keep?: string;
};

export type ContractResult = {
  /** Cells that were violated, and why: `VAL-3/createNote: ...`. */
  readonly violated: readonly string[];
  /** What is only a note, by clause: `IDM-16: the key stays blocked`. */
  readonly advised: readonly string[];
  readonly passed: readonly string[];
  /** Undefined where the run ended by itself. */
  readonly trouble: string | undefined;
  readonly requests: number;
  readonly operations: number;
  readonly seconds: number;
};

/** A run in which nothing happens for so long hangs: how long it takes on the whole is up to the machine. */
const idleSeconds = 240;

export async function contractTrial(job: ContractJob, means: Means): Promise<ContractResult> {
  const late = new AbortController();
  const start = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hung: (result: ContractResult) => void = () => undefined;
  const hangs = new Promise<ContractResult>((resolve) => {
    hung = resolve;
  });
  const goesOn = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      late.abort();
      hung(failed(`nothing happened for ${idleSeconds} s`));
    }, idleSeconds * 1000);
  };
  goesOn();
  try {
    const result = await Promise.race([
      inTemporaryFolder('contract', (folder) => runOn(job, folder, late.signal, goesOn, means)).catch(
        (error: unknown) => failed(messageOf(error)),
      ),
      hangs,
    ]);
    return { ...result, seconds: Math.round((performance.now() - start) / 100) / 10 };
  } finally {
    clearTimeout(timer);
  }
}

function failed(trouble: string): ContractResult {
  return { violated: [], advised: [], passed: [], trouble, requests: 0, operations: 0, seconds: 0 };
}

async function runOn(
  job: ContractJob,
  folder: string,
  signal: AbortSignal,
  goesOn: () => void,
  means: Means,
): Promise<ContractResult> {
  const { text, operations } = contractOfShapes(job.shapes);
  const contract = await parseContract(text, 'contract.yaml');
  const config = join(folder, 'assay.json');
  await writeFile(join(folder, 'contract.yaml'), text);
  await writeFile(config, configurationFor(contract, operations));
  const change = changeOf(job);
  const session = await openSession(
    config,
    { output: folder, budget: job.budget, seed: job.seed },
    change.declares,
  );
  const conducted = await conduct(
    session,
    { operations: job.operations, reference: change, onEvent: goesOn },
    signal,
    means,
  );
  if (job.keep !== undefined) await cp(folder, job.keep, { recursive: true });
  if (conducted.kind === 'void') return failed(conducted.because);
  const bad = conducted.cells.filter(({ verdict }) => verdict === 'fail' || verdict === 'unstable');
  const isAdvice = ({ level }: Cell): boolean => level === 'advisory';
  return {
    advised: [
      ...new Set([
        ...bad.filter(isAdvice).map(({ because, clause }) => `${clause}: ${because}`),
        ...conducted.cells.flatMap(({ advisories, clause }) =>
          advisories.map(({ text: note }) => `${clause}: ${note}`),
        ),
      ]),
    ],
    violated: bad
      .filter((cell) => !isAdvice(cell))
      .map(({ clause, operation, because }) => `${clause}/${operation}: ${because}`),
    passed: conducted.cells
      .filter(({ verdict }) => verdict === 'pass')
      .map(({ clause, operation }) => `${clause}/${operation}`),
    trouble: troubleOf(conducted),
    requests: conducted.requests,
    operations: contract.operations.length,
    seconds: 0,
  };
}

function troubleOf({
  ended,
  cause,
}: {
  readonly ended: string;
  readonly cause: { readonly before?: readonly string[] | undefined } | undefined;
}) {
  if (cause?.before !== undefined) return `no response from the target after: ${cause.before.join('; ')}`;
  return ended === 'interrupted' ? 'it was interrupted' : undefined;
}

function changeOf(job: ContractJob): ReferenceChange {
  const choice = combined(variants.filter(({ id }) => job.variants.includes(id)));
  const fault = faults.find(({ id }) => id === job.fault);
  const declares = { ...choice.declares, ...fault?.declares };
  return {
    change: { ...choice.change, ...fault?.change },
    settings: { ...choice.settings, ...fault?.settings },
    declares,
  };
}
