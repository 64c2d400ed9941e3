import { validator } from '../../src/generate/index.ts';
import type { Operation } from '../../src/model/contract.ts';
import { settleMs } from '../../src/model/declaration.ts';
import { isObject, type JsonSchema } from '../../src/model/json.ts';
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
  const small = Math.min(smallPages * half, mostOf(list));
  const whole = made === undefined ? (pageForAll(list, half) ?? small) : small;
  const pages = Math.ceil(whole / half);
  const count = (pages - 1) * half + 1;
  if (pages < 2 || (made !== undefined && count > mostRecords)) return [];
  // A page counted from another number than the first would be passed over.
  if (isUncounted(list)) return [];
  const ids = Array.from({ length: made === undefined ? 0 : count }, (_, index) => `made-${index + 1}`);
  const each = made === undefined ? undefined : createEach(planning, made, ids);
  const making = made === undefined || each === undefined ? [] : [...made.prelude, ...each.waves];
  const once = (round: number): Wave =>
    send(scene, `whole-${round}`, { role: 'test', observes: 'whole-page', query: sized(list, whole) });
  const inTurn = (round: number): readonly Wave[] =>
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
        ...inTurn(0),
        once(1),
        when('whole-1', 'contradicted', [{ wait: settleMs(declared) }, ...inTurn(1), once(2)]),
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

/**
 * The size of a page that shows where small ones have to end, of a list to which nothing is added; undefined where the document
 * does not name the largest one.
 */
function pageForAll(list: Operation, half: number): number | undefined {
  const schema = sizeOf(list);
  const large = Math.min(mostSmallPages * half, mostOf(list));
  const isKnown = isObject(schema) && typeof schema['maximum'] === 'number';
  return isKnown && validator(schema)(large).length === 0 ? large : undefined;
}

function sizeOf({ pagination, queryFields }: Operation): JsonSchema {
  return queryFields.find(({ name }) => name === pagination?.limit)?.schema ?? true;
}

/** Larger pages of a list whose end is beyond so many small ones, and pages of another size, which must end at the same record. */
function beyond(scene: Scene, half: number): readonly Wave[] {
  const list = scene.operation;
  const limit = Math.min(mostSmallPages * half, mostOf(list));
  const size = validator(sizeOf(list));
  const sizes = [limit, limit - 1].filter((one) => one > half && size(one).length === 0);
  const walk = (most: number, name: string): readonly Wave[] =>
    walkFrom(list, { name, most: mostSmallPages, limit: most, query: [] }, (id, query) =>
      scene.request(id, { role: 'test', observes: 'part-of-list', query }),
    );
  const walks = sizes.flatMap((one, index) => walk(one, index === 0 ? 'larger' : 'other'));
  return walks.length === 0 ? [] : [when(`half-0-${mostSmallPages - 1}`, 'accepted', walks)];
}
