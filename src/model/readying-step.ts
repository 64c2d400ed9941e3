import type { OperationId } from './contract.ts';
import type { Step, StepId } from './scenario.ts';

/** The step that runs a command because another one needs it first. */
export const readyingStep = ({ id }: { readonly id: OperationId }): StepId => `ready-${id}`;

/** Whether a step is one, on the first record that needs it or on another one. */
export function isReadying({ id, operation }: Pick<Step, 'id' | 'operation'>): boolean {
  return [id, id.replace(/-\d+$/, '')].some((one) => one.endsWith(readyingStep({ id: operation })));
}
