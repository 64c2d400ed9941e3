import type { PathField } from '../model/contract.ts';
import { isObject, type Json } from '../model/json.ts';
import type { Ref } from '../model/ref.ts';
import { optionalReferences } from './optional-references.ts';
import type { Scene } from './scene.ts';
import { withSecond } from './second-record.ts';
import type { Planning } from './suite.ts';

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

/** A target of which the body names one that is not there; `value` is a body that names it, where the plain one does not. */
export type AbsentNamed = { readonly target: Readonly<Record<string, Ref>>; readonly value?: Json };

/** Targets of which the body names one that is not there. */
export function absentNamed(planning: Planning, { body, operation, request }: Scene): readonly AbsentNamed[] {
  const { target = {} } = request('absent');
  const absent = (name: string, ref: Ref = { chosen: 'absent' }): AbsentNamed => ({
    target: { ...target, [name]: ref },
  });
  const named = (operation.named ?? []).flatMap(({ at, field }): readonly AbsentNamed[] => {
    const ref = target[field.name];
    if (ref === undefined || 'literal' in ref) return [];
    const none: Ref | undefined = isCounted(field) ? unlike(ref) : { chosen: 'absent' };
    if (none === undefined) return [];
    // A first item may be stored before the next one is found to name nothing.
    const second = withSecond(operation, at, body());
    return [
      absent(field.name, none),
      ...(second === undefined ? [] : [{ ...absent(second.name, none), value: second.body.value }]),
    ];
  });
  const others = optionalReferences(planning, operation).filter(({ record }) => !isCounted(record.field));
  return [
    // An accepted one may change the target: what the plain body names goes first.
    ...named.toSorted((one, other) => Number(one.value !== undefined) - Number(other.value !== undefined)),
    ...others.map(({ record, value }) => ({ ...absent(record.field.name), value })),
  ];
}

/** A number of the same form as that of a record that was made, which no record has. */
function unlike(ref: Ref): Ref | undefined {
  const isMade = 'step' in ref && ('header' in ref || ('at' in ref && !('cursor' in ref)));
  return isMade ? { ...ref, unlike: true } : undefined;
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
