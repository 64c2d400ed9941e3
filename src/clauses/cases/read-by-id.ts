import type { Context } from '../../model/clause.ts';
import type { Operation } from '../../model/contract.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, createCase, principals } from './contract.ts';

const makes: Operation = { ...createCase, effect: { read: 'getCase', list: undefined, id: '/id' } };

/** The contract of the cases, with records that only their own read shows. */
export const readById: Context = makeContext({
  contract: { ...contract, operations: [makes, ...contract.operations.slice(1)] },
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});
