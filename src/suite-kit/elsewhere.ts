import type { Operation } from '../model/contract.ts';
import { isPermitted } from '../model/principal.ts';
import type { Scenario, Step, Wave } from '../model/scenario.ts';
import { bodyOf, key, type Scene, sceneOf, send, when } from './scene.ts';
import type { Planning } from './suite.ts';

/** What is asked of other operations before the caller of a scene is throttled, while it is, and after that. */
export type Elsewhere = {
  readonly before: readonly Wave[];
  readonly meanwhile: readonly Step[];
  readonly after: readonly Wave[];
  readonly bodies: Scenario['bodies'];
};

/** A large contract has many operations: so many stand for all. */
const most = 12;

/**
 * Other operations that need no record, each once: they may have a limiter of their own, or a gateway that says it otherwise.
 * A command is sent under another key afterwards: what it made although it was throttled then shows. A list is read before and
 * after: a page that is empty in between hides that the caller was throttled.
 */
export function elsewhere(planning: Planning, scene: Scene): Elsewhere {
  const scenes = planning.contract.operations
    .filter(
      (one) =>
        one !== scene.operation && planning.wanted?.has(one.id) !== false && isPermitted(scene.lead, one),
    )
    .filter(needsNothing)
    .toSorted((one, other) => rank(one) - rank(other))
    .flatMap((one, index) => {
      const made = sceneOf(planning, one, scene.lead, `elsewhere-${index}-`);
      return 'remedy' in made || made.prelude.length > 0 ? [] : [made];
    })
    .slice(0, most);
  const asked = scenes.map((one, index) => ({ one, id: `elsewhere-${index + 1}` }));
  const isList = ({ operation }: Scene): boolean => operation.pagination !== undefined;
  const rested = ({ one, id }: (typeof asked)[number]): Wave =>
    send(one.request(`${id}-rested`, parts(one, `${id}-rested`)));
  return {
    before: asked.flatMap(({ one, id }) =>
      isList(one) ? [send(one.request(`${id}-before`, { ...parts(one, id), role: 'readback' }))] : [],
    ),
    meanwhile: asked.map(({ one, id }) =>
      one.request(id, { ...parts(one, id), role: 'test', deviations: [{ kind: 'pace' }] }),
    ),
    after: asked.flatMap((each) => [
      when(each.id, 'refused', [{ wait: { guidance: each.id } }, rested(each)]),
      ...(isList(each.one) ? [when(each.id, 'accepted', [rested(each)])] : []),
    ]),
    bodies: Object.fromEntries(
      asked.flatMap(({ one, id }) =>
        one.operation.body === undefined
          ? []
          : [
              [id, one.body()],
              [`${id}-rested`, one.body()],
            ],
      ),
    ),
  };
}

function needsNothing({ named, pathFields, verification, version }: Operation): boolean {
  return (
    pathFields.length === 0 && named === undefined && verification === undefined && version === undefined
  );
}

/** Reads first: the operation of the burst is a command, and commands share a limiter more often. */
function rank({ kind }: Operation): number {
  return kind === 'read' ? 0 : 1;
}

function parts(one: Scene, name: string): Partial<Step> {
  const { kind, pagination } = one.operation;
  return {
    ...(kind === 'command' ? { key: key(name) } : {}),
    body: bodyOf(one, name),
    ...(pagination === undefined ? {} : { query: [[pagination.limit, '1']] }),
  };
}
