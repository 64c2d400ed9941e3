import { type Operation, operationNamed } from '../../src/model/contract.ts';
import {
  isObject,
  type Json,
  type JsonPointer,
  type JsonSchema,
  pointerOf,
  withValueAt,
} from '../../src/model/json.ts';
import type { BodyEdit, Wave } from '../../src/model/scenario.ts';
import { schemasAt } from '../../src/model/schema-places.ts';
import { fullBody } from '../../src/suite-kit/full-body.ts';
import {
  addedMembers,
  type BodyValues,
  type OtherMember,
  otherMembers,
} from '../../src/suite-kit/other-values.ts';
import { versionNow } from '../../src/suite-kit/readback.ts';
import { bodyOf, key, type Scene, send, when } from '../../src/suite-kit/scene.ts';
import { byBudget, type Planning } from '../../src/suite-kit/suite.ts';
import { isIdName, sendable } from '../../src/suite-kit/texts.ts';

/**
 * A version may be that of a part of the record. What the command before sent is sent again with one other value, which alone
 * moves the record on; then the version before that is sent.
 */
export function movedByOthers(planning: Planning, scene: Scene): readonly Wave[] {
  const { operation } = scene;
  if (!['PUT', 'PATCH'].includes(operation.method)) return [];
  const values = planning.values(operation);
  const read = operationNamed(planning.contract, operation.version?.source?.operation);
  const edits = [
    ...unmarkedEdits(operation, values, read?.success.schema).slice(0, byBudget(planning, 3, 5, 8)),
    ...wholeEdits(operation, values).slice(0, byBudget(planning, 2, 3, 6)),
  ];
  const waves = ([edit, ...others]: readonly BodyEdit[], turn: number): readonly Wave[] => {
    const [before, after] = ['look-member', 'look-moved'].map((name) =>
      versionNow(planning, scene, `${name}-${turn}`),
    );
    if (edit === undefined || before === undefined || after === undefined) return [];
    const [mover, stale] = [`member-${turn}`, `stale-member-${turn}`] as const;
    return [
      ...before.waves,
      send(scene, mover, {
        controls: stale,
        key: key(mover),
        body: { use: 'named', name: 'third', edit },
        version: before.version,
      }),
      when(mover, 'accepted', [
        ...after.waves,
        send(scene, stale, {
          role: 'test',
          key: key(stale),
          body: bodyOf(scene, 'member'),
          version: before.version,
          deviations: [{ kind: 'version', how: 'stale' }],
        }),
        ...waves(others, turn + 1),
      ]),
    ];
  };
  return waves(edits, 1);
}

/** Another value for each member of a body but the one that is marked: of those that it has first, then of others. */
function unmarkedEdits(
  operation: Operation,
  values: BodyValues,
  shown: JsonSchema | undefined,
): readonly BodyEdit[] {
  const { marker, plain } = values;
  const schema = operation.body?.schema;
  if (schema === undefined || marker === undefined || !isObject(plain)) return [];
  const isValid = sendable(schema, marker);
  // A state may allow no other one next, and a name of a record that is not there is refused.
  const isFree = (at: JsonPointer): boolean =>
    !isIdName(at) && !schemasAt(schema, at).some((own) => 'enum' in own || 'const' in own);
  const edits = [
    ...otherMembers(operation, values, mostEdits),
    ...addedMembers(operation, values, mostEdits, 'others'),
  ]
    .filter(({ at, depth }) => depth === 'body' && at !== marker && isFree(at))
    .filter(({ at, other }) => isValid(withValueAt(plain, at, other)))
    // What was sent before moves nothing.
    .filter(({ at }, index, all) => all.findIndex((each) => each.at === at) === index);
  return ofEachType(edits).map((one) => alone(operation, plain, one.at, turned([schema, shown], one)));
}

/** Members in turn of each type: code that compares texts alone sees no other change. */
function ofEachType(members: readonly OtherMember[]): readonly OtherMember[] {
  const types = [...new Set(members.map(({ other }) => typeof other))];
  const of = types.map((type) => members.filter(({ other }) => typeof other === type));
  return members.flatMap((_, turn) => of.flatMap((list) => list[turn] ?? []));
}

/** A flag that is as the record has it changes nothing: most are off where the contract does not say that they are on. */
function turned(schemas: readonly (JsonSchema | undefined)[], { at, other }: OtherMember): Json {
  if (typeof other !== 'boolean') return other;
  return !schemas.some((schema) => schemasAt(schema, at).some((own) => own['default'] === true));
}

/** An object or a list for each member that may have one: a service may keep it in a table of its own, which has no version. */
function wholeEdits(operation: Operation, values: BodyValues): readonly BodyEdit[] {
  const full = fullBody(operation, values);
  if (!isObject(full) || values.marker === undefined) return [];
  const own = values.marker.split('/')[1];
  return Object.entries(full).flatMap(([name, value]) =>
    typeof value === 'object' && name !== own
      ? [alone(operation, values.plain, pointerOf([name]), value)]
      : [],
  );
}

/** In a PATCH a member comes alone, if it may: what else is named may move the version by its name. */
function alone({ body, method }: Operation, plain: Json | undefined, at: JsonPointer, value: Json): BodyEdit {
  const set: BodyEdit = { at, set: value };
  const fits = sendable(body?.schema ?? true, undefined);
  if (method !== 'PATCH' || !isObject(plain) || !fits(withValueAt({}, at, value))) return set;
  const others = Object.keys(plain).map((name) => pointerOf([name]));
  return {
    all: [...others.filter((each) => each !== at).map((each) => ({ at: each, remove: true }) as const), set],
  };
}

const mostEdits = 8;
