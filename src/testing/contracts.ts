import { contract as literal } from '../clauses/cases/contract.ts';
import { loadContract, parseContract } from '../contract/load.ts';
import { type Contract, type Operation, operationOf } from '../model/contract.ts';
import type { JsonSchema } from '../model/json.ts';
import { extendedCatalogue } from '../run/place.ts';
import { shapes } from '../selftest/shapes/catalogue.ts';
import { type DocumentPart, documentOf } from '../selftest/shapes/document.ts';

/** The contract of a document with these operations: `contractOf(operation('POST /notes', 'addNote', { body }))`. */
export function contractOf(...parts: readonly DocumentPart[]): Promise<Contract> {
  return parseContract(JSON.stringify(documentOf(parts)), 'contract.yaml');
}

/** The contract of a shape of the self-test. */
export function contractOfShape(name: string): Promise<Contract> {
  return parseContract(shapes.find((shape) => shape.name === name)?.text ?? '', 'contract.yaml');
}

/** The extended catalogue: cases, with operations of every kind. */
export const extendedContract = (): Promise<Contract> => loadContract(extendedCatalogue());

/** The contract with another operation in place of the one with this ID. */
export function withOperation(
  contract: Contract,
  id: string,
  more: Partial<Operation> | ((operation: Operation) => Partial<Operation>),
): Contract {
  const changed = (one: Operation): Operation => ({
    ...one,
    ...(typeof more === 'function' ? more(one) : more),
  });
  return { ...contract, operations: contract.operations.map((one) => (one.id === id ? changed(one) : one)) };
}

/** A command whose body must meet the schema. */
export function taking(schema: JsonSchema): Operation {
  const body = { mediaType: 'application/json', required: true, schema };
  return { ...operationOf(literal, 'createCase'), body };
}

/** Members of a list that is read page by page, and what it returns. */
export const paged = {
  governed: { pagination: { limit: 'size', cursor: 'after', items: '/items', next: '/next' } },
  parameters: [
    { name: 'size', in: 'query', schema: { type: 'integer' } },
    { name: 'after', in: 'query', schema: { type: 'string' } },
  ],
  result: { properties: { items: { items: true }, next: true } },
} as const;

/** What a command returns that makes a record. */
export const made = { properties: { id: { type: 'string' } } };
