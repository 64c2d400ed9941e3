import type { Need } from '../model/clause.ts';
import type { Operation } from '../model/contract.ts';
import { pointerOf } from '../model/json.ts';
import { writtenName } from '../model/path.ts';
import type { Principal } from '../model/principal.ts';
import type { Ref } from '../model/ref.ts';
import type { Wave } from '../model/scenario.ts';
import type { Planning } from './suite.ts';

/** Records that the vendor gave for an operation: the first for its scene, the second for a second scene. */
export function targetsOf(
  planning: Planning,
  operation: Operation,
  lead: Principal,
  tag: string,
): { readonly waves: readonly Wave[]; readonly target: Readonly<Record<string, Ref>> } | Need {
  const given = planning.targets?.get(operation.id);
  if (given === undefined) return { waves: [], target: {} };
  if ('hook' in given) {
    const as = `${tag}given-target`;
    const input = { principal: lead.name, operation: operation.id };
    return {
      waves: [{ hook: given.hook, as, input }],
      target: Object.fromEntries(
        operation.pathFields.map((field) => [field.name, { step: as, at: pointerOf([writtenName(field)]) }]),
      ),
    };
  }
  const record = given.ids[tag === '' ? 0 : 1];
  if (record === undefined)
    return {
      kind: 'target',
      remedy: `Give a second record under operations.${operation.id}.targets.`,
    };
  return {
    waves: [],
    target: Object.fromEntries(
      Object.entries(record).map(([written, literal]) => {
        const field = operation.pathFields.find((one) => writtenName(one) === written);
        return [field?.name ?? written, { literal }];
      }),
    ),
  };
}
