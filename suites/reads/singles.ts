import { validator } from '../../src/generate/index.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { isUncounted } from '../../src/oracle/paging.ts';
import { createMany } from '../../src/suite-kit/apart.ts';
import { type Scene, scenario } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { type Query, walkFrom } from './walk.ts';

const count = 3;

/**
 * Three records, one on each page, so that the last page is full: what begins behind the last item, or asks for one item more,
 * may go wrong there alone.
 */
export function singles(planning: Planning, scene: Scene, made: Scene, own: Query): readonly Scenario[] {
  const { pagination, queryFields } = scene.operation;
  const size = queryFields.find((field) => field.name === pagination?.limit)?.schema;
  if (pagination === undefined || size === undefined || validator(size)(1).length > 0) return [];
  const ids = Array.from({ length: count }, (_, index) => `single-${index + 1}`);
  const each = createMany(planning, made, ids);
  return [
    scenario(
      scene,
      'three records, one on each page',
      [
        ...made.prelude,
        ...each.waves,
        { wait: 'settle' },
        ...walkFrom(
          scene.operation,
          { name: 'page', most: count + (isUncounted(scene.operation) ? 4 : 3), limit: 1, query: own },
          (id, query) => scene.request(id, { role: 'test', observes: 'page', query }),
        ),
      ],
      {
        ...made.bodies,
        ...each.bodies,
      },
    ),
  ];
}
