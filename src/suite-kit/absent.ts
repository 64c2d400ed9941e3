import type { PathField } from '../model/contract.ts';
import { isObject } from '../model/json.ts';
import type { Ref } from '../model/scenario.ts';
import type { Scene } from './scene.ts';

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

function absentAt(scene: Scene, field: PathField | undefined): Readonly<Record<string, Ref>> {
  if (field === undefined) return {};
  const counted = isObject(field.schema) && ['integer', 'number'].includes(String(field.schema['type']));
  return {
    ...scene.request('absent').target,
    [field.name]: counted ? { literal: '987654321' } : { chosen: 'absent' },
  };
}
