import type { Contract, Operation, QueryField } from '../../src/model/contract.ts';
import type { Scenario, Step } from '../../src/model/scenario.ts';
import { smallPage } from '../../src/oracle/paging.ts';
import { membersOf } from '../../src/suite-kit/filters.ts';
import { shownBy } from '../../src/suite-kit/makers.ts';
import { type Scene, scenario, send, when } from '../../src/suite-kit/scene.ts';
import { mostOf, sized } from './walk.ts';

/** Most values that a list is asked for by one filter. */
const mostValues = 5;

type Value = NonNullable<Step['query']>[number][1];

/** What a field may ask for: a value that its schema names, or that of the first record. */
function valuesOf(list: Operation, field: QueryField): readonly [Value, string][] {
  const { pagination, pathFields } = list;
  const named = membersOf(list, field)?.slice(0, mostValues).map(String);
  if (named !== undefined) return named.map((value) => [value, value]);
  // Within a record of our own there may be no first record.
  if (pagination === undefined || pathFields.length > 0) return [];
  const at = `${pagination.items}/0${field.filters ?? ''}`;
  return [[{ step: 'unfiltered', at }, 'the value of the first record']];
}

/** A list that no known command adds to, such as an audit: its filters are tried on the records that are there. */
export function filteredUnmade(scene: Scene): readonly Scenario[] {
  const { queryFields } = scene.operation;
  const size = sized(scene.operation, mostOf(scene.operation));
  return queryFields
    .filter(({ filters }) => filters !== undefined)
    .flatMap((field) =>
      valuesOf(scene.operation, field).map(([value, called]) =>
        scenario(scene, `only records with ${field.name}=${called}, of those that are there`, [
          send(scene, 'unfiltered', { role: 'readback', query: size }),
          when('unfiltered', 'accepted', [
            send(scene, 'filtered', { role: 'test', query: [...size, [field.name, value]] }),
          ]),
        ]),
      ),
    );
}

/** A small page of such a list. */
export function limitedUnmade(scene: Scene): readonly Scenario[] {
  const { pagination, pathFields } = scene.operation;
  if (pagination === undefined || pathFields.length > 0) return [];
  return [
    scenario(scene, 'a small page of the records that are there', [
      send(scene, 'limited', { role: 'test', query: sized(scene.operation, smallPage(scene.operation)) }),
    ]),
  ];
}

/** Why nothing makes records for a read: none is declared, or those that are put there are made elsewhere. */
export function whatMakesNone(contract: Contract, read: Operation): string {
  const { id, shared } = read;
  const shown = shownBy(contract, read);
  const adder = shown.find(({ method }) => method === 'PUT');
  const versioned = shown.find(
    ({ method, version }) => method === 'POST' && version !== undefined && version.optional !== true,
  );
  const shares =
    shared === true ? '' : '; or mark it with x-governed: { shared: true }, if every scope sees the same';
  if (versioned !== undefined)
    return `${versioned.id} adds to ${id} only with a current version. Assay does not fill lists in this way. Let the contract declare, in x-governed.effect, a command without a version that creates such records, if there is one.`;
  return adder === undefined
    ? `Let the contract declare, in x-governed.effect, a command that creates the records that ${id} shows${shares}.`
    : `${adder.id} only puts existing records into ${id}. Assay does not fill lists in this way, so it does not know what the list must show. Let the contract declare, in x-governed.effect, a POST that creates records in it.`;
}
