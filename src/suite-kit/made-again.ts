import { operationOf } from '../model/contract.ts';
import type { Ref } from '../model/ref.ts';
import {
  type BodyValue,
  bodyNameOf,
  type Name,
  type Step,
  stepsOfWave,
  type Wave,
} from '../model/scenario.ts';
import type { Scene } from './scene.ts';
import type { Planning } from './suite.ts';

/**
 * The same scene on a second target of the same parents, if the path of the target does not name them: `/parcels/{parcelId}` is made
 * by `POST /stations/{stationId}/parcels`, or by a body with a `stationId`. Its maker is sent again, with all that follows.
 */
export function madeAgain(planning: Planning, scene: Scene, tag: string): Scene | undefined {
  const { bodies, operation, prelude, request } = scene;
  const own = request('target').target?.[operation.pathFields.at(-1)?.name ?? ''];
  if (own === undefined || !('step' in own) || planning.declared.G19 === 'conflict') return undefined;
  const from = prelude.findIndex((wave) => stepsOfWave(wave).some(({ id }) => id === own.step));
  const maker = prelude[from] === undefined ? undefined : stepsOfWave(prelude[from])[0];
  const waves = prelude.slice(Math.max(0, from));
  if (maker === undefined || !waves.every((wave) => isPlain(planning, wave))) return undefined;
  const ids = new Set(waves.flatMap((wave) => stepsOfWave(wave).map(({ id }) => id)));
  // Only what was made before can be shared.
  if (!Object.values(maker.target ?? {}).some((ref) => 'step' in ref && !ids.has(ref.step))) return undefined;
  const refAgain = (ref: Ref): Ref =>
    'step' in ref && ids.has(ref.step) ? { ...ref, step: `${tag}${ref.step}` } : ref;
  const copied = waves
    .flatMap((wave) => stepsOfWave(wave))
    .flatMap(({ body }): readonly [Name, BodyValue][] => {
      const name = bodyNameOf(body);
      const value = name === undefined ? undefined : bodies[name];
      return name === undefined || value === undefined ? [] : [[`${tag}${name}`, value]];
    });
  return {
    ...scene,
    prelude: waves.map((wave) => waveAgain(wave, tag, (step) => renamed(on(step, refAgain), tag))),
    bodies: Object.fromEntries(copied),
    request: (id, parts) => ({ ...on(request(id), refAgain), ...parts }),
  };
}

/** Whether a wave of a prelude can be sent a second time: a verification is issued once, and for one command. */
function isPlain({ contract }: Planning, wave: Wave): boolean {
  if ('wait' in wave) return true;
  if (!('steps' in wave || 'poll' in wave)) return false;
  return stepsOfWave(wave).every(
    ({ operation, role, verification }) =>
      role === 'setup' &&
      verification === undefined &&
      // Nobody chooses an ID twice.
      operationOf(contract, operation).pathFields.every(({ chosen }) => chosen !== true),
  );
}

function waveAgain(wave: Wave, tag: string, again: (step: Step) => Step): Wave {
  if ('steps' in wave) return { steps: wave.steps.map(again) };
  if (!('poll' in wave)) return wave;
  const { queuedBy } = wave;
  return {
    ...wave,
    poll: again(wave.poll),
    ...(queuedBy === undefined ? {} : { queuedBy: `${tag}${queuedBy}` }),
  };
}

/** The same step on the records that these references name. */
function on(step: Step, refAgain: (ref: Ref) => Ref): Step {
  const { target, version } = step;
  return {
    ...step,
    ...(target === undefined
      ? {}
      : { target: Object.fromEntries(Object.entries(target).map(([name, ref]) => [name, refAgain(ref)])) }),
    ...(version?.use === 'of' ? { version: { ...version, ref: refAgain(version.ref) } } : {}),
  };
}

function renamed(step: Step, tag: string): Step {
  const { body, id, key } = step;
  return {
    ...step,
    id: `${tag}${id}`,
    key: key.use === 'named' ? { ...key, name: `${tag}${key.name}` } : key,
    body: body.use === 'named' ? { ...body, name: `${tag}${body.name}` } : body,
  };
}
