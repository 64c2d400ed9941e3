import type { Operation } from '../../src/model/contract.ts';
import { firstPage } from '../../src/model/pages.ts';
import type { Scenario, Step } from '../../src/model/scenario.ts';
import { smallPage } from '../../src/oracle/paging.ts';
import { createMany } from '../../src/suite-kit/apart.ts';
import { makerOf, makingOf } from '../../src/suite-kit/makers.ts';
import { negative, type Scene, scenario, send } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { cursorTo, type Query, sized } from './walk.ts';

/** Who sends a request may be checked on the first page alone; a cursor comes from a caller who may have it. */
export function laterPage(
  planning: Planning,
  scene: Scene,
  titled: string,
  parts: Pick<Step, 'deviations'> & Partial<Pick<Step, 'as' | 'token'>>,
): readonly Scenario[] {
  const { operation } = scene;
  const { pagination } = operation;
  if (pagination === undefined) return [];
  const title = `${titled}, a later page`;
  const query = sized(operation, smallPage(operation));
  if (pagination.style === 'offset' || pagination.style === 'page') {
    const second: Query = [...query, [pagination.cursor, String(secondPage(operation))]];
    return [negative(scene, title, { ...parts, query: second }, { control: { query: second } })];
  }
  if (pagination.next === undefined && pagination.style !== 'link') return [];
  const maker = makerOf(planning, operation);
  const made = maker === undefined ? undefined : makingOf(planning, scene, maker);
  if (made === undefined || 'remedy' in made) return [];
  const ids = Array.from({ length: smallPage(operation) + 1 }, (_, index) => `made-${index + 1}`);
  const many = createMany(planning, made, ids);
  const next = [...query, ...cursorTo(operation, 1, 'first')];
  return [
    scenario(
      scene,
      title,
      [
        ...made.prelude,
        ...many.waves,
        { wait: 'settle' },
        send(scene, 'first', { query }),
        send(scene, 'test', { role: 'test', ...parts, query: next }),
        send(scene, 'control', { controls: 'test', query: next }),
      ],
      {
        ...made.bodies,
        ...many.bodies,
        ...(operation.body === undefined ? {} : { body: scene.body() }),
      },
    ),
  ];
}

function secondPage(operation: Operation): number {
  return (firstPage(operation) ?? (operation.pagination?.style === 'page' ? 1 : 0)) + 1;
}
