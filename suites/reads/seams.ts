import { settleMs } from '../../src/model/declaration.ts';
import type { Scenario, Wave } from '../../src/model/scenario.ts';
import { isUncounted, smallPage } from '../../src/oracle/paging.ts';
import { createEach } from '../../src/suite-kit/apart.ts';
import { type Scene, scenario, send } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { mostOf, sized, walkFrom } from './walk.ts';

/** What is read in vain twice was not hidden by a write of others, or by a copy of the list that is behind. */
const rounds = 2;
/** Small pages in turn: the second may be found otherwise than those that follow it. */
const smallPages = 3;
/** Most records that are made, so that there are as many small pages. */
const mostRecords = 19;

/** Most small pages of a list to which no known command adds: only its end shows that nothing is left out. */
const mostSmallPages = 15;

/** If the large pages before and after agree, small ones must show the same records; no records of its own are needed. */
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
  const making =
    made === undefined || each === undefined
      ? []
      : [...made.prelude, ...each.waves, { wait: 'settle' } as const];
  const once = (id: string): Wave =>
    send(scene, id, { role: 'test', observes: 'whole-page', query: sized(list, whole) });
  return [
    scenario(
      scene,
      `the first ${whole} records on one page, and on ${pages}`,
      [
        ...making,
        once('whole-0'),
        ...Array.from({ length: rounds }, (_, round): readonly Wave[] => [
          ...(round === 0 ? [] : [{ wait: settleMs(declared) }]),
          ...walkFrom(
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
          ),
          once(`whole-${round + 1}`),
        ]).flat(),
      ],
      {
        ...made?.bodies,
        ...each?.bodies,
        ...Object.fromEntries(ids.flatMap((id) => (made === undefined ? [] : [[id, made.body()]]))),
      },
    ),
  ];
}
