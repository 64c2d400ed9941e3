import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { stepsOf } from '../../src/model/scenario.ts';
import { parsedDeclaration } from '../../src/oracle/open-points/declared.ts';
import { object, operation } from '../../src/selftest/shapes/document.ts';
import { contractOf, paged } from '../../src/testing/contracts.ts';
import { planned } from '../../src/testing/plans.ts';
import reads from '../reads.ts';

const text = { type: 'string' };
const result = object({ id: text, stationId: text, note: text });

/** The queries of the walk over three records of one station, whose maker has this path and this body. */
async function walked(
  path: string,
  body: JsonObject,
  filters: string,
  more: Parameters<typeof planned>[2] = {},
) {
  const contract = await contractOf(
    operation('POST /stations', 'addStation', { result }),
    operation('GET /stations/{stationId}', 'seeStation', { result }),
    operation(`POST ${path}`, 'addParcel', {
      ...{ body: object(body, Object.keys(body)), result, governed: { effect: { list: 'listParcels' } } },
    }),
    operation('GET /parcels', 'listParcels', {
      ...paged,
      parameters: [
        ...paged.parameters,
        { name: 'stationId', in: 'query', schema: text, 'x-governed': { filters } },
      ],
      result: object({ items: { type: 'array', items: result }, next: text }),
    }),
  );
  const [found] = planned(reads, contract, more)
    .scenarios({ probe: 'pages', operation: 'listParcels' })
    .filter(({ title }) => title === 'three records, one on each page');
  const steps = stepsOf(found?.waves ?? []);
  return {
    makes: steps.filter(({ operation: of }) => of === 'addParcel').map(({ target }) => target?.['stationId']),
    asks: [
      ...new Set(
        steps
          .filter(({ observes }) => observes === 'page')
          .map(({ query = [] }) => JSON.stringify(query.find(([name]) => name === 'stationId')?.[1])),
      ),
    ],
  };
}

test.each([
  ['are made in', '/stations/{stationId}/parcels', { note: text }],
  ['name', '/parcels', { note: text, stationId: text }],
])('a list that is narrowed only by the record that others %s is read one by one', async (_, path, body) => {
  const { asks, makes } = await walked(path, body, '/stationId');
  expect(makes).toHaveLength(3);
  expect(new Set(makes.map((ref) => JSON.stringify(ref)))).toEqual(new Set(asks));
  expect(asks).toHaveLength(1);
});

test('nothing narrows a list that filters by something else, or whose records each name their own', async () => {
  const named = { note: text, stationId: text };
  expect((await walked('/parcels', named, '/id')).makes).toEqual([]);
  const { makes } = await walked('/parcels', named, '/stationId', {
    declared: parsedDeclaration({ G19: 'conflict' }),
  });
  expect(makes).toEqual([]);
});
