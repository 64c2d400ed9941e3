import { isObject } from '../model/json.ts';
import type { Ref } from '../model/scenario.ts';
import type { Scene } from './scene.ts';

/**
 * A target that is not there, within what is: its id has the form that the last field of the path asks for. A router may
 * take another form for another path, of which it reports to anybody that there is none.
 */
export function absentTarget(scene: Scene): Readonly<Record<string, Ref>> {
  const field = scene.operation.pathFields.at(-1);
  if (field === undefined) return {};
  const counted = isObject(field.schema) && ['integer', 'number'].includes(String(field.schema['type']));
  return {
    ...scene.request('absent').target,
    [field.name]: counted ? { literal: '987654321' } : { chosen: 'absent' },
  };
}
