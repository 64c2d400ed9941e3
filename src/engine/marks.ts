import type { Mark } from '../model/marker.ts';
import { type BodyValue, type Scenario, stepsOf } from '../model/scenario.ts';
import type { Stage } from './stage.ts';

/** A scenario whose bodies carry the marks that the target takes; what a step tries at such a place is left as it is. */
export function withMarks(scenario: Scenario, marks: Stage['marks'] = new Map()): Scenario {
  const { bodies } = scenario;
  if (Object.values(bodies).every((body) => body.marks === undefined)) return scenario;
  const steps = stepsOf(scenario.waves);
  const markedBody = ([name, body]: [string, BodyValue]): [string, BodyValue] => {
    const { marks: possible, ...bare } = body;
    if (possible === undefined) return [name, body];
    const users = steps.filter((step) => step.body.use === 'named' && step.body.name === name);
    const mark = marks.get(users[0]?.operation ?? '');
    const tried = users.some(({ deviations }) =>
      deviations.some((one) => 'at' in one && one.at === mark?.at),
    );
    const can = mark !== undefined && possible.some((one) => isSame(one, mark));
    return [name, can && !tried ? { ...bare, marker: mark.at, form: mark.form } : bare];
  };
  return { ...scenario, bodies: Object.fromEntries(Object.entries(bodies).map(markedBody)) };
}

function isSame(one: Mark, other: Mark): boolean {
  return one.at === other.at && JSON.stringify(one.form) === JSON.stringify(other.form);
}
