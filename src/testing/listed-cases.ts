import { principals } from '../clauses/cases/contract.ts';
import type { Context } from '../model/clause.ts';
import type { JsonObject } from '../model/json.ts';
import { makeContext } from '../oracle/context.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import { object, operation } from '../selftest/shapes/document.ts';
import { contractOf } from './contracts.ts';

type Listed = {
  /** What the body of a new case may have. */
  readonly members: JsonObject;
  /** The schema of a case, as its result and the read by its ID show it. */
  readonly item: JsonObject;
  /** The schema of the items of the list. */
  readonly shown: JsonObject;
};

/** A context over a contract that makes cases, reads them by their IDs and lists them. */
export async function contextOfListed({ item, members, shown }: Listed): Promise<Context> {
  const effect = { read: 'getCase', list: 'listCases' };
  const contract = await contractOf(
    operation('POST /cases', 'createCase', { body: object(members, []), result: item, governed: { effect } }),
    operation('GET /cases/{caseId}', 'getCase', { result: item }),
    operation('GET /cases', 'listCases', { result: { type: 'array', items: shown } }),
  );
  return makeContext({
    contract,
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full', 'peer']),
  });
}
