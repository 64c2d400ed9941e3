import type { Context } from '../../model/clause.ts';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from './contract.ts';

/** A contract whose body of POST /cases has these members, with nothing declared. */
export function withCaseBody(properties: JsonObject): Context {
  return makeContext({
    contract: {
      ...contract,
      operations: contract.operations.map((operation) =>
        operation.id === 'createCase' && operation.body !== undefined
          ? { ...operation, body: { ...operation.body, schema: { type: 'object', properties } } }
          : operation,
      ),
    },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
}
