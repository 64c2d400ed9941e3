import { changesRecords, type Operation } from '../../src/model/contract.ts';
import { settleMs } from '../../src/model/declaration.ts';
import type { Scenario, Wave } from '../../src/model/scenario.ts';
import { isAnySize, isUncounted, smallPage } from '../../src/oracle/paging.ts';
import { createMany, isOnce } from '../../src/suite-kit/apart.ts';
import { ownFilter, parentFilter } from '../../src/suite-kit/filters.ts';
import { type Scene, scenario, send } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { ordered } from './ordered.ts';
import { seams } from './seams.ts';
import { singles } from './singles.ts';
import { manyPages, mostOf, type Query, sized, walkFrom } from './walk.ts';

/** Most records that are made where small pages are large. */
const mostRecords = 30;

/** So many of those pages are read that a list shows which fits into one large page. */
const mostParts = 15;
/** A page of this size has another one behind it wherever nine records are listed. */
const partSize = 8;

/** The size of pages of which a list that one large page holds has several; undefined where it cannot have them. */
function partOf(list: Operation): number | undefined {
  const small = smallPage(list);
  const part = isAnySize(list) ? Math.max(small, partSize) : small;
  return part < mostOf(list) && part < mostRecords ? part : undefined;
}

/** Nine records, so that the third page is neither first nor last; without a filter the whole list is read. */
export function pages(
  planning: Planning,
  scene: Scene,
  made: Scene,
): { readonly walks: readonly Scenario[]; readonly apart: readonly Scenario[] } {
  const { contract, declared } = planning;
  const body = made.body();
  // Where a value may exist once, records that have the marker in common are not made.
  const filter = isOnce(planning, made)
    ? undefined
    : ownFilter(scene.operation, made.operation, body, 'many');
  const own: Query = filter === undefined ? [] : [filter];
  // What is listed within a target of its own is ours alone; one that the configuration gives is made by nobody.
  const isOwn = Object.values(scene.request('list').target ?? {}).some((ref) => !('literal' in ref));
  const alone = own.length > 0 || isOwn;
  const limit = alone ? smallPage(scene.operation) : mostOf(scene.operation);
  const count = alone && limit >= 9 && limit + 2 <= mostRecords ? limit + 2 : 9;
  // Where the first page may be number 1, that one is read twice.
  const counted = !isUncounted(scene.operation);
  const parts = alone || !counted ? undefined : partOf(scene.operation);
  const records = Math.max(count, parts === undefined ? 0 : parts + 1);
  const ids = Array.from({ length: records }, (_, index) => `made-${index + 1}`);
  // What others removed meanwhile is gone from all replicas by then.
  const pause: readonly Wave[] = changesRecords(contract) ? [{ wait: settleMs(declared) }] : [];
  const each = createMany(planning, made, ids);
  const walk = scenario(
    scene,
    `${records === 9 ? 'nine' : records} records, page by page`,
    [
      ...made.prelude,
      ...each.waves,
      { wait: 'settle' },
      ...walkFrom(
        scene.operation,
        { name: 'page', most: alone ? count + (counted ? 3 : 4) : manyPages, limit, query: own },
        (id, query) => scene.request(id, { role: 'test', observes: 'page', query }),
      ),
      // Small pages have no room for what is wrong on a large one.
      ...(alone && limit < mostOf(scene.operation)
        ? [
            {
              steps: [
                scene.request('whole', {
                  role: 'test',
                  observes: 'page-again',
                  query: [...sized(scene.operation, mostOf(scene.operation)), ...own],
                }),
              ],
            },
          ]
        : []),
      ...(parts === undefined
        ? []
        : [
            ...pause,
            ...walkFrom(
              scene.operation,
              { name: 'part', most: mostParts, limit: parts, query: [] },
              (id, query) => scene.request(id, { role: 'test', observes: 'small-page', query }),
            ),
            ...pause,
            send(scene, 'again', {
              role: 'test',
              observes: 'page-again',
              query: sized(scene.operation, limit),
            }),
          ]),
    ],
    { ...made.bodies, ...each.bodies },
  );
  const ofFew = (query: Query): readonly Scenario[] => [
    ...singles(planning, scene, made, query),
    ...ordered(planning, scene, made, query),
  ];
  if (alone) return { walks: [walk, ...ofFew(own)], apart: [] };
  // A filter by the record that they are made in, or name, narrows the list to them. Where a value may exist once, each names its own.
  const parent = isOnce(planning, made) ? undefined : parentFilter(scene.operation, made);
  return {
    walks: [walk, ...(parent === undefined ? [] : ofFew([parent]))],
    apart: seams(planning, scene, made),
  };
}
