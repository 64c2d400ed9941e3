import type { JsonObject } from '../model/json.ts';
import { openPoints } from '../oracle/open-points/register.ts';

/** What can be declared at each open point of the contract, as the register has it. */
export const declaresSchema: JsonObject = {
  type: 'object',
  description: 'name open points of the contract (G1 to G19) and what your implementation does there',
  additionalProperties: false,
  properties: Object.fromEntries(openPoints.map(({ point, declares }) => [point, declares])),
};
