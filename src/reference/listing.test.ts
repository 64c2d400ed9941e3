import { describe, expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import type { Contract, Pagination } from '../model/contract.ts';
import { isArray, isObject, type JsonSchema, valueAt } from '../model/json.ts';
import { type Said, type Trial, withTrial } from '../testing/trial.ts';

const contract = await loadContract('fixtures/contracts/extended-catalogue.yaml');

function subjectsOf({ body }: Said): readonly unknown[] {
  const items = valueAt(body, '/items');
  return isArray(items) ? items.map((item) => isObject(item) && item['subject']) : [];
}

function paged(style: Pagination['style'], cursor: string, schema?: JsonSchema): Contract {
  return {
    ...contract,
    operations: contract.operations.map((operation) =>
      operation.id === 'listCases' && operation.pagination !== undefined
        ? {
            ...operation,
            queryFields: [
              ...operation.queryFields,
              ...(schema === undefined
                ? []
                : [{ name: cursor, required: false, schema, filters: undefined }]),
            ],
            pagination: {
              ...operation.pagination,
              style,
              cursor,
              next: style === 'cursor' ? '/nextCursor' : undefined,
            },
          }
        : operation,
    ),
  };
}

async function createFive({ createCase }: Trial): Promise<void> {
  for (const subject of ['1', '2', '3', '4', '5']) await createCase(subject);
}

describe('pages', () => {
  test('by cursor show every record once and end', async () => {
    await withTrial({ contract }, async (trial) => {
      await createFive(trial);
      const first = await trial.ask('GET', '/cases?limit=2');
      const second = await trial.ask('GET', `/cases?limit=2&cursor=${first.textAt('/nextCursor')}`);
      // A record made meanwhile comes at the end.
      await trial.createCase('6');
      const third = await trial.ask('GET', `/cases?limit=2&cursor=${second.textAt('/nextCursor')}`);
      expect([first, second, third].map(subjectsOf)).toEqual([
        ['1', '2'],
        ['3', '4'],
        ['5', '6'],
      ]);
      expect(third.body).toHaveProperty('nextCursor', null);
    });
  });

  test('refuse the cursor of another list or scope', async () => {
    await withTrial({ contract }, async (trial) => {
      await createFive(trial);
      const cursor = (await trial.ask('GET', '/cases?limit=2')).textAt('/nextCursor');
      expect((await trial.ask('GET', `/cases?cursor=${cursor}`, { as: 'elsewhere' })).status).toBe(422);
      expect((await trial.ask('GET', `/contacts?cursor=${cursor}`)).status).toBe(422);
      expect((await trial.ask('GET', `/cases?cursor=${cursor}x`)).status).toBe(422);
    });
  });

  test('by offset and by number', async () => {
    await withTrial({ contract: paged('offset', 'offset') }, async (trial) => {
      await createFive(trial);
      expect(subjectsOf(await trial.ask('GET', '/cases?limit=2&offset=3'))).toEqual(['4', '5']);
      expect(subjectsOf(await trial.ask('GET', '/cases?limit=2&offset=5'))).toEqual([]);
    });
    await withTrial({ contract: paged('offset', 'from', { type: 'integer', minimum: 1 }) }, async (trial) => {
      await createFive(trial);
      expect(subjectsOf(await trial.ask('GET', '/cases?limit=2&from=4'))).toEqual(['4', '5']);
    });
    await withTrial({ contract: paged('page', 'page') }, async (trial) => {
      await createFive(trial);
      expect(subjectsOf(await trial.ask('GET', '/cases?limit=2&page=3'))).toEqual(['5']);
      expect((await trial.ask('GET', '/cases?limit=2&page=0')).status).toBe(422);
    });
    await withTrial({ contract: paged('page', 'page', { type: 'integer', default: 0 }) }, async (trial) => {
      await createFive(trial);
      expect(subjectsOf(await trial.ask('GET', '/cases?limit=2&page=0'))).toEqual(['1', '2']);
      expect(subjectsOf(await trial.ask('GET', '/cases?limit=2&page=2'))).toEqual(['5']);
    });
  });

  test('by Link', async () => {
    await withTrial({ contract: paged('link', 'cursor') }, async (trial) => {
      await createFive(trial);
      const first = await trial.ask('GET', '/cases?limit=3');
      const next = /^<(.+)>; rel="next"$/.exec(String(first.headers['link']))?.[1] ?? '';
      const second = await trial.ask('GET', next);
      expect([subjectsOf(second), second.headers['link']]).toEqual([['4', '5'], undefined]);
    });
  });
});

test('filters show what fits, and nothing else', async () => {
  await withTrial({ contract }, async (trial) => {
    await createFive(trial);
    const id = await trial.createCase('3');
    await trial.ask('POST', `/cases/${id}/closure`, { key: 'k', body: { reason: 'r' } });
    expect(subjectsOf(await trial.ask('GET', '/cases?subject=3'))).toEqual(['3', '3']);
    expect(subjectsOf(await trial.ask('GET', '/cases?subject=3&status=closed'))).toEqual(['3']);
    expect(subjectsOf(await trial.ask('GET', '/cases?subject=None'))).toEqual([]);
  });
});

test('a lag shows what was, for reads alone', async () => {
  await withTrial({ contract, settings: { readLagMs: 2000 } }, async (trial) => {
    const id = await trial.createCase('s');
    expect((await trial.ask('GET', `/cases/${id}`)).status).toBe(404);
    const change = { key: 'k', body: { subject: 't' }, headers: [['If-Match', '1']] as const };
    trial.clock.advance(1000);
    expect((await trial.ask('PATCH', `/cases/${id}`, change)).status).toBe(200);
    trial.clock.advance(1000);
    expect((await trial.ask('GET', `/cases/${id}`)).textAt('/subject')).toBe('s');
    trial.clock.advance(1000);
    expect(subjectsOf(await trial.ask('GET', '/cases'))).toEqual(['t']);
  });
});
