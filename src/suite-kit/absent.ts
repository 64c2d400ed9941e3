import type { NamedRecord, PathField } from '../model/contract.ts';
import { isObject, type Json } from '../model/json.ts';
import type { Ref } from '../model/ref.ts';
import { optionalReferences } from './optional-references.ts';
import type { Scene } from './scene.ts';
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
export function absentNamed(planning: Planning, { operation, request }: Scene): readonly AbsentNamed[] {
  const { target = {} } = request('absent');
  const absent = ({ field }: NamedRecord): AbsentNamed => ({
    target: { ...target, [field.name]: { chosen: 'absent' } },
  });
  const named = (operation.named ?? []).filter(({ field }) => {
    const ref = target[field.name];
    return ref !== undefined && !('literal' in ref) && !isCounted(field);
  });
  const others = optionalReferences(planning, operation).filter(({ record }) => !isCounted(record.field));
  return [
    ...named.map(absent),
    // An accepted one may change the target: what the plain body names goes first.
    ...others.map(({ record, value }) => ({ ...absent(record), value })),
  ];
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
