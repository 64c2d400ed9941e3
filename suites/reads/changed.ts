import type { Operation } from '../../src/model/contract.ts';
import type { Scenario, Step } from '../../src/model/scenario.ts';
import { apart } from '../../src/suite-kit/apart.ts';
import { standIn } from '../../src/suite-kit/cast.ts';
import { refOf } from '../../src/suite-kit/issued.ts';
import { create } from '../../src/suite-kit/makers.ts';
import { bodyOfMaker } from '../../src/suite-kit/readying.ts';
import { bodyOf, named, type Scene, sceneOf, send } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

export type ChangedRecord = Pick<Scenario, 'waves' | 'bodies'>;

/** A record on which a command was run: the service may have set the member that a list filters by. */
export function changedBy(
  planning: Planning,
  list: Scene,
  made: Scene,
  changer: Operation,
  tag: string,
): readonly ChangedRecord[] {
  const by = standIn(planning, changer, made.lead);
  const here =
    list.operation.pathFields.length === 0 ? undefined : onList(planning, made, changer, `${tag}made`);
  const scene =
    by === undefined
      ? undefined
      : sceneOf(planning, changer, by, tag, here === undefined ? {} : { on: here.on });
  if (scene === undefined || 'remedy' in scene) return [];
  const id = `${tag}changed`;
  return [
    {
      waves: [
        ...(here?.waves ?? []),
        ...scene.prelude,
        send(scene, id, { role: 'setup', body: bodyOf(scene, id) }),
      ],
      bodies: { ...here?.bodies, ...scene.bodies, [id]: scene.body() },
    },
  ];
}

/** A target for a command within the record that the list is of: one that is made elsewhere is not on the list. */
function onList(
  planning: Planning,
  made: Scene,
  { id: changer, pathFields }: Operation,
  id: string,
): (ChangedRecord & { readonly on: NonNullable<Step['target']> }) | undefined {
  const prepared = planning.prepared?.get(changer);
  // What comes first on such a record is known for one that is made by itself alone.
  if (prepared !== undefined && prepared.first.length > 0) return undefined;
  const own = apart(planning, made, id);
  const { target = {} } = { ...made.request(id), ...own.parts };
  const on = Object.fromEntries(
    pathFields.flatMap(({ name, source }) => {
      const ref = source?.operation === made.operation.id ? refOf(source, id, target) : target[name];
      return ref === undefined ? [] : [[name, ref] as const];
    }),
  );
  if (Object.keys(on).length < pathFields.length) return undefined;
  return {
    on,
    waves: [...own.waves, create(made, id, named(id), own.parts)],
    bodies: { ...own.bodies, ...bodyOfMaker(planning, made.operation, id, prepared) },
  };
}
