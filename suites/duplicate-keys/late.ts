import { choosesLast, creates, type Operation } from '../../src/model/contract.ts';
import { settleMs } from '../../src/model/declaration.ts';
import { makesWithin } from '../../src/model/listed.ts';
import { isPermitted } from '../../src/model/principal.ts';
import { type BodySpec, type Scenario, type Step, stepsOf, type Wave } from '../../src/model/scenario.ts';
import { pauseAfter } from '../../src/suite-kit/pauses.ts';
import { lateMs, reading } from '../../src/suite-kit/readback.ts';
import { bodyOf, key, type Scene, scenario, sceneOf, send, when } from '../../src/suite-kit/scene.ts';
import { byBudget, type Planning } from '../../src/suite-kit/suite.ts';
import { earliest } from './earliest.ts';
import { nextToTwin } from './overtaken.ts';

/** How long keys are honoured, as declared (G13). */
function lifetimeMs({ declared }: Planning): number {
  return declared.G13 === undefined ? Number.POSITIVE_INFINITY : declared.G13 * 1000;
}

/** Other commands that are sent at a time: a target that bounds requests in flight mostly takes so many. */
const atOnce = 4;

/** Waves for the first one that was refused of several commands that were sent at once. */
function ifAccepted(names: readonly string[], waves: readonly Wave[]): readonly Wave[] {
  return names.reduceRight<readonly Wave[]>((rest, name) => [when(name, 'accepted', rest)], waves);
}

/** Keys used first, then other commands and some seconds, then the keys again (open point G13). */
export function late(planning: Planning, scene: Scene): Scenario {
  const repeatable = scene.operation.pathFields.length === 0;
  const names = repeatable ? ['early-1', 'early-2', 'early-3'] : ['early-1'];
  const others = repeatable
    ? Array.from({ length: byBudget(planning, 60, 200, 200) }, (_, index) => `other-${index}`)
    : [];
  // What sets the same values again shows nothing, unless another command has set others in between.
  const resets = !repeatable && sets(scene.operation);
  const sought = repeatable ? earliest(planning, scene, 'early-1', 'latest') : undefined;
  const sent = (name: string): BodySpec => sought?.bodies[name] ?? bodyOf(scene, name);
  const first = names.map((name): Wave => send(scene, name, { key: key(name), body: sent(name) }));
  const since = names.at(-1) ?? '';
  // What lies between is sent while the keys age. Each of its keys is new: a refusal that stays takes one for another.
  const parts = Array.from({ length: Math.ceil(others.length / atOnce) }, (_, index) =>
    others.slice(index * atOnce, (index + 1) * atOnce),
  );
  // With a larger budget each new key also shows whether a service takes it for another one (IDM-11).
  const unless = planning.budget === 'quick' ? { accepted: others.length, since } : undefined;
  const between = parts.flatMap((some, index): readonly Wave[] => {
    const other = (name: string, id = name): Step =>
      scene.request(id, { role: 'setup', key: key(name), body: sent(name) });
    const pause = pauseAfter(parts[index - 1]?.[0]);
    return [
      { steps: some.map((name) => other(name)), ...(unless === undefined ? {} : { unless }) },
      ...some.map((name, place) =>
        when(name, 'refused', [
          ...ifAccepted(some.slice(0, place), pause),
          send(other(name, `${name}-again`)),
        ]),
      ),
    ];
  });
  const again = names.map(
    (name): Wave =>
      send(scene, `${name}-again`, {
        role: 'test',
        key: key(name),
        body: sent(name),
        deviations: [{ kind: 'key-reuse', of: name, difference: 'late' }],
      }),
  );
  const waitMs = Math.min(lateMs(planning), lifetimeMs(planning) / 2);
  return scenario(
    scene,
    `keys again after ${others.length} other commands and some seconds`,
    [
      ...first,
      // What shows more goes first meanwhile.
      ...(between.length === 0 ? [] : [{ wait: waitMs / 4, since }]),
      ...between,
      ...(resets
        ? [send(scene, 'latest', { role: 'setup', key: key('latest'), body: bodyOf(scene, 'latest') })]
        : []),
      ...(sought === undefined
        ? []
        : [
            { wait: Math.max(0, waitMs - settleMs(planning.declared)), since },
            send(scene, 'latest', { role: 'setup', key: key('latest'), body: sent('latest') }),
            ...sought.atOnce,
          ]),
      { wait: waitMs, since },
      // What a command goes on to do is done by then: a read before the wait would see it begun.
      ...reading(planning, scene, 'before'),
      ...(sought === undefined ? [] : [{ wait: 'settle' } as const, ...sought.later]),
      ...again,
      ...reading(planning, scene, 'after'),
    ],
    Object.fromEntries(
      [...names, ...others, ...(sought === undefined && !resets ? [] : ['latest'])].map((name) => [
        name,
        scene.body(),
      ]),
    ),
  );
}

/** Whether a command sets values of its record. With a version, a second one is refused in any case. */
export function sets({ body, method, version }: Operation): boolean {
  return body !== undefined && version === undefined && (method === 'PUT' || method === 'PATCH');
}

/** Neither what was stored under a key nor the key goes when the record is changed or deleted, and nothing sets it back. */
export function outdated(planning: Planning, of: Scene): readonly Scenario[] {
  const { lead, operation } = of;
  const makes = creates(operation) || choosesLast(operation) || makesWithin(planning.contract, operation);
  if (!makes) return [];
  const on = planning.contract.operations.filter(
    ({ pathFields }) => pathFields.at(-1)?.source?.operation === operation.id,
  );
  const moving = new Set(on.map(({ conflict }) => conflict?.after));
  const changers = on.filter(({ kind, method }) => kind === 'command' && method !== 'DELETE');
  const changer = changers.find(({ id }) => moving.has(id)) ?? changers[0];
  const removal = on.find(({ method }) => method === 'DELETE');
  if (changer === undefined && removal === undefined) return nextToTwin(planning, of);
  return [changer, removal].flatMap((other) => {
    if (other === undefined || !isPermitted(lead, other)) return [];
    const scene = sceneOf(planning, other, lead);
    if ('remedy' in scene) return [];
    const first = stepsOf(scene.prelude).find((step) => step.operation === operation.id);
    if (first === undefined || first.as !== lead.name || first.key.use !== 'named') return [];
    const again: Step = {
      ...first,
      id: 'again',
      role: 'test',
      deviations: [{ kind: 'key-reuse', of: first.id, difference: 'late' }],
    };
    return [
      scenario(scene, `the key again after ${other.id} on its record`, [
        send(scene, 'other'),
        when('other', 'accepted', [
          ...reading(planning, scene, 'before'),
          send(again),
          ...reading(planning, scene, 'after'),
        ]),
      ]),
    ];
  });
}
