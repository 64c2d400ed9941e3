import type { Budget } from '../../src/model/configured.ts';
import { addsWithin } from '../../src/model/listed.ts';
import { type BodyValue, type Scenario, type Step, stepsOf, type Wave } from '../../src/model/scenario.ts';
import { listings, reading } from '../../src/suite-kit/readback.ts';
import {
  type Around,
  bodyOf,
  key,
  named,
  reuse,
  type Scene,
  scenario,
  send,
  slowed,
  twinOf,
} from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

/** So many requests race at once: few, so that there are many rounds. The first round is wide. */
const few = 3;

/** Many rounds of a few find a narrow window sooner than a few of many; the wide round meets other limits. */
export function races(budget: Budget, scene: Scene): readonly number[] {
  const { requests, wide } = {
    quick: { requests: 14, wide: 4 },
    standard: { requests: 36, wide: 8 },
    thorough: { requests: 60, wide: 10 },
  }[budget];
  const before = stepsOf(scene.prelude).length;
  const rounds = Math.floor((requests - (before + wide + 1)) / (before + few));
  return [wide, ...Array.from({ length: Math.max(1, rounds) }, () => few)];
}

export function parallel(planning: Planning, scene: Scene, width: number, again: boolean): Scenario {
  const list = listings(planning, scene);
  const step = (index: number): Step =>
    scene.request(`racer-${index}`, {
      role: 'test',
      key: key('key'),
      deviations: index === 0 ? [] : [{ kind: 'key-reuse', of: 'racer-0', difference: 'none' }],
    });
  const racers = Array.from({ length: width }, (_each, index) => step(index));
  const later: Wave = send(scene, 'later', reuse('racer-0', 'none'));
  const control: Wave = send(scene, 'control', {
    controls: '*',
    key: key('fresh'),
    body: bodyOf(scene, 'control'),
  });
  // Where every racer was refused: whether the command can be accepted at all.
  const twin = again && list.before.length === 0 && racers.length > 1 ? twinOf(planning, scene) : scene;
  const compared = twin === scene ? undefined : alongsideTwin(planning, scene, twin);
  const refused = [...(again ? [] : [later]), ...(scene.operation.pathFields.length === 0 ? [control] : [])];
  return scenario(
    // A command may change its neighbour too: the target is made when the one on the twin has been done.
    { ...scene, prelude: [...(compared?.before ?? []), ...scene.prelude] },
    `one command, sent ${width} times at once`,
    [
      ...list.before,
      { steps: racers },
      ...(again ? [later] : []),
      ...(refused.length === 0 ? [] : whenRefused(racers, refused)),
      ...list.after,
      ...(compared?.after ?? []),
    ],
    { ...(compared === undefined ? {} : twin.bodies), body: scene.body(), control: scene.body() },
  );
}

/** The same command once on a twin: what counts commands shows no more for those under one key. */
function alongsideTwin(planning: Planning, scene: Scene, twin: Scene): Around | undefined {
  const [settled, read] = reading(planning, scene, 'after');
  const [step] = stepsOf(reading(planning, twin, 'after'));
  if (settled === undefined || read === undefined || step === undefined) return undefined;
  const single = twin.request('single', {
    controls: '*',
    key: key('single'),
    body: bodyOf(scene, 'control'),
  });
  return {
    before: [...twin.prelude, send(single)],
    after: [settled, read, send({ ...step, id: 'after-single' })],
  };
}

/** Waves for when none of the steps was accepted. */
function whenRefused(steps: readonly Step[], waves: readonly Wave[]): readonly Wave[] {
  return steps.reduceRight<readonly Wave[]>(
    (inner, { id }) => [{ when: { step: id, was: 'refused' }, waves: inner }],
    waves,
  );
}

/** A duplicate that surely comes while its command is in flight: races meet only where they are lucky. */
export function held(scene: Scene): Scenario {
  return scenario(scene, 'the same command under the key of one in flight', [
    slowed(scene, 2500),
    {
      steps: [
        scene.request('first', { key: key('key'), deviations: [{ kind: 'fault', how: 'slow' }] }),
        scene.request('meanwhile', { ...reuse('first', 'none'), delay: 400 }),
      ],
    },
  ]);
}

/** What adds to its target, or sets it, can run on it again while an earlier one is held. */
function runsAgain({ contract }: Planning, operation: Scene['operation']): boolean {
  if (operation.conflict !== undefined || operation.verification !== undefined) return false;
  return ['PUT', 'PATCH'].includes(operation.method) || addsWithin(contract, operation);
}

/**
 * A held command's key comes with another body; `onOne`: on its own target. Without a control, which could hinder the held one
 * there, only an accepted response counts.
 */
export function inFlight(planning: Planning, scene: Scene, different: BodyValue, onOne = false): Scenario {
  const twin = onOne ? scene : twinOf(planning, scene);
  const { pathFields, version } = scene.operation;
  const alone = onOne
    ? runsAgain(planning, scene.operation)
    : twin === scene && (pathFields.length > 0 || version !== undefined);
  const control = twin.request('control', {
    controls: 'meanwhile',
    key: key('fresh'),
    body: named('different'),
    ...(alone ? { delay: 800 } : {}),
  });
  return scenario(
    scene,
    'another request under the key of a command in flight',
    [
      ...(twin === scene ? [] : twin.prelude),
      slowed(scene, 1500),
      {
        steps: [
          scene.request('slow', { key: key('key'), deviations: [{ kind: 'fault', how: 'slow' }] }),
          twin.request('meanwhile', {
            ...reuse('slow', twin === scene ? 'request' : 'target'),
            body: named('different'),
            delay: 400,
          }),
          ...(alone ? [control] : []),
        ],
      },
      ...(alone || onOne ? [] : [send(control)]),
    ],
    { ...twin.bodies, body: scene.body(), different },
  );
}
