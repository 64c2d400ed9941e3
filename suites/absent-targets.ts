import { choosesLast } from '../src/model/contract.ts';
import type { Deviation } from '../src/model/scenario.ts';
import { type AbsentNamed, absentNamed, absentParent, absentTargets } from '../src/suite-kit/absent.ts';
import { afterAbsent } from '../src/suite-kit/absent-reads.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { readingsOfAll } from '../src/suite-kit/named-readings.ts';
import { bodyOf, refusals, type Scene } from '../src/suite-kit/scene.ts';
import { type Proposal, probesOf } from '../src/suite-kit/suite.ts';
import { bodyOfRemoved, onRemoved } from './absent-targets/removed.ts';
import { removedApart } from './absent-targets/removed-apart.ts';

const absent: Deviation = { kind: 'target', how: 'absent' };

const none = { before: [], after: [] };

/** The others may be changed before one is found to be absent. */
function namesSeveral({ request }: Scene, targets: readonly AbsentNamed[]): boolean {
  const known = Object.keys(request('absent').target ?? {}).length;
  return known > 1 || (known > 0 && targets.some(({ value }) => value !== undefined));
}

export default defineSuite({
  name: 'absent-targets',
  title: 'Commands on records that do not exist',
  for: ({ kind, named, pathFields }) => kind === 'command' && (pathFields.length > 0 || named !== undefined),
  // Other suites say what is missing for a command.
  clauses: [],
  *propose(scene, planning): Iterable<Proposal> {
    const { operation } = scene;
    const parent = absentParent(scene);
    // A command that makes the record under an ID of its choice makes one under any ID.
    const own = choosesLast(operation) ? [] : absentTargets(scene);
    const targets: readonly AbsentNamed[] = [
      ...own.map((target) => ({ target })),
      ...(parent === undefined ? [] : [{ target: parent }]),
      ...absentNamed(planning, scene),
    ];
    const around = namesSeveral(scene, targets) ? readingsOfAll(planning, scene) : none;
    const found = own.slice(0, 1).flatMap((target) => afterAbsent(planning, scene, 'absent-1', target));
    const removed = onRemoved(planning, scene, 'control');
    const asked = refusals(
      scene,
      'records that do not exist',
      targets.map(({ target }, index) => ({
        id: `absent-${index + 1}`,
        target,
        body: bodyOf(scene, `body-${index + 1}`),
        deviations: [absent],
      })),
      {
        bodies: {
          ...Object.fromEntries(targets.map(({ value }, index) => [`body-${index + 1}`, scene.body(value)])),
          ...(removed.length === 0 ? {} : { [bodyOfRemoved]: scene.body() }),
        },
        around: { ...around, after: [...around.after, ...found] },
      },
    );
    if (targets.length > 0)
      yield probesOf(operation)('absent', 'ERR-1', [{ ...asked, waves: [...asked.waves, ...removed] }]);
    const apart = removed.length > 0 ? [] : removedApart(planning, scene);
    if (apart.length > 0) yield probesOf(operation)('removed', 'ERR-1', apart);
  },
});
