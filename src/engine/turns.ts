import {
  actsOnOne,
  type Contract,
  idText,
  type Operation,
  operationNamed,
  operationOf,
} from '../model/contract.ts';
import type { Json } from '../model/json.ts';
import { makesWithin } from '../model/listed.ts';
import { namedTarget } from '../model/named-records.ts';
import { type Scenario, type Step, stepsOf } from '../model/scenario.ts';

export type Use = { readonly record: string; readonly alone: boolean };

/** Lets scenarios use shared records: any number together, or one alone. */
export type Turns = {
  /** Resolves to what ends the use. */
  readonly take: (uses: readonly Use[]) => Promise<() => void>;
};

type Waiting = { readonly uses: ReadonlyMap<string, boolean>; readonly go: () => void };

/**
 * Who waits for one record goes in the order of asking. Who needs several gets them together, once all are free: to keep some
 * while it waits for others would keep all scenarios of those from their turns.
 */
export function makeTurns(): Turns {
  /** By the record: how many use it, -1 where one does alone. */
  const using = new Map<string, number>();
  const waiting: Waiting[] = [];
  const fits = (record: string, alone: boolean): boolean => {
    const count = using.get(record) ?? 0;
    return count === 0 || (count > 0 && !alone);
  };
  const admit = (): void => {
    const asked = new Set<string>();
    for (const one of [...waiting]) {
      const { go, uses } = one;
      const free = [...uses].every(([record, alone]) => !asked.has(record) && fits(record, alone));
      if (free) {
        waiting.splice(waiting.indexOf(one), 1);
        for (const [record, alone] of uses) using.set(record, alone ? -1 : (using.get(record) ?? 0) + 1);
        go();
      } else if (uses.size === 1) for (const record of uses.keys()) asked.add(record);
    }
  };
  const release = (uses: Waiting['uses']): void => {
    for (const [record, alone] of uses) {
      const left = alone ? 0 : (using.get(record) ?? 0) - 1;
      if (left === 0) using.delete(record);
      else using.set(record, left);
    }
    admit();
  };
  return {
    take: (asked) =>
      new Promise((resolve) => {
        const uses = new Map<string, boolean>();
        for (const { alone, record } of asked) uses.set(record, alone || uses.get(record) === true);
        waiting.push({ uses, go: () => resolve(() => release(uses)) });
        admit();
      }),
  };
}

/**
 * Singletons, targets that the configuration gives, and records that bodies name: who reads one, or sends its version, must
 * have it alone.
 */
export function sharedRecords(contract: Contract, { bodies, waves }: Scenario): readonly Use[] {
  const uses = new Map<string, boolean>();
  const add = (record: string, alone: boolean): void => {
    uses.set(record, alone || uses.get(record) === true);
  };
  const steps = stepsOf(waves);
  const observing = steps.filter((step) => step.role === 'readback' || step.version !== undefined);
  const observed = new Set(observing.flatMap((step) => recordOf(contract, step) ?? []));
  const observes = observing.length > 0;
  const read = new Set(
    steps
      .filter((step) => operationOf(contract, step.operation).kind === 'read')
      .flatMap(({ target }) => literalsOf(target)),
  );
  for (const step of steps) {
    const { body, operation: id, target } = step;
    const operation = operationOf(contract, id);
    if (operation.kind !== 'command') continue;
    const record = makesWithin(contract, operation) ? undefined : recordOf(contract, step);
    const acts = actsOnOne(operation) && !actsOnOwn(operation, target);
    if (acts) add(operation.path, observes);
    // Commands at other paths may change what one read shows.
    const shown = acts ? operationNamed(contract, operation.effect?.read) : undefined;
    if (shown?.pathFields.length === 0) add(shown.path, observes);
    // What the record of the command is within, or what it makes a record within, only holds it.
    for (const literal of literalsOf(target))
      add(`record ${literal}`, literal === record ? observes : observed.has(literal));
    // What makes a record of a list leaves those that its body names as they are.
    if (body.use === 'named' && operation.effect?.list === undefined)
      for (const named of idsIn(bodies[body.name]?.value, idNames(contract, operation)))
        add(`record ${named}`, read.has(named) || (acts && observes));
  }
  return [...uses].map(([record, alone]) => ({ record, alone }));
}

/** Whether the record that its body names was made for it. */
function actsOnOwn(operation: Operation, target: Step['target']): boolean {
  const ref = target?.[namedTarget(operation)?.field.name ?? ''];
  return ref !== undefined && !('literal' in ref);
}

/** The record that the last field of the path names, where the configuration gives it. */
function recordOf(contract: Contract, { operation, target }: Step): string | undefined {
  const last = operationOf(contract, operation).pathFields.at(-1);
  const ref = target?.[last?.name ?? ''];
  return ref !== undefined && 'literal' in ref ? ref.literal : undefined;
}

function literalsOf(target: Step['target']): readonly string[] {
  return Object.values(target ?? {}).flatMap((ref) => ('literal' in ref ? [ref.literal] : []));
}

/** How members end that hold the ID of a record, as `fromAccountId` does: also as the path fields of what reads it. */
function idNames(contract: Contract, { effect, version }: Operation): readonly string[] {
  const reads = [effect?.read, version?.source.operation].filter((id) => id !== undefined);
  const fields = reads.flatMap((id) =>
    operationOf(contract, id).pathFields.map(({ name }) => name.toLowerCase()),
  );
  return ['id', ...fields];
}

function idsIn(value: Json | undefined, names: readonly string[]): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const id = idText(member);
    if (id === undefined) return idsIn(member, names);
    return names.some((each) => name.toLowerCase().endsWith(each)) ? [id] : [];
  });
}
