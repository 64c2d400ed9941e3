import { creates, type Operation, operationNamed, successesOf } from '../../src/model/contract.ts';
import { isPermitted } from '../../src/model/principal.ts';
import { isQueued } from '../../src/model/response.ts';
import type { Scenario, Wave } from '../../src/model/scenario.ts';
import { standIn } from '../../src/suite-kit/cast.ts';
import { targetMadeBy } from '../../src/suite-kit/issued.ts';
import { reading } from '../../src/suite-kit/readback.ts';
import {
  bodyOf,
  key,
  readStep,
  type Scene,
  scenario,
  sceneOf,
  send,
  unmarked,
  when,
} from '../../src/suite-kit/scene.ts';
import { byBudget, type Planning } from '../../src/suite-kit/suite.ts';

/**
 * The key of a command on a record, after another command on it: a record that keeps only the key of the last command has
 * forgotten it, and what knows a duplicate by the state of its record takes it for a new command. One more command of the
 * same kind, where the record takes several; else one that may lead back to where the first was accepted.
 */
export function overtaken(planning: Planning, scene: Scene): readonly Scenario[] {
  const { lead, operation } = scene;
  if (operation.method === 'DELETE' || !isComparable(operation)) return [];
  if (creates(operation) || reading(planning, scene, 'before').length === 0) return [];
  const { target = {} } = scene.request('target');
  const itself = isAnother(operation) ? [operation] : [];
  const others = planning.contract.operations.filter(
    (other) =>
      other.id !== operation.id &&
      other.kind === 'command' &&
      other.method === 'POST' &&
      other.named === undefined &&
      isComparable(other) &&
      isOnSame(operation, other) &&
      // What must not follow the other one would be refused, whatever becomes of its key.
      operation.conflict?.after !== other.id &&
      isPermitted(lead, other),
  );
  const leading = others.filter(({ conflict }) => conflict?.after !== operation.id);
  const sorted = [...itself, ...leading.filter(isAction), ...leading.filter((one) => !isAction(one))];
  return sorted.slice(0, byBudget(planning, 1, 2, 3)).flatMap((one) => {
    const other = one === operation ? scene : sceneOf(planning, one, lead, 'other-', { on: target });
    if ('remedy' in other) return [];
    // What sets the same values again would hide that a duplicate sets them back.
    const otherwise = one === operation ? unmarked(scene) : undefined;
    const sent = (id: string): Wave =>
      send(other, id, { role: 'setup', key: key(id), body: bodyOf(other, id) });
    const again: readonly Wave[] = [
      ...reading(planning, scene, 'before'),
      send(scene, 'again', {
        role: 'test',
        key: key('key'),
        deviations: [{ kind: 'key-reuse', of: 'first', difference: 'late' }],
      }),
      ...reading(planning, scene, 'after'),
    ];
    const plainly = [sent('plainly'), when('plainly', 'accepted', again)];
    return [
      scenario(
        scene,
        `the key again after ${one === operation ? 'another command of its kind' : one.id} on its record`,
        [
          send(scene, 'first', { key: key('key') }),
          when('first', 'accepted', [
            sent('other'),
            when('other', 'accepted', again),
            ...(otherwise === undefined ? [] : [when('other', 'refused', plainly)]),
          ]),
        ],
        {
          ...other.bodies,
          body: scene.body(),
          ...(one.body === undefined ? {} : { other: otherwise ?? other.body() }),
          ...(otherwise === undefined ? {} : { plainly: other.body() }),
        },
      ),
    ];
  });
}

/**
 * The key of a command that makes a record which no other command changes: a duplicate may do again what it stores besides, such
 * as the lines of an order. A record made along with it shows what changes by itself.
 */
export function nextToTwin(planning: Planning, scene: Scene): readonly Scenario[] {
  const { lead, operation } = scene;
  const read = operationNamed(planning.contract, operation.effect?.read);
  const [reader] = read === undefined ? [] : [standIn(planning, read, lead)];
  if (!creates(operation) || read === undefined || reader === undefined) return [];
  if (operation.verification !== undefined || successesOf(operation).some(isQueued)) return [];
  const look = (id: string, of: string, observes: 'before' | 'after'): readonly Wave[] => {
    const target = targetMadeBy(operation, read, of, {});
    if (target === undefined) return [];
    return [send({ ...readStep(planning, id, read, reader, target, 'readback'), observes })];
  };
  if (look('before', 'first', 'before').length === 0) return [];
  return [
    scenario(
      scene,
      'the key again, and reads of the record that it made',
      [
        send(scene, 'first', { key: key('key') }),
        send(scene, 'twin', { role: 'setup', key: key('twin'), body: bodyOf(scene, 'twin') }),
        when('first', 'accepted', [
          when('twin', 'accepted', [
            { wait: 'settle' },
            ...look('twin-before', 'twin', 'before'),
            ...look('before', 'first', 'before'),
            send(scene, 'again', {
              role: 'test',
              key: key('key'),
              deviations: [{ kind: 'key-reuse', of: 'first', difference: 'late' }],
            }),
            { wait: 'settle' },
            ...look('after', 'first', 'after'),
            ...look('twin-after', 'twin', 'after'),
          ]),
        ]),
      ],
      { body: scene.body(), ...(operation.body === undefined ? {} : { twin: scene.body() }) },
    ),
  ];
}

/** Whether a second effect would be seen: not refused for its version or verification, nor done only later. */
function isComparable(operation: Operation): boolean {
  const { pathFields, verification, version } = operation;
  if (pathFields.length === 0 || version !== undefined || verification !== undefined) return false;
  return !successesOf(operation).some(isQueued);
}

/** Whether another such command may follow; that of a PUT or PATCH comes between duplicates elsewhere. */
function isAnother({ body, conflict, id, method }: Operation): boolean {
  return method === 'POST' && body !== undefined && conflict?.after !== id;
}

/** What only moves its record on, as a rule. */
function isAction({ body, conflict }: Operation): boolean {
  return body === undefined || conflict !== undefined;
}

/** Whether two commands are on one record: all that the path of the other names, that of the first does as well. */
function isOnSame(one: Operation, other: Operation): boolean {
  const [last, its] = [one.pathFields.at(-1), other.pathFields.at(-1)];
  if (last === undefined || its === undefined || one.pathFields.length !== other.pathFields.length)
    return false;
  return (
    last.source?.operation === its.source?.operation &&
    one.pathFields.every(({ name }, index) => other.pathFields[index]?.name === name)
  );
}
