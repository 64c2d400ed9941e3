import type { Scenario, Wave } from '../model/scenario.ts';

/**
 * Makes equal waves and bodies of scenarios one: those of an operation prepare and control alike, and a plan may have tens of
 * thousands of them.
 */
export function interning(): (scenario: Scenario) => Scenario {
  const wave = only<Wave>();
  const bodies = only<Scenario['bodies']>();
  const inWave = (one: Wave): Wave => wave('when' in one ? { ...one, waves: one.waves.map(inWave) } : one);
  return (scenario) => ({
    ...scenario,
    bodies: bodies(scenario.bodies),
    waves: scenario.waves.map(inWave),
  });
}

/** The first of those that are equal as JSON. */
function only<Part>(): (part: Part) => Part {
  const known = new Map<string, Part>();
  return (part) => {
    const text = JSON.stringify(part);
    const before = known.get(text);
    if (before === undefined) known.set(text, part);
    return before ?? part;
  };
}
