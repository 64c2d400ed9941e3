import { type Operation, operationOf, type PathField } from '../model/contract.ts';
import { bare, samePathTo } from '../model/path.ts';
import type { Planning } from './suite.ts';

/** Path fields in the order in which they are made: a record within another one comes first, and brings the other with it. */
export function deepestFirst(planning: Planning, { path, pathFields }: Operation): Operation['pathFields'] {
  const makers = pathFields.flatMap(({ name, source }) =>
    source === undefined ? [] : [[name, operationOf(planning.contract, source.operation)] as const],
  );
  const makerOf = new Map(makers);
  // The record that a PUT makes under a chosen ID is not within itself.
  const around = ({ name: own }: PathField): Operation['pathFields'] => {
    const maker = makerOf.get(own);
    const makesOwn = maker !== undefined && bare(maker.path).endsWith(`/{${own}}`);
    return (maker?.pathFields ?? []).filter(({ name }) => !makesOwn || name !== own);
  };
  const brings = (field: PathField): number =>
    around(field).filter(({ name }) => samePathTo(name, makerOf.get(field.name)?.path ?? '', path)).length;
  // What is made within many records need not be within those of this path.
  const depth = (field: PathField): number => around(field).length;
  return [...pathFields].sort((one, other) => brings(other) - brings(one) || depth(other) - depth(one));
}
