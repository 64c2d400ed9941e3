import { actsOnOne, type Contract, operationOf } from '../model/contract.ts';
import { type Scenario, stepsOf } from '../model/scenario.ts';

export type Use = { readonly record: string; readonly alone: boolean };

/** Lets scenarios use shared records: any number together, or one alone. */
export type Turns = {
  /** Resolves to what ends the use. */
  readonly take: (uses: readonly Use[]) => Promise<() => void>;
};

type Queue = {
  using: number;
  alone: boolean;
  readonly waiting: { readonly use: Use; readonly go: () => void }[];
};

export function makeTurns(): Turns {
  const queues = new Map<string, Queue>();
  const admit = (queue: Queue): void => {
    for (let next = queue.waiting[0]; next !== undefined; next = queue.waiting[0]) {
      if (queue.using > 0 && (queue.alone || next.use.alone)) return;
      queue.waiting.shift();
      queue.using += 1;
      queue.alone = next.use.alone;
      next.go();
    }
  };
  const takeOne = async (use: Use): Promise<() => void> => {
    const queue = queues.get(use.record) ?? { using: 0, alone: false, waiting: [] };
    queues.set(use.record, queue);
    await new Promise<void>((go) => {
      queue.waiting.push({ use, go });
      admit(queue);
    });
    return () => {
      queue.using -= 1;
      admit(queue);
    };
  };
  return {
    take: async (uses) => {
      const releases: (() => void)[] = [];
      // In one order, so that no two scenarios wait for each other.
      for (const use of [...uses].sort((one, other) => (one.record < other.record ? -1 : 1)))
        releases.push(await takeOne(use));
      return () => {
        for (const release of releases) release();
      };
    },
  };
}

/** Singletons, and targets that the configuration gives: who reads one, or sends its version, must have it alone. */
export function sharedRecords(contract: Contract, { waves }: Scenario): readonly Use[] {
  const uses = new Map<string, boolean>();
  const steps = stepsOf(waves);
  const observes = steps.some((step) => step.role === 'readback' || step.version !== undefined);
  for (const step of steps) {
    const operation = operationOf(contract, step.operation);
    if (operation.kind !== 'command') continue;
    if (actsOnOne(operation)) uses.set(operation.path, observes);
    for (const ref of Object.values(step.target ?? {}))
      if ('literal' in ref) uses.set(`record ${ref.literal}`, observes);
  }
  return [...uses].map(([record, alone]) => ({ record, alone }));
}
