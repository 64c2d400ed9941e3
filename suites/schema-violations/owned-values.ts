import { validator } from '../../src/generate/index.ts';
import type { Operation } from '../../src/model/contract.ts';
import { isArray, isObject, type Json, type JsonPointer, parentOf, valueAt } from '../../src/model/json.ts';
import { type OwnedMember, ownedMembers } from '../../src/model/owned-members.ts';
import type { BodyEdit, Deviation, Scenario } from '../../src/model/scenario.ts';
import { negative, type Scene } from '../../src/suite-kit/scene.ts';
import { isIdName } from '../../src/suite-kit/texts.ts';

/** A value for each of two commands: what follows both is what callers send. */
type Claim = { readonly at: JsonPointer; readonly values: readonly [Json, Json] };

/**
 * Commands that send what only the service sets, twice, with other values. IDs go alone: a service may look for the records that
 * they name, and refuse the whole body.
 */
export function ownedValues(scene: Scene, base: Json): readonly Scenario[] {
  const claims = claimsOf(scene.operation, base);
  return [claims.filter(({ at }) => !isIdName(at)), claims.filter(({ at }) => isIdName(at))]
    .filter((group) => group.length > 0)
    .flatMap((group) => [0, 1].map((turn) => claiming(scene, group, turn)));
}

function claiming(scene: Scene, claims: readonly Claim[], turn: number): Scenario {
  const edit: BodyEdit = { all: claims.flatMap(({ at, values }) => edited(at, values[turn])) };
  return negative(
    scene,
    'members that only the service sets',
    {
      body: { use: 'named', name: 'faulty', edit },
      // Even what ignores other members may refuse one that it knows.
      deviations: claims.map(({ at }): Deviation => ({ kind: 'unknown-member', at, free: true })),
    },
    { bodies: { faulty: scene.body() } },
  );
}

function edited(at: JsonPointer, set: Json | undefined): readonly { at: JsonPointer; set: Json }[] {
  return set === undefined ? [] : [{ at, set }];
}

function claimsOf(operation: Operation, base: Json): readonly Claim[] {
  return ownedMembers(operation).flatMap((member): readonly Claim[] => {
    const [one, other] = valuesFor(operation, member);
    const isRoom = isObject(valueAt(base, parentOf(member.at))) && valueAt(base, member.at) === undefined;
    return isRoom && one !== undefined && other !== undefined
      ? [{ at: member.at, values: [one, other] }]
      : [];
  });
}

/** Values of which no service makes two by itself, then such as have less room. */
const likely: readonly Json[] = [
  ...['claimed by a client', 'claimed by another client'],
  ...['2001-02-03T04:05:06Z', '2002-03-04T05:06:07Z', '2001-02-03', '2002-03-04'],
  ...['4d1f0e6a-93b7-4c52-8a1e-5b7c2d9f3e60', 'b86c2f14-7e0d-4a39-9c65-1f8e3a7d2b94'],
  ...['claimed@example.com', 'other.claim@example.com'],
  ...['https://example.com/claimed', 'https://example.com/other-claim'],
  ...['claimed', 'another'],
  ...[70_123, 30_456, 71, 37, 7, 3, 0.75, 0.25, true, false],
];

function valuesFor({ success }: Operation, { schemas }: OwnedMember): readonly Json[] {
  const defs = isObject(success.schema) ? success.schema['$defs'] : undefined;
  const check = validator(
    { allOf: [...schemas], ...(defs === undefined ? {} : { $defs: defs }) },
    { formats: 'assert' },
  );
  // What an object is moved to comes last in most lists, and what it begins with first.
  const choices = schemas.flatMap(({ enum: all }) => (isArray(all) ? all.toReversed() : []));
  const found = [...choices, ...likely].filter(
    (value) => ['string', 'number', 'boolean'].includes(typeof value) && check(value).length === 0,
  );
  return found.filter((value) => typeof value === typeof found[0]).slice(0, 2);
}
