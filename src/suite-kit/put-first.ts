import { type Operation, operationNamed } from '../model/contract.ts';
import { bare } from '../model/path.ts';
import { holders } from './cast.ts';
import type { Planning } from './suite.ts';

/** Where an operation sees its record: a read is that itself, and a command reads the version there. */
function shownBy({ contract }: Planning, operation: Operation): Operation | undefined {
  return operation.kind === 'read'
    ? operation
    : operationNamed(contract, operation.version?.source.operation);
}

/**
 * The PUT that makes what an operation reads or changes where nothing is yet: the settings of a team are at one path, and no
 * other command makes them. It may be the operation itself, which then comes first without a version.
 */
export function putterOf(planning: Planning, operation: Operation): Operation | undefined {
  if (operation.pathFields.length === 0) return undefined;
  const paths = new Set([operation, shownBy(planning, operation) ?? operation].map(({ path }) => bare(path)));
  return planning.contract.operations.find(
    (one) =>
      one.kind === 'command' &&
      one.method === 'PUT' &&
      one.verification === undefined &&
      mayComeFirst(one) &&
      paths.has(bare(one.path)) &&
      holders(planning, one).length > 0,
  );
}

/** Whether a PUT needs no version where there is no record that could have one. */
export function mayComeFirst({ method, version }: Operation): boolean {
  return method === 'PUT' && (version === undefined || version.optional === true);
}
