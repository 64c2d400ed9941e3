import { type Operation, writtenSchema } from './contract.ts';
import { described } from './parts.ts';
import { remembered } from './remembered.ts';
import { schemasAt } from './schema-places.ts';

/** Whether the items of a list have the schema of what a command returns. */
export function showsWhole(list: Operation, command: Operation): boolean {
  return schemaOfItem(list) === schemaOfResult(command);
}

const schemaOfItem = remembered((list: Operation) =>
  described(schemasAt(list.success.schema, `${list.pagination?.items ?? ''}/0`)),
);
const schemaOfResult = remembered((command: Operation) => described(schemasAt(writtenSchema(command), '')));
