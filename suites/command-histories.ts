import fc from 'fast-check';
import { creates } from '../src/model/contract.ts';
import { isPermitted, type Principal } from '../src/model/principal.ts';
import type { Scenario, Step } from '../src/model/scenario.ts';
import { foreigner, secondCaller } from '../src/suite-kit/cast.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { hasTarget, key, named, type Scene, scenario, sceneOf } from '../src/suite-kit/scene.ts';
import { byBudget, type Proposal, probesOf } from '../src/suite-kit/suite.ts';

/** One command of a history, by numbers: which key, which body, who, which operation. */
type Move = {
  readonly key: number;
  readonly body: number;
  readonly caller: number;
  readonly operation: number;
};

const keys = 2;
const bodies = 2;

export default defineSuite({
  name: 'command-histories',
  title: 'Random histories over a few keys, bodies, callers and operations, judged as a whole',
  for: (operation) => creates(operation) && operation.body !== undefined,
  clauses: 'IDM-4 IDM-5 IDM-6 IDM-8',
  *propose(scene, planning): Iterable<Proposal> {
    const { operation } = scene;
    const callers = [
      scene.lead,
      secondCaller(planning, operation, scene.lead),
      // A record of the lead's scope is none of the other's.
      hasTarget(scene) ? undefined : foreigner(planning, operation, scene.lead),
    ].filter((principal) => principal !== undefined);
    const others = planning.contract.operations.flatMap((other): readonly Scene[] => {
      if (other === operation || !creates(other) || other.body === undefined) return [];
      const made = sceneOf(planning, other, scene.lead);
      const held = callers.every((caller) => isPermitted(caller, other));
      return 'remedy' in made || !held || made.prelude.length > 0 ? [] : [made];
    });
    const scenes = [scene, ...others.slice(0, 1)];
    yield probesOf(operation)('any-history', 'IDM-4 IDM-5 IDM-6 IDM-7 IDM-8 IDM-11 IDM-12 IDM-13', [], {
      concurrent: true,
      random: {
        runs: byBudget(planning, 4, 16, 80),
        arbitrary: histories(callers.length, scenes.length).map((waves) => played(scenes, callers, waves)),
      },
    });
  },
});

function histories(callers: number, operations: number): fc.Arbitrary<readonly (readonly Move[])[]> {
  const usually = (count: number): fc.Arbitrary<number> =>
    fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: count - 1 }) });
  const move = fc.record({
    key: fc.nat({ max: keys - 1 }),
    body: fc.nat({ max: bodies - 1 }),
    caller: usually(callers),
    operation: usually(operations),
  });
  return fc.array(fc.array(move, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 5 });
}

function played(
  scenes: readonly Scene[],
  callers: readonly Principal[],
  waves: readonly (readonly Move[])[],
): Scenario {
  const first = new Map<number, string>();
  const [scene] = scenes;
  if (scene === undefined) return { title: 'an empty history', bodies: {}, waves: [] };
  const steps = waves.map((moves, wave) =>
    moves.flatMap((move, index): readonly Step[] => {
      const of = scenes[move.operation] ?? scene;
      const id = `command-${wave + 1}-${index + 1}`;
      const earlier = first.get(move.key) ?? id;
      first.set(move.key, earlier);
      return [
        of.request(id, {
          role: 'test',
          as: callers[move.caller]?.name ?? of.lead.name,
          key: key(`key-${move.key}`),
          // Where no two bodies differ, one name stands for both.
          body: named(`${of.operation.id}-${of.different === undefined ? 0 : move.body}`),
          deviations: [{ kind: 'key-reuse', of: earlier, difference: 'history' }],
        }),
      ];
    }),
  );
  const commands = steps.reduce((sum, wave) => sum + wave.length, 0);
  return scenario(
    scene,
    `a history of ${commands} commands`,
    steps.map((wave) => ({ steps: wave })),
    Object.fromEntries(
      scenes.flatMap((one) =>
        Array.from({ length: bodies }, (_, index) => [
          `${one.operation.id}-${index}`,
          index === 0 ? one.body() : (one.different ?? one.body()),
        ]),
      ),
    ),
  );
}
