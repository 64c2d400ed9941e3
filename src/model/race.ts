import type { Scenario, Step, StepId } from './scenario.ts';

/** The request that others of its wave send as well, under the same key, where a step is one of them; else undefined. */
export function raceOf({ waves }: Pick<Scenario, 'waves'>, step: Step): StepId | undefined {
  const wave = waves.find((one) => 'steps' in one && one.steps.includes(step));
  if (wave === undefined || !('steps' in wave)) return undefined;
  const first = ({ deviations }: Step): StepId | undefined =>
    deviations.flatMap((one) => (one.kind === 'key-reuse' && one.difference === 'none' ? [one.of] : []))[0];
  const race = first(step) ?? step.id;
  const racers = wave.steps.filter((other) => other.id === race || first(other) === race);
  return racers.length > 1 && racers.some(({ id }) => id === race) ? race : undefined;
}
