import { type Operation, operationOf, type PathField } from '../model/contract.ts';
import { samePathTo } from '../model/path.ts';
import type { Planning } from './suite.ts';

/** Path fields in the order in which they are made: a record within another one comes first, and brings the other with it. */
export function deepestFirst(planning: Planning, { path, pathFields }: Operation): Operation['pathFields'] {
  const makers = pathFields.flatMap(({ name, source }) =>
    source === undefined ? [] : [[name, operationOf(planning.contract, source.operation)] as const],
  );
  const makerOf = new Map(makers);
  const brings = (field: PathField): number => {
    const maker = makerOf.get(field.name);
    return maker === undefined
      ? 0
      : pathFields.filter(({ name }) => samePathTo(name, maker.path, path)).length;
  };
  // What is made within many records need not be within those of this path.
  const depth = (field: PathField): number => makerOf.get(field.name)?.pathFields.length ?? 0;
  return [...pathFields].sort((one, other) => brings(other) - brings(one) || depth(other) - depth(one));
}
