import { validator } from '../../src/generate/index.ts';
import { settleMs } from '../../src/model/declaration.ts';
import type { Scenario, Wave } from '../../src/model/scenario.ts';
import { isUncounted, smallPage } from '../../src/oracle/paging.ts';
import { createEach } from '../../src/suite-kit/apart.ts';
import { type Scene, scenario, send, when } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { mostOf, sized, walkFrom } from './walk.ts';

/** Small pages in turn: the second may be found otherwise than those that follow it. */
const smallPages = 3;
/** Most records that are made, so that there are as many small pages. */
const mostRecords = 19;

/** Most small pages of a list to which no known command adds: only its end shows that nothing is left out. */
const mostSmallPages = 15;

/**
 * If the large pages before and after agree, small ones must show the same records; no records of its own are needed. Those that
 * do not are read again: what is contradicted twice was not hidden by a copy of the list that is behind.
 */
export function seams(planning: Planning, scene: Scene, made: Scene | undefined): readonly Scenario[] {
  const { declared } = planning;
  const list = scene.operation;
  const half = smallPage(list);
  const whole = Math.min(smallPages * half, mostOf(list));
  const pages = Math.ceil(whole / half);
  const count = (pages - 1) * half + 1;
  if (pages < 2 || count > mostRecords) return [];
  // A page counted from another number than the first would be passed over.
  if (isUncounted(list)) return [];
  const ids = Array.from({ length: made === undefined ? 0 : count }, (_, index) => `made-${index + 1}`);
  const each = made === undefined ? undefined : createEach(planning, made, ids);
  const making = made === undefined || each === undefined ? [] : [...made.prelude, ...each.waves];
  const once = (round: number): Wave =>
    send(scene, `whole-${round}`, { role: 'test', observes: 'whole-page', query: sized(list, whole) });
  const small = (round: number): readonly Wave[] =>
    walkFrom(
      list,
      {
        name: `half-${round}`,
        most: made === undefined ? mostSmallPages : pages,
        limit: half,
        query: [],
      },
      (id, query) =>
        scene.request(id, {
          role: 'test',
          observes: made === undefined ? 'part-of-list' : 'part-of-page',
          query,
        }),
    );
  return [
    scenario(
      scene,
      `the first ${whole} records on one page, and on ${pages}`,
      [
        ...making,
        { wait: 'quiet' },
        once(0),
        ...small(0),
        once(1),
        when('whole-1', 'contradicted', [{ wait: settleMs(declared) }, ...small(1), once(2)]),
        ...(made === undefined ? beyond(scene, half) : []),
      ],
      {
        ...made?.bodies,
        ...each?.bodies,
        ...Object.fromEntries(ids.flatMap((id) => (made === undefined ? [] : [[id, made.body()]]))),
      },
    ),
  ];
}

/** Larger pages of a list whose end is beyond so many small ones. */
function beyond(scene: Scene, half: number): readonly Wave[] {
  const list = scene.operation;
  const limit = Math.min(mostSmallPages * half, mostOf(list));
  const size = list.queryFields.find(({ name }) => name === list.pagination?.limit)?.schema ?? true;
  if (limit <= half || validator(size)(limit).length > 0) return [];
  const walk = { name: 'larger', most: mostSmallPages, limit, query: [] };
  return [
    when(
      `half-0-${mostSmallPages - 1}`,
      'accepted',
      walkFrom(list, walk, (id, query) =>
        scene.request(id, { role: 'test', observes: 'part-of-list', query }),
      ),
    ),
  ];
}
