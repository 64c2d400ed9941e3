import type { Operation } from '../../src/model/contract.ts';
import { makesWithin } from '../../src/model/listed.ts';
import { wordsOf } from '../../src/model/name-words.ts';
import { bare } from '../../src/model/path.ts';
import { isPermitted } from '../../src/model/principal.ts';
import type { Scenario, Step } from '../../src/model/scenario.ts';
import { versionNow } from '../../src/suite-kit/readback.ts';
import { type Around, key, named, type Scene, scenario, send, when } from '../../src/suite-kit/scene.ts';
import { byBudget, type Planning } from '../../src/suite-kit/suite.ts';
import { markedIn } from '../../src/suite-kit/values.ts';

/** What ends a record may be as good as its deletion, which then has nothing left to do. */
const ending =
  /^(abandon|archiv|cancel|clos|complet|deactiv|declin|delet|disabl|discard|end(s|ed|ing)?$|expir|finish|inactiv|purg|reject|remov|retir|revok|terminat|trash|unpublish|void|withdraw)/;

/**
 * A deletion of a record in another state, which an action on it brought about: code that deletes only records of one state may
 * accept the command for all of them. A service may refuse it there, and says so.
 */
export function inOtherStates(planning: Planning, scene: Scene, around: Around): readonly Scenario[] {
  const { id, method, verification, version } = scene.operation;
  if (method !== 'DELETE' || around.before.length === 0 || verification !== undefined) return [];
  const isVersioned = version !== undefined && !version.neutral;
  const now = isVersioned ? versionNow(planning, scene, 'version-now') : undefined;
  if (planning.targets?.has(id) === true || (isVersioned && now === undefined)) return [];
  return actionsOn(planning, scene)
    .slice(0, byBudget(planning, 1, 2, 4))
    .map((action) =>
      scenario(
        scene,
        `a valid command after ${action.id} on its record`,
        [
          send(actionStep(scene, action)),
          when('acted', 'accepted', [
            ...around.before,
            ...(now?.waves ?? []),
            send(scene, 'command', {
              role: 'test',
              ...(now === undefined ? {} : { version: now.version }),
            }),
            ...around.after,
          ]),
        ],
        {
          ...(action.body === undefined ? {} : { acted: markedIn(action, planning.values(action)) }),
          body: scene.body(),
        },
      ),
    );
}

/** The actions on the record of a path that its caller may run, that need nothing else, and that do not end it. */
function actionsOn({ contract }: Planning, { lead, operation }: Scene): readonly Operation[] {
  const own = bare(operation.path);
  if (!own.endsWith('}')) return [];
  return contract.operations.filter((other) => {
    const { id, kind, method, named: records, path, pathFields, verification, version } = other;
    const name = path.split(/[/:]/).at(-1) ?? '';
    return (
      kind === 'command' &&
      method === 'POST' &&
      pathFields.length === operation.pathFields.length &&
      [`${own}/`, `${own}:`].some((start) => bare(path).startsWith(start)) &&
      [verification, version, records].every((one) => one === undefined) &&
      !makesWithin(contract, other) &&
      isPermitted(lead, other) &&
      ![...wordsOf(id), ...wordsOf(name)].some((word) => ending.test(word))
    );
  });
}

function actionStep(scene: Scene, action: Operation): Step {
  const { version: _, ...step } = scene.request('acted', { role: 'setup', key: key('acted') });
  return {
    ...step,
    operation: action.id,
    body: action.body === undefined ? { use: 'none' } : named('acted'),
  };
}
