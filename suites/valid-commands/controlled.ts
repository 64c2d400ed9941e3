import type { Json } from '../../src/model/json.ts';
import type { Scenario, Step, Wave } from '../../src/model/scenario.ts';
import { bodyOf, key, named, type Scene, scenario, sceneOf, send, when } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

/** The command with one thing that must not matter; if it is not accepted, a plain control on a target of its own. */
export function paired(
  planning: Planning,
  scene: Scene,
  title: string,
  test: Partial<Step>,
  body: ReturnType<Scene['body']>,
  control?: Json,
): Scenario {
  // A control never meets the state that the test request left.
  const twin = sceneOf(planning, scene.operation, scene.lead, 'other-');
  const other = 'remedy' in twin ? scene : twin;
  return {
    title,
    bodies: { ...scene.bodies, ...other.bodies, body, plain: scene.body(control) },
    waves: [
      ...scene.prelude,
      send(scene, 'test', { role: 'test', key: key('key'), ...test }),
      when('test', 'refused', [
        ...(other === scene ? [] : other.prelude),
        send(other, 'control', { controls: 'test', key: key('fresh'), body: bodyOf(scene, 'plain') }),
      ]),
    ],
  };
}

type Variation = { readonly parts: Partial<Step>; readonly value: Json | undefined };

/** Several commands one after the other, and one plain control for all. */
export function inTurn(scene: Scene, title: string, all: readonly Variation[], control?: Json): Scenario {
  const bodied = scene.operation.body !== undefined;
  const sent = (id: string, body: string, parts: Partial<Step>): Wave =>
    send(scene, id, { key: key(id), ...(bodied ? { body: named(body) } : {}), ...parts });
  const names = all.map((_, index) => `probe-${index + 1}`);
  return scenario(
    scene,
    title,
    [
      ...all.map(({ parts }, index) =>
        sent(names[index] ?? '', names[index] ?? '', { role: 'test', ...parts }),
      ),
      sent('control', 'plain', { controls: '*' }),
    ],
    bodied
      ? {
          ...Object.fromEntries(all.map(({ value }, index) => [names[index] ?? '', scene.body(value)])),
          plain: scene.body(control),
        }
      : {},
  );
}
