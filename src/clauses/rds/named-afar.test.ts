import { expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { contextOf } from '../cases/judged.ts';
import { type Line, trace } from '../cases/trace.ts';
import { namedAfar } from './named-afar.ts';

const id = 'case_01J9ZK3M5T7Q';
const marker = 'asy-t-body';

type Shown = {
  readonly afar: Json;
  readonly near?: Json;
  readonly made?: Partial<Line>;
  readonly look?: Partial<Line>;
};

/** A case made in one scope, and what a list that no command fills shows to another scope and to its own. */
const rulings = ({ afar, look, made, near = { items: [] } }: Shown): readonly string[] => {
  const list = { operation: 'listCases', status: 200 } as const;
  const lines: readonly Line[] = [
    { id: 'one', role: 'setup', status: 201, result: id, ...made },
    { id: 'afar', ...list, as: 'abroad', role: 'test', observes: 'unrelated', body: afar, ...look },
    { id: 'near', ...list, controls: 'afar', body: near },
  ];
  return [...namedAfar(contextOf({}), trace(lines))].map(({ verdict }) => verdict);
};

const event = (subject: string): Json => ({ items: [{ id: 'evt_1', action: 'case.created', subject }] });

test.each<[string, Json]>([
  ['its ID', event(id)],
  ['a path with its ID', event(`/cases/${id}`)],
  ['what was sent for it', event(`a case ${marker}`)],
])('a list that no command fills shows another scope %s', (_, afar) => {
  expect(rulings({ afar })).toEqual(['violated']);
});

test('the list shows the record to its own scope alone', () => {
  expect(rulings({ afar: { items: [] }, near: event(id) })).toEqual(['holds']);
  expect(rulings({ afar: event('case_of_another'), near: event(`/cases/${id}`) })).toEqual(['holds']);
});

test.each<[string, Shown]>([
  ['a list that shows the record to nobody', { afar: event('case_0'), near: event('case_0') }],
  ['a number in a text, which may be anything', { afar: event('7 of 9'), made: { result: '7' } }],
  ['the record of a command that was refused', { afar: event(id), made: { status: 422 } }],
  ['a record of the same scope', { afar: event(id), look: { as: 'peer' } }],
  ['a response that was refused', { afar: event(id), look: { status: 403 } }],
  [
    'a list that the record is made in, which is for others to judge',
    { afar: event(id), look: { observes: 'page' } },
  ],
])('nothing is said of %s', (_, shown) => {
  expect(rulings(shown)).toEqual([]);
});

test('a record that the other scope has made itself is its own', () => {
  const lines: readonly Line[] = [
    { id: 'one', role: 'setup', status: 201, result: id },
    { id: 'other', role: 'setup', status: 201, result: id, as: 'abroad', name: 'other' },
    {
      ...{ id: 'afar', operation: 'listCases', status: 200, as: 'abroad', role: 'test' },
      ...{ observes: 'unrelated', body: event(id) },
    },
  ];
  expect([...namedAfar(contextOf({}), trace(lines))]).toEqual([]);
});
