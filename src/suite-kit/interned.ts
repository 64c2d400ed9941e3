import { type Scenario, stepsOf, type Wave } from '../model/scenario.ts';

/**
 * Makes equal waves and bodies of scenarios one: those of an operation prepare and control alike, and a plan may have tens of
 * thousands of them.
 */
export function interning(): (scenario: Scenario) => Scenario {
  const bodies = only<Scenario['bodies']>();
  const sent = only<Wave>();
  const conditional = only<Wave>();
  const numbers = new Map<Wave, number>();
  const numberOf = (wave: Wave): number => {
    const number = numbers.get(wave) ?? numbers.size;
    numbers.set(wave, number);
    return number;
  };
  const interned = (wave: Wave): Wave => {
    if ('when' in wave) {
      const waves = wave.waves.map(interned);
      // By what is within rather than by its text, which was read already.
      return conditional(`${JSON.stringify(wave.when)} ${waves.map(numberOf)}`, { ...wave, waves });
    }
    // What a test sends is its own.
    return stepsOf([wave]).some(({ role }) => role === 'test') ? wave : sent(JSON.stringify(wave), wave);
  };
  return (scenario) => ({
    ...scenario,
    bodies: bodies(JSON.stringify(scenario.bodies), scenario.bodies),
    waves: scenario.waves.map(interned),
  });
}

/** The first part with the same key. */
function only<Part>(): (key: string, part: Part) => Part {
  const known = new Map<string, Part>();
  return (key, part) => {
    const before = known.get(key);
    if (before === undefined) known.set(key, part);
    return before ?? part;
  };
}
