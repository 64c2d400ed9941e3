import type { QueryField } from '../../src/model/contract.ts';
import { isArray, isObject } from '../../src/model/json.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { findingFields } from '../../src/suite-kit/filters.ts';
import { valueFor } from '../../src/suite-kit/given.ts';
import { create } from '../../src/suite-kit/makers.ts';
import { type Scene, scenario, send } from '../../src/suite-kit/scene.ts';
import { mostOf, sized } from './walk.ts';

/** So many values of an enumeration are asked for: orders come in pairs, up and down. */
const mostValues = 4;

/**
 * A list with each value of a query field that is not a filter, asked for from another scope: an order, or a view, may be
 * served by a query of its own, which forgets the scope.
 * @param known fields that are tried otherwise
 */
export function askedFromAfar(
  scene: Scene,
  made: Scene,
  stranger: string,
  known: ReadonlySet<string>,
  most: number,
): readonly Scenario[] {
  const { operation } = scene;
  const { pagination, pathFields, queryFields } = operation;
  if (pathFields.length > 0) return [];
  // A search for other words would find nothing of any scope.
  const finding = findingFields(operation, made.operation, made.body());
  const asked = queryFields
    .filter(({ name }) => !known.has(name) && name !== pagination?.limit && name !== pagination?.cursor)
    .flatMap((field) =>
      (finding.includes(field) ? [`\${marker:one}`] : valuesOf(field)).map((value) => ({
        name: field.name,
        value,
      })),
    )
    .slice(0, most);
  if (asked.length === 0) return [];
  return [
    scenario(
      scene,
      `a record of another scope, with ${[...new Set(asked.map(({ name }) => name))].join(', ')}`,
      [
        ...made.prelude,
        create(made, 'one'),
        { wait: 'settle' },
        ...asked.map(({ name, value }, index) =>
          send(scene, `afar-asked-${index + 1}`, {
            role: 'test' as const,
            as: stranger,
            query: [...sized(operation, mostOf(operation)), [name, value] as const],
            deviations: [{ kind: 'parameter' as const, name }],
          }),
        ),
      ],
      { ...made.bodies, one: made.body() },
    ),
  ];
}

function valuesOf(field: QueryField): readonly string[] {
  const { schema } = field;
  const listed = isObject(schema) ? schema['enum'] : undefined;
  if (field.value !== undefined) return [];
  if (isArray(listed)) return listed.slice(0, mostValues).filter(isScalar).map(String);
  if (isObject(schema) && schema['type'] === 'boolean') return ['true', 'false'];
  const value = valueFor(field);
  return value !== undefined && isScalar(value) ? [String(value)] : [];
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
