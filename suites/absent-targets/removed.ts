import { type Operation, operationNamed } from '../../src/model/contract.ts';
import { makesWithin } from '../../src/model/listed.ts';
import { bare } from '../../src/model/path.ts';
import { type Deviation, type Step, stepsOf, type Wave } from '../../src/model/scenario.ts';
import { standIn } from '../../src/suite-kit/cast.ts';
import { bodyOf, key, readStep, type Scene, send, when, withoutVersion } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

const absent: Deviation = { kind: 'target', how: 'absent' };

/** The name of the body that a command on a deleted record sends. */
export const bodyOfRemoved = 'body-removed';

/**
 * The command again, on its target after that was deleted and its read no longer finds it: code that looks a record up for a
 * command may forget what the code of the read leaves out. `control` is the step that shows the command to be valid before.
 */
export function onRemoved(planning: Planning, scene: Scene, control: string): readonly Wave[] {
  const { contract } = planning;
  const { lead, operation, prelude, request } = scene;
  const { method, path, pathFields, verification, version } = operation;
  const last = pathFields.at(-1)?.name ?? '';
  const { target = {} } = request('removed');
  const ref = target[last];
  // What somebody else made is not deleted.
  const isOwn = ref !== undefined && 'step' in ref && stepsOf(prelude).some(({ id }) => id === ref.step);
  const isVersioned = version !== undefined && version.optional !== true;
  if (!isOwn || method === 'DELETE' || verification !== undefined || isVersioned) return [];
  if (makesWithin(contract, operation)) return [];
  const place = bare(path).split(`/{${last}}`)[0];
  const isOfRecord = (one: Operation): boolean => bare(one.path) === `${place}/{${last}}`;
  const removal = contract.operations.find((one) => one.method === 'DELETE' && isOfRecord(one));
  const declared = operationNamed(contract, operation.effect?.read);
  const read = [declared, ...contract.operations].find(
    (one): one is Operation => one !== undefined && one.method === 'GET' && isOfRecord(one),
  );
  if (removal === undefined || read === undefined || !isPlain(removal)) return [];
  const [remover, reader] = [removal, read].map((one) => standIn(planning, one, lead));
  if (remover === undefined || reader === undefined) return [];
  const look = (id: string, deviations: Step['deviations']): Wave =>
    send({ ...readStep(planning, id, read, reader, target, 'readback'), deviations });
  const deletion = send({
    ...readStep(planning, 'removal', removal, remover, target, 'setup'),
    key: key('removal'),
  });
  const again = send(withoutVersion(scene), 'removed', {
    ...{ role: 'test', key: key('removed'), body: bodyOf(scene, bodyOfRemoved), deviations: [absent] },
  });
  return [
    when(control, 'accepted', [
      { wait: 'settle' },
      look('kept-read', []),
      deletion,
      when('removal', 'accepted', [
        { wait: 'settle' },
        look('removed-read', [absent]),
        when('removed-read', 'refused', [
          again,
          when('removed', 'accepted', [{ wait: 'settle' }, look('removed-again', [absent])]),
        ]),
      ]),
    ]),
  ];
}

/** Whether a deletion needs nothing but the record. */
function isPlain({ body, kind, verification, version }: Operation): boolean {
  return (
    kind === 'command' &&
    body === undefined &&
    verification === undefined &&
    (version === undefined || version.optional === true)
  );
}
