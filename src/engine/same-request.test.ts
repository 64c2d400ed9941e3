import { expect, test } from 'vitest';
import type { Deviation, Step } from '../model/scenario.ts';
import { sameRequestBefore } from './same-request.ts';

const first = {
  step: 'first',
  request: { method: 'PUT', path: '/teams/1', headers: [], body: '{"name":"1","size":2}' },
};
const reuse = (difference: 'request' | 'late'): Deviation => ({ kind: 'key-reuse', of: 'first', difference });
const named: Step['body'] = { use: 'named', name: 'other' };

function isSame(
  body: string,
  { deviation = reuse('request'), of = named, path = '/teams/1', method = 'PUT' } = {},
): boolean {
  const request = { method, path, body: Buffer.from(body) };
  return sameRequestBefore([first], { body: of, deviations: [deviation] }, request) === 'first';
}

test('another request that has become the same one is found', () => {
  expect(isSame('{"name":"1","size":2}')).toBe(true);
  expect(isSame('{"size": 2.0, "name": "1"}')).toBe(true);
});

test('another request stays another one', () => {
  expect(isSame('{"name":"2","size":2}')).toBe(false);
  expect(isSame('{"name":"1","size":2}', { path: '/teams/2' })).toBe(false);
  expect(isSame('{"name":"1","size":2}', { method: 'PATCH' })).toBe(false);
  expect(isSame('{"name":"1","size"')).toBe(false);
});

test('what is meant to be the same request may be so', () => {
  expect(isSame('{"name":"1","size":2}', { deviation: reuse('late') })).toBe(false);
});
