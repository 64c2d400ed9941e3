import { isReadById, type Operation, operationNamed, writtenSchema } from '../../src/model/contract.ts';
import { isObject, type Json, type JsonPointer, withValueAt } from '../../src/model/json.ts';
import { bulkOf } from '../../src/model/listed.ts';
import { described } from '../../src/model/parts.ts';
import { goesThrough } from '../../src/model/path.ts';
import type { Ref } from '../../src/model/ref.ts';
import { idPointer } from '../../src/model/result-id.ts';
import type { Scenario, Step, Wave } from '../../src/model/scenario.ts';
import { schemasAt } from '../../src/model/schema-places.ts';
import { standIn } from '../../src/suite-kit/cast.ts';
import { targetMadeBy } from '../../src/suite-kit/issued.ts';
import { bodyOf, key, readStep, type Scene, scenario, send, when } from '../../src/suite-kit/scene.ts';
import { markerPlace, severalItems } from '../../src/suite-kit/several-items.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { likeliestBodies } from '../../src/suite-kit/two-full-bodies.ts';
import { operationValues } from '../../src/suite-kit/values.ts';
import type { listedWithin } from './shown.ts';

/** A command that makes several records at once, asked for three of them, or two; each has the marker. */
export function severalRecords(
  planning: Planning,
  scene: Scene,
  { after, before }: ReturnType<typeof listedWithin>,
): readonly Scenario[] {
  const several = severalItems(scene);
  if (several === undefined) return [];
  const { at, isValid, items, set, within } = several;
  const edit = { at, set };
  const all = wholeItems(planning, scene, at, items[0] ?? null)?.map((one, index) =>
    withValueAt(one, within, `Conformance ${index + 1} ${markerPlace}`),
  );
  const isWhole = all !== undefined && isValid(all);
  // Two records that are made one by one show that records may have in common what the items have.
  const [item] = items;
  const alone = isObject(item) && Object.keys(item).length > 1 ? ['alone-1', 'alone-2'] : [];
  return [
    scenario(
      scene,
      `${set.length} records at once`,
      [
        ...alone.map((id) => send(scene, id, { role: 'setup', key: key(id), body: bodyOf(scene, id) })),
        ...before,
        send(scene, 'command', { role: 'test', body: { use: 'named', name: 'body', edit } }),
        ...after,
        ...eachRead(planning, scene, set.length),
      ],
      { body: scene.body(), ...Object.fromEntries(alone.map((id) => [id, scene.body()])) },
    ),
    // What makes the first record with all that it has may make the others with less.
    ...(isWhole
      ? [
          scenario(
            scene,
            'two records at once with all that they may have',
            [
              ...before,
              send(scene, 'command', {
                role: 'test',
                body: { use: 'named', name: 'body', edit: { at, set: all } },
              }),
              ...after,
              ...eachRead(planning, scene, all.length),
              // Whatever is lost of whichever item comes later, no rule about its values is the reason.
              when('command', 'accepted', [
                send(scene, 'exchanged', {
                  role: 'test',
                  key: key('exchanged'),
                  body: { use: 'named', name: 'exchanged', edit: { at, set: all.toReversed() } },
                }),
              ]),
            ],
            { body: scene.body(), exchanged: scene.body() },
          ),
        ]
      : []),
  ];
}

/** Two items with all that may be left out of one, and with other values each. */
function wholeItems(
  { contract }: Planning,
  { operation }: Scene,
  at: JsonPointer,
  item: Json,
): readonly Json[] | undefined {
  if (operation.body === undefined || operation.verification !== undefined) return undefined;
  // What a discriminator chooses within an item is said of the item: of the whole body nothing else is.
  const { chosenSchema, ...body } = operation.body;
  const around = chosenSchema ?? body.schema;
  const schemas = schemasAt(around, `${at}/0`);
  if (schemas.length === 0) return undefined;
  const defs = isObject(around) ? around['$defs'] : undefined;
  const [own = {}] = schemas;
  const schema = {
    ...(schemas.length === 1 ? own : { allOf: [...schemas] }),
    ...(defs === undefined ? {} : { $defs: defs }),
  };
  const single: Operation = { ...operation, body: { ...body, schema }, version: undefined };
  const values = operationValues(single, [item]);
  return likeliestBodies(contract, single, values);
}

/** The path of a read of the first record that the result names, where another command makes such records one by one. */
function targetNamedBy(
  operation: Operation,
  read: Operation,
  around: NonNullable<Step['target']>,
): NonNullable<Step['target']> | undefined {
  const { pathFields } = read;
  const last = pathFields.at(-1);
  if (last === undefined || operation.idHeader !== undefined) return undefined;
  if (isOfAnother(operation, read)) return undefined;
  const others = pathFields.slice(0, -1).flatMap(({ name }) => {
    const ref = around[name];
    return ref === undefined ? [] : [[name, ref] as const];
  });
  return others.length < pathFields.length - 1
    ? undefined
    : { ...Object.fromEntries(others), [last.name]: { step: 'command', at: idPointer(operation) } };
}

/** Whether a read shows the record that the command adds to, as the period of its entries, and not what it makes. */
function isOfAnother(operation: Operation, read: Operation): boolean {
  const made = described(schemasAt(writtenSchema(operation), `${bulkOf(operation.effect) ?? ''}/0`));
  return goesThrough(operation.path, read.path) && made !== described(schemasAt(writtenSchema(read), ''));
}

/** Reads of the records that the result names. */
function eachRead(planning: Planning, { lead, operation, request }: Scene, count: number): readonly Wave[] {
  const read = operationNamed(planning.contract, operation.effect?.read);
  const at = bulkOf(operation.effect);
  const reader = read === undefined ? undefined : standIn(planning, read, lead);
  if (read === undefined || reader === undefined) return [];
  const around = request('command').target ?? {};
  const target = isReadById(planning.contract, operation)
    ? targetMadeBy(operation, read, 'command', around)
    : targetNamedBy(operation, read, around);
  if (target === undefined) return [];
  const own = (ref: Ref, nth: number): Ref =>
    'at' in ref && ref.step === 'command' && ref.at.startsWith(`${at}/0`)
      ? { ...ref, at: `${at}/${nth}${ref.at.slice(`${at}/0`.length)}` }
      : ref;
  const reads = Array.from({ length: count }, (_, nth) =>
    send(
      readStep(
        planning,
        `made-${nth + 1}`,
        read,
        reader,
        Object.fromEntries(Object.entries(target).map(([name, ref]) => [name, own(ref, nth)])),
        'readback',
      ),
    ),
  );
  return [when('command', 'accepted', [{ wait: 'settle' }, ...reads])];
}
