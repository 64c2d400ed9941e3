import { validator } from '../../src/generate/index.ts';
import type { Name, Scenario } from '../../src/model/scenario.ts';
import { isUncounted } from '../../src/oracle/paging.ts';
import { createEach } from '../../src/suite-kit/apart.ts';
import { named, type Scene, scenario } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { type Query, walkFrom } from './walk.ts';

const count = 3;

/**
 * Three records, one on each page, so that the last page is full: what begins behind the last item, or asks for one item more,
 * may go wrong there alone. `name` gives the body of each.
 */
export function singles(
  planning: Planning,
  scene: Scene,
  made: Scene,
  own: Query,
  name: (id: string) => Name,
): readonly Scenario[] {
  const { pagination, queryFields } = scene.operation;
  const size = queryFields.find((field) => field.name === pagination?.limit)?.schema;
  if (pagination === undefined || size === undefined || validator(size)(1).length > 0) return [];
  const ids = Array.from({ length: count }, (_, index) => `single-${index + 1}`);
  const each = createEach(planning, made, ids, (id) => named(name(id)));
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
        ...Object.fromEntries(ids.map((id) => [name(id), made.body()])),
      },
    ),
  ];
}
