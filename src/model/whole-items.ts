import { type Operation, writtenSchema } from './contract.ts';
import { itemPlace } from './described-places.ts';
import { parentOf } from './json.ts';
import { described } from './parts.ts';
import { remembered } from './remembered.ts';
import { idPointer } from './result-id.ts';
import { schemasAt } from './schema-places.ts';

/** Whether the items of a list have the schema of what a command returns, be it in an envelope. */
export function showsWhole(list: Operation, command: Operation): boolean {
  return schemasOfResult(command).includes(schemaOfItem(list));
}

const schemaOfItem = remembered((list: Operation) =>
  described(schemasAt(list.success.schema, itemPlace(list))),
);
const schemasOfResult = remembered((command: Operation) =>
  ['', parentOf(idPointer(command))].map((at) => described(schemasAt(writtenSchema(command), at))),
);
