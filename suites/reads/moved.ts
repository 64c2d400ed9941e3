import { isPlaced } from '../../src/model/contract.ts';
import { bare } from '../../src/model/path.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { standIn } from '../../src/suite-kit/cast.ts';
import { bodyOf, type Scene, scenario, sceneOf, send, when } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

/** So many commands that move a record to another state are tried. */
const mostMoves = 2;

/** Commands by whose names others may see the record afterwards. */
const opening =
  /publi|shar|transfer|announc|broadcast|expos|invit|grant|assign|deleg|forward|send|refer|list|offer/i;

/** A record that a command moved to another state, such as a submitted one: a caller of another scope still reads nothing. */
export function movedFromAfar(planning: Planning, read: Scene, stranger: string): readonly Scenario[] {
  const { lead, operation } = read;
  const { operations } = planning.contract;
  if (operation.pathFields.length === 0 || operation.pagination !== undefined || isPlaced(operation))
    return [];
  const moving = new Set(operations.map(({ conflict }) => conflict?.after));
  const moves = operations.filter(
    ({ id, method, path }) =>
      moving.has(id) &&
      method !== 'DELETE' &&
      !opening.test(`${id} ${path.slice(operation.path.length)}`) &&
      `${bare(path)}/`.startsWith(`${bare(operation.path)}/`),
  );
  return moves.slice(0, mostMoves).flatMap((move): readonly Scenario[] => {
    const by = standIn(planning, move, lead);
    const scene = by === undefined ? undefined : sceneOf(planning, move, by, 'moved-');
    if (scene === undefined || 'remedy' in scene) return [];
    const { target } = scene.request('moved');
    // A record that is given belongs to no test alone.
    if (target === undefined || Object.values(target).some((ref) => !('step' in ref))) return [];
    return [
      scenario(
        read,
        `a record of another scope, after ${move.id}`,
        [
          ...scene.prelude,
          send(scene, 'moved', { role: 'setup', body: bodyOf(scene, 'moved') }),
          when('moved', 'accepted', [
            { wait: 'settle' },
            send(read, 'afar', { role: 'test', as: stranger, target, deviations: [{ kind: 'scope' }] }),
            send(read, 'near', { controls: 'afar', target }),
          ]),
        ],
        { ...scene.bodies, moved: scene.body() },
      ),
    ];
  });
}
