import { validator } from '../../src/generate/index.ts';
import type { Operation, QueryField } from '../../src/model/contract.ts';
import { isArray, isObject, type Json } from '../../src/model/json.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { isUncounted } from '../../src/oracle/paging.ts';
import { createMany } from '../../src/suite-kit/apart.ts';
import { type Scene, scenario } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { type Query, walkFrom } from './walk.ts';

/** Names of query fields that say in which order a list is, whatever its records are. */
const ordering = /^(?:sort|order|ordering|dir|direction|(?:sort|order)[-_]?(?:by|order|dir|direction))$/i;
const downwards = /desc|^-/i;
/** What only an order says: a `direction` may as well be one of records, such as inbound. */
const says = /desc|^[-+]|asc/i;
/** Orders in which the same records may come in another one on the next page. */
const unsteady = /rand|shuffle|relevan|score|rank|popular|distance/i;

/** The value of an ordering field that turns the usual order around, as far as its name says so. */
function turned({ schema }: QueryField): string | undefined {
  if (!isObject(schema)) return undefined;
  const listed: readonly Json[] = isArray(schema['enum']) ? schema['enum'] : [];
  const values = listed.filter(
    (value): value is string => typeof value === 'string' && value !== schema['default'],
  );
  return values.some((value) => unsteady.test(value)) || !values.some((value) => says.test(value))
    ? undefined
    : (values.find((value) => downwards.test(value)) ?? values.at(-1));
}

/** Every field that orders the list, turned around. */
export function orderOf({ pagination, queryFields }: Operation): Query {
  return queryFields.flatMap((field) => {
    const { at, filters, name, required } = field;
    const paging = name === pagination?.limit || name === pagination?.cursor;
    if (required || paging || at !== undefined || filters !== undefined || !ordering.test(name)) return [];
    const value = turned(field);
    return value === undefined ? [] : [[name, value] as const];
  });
}

const count = 4;

/**
 * Four records on pages of two, in another order: a cursor may look for what is greater, whichever way the list goes, and the next
 * page may forget the order.
 */
export function ordered(planning: Planning, scene: Scene, made: Scene, own: Query): readonly Scenario[] {
  const { pagination, queryFields } = scene.operation;
  const order = orderOf(scene.operation);
  const size = queryFields.find((field) => field.name === pagination?.limit)?.schema;
  if (pagination === undefined || order.length === 0 || size === undefined || validator(size)(2).length > 0)
    return [];
  const ids = Array.from({ length: count }, (_, index) => `ordered-${index + 1}`);
  const each = createMany(planning, made, ids);
  return [
    scenario(
      scene,
      `four records with ${order.map((field) => field.join('=')).join('&')}, page by page`,
      [
        ...made.prelude,
        ...each.waves,
        { wait: 'settle' },
        ...walkFrom(
          scene.operation,
          {
            name: 'page',
            most: isUncounted(scene.operation) ? count + 1 : count,
            limit: 2,
            query: [...own, ...order],
          },
          (id, query) => scene.request(id, { role: 'test', observes: 'page', query }),
        ),
      ],
      { ...made.bodies, ...each.bodies },
    ),
  ];
}
