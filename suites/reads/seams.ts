import type { Scenario, Wave } from '../../src/model/scenario.ts';
import { firstPage, smallPage } from '../../src/oracle/paging.ts';
import { create } from '../../src/suite-kit/makers.ts';
import { named, type Scene, scenario } from '../../src/suite-kit/scene.ts';
import { mostOf, sized, walkFrom } from './walk.ts';

/** What is read in vain twice was not hidden by a write of others, or by a copy of the list that is behind. */
const rounds = 2;
/** Most records that are made, so that there are two small pages. */
const mostRecords = 9;

/**
 * The beginning of a list on one page, then on two small ones, then on one again: where the large pages show the same
 * records, the small ones between them must show these in turn. This needs no records of its own on either side, which a
 * long list without a filter has somewhere in the middle of a page.
 */
export function seams(scene: Scene, made: Scene): readonly Scenario[] {
  const list = scene.operation;
  const half = smallPage(list);
  const whole = Math.min(2 * half, mostOf(list));
  if (whole <= half || half >= mostRecords) return [];
  // A page counted from another number than the first would be passed over.
  if (list.pagination?.style === 'page' && firstPage(list) === undefined) return [];
  const once = (id: string): Wave => ({
    steps: [scene.request(id, { role: 'probe', query: sized(list, whole) })],
  });
  return [
    scenario(
      scene,
      `the first ${whole} records on one page, and on two`,
      [
        ...made.prelude,
        ...Array.from({ length: half + 1 }, (_, index) => create(made, `made-${index + 1}`, named('few'))),
        { wait: 'settle' },
        once('whole-0'),
        ...Array.from({ length: rounds }, (_, round) => [
          ...walkFrom(list, { name: `half-${round}`, most: 2, limit: half, query: [] }, (id, query) =>
            scene.request(id, { role: 'probe', query }),
          ),
          once(`whole-${round + 1}`),
        ]).flat(),
      ],
      { ...made.bodies, few: made.body() },
    ),
  ];
}
