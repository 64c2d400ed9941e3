import { isPlaced, operationOf } from '../../src/model/contract.ts';
import { referencesOf } from '../../src/model/named-records.ts';
import type { Principal } from '../../src/model/principal.ts';
import type { Scenario, Wave } from '../../src/model/scenario.ts';
import { foreigner, standIn } from '../../src/suite-kit/cast.ts';
import {
  key,
  named,
  readStep,
  type Scene,
  scenario,
  sceneOf,
  send,
  skip,
  when,
} from '../../src/suite-kit/scene.ts';
import { type Planning, type Proposal, probesOf } from '../../src/suite-kit/suite.ts';

/** A caller of another scope sends its own command with one reference to a record that it cannot read. */
function foreignReferences(planning: Planning, scene: Scene, other: Principal): readonly Scenario[] {
  const { lead, operation } = scene;
  if (operation.version !== undefined || operation.verification !== undefined) return [];
  const own = sceneOf(planning, operation, other, 'own-');
  if ('remedy' in own) return [];
  return referencesOf(planning.contract, operation).flatMap(
    ({ at, field, read: id }): readonly Scenario[] => {
      const foreign = scene.request('test').target?.[field.name];
      if (id === undefined) return [];
      const read = operationOf(planning.contract, id);
      const [place] = read.pathFields;
      const near = standIn(planning, read, lead);
      const afar = standIn(planning, read, other);
      const isKnown = foreign !== undefined && 'step' in foreign;
      if (!isKnown || place === undefined || near === undefined || afar?.identity !== other.identity)
        return [];
      const asked = { [place.name]: foreign };
      const look = (name: string, observes: 'before' | 'after'): Wave =>
        send({ ...readStep(planning, name, read, near, asked, 'readback'), observes });
      const test = own.request('test', {
        role: 'test',
        key: key('key'),
        body: named('foreign'),
        target: { ...own.request('test').target, [field.name]: foreign },
        deviations: [{ kind: 'reference' }],
      });
      const waves: readonly Wave[] = [
        ...scene.prelude,
        { wait: 'settle' },
        look('before', 'before'),
        look('before-again', 'before'),
        send({
          ...readStep(planning, 'from-afar', read, afar, asked, 'readback'),
          deviations: [{ kind: 'scope' }],
        }),
        // What its caller reads is of its scope as well.
        when('from-afar', 'refused', [
          send(test),
          { wait: 'settle' },
          look('after', 'after'),
          send(own, 'control', { controls: 'test', key: key('fresh') }),
        ]),
      ];
      return [
        scenario(
          own,
          `as ${other.name}, of another scope, with a body that refers to a record of ${lead.name} at ${at}`,
          waves,
          {
            ...scene.bodies,
            body: own.body(),
            foreign: own.body(),
          },
        ),
      ];
    },
  );
}

/** References to records of another scope; where a command has no other part in a scope, there need be none to send. */
export function* referring(planning: Planning, scene: Scene, isAll: boolean): Iterable<Proposal> {
  const { lead, operation } = scene;
  if (referencesOf(planning.contract, operation).length === 0) return;
  const other = foreigner(planning, operation, lead);
  const found = other === undefined ? [] : foreignReferences(planning, scene, other);
  if (found.length > 0) yield probesOf(operation)('reference', 'PRM-5', found);
  if (isAll && !isPlaced(operation))
    yield skip(operation, 'PRM-5', {
      kind: 'inapplicable',
      remedy:
        'Its body refers to records, but no record of another scope was hidden from a caller that could send it.',
    });
}
