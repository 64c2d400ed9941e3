import { validator } from '../../src/generate/index.ts';
import { isPlaced, type Operation, operationOf } from '../../src/model/contract.ts';
import { type JsonPointer, valueAt, withValueAt } from '../../src/model/json.ts';
import { referencesOf } from '../../src/model/named-records.ts';
import type { Principal } from '../../src/model/principal.ts';
import type { BodyValue, Scenario, Step, Wave } from '../../src/model/scenario.ts';
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
      const referringTo = (name: string): Step =>
        own.request('test', {
          role: 'test',
          key: key('key'),
          body: named('foreign'),
          target: { ...own.request('test').target, [name]: foreign },
          deviations: [{ kind: 'reference' }],
        });
      const wavesOf = (test: Step): readonly Wave[] => [
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
      const refers = (place: string, name: string, body: BodyValue): Scenario =>
        scenario(
          own,
          `as ${other.name}, of another scope, with a body that refers to a record of ${lead.name} at ${place}`,
          wavesOf(referringTo(name)),
          { ...scene.bodies, body: own.body(), foreign: body },
        );
      const second = withSecond(operation, at, own.body());
      return [
        refers(at, field.name, own.body()),
        // Of several records, a service may look at the first alone.
        ...(second === undefined ? [] : [refers(second.at, second.name, second.body)]),
      ];
    },
  );
}

/** A body with a second ID in a list of IDs; undefined where it can have none. */
function withSecond(
  { body, named: records = [] }: Operation,
  first: JsonPointer,
  plain: BodyValue,
): { readonly at: JsonPointer; readonly name: string; readonly body: BodyValue } | undefined {
  const record = records.find(({ at, second }) => second === true && at === first.replace(/0$/, '1'));
  if (record === undefined) return undefined;
  const id = valueAt(plain.value, first);
  const value = withValueAt(plain.value, record.at, typeof id === 'number' ? id + 1 : `${id}-2`);
  const valid = validator(body?.schema ?? true, { formats: 'assert' });
  return valid(value).length > 0
    ? undefined
    : { at: record.at, name: record.field.name, body: { ...plain, value } };
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
