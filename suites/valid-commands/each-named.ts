import { operationOf } from '../../src/model/contract.ts';
import { namedInList } from '../../src/model/named-records.ts';
import type { Scenario, Wave } from '../../src/model/scenario.ts';
import { standIn } from '../../src/suite-kit/cast.ts';
import { named, readStep, type Scene, scenario, send, twinOf, when } from '../../src/suite-kit/scene.ts';
import { withSecond } from '../../src/suite-kit/second-record.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

/** A command on two records that its body names in a list, and reads of both: it may act on the first, or on the last, alone. */
export function onEachNamed(planning: Planning, scene: Scene): readonly Scenario[] {
  const { lead, operation } = scene;
  const record = namedInList(operation);
  if (record?.read === undefined || operation.version !== undefined || operation.verification !== undefined)
    return [];
  const both = withSecond(operation, record.at, scene.body());
  const twin = twinOf(planning, scene);
  const read = operationOf(planning.contract, record.read);
  const reader = standIn(planning, read, lead);
  const [place, ...others] = read.pathFields;
  if (both === undefined || twin === scene || reader === undefined) return [];
  if (place === undefined || others.length > 0) return [];
  const { target = {} } = scene.request('command');
  const [first, second] = [target, twin.request('command').target ?? {}].map((one) => one[record.field.name]);
  if (first === undefined || second === undefined) return [];
  const looks = (observes: 'neighbour-before' | 'neighbour'): readonly Wave[] =>
    [first, second].map((ref, at) =>
      send({
        ...readStep(planning, `${observes}-${at}`, read, reader, { [place.name]: ref }, 'readback'),
        observes,
      }),
    );
  return [
    scenario(
      { ...scene, prelude: [...scene.prelude, ...twin.prelude] },
      'a valid command on two records that its body names',
      [
        { wait: 'settle' },
        ...looks('neighbour-before'),
        send(scene, 'command', {
          role: 'test',
          body: named('both'),
          target: { ...target, [both.name]: second },
        }),
        when('command', 'accepted', [{ wait: 'settle' }, ...looks('neighbour')]),
      ],
      { ...twin.bodies, both: both.body },
    ),
  ];
}
