import { expect, test } from 'vitest';
import { type Contract, operationOf } from '../model/contract.ts';
import type { Json } from '../model/json.ts';
import type { WireOutcome } from '../model/wire.ts';
import { object, operation } from '../selftest/shapes/document.ts';
import { sceneOf } from '../suite-kit/scene.ts';
import { contractOf } from '../testing/contracts.ts';
import { present } from '../testing/plans.ts';
import { preparedAgainst } from '../testing/preparing.ts';
import { preparedIn } from './preparing.ts';

const id = { type: 'string' };
const settings = object({ days: { type: 'integer' }, note: { type: 'string' } }, ['days']);
const version = {
  carrier: { in: 'header', name: 'If-Match' },
  source: { operation: 'getSettings', in: 'header', name: 'ETag' },
};
const shown = { ETag: { schema: { type: 'string' } } };

/** Teams whose settings are at one path, with a version that the PUT may or must send. */
async function contractWith(required: boolean): Promise<Contract> {
  const ifMatch = { name: 'If-Match', in: 'header', required, schema: { type: 'string' } };
  return contractOf(
    operation('POST /teams', 'createTeam', {
      body: object({ name: { type: 'string' } }, ['name']),
      result: object({ id }),
    }),
    operation('GET /teams/{teamId}', 'getTeam', { result: object({ id }) }),
    operation('GET /teams/{teamId}/settings', 'getSettings', { result: settings, resultHeaders: shown }),
    operation('PUT /teams/{teamId}/settings', 'putSettings', {
      body: settings,
      result: settings,
      status: ['200', '201'],
      parameters: [ifMatch],
      governed: { version },
    }),
    operation('DELETE /teams/{teamId}/settings', 'deleteSettings', { result: settings, status: '200' }),
  );
}

/** A service that shows settings once they are put, or at once, or never, and refuses fewer days than it wants. */
function serviceOf(shows: 'once put' | 'at once' | 'never', least = -1e9) {
  const put = new Set<string>();
  let teams = 0;
  const outcome = (status: number, body: Json = {}): WireOutcome => {
    const text = JSON.stringify(body);
    const headers = status === 404 ? [] : [['ETag', '"1"'] as const];
    return {
      answer: { status, headers, body: text, bodyBytes: text.length, truncated: false },
      noAnswer: undefined,
      connection: 1,
      startedAt: 1,
      sentAt: 1,
      endedAt: 2,
    };
  };
  const answer = (method: string, path: string, body: string | undefined): WireOutcome => {
    if (method === 'POST') return outcome(201, { id: `t${++teams}` });
    if (!path.endsWith('/settings')) return outcome(200, { id: path.split('/').at(-1) ?? '' });
    if (method === 'PUT') {
      const sent: unknown = JSON.parse(body ?? 'null');
      const days = typeof sent === 'object' && sent !== null && 'days' in sent ? Number(sent.days) : 0;
      if (days < least) return outcome(422, { errors: { days: ['too few'] } });
      put.add(path);
      return outcome(200, { days });
    }
    const there = shows === 'at once' || (shows === 'once put' && put.has(path));
    return there ? outcome(200, { days: 1 }) : outcome(404);
  };
  return answer;
}

async function preparedOf(
  shows: Parameters<typeof serviceOf>[0],
  { least, required = false }: { readonly least?: number; readonly required?: boolean } = {},
) {
  const contract = await contractWith(required);
  const answer = serviceOf(shows, least);
  const { planningWith, ...found } = await preparedAgainst(contract, ({ body, method, path }) =>
    answer(method, path, body),
  );
  const scene = present(
    sceneOf(planningWith(found.prepared, found.bodies), operationOf(contract, 'putSettings')),
  );
  return { ...found, contract, scene };
}

const firstOf = ({ prepared }: Pick<Awaited<ReturnType<typeof preparedOf>>, 'prepared'>) =>
  Object.fromEntries([...prepared].map(([name, { first }]) => [name, first]));

test('settings that nothing shows before they are put are put first, also before a PUT with their version', async () => {
  const found = await preparedOf('once put');
  expect(firstOf(found)).toEqual({ putSettings: ['putSettings'], deleteSettings: ['putSettings'] });
  // The first PUT has no version, and the next one that of a read.
  const sent = found.scene.prelude.flatMap((wave) => ('steps' in wave ? wave.steps : []));
  expect(sent.map((step) => [step.operation, step.version])).toEqual([
    ['createTeam', undefined],
    ['putSettings', undefined],
  ]);
  expect(found.scene.request('next').version).toMatchObject({ use: 'of' });
  expect(firstOf({ prepared: preparedIn(found.traces) })).toEqual(firstOf(found));
});

test('settings that are there from the start, or never, need nothing first', async () => {
  expect(firstOf(await preparedOf('at once'))).toEqual({});
  expect(firstOf(await preparedOf('never'))).toEqual({});
});

test('a PUT that must have a version cannot come first', async () => {
  expect(firstOf(await preparedOf('once put', { required: true }))).toEqual({});
});

test('where the service refuses the plain body, both PUTs have another one', async () => {
  const found = await preparedOf('once put', { least: 1 });
  expect(firstOf(found)).toMatchObject({ putSettings: ['putSettings'] });
  expect(found.bodies.get('putSettings')).toEqual(
    found.prepared.get('putSettings')?.bodies.get('putSettings'),
  );
});
