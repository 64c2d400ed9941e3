import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { listedAsOthers } from './listed-as-others.ts';

const context = makeContext({
  contract,
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full', 'peer']),
});

const markers = {
  one: 'asy-000000000000000a',
  two: 'asy-000000000000000b',
  three: 'asy-00000000000000ff',
};
type Name = keyof typeof markers;

const text = (name: Name): string => `A text ${markers[name]}`;
const item = (name: Name, subject: string, member = 'subject'): JsonObject => ({
  id: `part_${name}`,
  [member]: subject,
});

/** A part that a command adds to the case, with a text of its own. */
const added = (name: Name, more: Partial<Line> = {}, member = 'subject'): Line => ({
  ...{ id: name, name, operation: 'addTask', on: 'a', role: 'test', status: 201, result: `part_${name}` },
  sent: JSON.stringify({ [member]: text(name) }),
  body: item(name, text(name), member),
  ...more,
});

function rulings(
  items: readonly JsonObject[],
  makers: readonly Line[] = [added('one'), added('two')],
  list: Partial<Line> = {},
  late: readonly Line[] = [],
): readonly string[] {
  const all = trace([
    { id: 'a', name: 'case', role: 'setup', status: 201, result: 'case_7' },
    ...makers,
    ...late,
    {
      ...{ id: 'list', operation: 'listTasks', on: 'a', role: 'readback', status: 200, body: [...items] },
      ...list,
    },
  ]);
  return [...listedAsOthers(context, { ...all, bound: { ...all.bound, markers } })].map(
    (one) => `${one.verdict} ${one.verdict === 'violated' ? one.actual : ''}`,
  );
}

test('a list shows a record with the text of one that was there before', () => {
  const items = [item('one', text('one')), item('two', text('one'))];
  expect(rulings(items)).toEqual([`violated ${text('one')}`]);
  const next = [item('one', text('two')), item('two', text('one'))];
  expect(rulings(next)).toEqual([`violated ${text('one')}`]);
});

const wrong = [item('one', text('one')), item('two', text('one'))];
const [first, second] = [added('one'), added('two')];

test.each<[string, ReturnType<typeof rulings>]>([
  ['each has its own', rulings([item('one', text('one')), item('two', text('two'))])],
  ['one has that of a later one', rulings([item('one', text('two')), item('two', text('two'))])],
  ['a text is cut', rulings([item('one', 'A te'), item('two', 'A te')])],
  ['a text names both', rulings([item('one', text('one')), item('two', `${text('one')}, ${text('two')}`)])],
  ['the text is of a scenario of its own', rulings([item('one', text('three')), item('two', text('three'))])],
  ['the result shows no text', rulings(wrong, [first, { ...second, body: { id: 'part_two' } }])],
  [
    'a name may be that of a customer',
    rulings(
      [item('one', text('one'), 'customer'), item('two', text('one'), 'customer')],
      [added('one', {}, 'customer'), added('two', {}, 'customer')],
    ),
  ],
  ['another caller reads it', rulings(wrong, undefined, { as: 'peer' })],
  [
    'another command has named it',
    rulings(wrong, undefined, {}, [
      {
        ...{ id: 'later', name: 'three', operation: 'addTask', on: 'a', role: 'test', status: 201 },
        ...{ sent: JSON.stringify({ subject: 'part_two' }), result: 'part_three' },
      },
    ]),
  ],
  [
    'both are made at once',
    rulings(wrong, [
      { ...first, at: 20 },
      { ...second, at: 20 },
    ]),
  ],
])('nothing is said where %s', (_, found) => {
  expect(found).toEqual([]);
});
