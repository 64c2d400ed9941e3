import type { ClauseCode } from '../model/clause.ts';
import type { Budget } from '../model/configured.ts';
import { faults } from '../reference/faults/catalogue.ts';
import type { Fault } from '../reference/faults/fault.ts';
import { variants } from '../reference/variants/catalogue.ts';
import { combined, type Variant } from '../reference/variants/variant.ts';

/** What is tried: a fault or a variant by its ID, or several variants at once. */
export type Job = {
  readonly kind: 'fault' | 'variant';
  readonly ids: readonly string[];
  readonly seed: number;
  readonly budget: Budget;
  /** Ends when all that the fault breaks has fired; else the whole plan runs, to see what must not fire. */
  readonly early: boolean;
  readonly keep?: string;
};

export type Line = {
  readonly id: string;
  readonly describes: string;
  readonly seed: number;
  readonly budget: Budget;
  readonly breaks: readonly ClauseCode[];
  readonly fired: readonly ClauseCode[];
  readonly missed: readonly ClauseCode[];
  readonly unexpected: readonly ClauseCode[];
  readonly requests: number;
  readonly firstRequest: number | undefined;
  readonly firstSeconds: number | undefined;
  readonly outcome: string;
};

export type Accuracy = {
  readonly format: 'assay-accuracy/1';
  readonly harness: { readonly name: string; readonly version: string };
  readonly build: string;
  readonly budget: Budget;
  readonly seeds: number;
  /** How long it took, and on how many workers; absent from results of earlier versions. */
  readonly took?: { readonly seconds: number; readonly workers: number };
  readonly faults: readonly Line[];
  readonly variants: readonly Line[];
  readonly passed: boolean;
};

/** Whether this is the result of a self-test, as `--json` writes it. */
export function isAccuracy(value: unknown): value is Accuracy {
  return (
    typeof value === 'object' && value !== null && 'format' in value && value.format === 'assay-accuracy/1'
  );
}

export function changeOf({
  ids,
  kind,
}: Pick<Job, 'ids' | 'kind'>): Fault | Omit<Variant, 'group'> | undefined {
  if (kind === 'fault') return faults.find((fault) => fault.id === ids[0]);
  return combined(variants.filter((variant) => ids.includes(variant.id)));
}

/** What a release still lacks: the figures are of another build, or of other faults and choices than there are. */
export function unready(
  accuracy: Accuracy,
  build: string,
  all: readonly Pick<Fault, 'id' | 'unmeasured'>[] = [...faults, ...variants],
): readonly string[] {
  const measured = new Set([...accuracy.faults, ...accuracy.variants].map(({ id }) => id));
  return [
    ...(accuracy.passed ? [] : ['the self-test did not pass']),
    ...(accuracy.build === build ? [] : ['the self-test is of another build']),
    ...all.flatMap(({ id, unmeasured }) => [
      ...(measured.has(id) ? [] : [`${id} has not been measured`]),
      ...(unmeasured === true ? [`${id} is still marked 'unmeasured'`] : []),
    ]),
  ];
}
