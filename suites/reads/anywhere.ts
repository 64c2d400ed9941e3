import { creates } from '../../src/model/contract.ts';
import type { Scenario, Step, Wave } from '../../src/model/scenario.ts';
import { foreigner } from '../../src/suite-kit/cast.ts';
import { findingFields } from '../../src/suite-kit/filters.ts';
import { create, makingOf } from '../../src/suite-kit/makers.ts';
import { type Scene, scenario, send } from '../../src/suite-kit/scene.ts';
import { byBudget, type Planning } from '../../src/suite-kit/suite.ts';
import { looksFor } from './looks-for.ts';
import { mostOf, sized } from './walk.ts';

/**
 * A list or a search that no command is known to fill, such as a log of what was done, or a search of everything: records of
 * another scope may be named there all the same, whatever they are.
 */
export function soughtAnywhere(planning: Planning, scene: Scene): readonly Scenario[] {
  const { body, method, pagination, pathFields, queryFields } = scene.operation;
  const stranger = foreigner(planning, scene.operation, scene.lead);
  if (method === 'HEAD' || pathFields.length > 0 || stranger === undefined) return [];
  return planning.contract.operations
    .filter((one) => one.method === 'POST' && creates(one) && one.verification === undefined)
    .slice(0, byBudget(planning, 1, 3, 6))
    .flatMap((maker): readonly Scenario[] => {
      const made = makingOf(planning, scene, maker);
      if ('remedy' in made) return [];
      const texts = findingFields(scene.operation, maker, made.body());
      // What shows one record of its own, or a few numbers, names no other.
      if (pagination === undefined && body === undefined && texts.length === 0) return [];
      const page = sized(scene.operation, mostOf(scene.operation));
      const required = queryFields.some((field) => field.required && field.value === undefined);
      const looks: readonly (readonly [string, Partial<Step>])[] = [
        ...(required ? [] : looksFor(planning, scene, made)),
        ...texts.map(
          ({ name }) => [`-${name}`, { query: [...page, [name, `\${marker:one}`] as const] }] as const,
        ),
      ];
      return [
        scenario(
          scene,
          `what ${maker.id} makes in another scope`,
          [
            ...made.prelude,
            create(made, 'one'),
            { wait: 'settle' },
            ...looks.flatMap(([as, asked]): readonly Wave[] => [
              send(scene, `afar${as}`, {
                role: 'test',
                as: stranger.name,
                observes: 'unrelated',
                ...asked,
              }),
              send(scene, `near${as}`, { controls: `afar${as}`, ...asked }),
            ]),
          ],
          { ...made.bodies, one: made.body() },
        ),
      ];
    });
}
