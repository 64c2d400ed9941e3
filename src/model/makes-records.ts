import { type Contract, creates, isReadById, type Operation, onceForEach, successesOf } from './contract.ts';
import { bare } from './path.ts';

/**
 * Whether the contract says that a command without a target makes a record: with a 201, by a list or a read that shows it, or
 * by a path below its own. Others may return a record that is there, as `POST /jobs/undo` and `POST /cart` do.
 */
export const makesRecords = onceForEach((contract: Contract, operation: Operation): boolean => {
  if (!creates(operation)) return false;
  const below = `${bare(operation.path)}/{`;
  return (
    operation.effect?.list !== undefined ||
    isReadById(contract, operation) ||
    successesOf(operation).some(({ status }) => status === 201) ||
    contract.operations.some(({ path }) => bare(path).startsWith(below))
  );
});

/** Whether a success may show a record that was there: of an operation that makes none, or that declares 201 for new ones. */
export function mayReturnOld(contract: Contract, operation: Operation, status: number): boolean {
  return (
    !makesRecords(contract, operation) ||
    (status !== 201 && successesOf(operation).some((one) => one.any === undefined && one.status === 201))
  );
}
