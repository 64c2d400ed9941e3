import { validator } from '../../src/generate/index.ts';
import { isReadById, type Operation, operationNamed } from '../../src/model/contract.ts';
import { isObject, type Json, pointerOf, withValueAt } from '../../src/model/json.ts';
import { chosenIdAt } from '../../src/model/result-id.ts';
import type { Scenario, Wave } from '../../src/model/scenario.ts';
import { schemasAt } from '../../src/model/schema-places.ts';
import { standIn } from '../../src/suite-kit/cast.ts';
import { targetMadeBy } from '../../src/suite-kit/issued.ts';
import { twoWholeBodies } from '../../src/suite-kit/other-values.ts';
import { bodyOf, key, readStep, type Scene, scenario, send, when } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

/** So many members that may be left out are set at once. */
const mostSet = 12;

/**
 * A command that makes a record, next to an older one of other values, which is read before it and after it. A first record of the
 * same values as the new one shows that records need not share them; the values that a schema lists are those of all three, since a
 * change that goes too far may take what is alike.
 */
export function nextToElder(planning: Planning, scene: Scene): readonly Scenario[] {
  const { lead, operation } = scene;
  const read = operationNamed(planning.contract, operation.effect?.read);
  if (read === undefined || operation.method !== 'POST' || !isReadById(planning.contract, operation))
    return [];
  if (operation.verification !== undefined || operation.version !== undefined) return [];
  const plain = scene.body();
  if (plain.marker === undefined || chosenIdAt(operation) !== undefined) return [];
  const around = scene.request('command').target ?? {};
  const [first, elder] = ['first', 'elder'].map((id) => targetMadeBy(operation, read, id, around));
  const reader = standIn(planning, read, lead);
  if (first === undefined || elder === undefined || reader === undefined) return [];
  const [, other] = twoWholeBodies(operation, planning.values(operation), mostSet) ?? [];
  const look = (id: string, target: typeof first, observes: 'neighbour-before' | 'neighbour'): Wave =>
    send({ ...readStep(planning, id, read, reader, target, 'readback'), observes });
  const made = (id: string, name: string): Wave =>
    send(scene, id, { role: 'setup', key: key(id), body: bodyOf(scene, name) });
  return [
    scenario(
      scene,
      'a valid command that makes a record next to others',
      [
        made('first', 'first'),
        made('elder', 'elder'),
        when('elder', 'accepted', [
          { wait: 'settle' },
          look('first-before', first, 'neighbour-before'),
          look('elder-before', elder, 'neighbour-before'),
          send(scene, 'command', { role: 'test' }),
          when('command', 'accepted', [
            { wait: 'settle' },
            look('elder-after', elder, 'neighbour'),
            look('first-after', first, 'neighbour'),
          ]),
        ]),
      ],
      {
        first: plain,
        elder: other === undefined ? plain : scene.body(withListed(operation, plain.value, other)),
        body: plain,
      },
    ),
  ];
}

/** A body with the values of another one where the schema lists them. */
function withListed({ body }: Operation, plain: Json, other: Json): Json {
  const schema = body?.schema;
  if (schema === undefined || !isObject(plain)) return other;
  return Object.entries(plain).reduce<Json>((rest, [name, value]) => {
    const at = pointerOf([name]);
    const isListed = schemasAt(schema, at).some((one) => 'enum' in one || 'const' in one);
    if (!isListed) return rest;
    const next = withValueAt(rest, at, value);
    return validator(schema, { formats: 'assert' })(next).length === 0 ? next : rest;
  }, other);
}
