import type { PathField } from '../model/contract.ts';
import { isObject } from '../model/json.ts';
import type { Ref } from '../model/scenario.ts';
import type { Scene } from './scene.ts';

/** IDs that no record has, for services that put them into a query: with quotes, with a character that no column takes, and longer than most. */
const oddIds = ['assay\'"(*', 'assay\u0000', `assay-${'x'.repeat(300)}`];

/** Targets that no record is, under IDs of several kinds: of the asked form, numbers that no column holds, or odd texts. */
export function absentTargets(scene: Scene): readonly Readonly<Record<string, Ref>>[] {
  const field = scene.operation.pathFields.at(-1);
  if (field === undefined) return [];
  const odd = isCounted(field) ? ['98765432109876543210', 'assay'] : oddIds;
  const { target } = scene.request('absent');
  return [absentAt(scene, field), ...odd.map((literal) => ({ ...target, [field.name]: { literal } }))];
}

/** A target that is not there, with an ID of the form that the path asks for: a router may take another for another path. */
export function absentTarget(scene: Scene): Readonly<Record<string, Ref>> {
  return absentAt(scene, scene.operation.pathFields.at(-1));
}

/** A target within a record that is not there; undefined where a path leads through no record that a command made. */
export function absentParent(scene: Scene): Readonly<Record<string, Ref>> | undefined {
  const parent = scene.operation.pathFields
    .slice(0, -1)
    .findLast(({ chosen, source }) => chosen || source !== undefined);
  return parent === undefined ? undefined : absentAt(scene, parent);
}

/** Targets of which the body names one that is not there. */
export function absentNamed({ operation, request }: Scene): readonly Readonly<Record<string, Ref>>[] {
  const { target = {} } = request('absent');
  return (operation.named ?? []).flatMap(({ field }) => {
    const ref = target[field.name];
    return ref === undefined || 'literal' in ref || isCounted(field)
      ? []
      : [{ ...target, [field.name]: { chosen: 'absent' } }];
  });
}

function absentAt(scene: Scene, field: PathField | undefined): Readonly<Record<string, Ref>> {
  if (field === undefined) return {};
  return {
    ...scene.request('absent').target,
    // Close to the largest number of 32 bits: records are counted from the other end.
    [field.name]: isCounted(field) ? { literal: '2147483646' } : { chosen: 'absent' },
  };
}

function isCounted({ schema }: PathField): boolean {
  return isObject(schema) && ['integer', 'number'].includes(String(schema['type']));
}
