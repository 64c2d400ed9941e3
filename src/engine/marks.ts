import type { Mark } from '../model/marker.ts';
import { type BodyValue, type Scenario, stepsOf } from '../model/scenario.ts';
import type { Stage } from './stage.ts';

/** The bodies carry what the target takes; what a step tries at such a place is left as it is. */
export function withMarks(
  scenario: Scenario,
  { marks, ownValues }: Pick<Stage, 'marks' | 'ownValues'>,
): Scenario {
  const { bodies } = scenario;
  if (Object.values(bodies).every((body) => body.marks === undefined && body.own === undefined))
    return scenario;
  const steps = stepsOf(scenario.waves);
  const markedBody = ([name, body]: [string, BodyValue]): [string, BodyValue] => {
    const { marks: possible = [], own: wanted = [], ...bare } = body;
    const users = steps.filter((step) => step.body.use === 'named' && step.body.name === name);
    const sent = users[0]?.operation ?? '';
    const free = (places: readonly Mark[], accepted: Mark): boolean =>
      places.some((one) => isSame(one, accepted)) &&
      !users.some(({ deviations }) => deviations.some((one) => 'at' in one && one.at === accepted.at));
    const mark = marks?.get(sent);
    const marked =
      mark !== undefined && free(possible, mark) ? { ...bare, marker: mark.at, form: mark.form } : bare;
    const own = ownValues?.get(sent)?.filter((one) => one.at !== marked.marker && free(wanted, one)) ?? [];
    return [name, own.length === 0 ? marked : { ...marked, own }];
  };
  return { ...scenario, bodies: Object.fromEntries(Object.entries(bodies).map(markedBody)) };
}

function isSame(one: Mark, other: Mark): boolean {
  return one.at === other.at && JSON.stringify(one.form) === JSON.stringify(other.form);
}
