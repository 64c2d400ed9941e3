import type { Operation } from '../../src/model/contract.ts';
import { settleMs } from '../../src/model/declaration.ts';
import { type Scenario, stepsOf, type Wave } from '../../src/model/scenario.ts';
import { holders, standIn } from '../../src/suite-kit/cast.ts';
import { makingOf } from '../../src/suite-kit/makers.ts';
import { listed, versionNow } from '../../src/suite-kit/readback.ts';
import { bodyOf, key, type Scene, scenario, sceneOf, send, skip, when } from '../../src/suite-kit/scene.ts';
import { byBudget, type Planning, type Proposal, probesOf } from '../../src/suite-kit/suite.ts';

/** A read with a key, and a command with the same key after it, both by one caller: keys may be unique for each. */
export function keyed(planning: Planning, read: Operation, maker: Operation | undefined): Proposal {
  const commands = planning.contract.operations.filter(({ kind }) => kind === 'command');
  const plain = commands.filter(({ pathFields }) => pathFields.length === 0);
  for (const command of [...(maker === undefined ? [] : [maker]), ...plain, ...commands])
    for (const by of holders(planning, read)) {
      if (!holders(planning, command).includes(by)) continue;
      const scene = sceneOf(planning, read, by);
      const made = 'remedy' in scene ? scene : makingOf(planning, scene, command, by);
      if ('remedy' in scene || 'remedy' in made) break;
      const body = bodyOf(made, 'made');
      return probesOf(read)('keyed', 'RDS-8', [
        scenario(
          scene,
          'a read with a key, and a command with the same key after it',
          [
            send(scene, 'read', { role: 'test', key: key('key') }),
            ...made.prelude,
            send(made, 'command', { key: key('key'), body }),
            when('command', 'refused', [
              send(made, 'fresh', { controls: 'command', key: key('fresh'), body }),
            ]),
          ],
          {
            ...made.bodies,
            ...(read.body === undefined ? {} : { body: scene.body() }),
            made: made.body(),
          },
        ),
      ]);
    }
  return skip(read, 'RDS-8', {
    kind: 'principal',
    remedy: `Give one valid principal that holds both what ${read.id} needs and what a command of the contract needs.`,
  });
}

/** What shows that a read moves the version of its record on. */
export function* readAgain(planning: Planning, own: Scene): Iterable<Proposal> {
  const probe = probesOf(own.operation);
  const scenarios = [...withFirstVersion(planning, own), ...inTurn(own)];
  if (scenarios.length > 0) yield probe('read-again', 'RDS-8', scenarios);
  const between = withItsList(planning, own);
  // Others read the list as well, to find their records in it: only where nobody does it is clear what moves a version.
  const listedFirst = planning.contract.operations.find(({ effect }) => effect?.read && effect.list)?.effect;
  const isFirst = listedFirst?.read === own.operation.id;
  // Everything else waits for it, so that one read stands for the others.
  const alone = byBudget(planning, {}, isFirst ? { alone: true as const } : {}, { alone: true as const });
  if (between.length > 0) yield probe('read-with-list', 'RDS-8', between, alone);
}

/** A record that is read several times, by one read after another: each may move its version, or every second one. */
function inTurn(own: Scene): readonly Scenario[] {
  if (!isRecord(own)) return [];
  return [
    scenario(own, 'a record, read seven times', [
      { wait: 'settle' },
      ...['one', 'two', 'three', 'four', 'five', 'six'].map((id) => look(own, id)),
      { wait: 1200 },
      look(own, 'seven'),
    ]),
  ];
}

/** A record that is read twice, and again after each of several reads of the list that shows it. */
function withItsList(planning: Planning, own: Scene): readonly Scenario[] {
  const [list] = stepsOf(listed(planning, own, 'item'));
  if (list === undefined || !isRecord(own)) return [];
  // A read may be a little behind, and need not show at once what the list has moved.
  const soon = planning.declared.G15 === undefined ? 100 : Math.min(settleMs(planning.declared), 500);
  const twice = (name: string): readonly Wave[] => [look(own, `${name}-one`), look(own, `${name}-two`)];
  return [
    scenario(own, 'a record, read between reads of its list', [
      ...twice('first'),
      ...['second', 'third', 'fourth'].flatMap((name) => [
        send({ ...list, id: `list-${name}`, role: 'test' }),
        { wait: soon },
        ...twice(name),
      ]),
      { wait: 1200 },
      look(own, 'last'),
    ]),
  ];
}

function look(own: Scene, id: string): Wave {
  return send(own.request(id, { role: 'test', observes: 'before' }));
}

function isRecord(own: Scene): boolean {
  const { pagination, pathFields } = own.operation;
  return pathFields.length > 0 && pagination === undefined && isMade(own);
}

/** A record that is read three times, and a command with the version that the first read showed; then with that of a last one. */
function withFirstVersion(planning: Planning, { lead, operation }: Scene): readonly Scenario[] {
  const commands = planning.contract.operations.filter(
    ({ kind, pathFields, version }) =>
      kind === 'command' && pathFields.length > 0 && version?.source.operation === operation.id,
  );
  const command = commands.find(({ method }) => method !== 'DELETE') ?? commands[0];
  const by = command === undefined ? undefined : standIn(planning, command, lead);
  const scene = command === undefined || by === undefined ? undefined : sceneOf(planning, command, by);
  // Other probes may change a record that is given.
  if (scene === undefined || 'remedy' in scene || !isMade(scene)) return [];
  const [first, second, third, last] = ['first', 'second', 'third', 'last'].map((id) =>
    versionNow(planning, scene, `${id}-read`),
  );
  if (first === undefined || second === undefined || third === undefined || last === undefined) return [];
  return [
    scenario(
      scene,
      'a command with a version that was read, and read again since',
      [
        ...first.waves,
        ...[second, third].flatMap(({ waves }) => waves.slice(-1)),
        send(scene, 'command', { role: 'test', version: first.version }),
        when('command', 'refused', [
          ...last.waves,
          send(scene, 'control', { controls: 'command', key: key('control'), version: last.version }),
        ]),
      ],
      { body: scene.body() },
    ),
  ];
}

/** Whether a command of the scenario makes the target. */
function isMade(scene: Scene): boolean {
  return Object.values(scene.request('read').target ?? {}).every((ref) => 'step' in ref);
}
