import { operationOf } from '../../src/model/contract.ts';
import { type Scenario, type Step, stepsOf, type Wave } from '../../src/model/scenario.ts';
import { withAmounts } from '../../src/suite-kit/amounts.ts';
import { holderReadings } from '../../src/suite-kit/holder-readings.ts';
import { reading } from '../../src/suite-kit/readback.ts';
import { bodyOf, key, type Scene, scenario, send } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

/** Small, since the record must have so much of it several times; no count of requests shows them. */
const amounts = [3, 4, 7, 13] as const;

const racers = ['racer-1', 'racer-2', 'racer-3', 'racer-4'] as const;

/**
 * Distinct commands at once that move a count or a total of one record: one that reads it and writes it back later undoes what
 * another one wrote in between. The same command alone, before and after them, shows by how much each of them moves it.
 */
export function together(planning: Planning, scene: Scene): readonly Scenario[] {
  const { operation } = scene;
  const { conflict, method, verification, version } = operation;
  // What needs a version, or can be done once, is refused to all but one.
  if (method !== 'POST' || version !== undefined || verification !== undefined) return [];
  const reads = readsOf(planning, scene);
  const { marker, plain } = planning.values(operation);
  if (reads.length === 0 || conflict?.after === operation.id) return [];
  const look = (...names: readonly string[]): readonly Wave[] => [
    { wait: 'settle' },
    ...names.flatMap((name) =>
      reads.map((step, index) => send({ ...step, id: `holder-${index + 1}-${name}`, observes: 'holder' })),
    ),
  ];
  const command = (id: string): Step =>
    scene.request(id, { role: 'test', key: key(id), body: bodyOf(scene, id) });
  const body = plain === undefined ? undefined : withAmounts(operation, plain, marker, amounts);
  return [
    scenario(
      scene,
      `${racers.length} distinct commands at once on one record`,
      [
        ...look('before', 'again'),
        send(command('single')),
        ...look('between'),
        { steps: racers.map(command) },
        ...look('after'),
        send(command('another')),
        ...look('later'),
      ],
      operation.body === undefined
        ? {}
        : Object.fromEntries(['single', ...racers, 'another'].map((name) => [name, scene.body(body)])),
    ),
  ];
}

/** Reads of the first and of the last record that a command moves something in, of those that the scenario makes. */
function readsOf(planning: Planning, scene: Scene): readonly Step[] {
  const holders = (['first', 'last'] as const).flatMap((which) =>
    stepsOf(holderReadings(planning, scene, which)('holder')),
  );
  const [own] = stepsOf(reading(planning, scene, 'after'));
  const all = own === undefined || !isOfOwnRecord(planning, own) ? holders : [...holders, own];
  const asked = all.map(({ operation, target }) => JSON.stringify([operation, target]));
  return all.filter((_, index) => asked.indexOf(asked[index] ?? '') === index);
}

/** Whether a read shows one record, which the scenario has made: nobody else changes it meanwhile. */
function isOfOwnRecord({ contract }: Planning, { operation, target = {} }: Step): boolean {
  const { pagination, pathFields } = operationOf(contract, operation);
  const last = pathFields.at(-1);
  const ref = last === undefined ? undefined : target[last.name];
  return pagination === undefined && ref !== undefined && 'step' in ref;
}
