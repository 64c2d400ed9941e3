import { isObject } from '../model/json.ts';
import type { Observes } from '../model/scenario.ts';

/** In format 2, only the name of a step said what it observes. */
const observed: readonly (readonly [RegExp, Observes])[] = [
  [/^readback before/, 'before'],
  [/^readback after/, 'after'],
  [/^readback later$/, 'later'],
  [/^readback listed-before/, 'list-before'],
  [/^readback listed/, 'list-after'],
  [/^readback made$/, 'made'],
  [/^readback poll/, 'arrival'],
  [/^probe page/, 'page'],
  [/^probe part-/, 'small-page'],
  [/^probe again/, 'page-again'],
  [/^probe whole-/, 'whole-page'],
  [/^probe half-/, 'part-of-page'],
  [/^control own-next$/, 'own-page'],
];

/** A line of format 2 as one of the current format; any other value as it is. */
export function fromFormat2(line: unknown): unknown {
  if (!isObject(line)) return line;
  const { probes, trace } = line;
  if (line['line'] === 'plan' && Array.isArray(probes)) return { ...line, probes: probes.map(planned) };
  if (line['line'] !== 'trace' || !isObject(trace) || !isObject(trace['scenario'])) return line;
  const { caseIndex, purpose, scenario, ...rest } = trace;
  return {
    ...line,
    trace: {
      ...rest,
      scenarioIndex: caseIndex,
      purpose: purpose === 'try' ? 'first' : purpose,
      scenario: { ...scenario, waves: waves(scenario['waves'], 0) },
    },
  };
}

function planned(probe: unknown): unknown {
  if (!isObject(probe)) return probe;
  const { cases, ...rest } = probe;
  return { ...rest, scenarios: cases };
}

/** No run nests waves this deep; a forged log could exhaust the stack. */
const mostNested = 200;

function waves(value: unknown, depth: number): unknown {
  if (!Array.isArray(value) || depth > mostNested) return value;
  return value.map((wave: unknown) => {
    if (!isObject(wave)) return wave;
    const { amidst, poll, repeat, steps, waves: inner, ...rest } = wave;
    return {
      ...rest,
      ...(Array.isArray(steps) ? { steps: steps.map(step) } : {}),
      ...(repeat === undefined ? {} : { repeat: step(repeat) }),
      ...(amidst === undefined ? {} : { during: step(amidst) }),
      ...(poll === undefined ? {} : { poll: step(poll) }),
      ...(inner === undefined ? {} : { waves: waves(inner, depth + 1) }),
    };
  });
}

function step(value: unknown): unknown {
  if (!isObject(value)) return value;
  const observes = observed.find(([name]) => name.test(`${value['role']} ${value['id']}`))?.[1];
  return {
    ...value,
    ...(value['role'] === 'probe' ? { role: 'test' } : {}),
    ...(observes === undefined ? {} : { observes }),
  };
}
