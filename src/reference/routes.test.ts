import { describe, expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { routesOf } from './routes.ts';

const { operations } = await loadContract('fixtures/contracts/extended-catalogue.yaml');
const [create] = operations;
if (create === undefined) throw new Error('the catalogue is empty');
const named = (id: string, method: string, path: string) => ({ ...create, id, method, path });
const routes = routesOf([
  named('one', 'GET', '/cases/{caseId}'),
  named('mine', 'GET', '/cases/mine'),
  named('nested', 'POST', '/cases/{caseId}/contacts/{contactId}'),
]);

describe('a path', () => {
  test('gives the values of its fields, decoded', () => {
    expect(routes('POST', '/cases/a%2Fb/contacts/c%20d')).toMatchObject({
      operation: { id: 'nested' },
      values: { caseId: 'a/b', contactId: 'c d' },
    });
  });

  test('prefers a literal segment', () => {
    expect(routes('GET', '/cases/mine')).toMatchObject({ operation: { id: 'mine' }, values: {} });
    expect(routes('GET', '/cases/mines')).toMatchObject({ operation: { id: 'one' } });
  });

  test('with another method says which ones there are', () => {
    expect(routes('PUT', '/cases/1')).toEqual({ allow: ['GET'] });
  });

  test.each(['', '/', '/cases/', '/cases//', '/Cases/1', '/cases/%', '/cases/1/', 'cases/1', '*'])(
    '%j is none',
    (path) => {
      expect(routes('GET', path)).toEqual({ allow: [] });
    },
  );
});
