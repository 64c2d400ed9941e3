import { expect, test } from 'vitest';
import { operationOf } from '../../src/model/contract.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { stepsOf } from '../../src/model/scenario.ts';
import { linkTo, operation } from '../../src/selftest/shapes/document.ts';
import { contractOf, paged } from '../../src/testing/contracts.ts';
import { planned } from '../../src/testing/plans.ts';
import reads from '../reads.ts';
import { whatMakesNone } from './unmade.ts';

const made = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const list = { result: { type: 'array', items: made } };
const put = 'PUT /groups/{groupId}/devices/{deviceId}';

test('where a PUT adds what is made elsewhere to a list, the reason names it', async () => {
  const contract = await contractOf(
    operation('POST /devices', 'addDevice', { result: made }),
    operation('GET /devices/{deviceId}', 'getDevice', { result: made }),
    operation('POST /groups', 'addGroup', { result: made }),
    operation(put, 'putInto', { result: made, governed: { effect: { list: 'listInGroup' } } }),
    operation('GET /groups/{groupId}/devices', 'listInGroup', list),
    operation('GET /events', 'listEvents', list),
  );
  const of = (id: string): string => whatMakesNone(contract, operationOf(contract, id));
  expect(of('listInGroup')).toBe(
    'putInto only puts existing records into listInGroup. Assay does not fill lists in this way, so it does not know what the list must show. Let the contract declare, in x-governed.effect, a POST that creates records in it.',
  );
  expect(of('listEvents')).toMatch(
    /^Let the contract declare, .* listEvents shows; or mark it with x-governed: .*same\.$/,
  );
  const skipped = planned(reads, contract).skips.find(
    ({ need, operation: id }) => id === 'listInGroup' && need.kind === 'operation',
  );
  expect(skipped?.need.remedy).toBe(of('listInGroup'));
});

test('where a command adds to a list only with a version, the reason names it', async () => {
  const version = {
    carrier: { in: 'body', at: '/revision' },
    source: { operation: 'getStream', in: 'body', at: '/revision' },
  };
  const stream = { type: 'object', properties: { id: { type: 'string' }, revision: { type: 'integer' } } };
  const reason = async (required: readonly string[]): Promise<string> => {
    const contract = await contractOf(
      operation('POST /streams', 'open', { result: stream }),
      operation('GET /streams/{streamId}', 'getStream', { result: stream }),
      operation('POST /streams/{streamId}/events', 'append', {
        body: { type: 'object', required: [...required], properties: { revision: { type: 'integer' } } },
        result: made,
        governed: { effect: { list: 'listEvents' }, version },
      }),
      operation('GET /streams/{streamId}/events', 'listEvents', list),
    );
    return whatMakesNone(contract, operationOf(contract, 'listEvents'));
  };
  expect(await reason(['revision'])).toMatch(/^append adds to listEvents only with a current version\. /);
  expect(await reason([])).not.toMatch(/^append/);
});

test('a list within a record, without pages, is asked for each value that the schema of a filter names, but not for all', async () => {
  const usage = {
    type: 'object',
    properties: { items: { type: 'array', items: { type: 'object', properties: { metric: {}, unit: {} } } } },
  };
  const field = (name: string, schema: JsonObject): JsonObject => ({
    ...{ name, in: 'query', schema },
    'x-governed': { filters: `/${name}` },
  });
  const contract = await contractOf(
    operation('POST /sims', 'addSim', { result: made }),
    operation('GET /sims/{simId}', 'getSim', { result: made }),
    operation('GET /sims/{simId}/usage', 'getUsage', {
      parameters: [field('metric', { enum: ['all', 'data', 'voice'] }), field('unit', { type: 'string' })],
      result: usage,
    }),
  );
  const { probes, skips } = planned(reads, contract);
  const asked = probes({ probe: 'filters-unmade' }).flatMap(({ operation: of, scenarios }) =>
    scenarios.map(({ waves }) => [
      of,
      ...stepsOf(waves).flatMap(({ operation: id, query }) => (id === 'getUsage' ? (query ?? []) : [])),
    ]),
  );
  expect(asked).toEqual([
    ['getUsage', ['metric', 'data']],
    ['getUsage', ['metric', 'voice']],
  ]);
  expect(
    skips.filter(({ operation: of, clauses }) => of === 'getUsage' && clauses.includes('RDS-3')),
  ).toEqual([]);
});

test('a filter of a list that is filled only with a version has a reason, though what is there is asked for', async () => {
  const filters = async (governed: JsonObject) => {
    const contract = await contractOf(
      operation('POST /streams', 'open', { result: made, links: linkTo('getStream', 'streamId') }),
      operation('GET /streams/{streamId}', 'getStream', {
        result: { type: 'object', properties: { id: {}, revision: {} } },
      }),
      operation('POST /streams/{streamId}/events', 'append', {
        body: { type: 'object', required: ['revision'], properties: { revision: { type: 'integer' } } },
        result: made,
        governed,
      }),
      operation('GET /events', 'listEvents', {
        ...paged,
        parameters: [
          ...paged.parameters,
          { name: 'kind', in: 'query', schema: { type: 'string' }, 'x-governed': { filters: '/kind' } },
        ],
      }),
    );
    const { probes, skips } = planned(reads, contract);
    expect(probes({ operation: 'listEvents', probe: 'filters-unmade' })).toHaveLength(1);
    return skips
      .filter(({ clauses, operation: id }) => id === 'listEvents' && clauses.includes('RDS-3'))
      .map(({ need }) => need.remedy);
  };
  const version = {
    carrier: { in: 'body', at: '/revision' },
    source: { operation: 'getStream', in: 'body', at: '/revision' },
  };
  const [reason] = await filters({ effect: { list: 'listEvents' }, version });
  expect(reason).toMatch(/^append adds to listEvents only with a current version\. /);
  expect(await filters({})).toEqual([]);
});
