import type { Operation } from './contract.ts';
import { isArray, isObject } from './json.ts';

/** More records may be longer than what is kept of a response. */
const mostOnPage = 100;

/** The largest page that is asked for, within what the document allows. */
export function largestPage({ pagination, queryFields }: Operation): number {
  const schema = queryFields.find(({ name }) => name === pagination?.limit)?.schema;
  if (!isObject(schema)) return mostOnPage;
  const { enum: choices, exclusiveMaximum, maximum, minimum } = schema;
  const numbers = isArray(choices) ? choices.filter((one) => typeof one === 'number') : [];
  const few = numbers.filter((one) => one <= mostOnPage);
  if (numbers.length > 0) return few.length > 0 ? Math.max(...few) : Math.min(...numbers);
  const most = typeof maximum === 'number' ? maximum : mostOnPage;
  const below = typeof exclusiveMaximum === 'number' ? Math.ceil(exclusiveMaximum) - 1 : mostOnPage;
  return Math.max(typeof minimum === 'number' ? minimum : 1, Math.min(mostOnPage, most, below));
}

/** Whether the cursor of a list is a number: that of a page, or how many records are passed over. */
export function isNumbered({ pagination }: Pick<Operation, 'pagination'>): boolean {
  return pagination?.style === 'page' || pagination?.style === 'offset';
}

/** The default of the query field, or its least: some count pages or items from 0, others from 1, as SCIM does. */
export function firstPage(operation: Operation): number | undefined {
  const { pagination, queryFields } = operation;
  const schema = queryFields.find(({ name }) => name === pagination?.cursor)?.schema;
  if (!isNumbered(operation) || !isObject(schema)) return undefined;
  const said = schema['default'] ?? schema['minimum'];
  return typeof said === 'number' ? said : undefined;
}
