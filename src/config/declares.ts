import type { Declaration } from '../model/declaration.ts';
import type { Schema } from '../model/schema.ts';
import { openPoints } from '../oracle/open-points/register.ts';

/** What can be declared at each open point of the contract, as the register has it. */
export const declaresSchema: Schema<Declaration> = {
  type: 'object',
  description: 'name open points of the contract (G1 to G19) and what your implementation does there',
  additionalProperties: false,
  properties: Object.fromEntries(openPoints.map(({ point, declares }) => [point, declares])),
};
