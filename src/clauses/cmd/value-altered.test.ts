import { expect, test } from 'vitest';
import type { Violated } from '../../model/clause.ts';
import type { Operation } from '../../model/contract.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { alterationOf } from '../judging/alterations.ts';
import { valueAltered } from './value-altered.ts';

const properties: JsonObject = {
  subject: { type: 'string' },
  pages: { type: 'integer' },
  price: { type: 'number' },
  weight: { type: 'number', format: 'float' },
  tags: { type: 'array', items: { type: 'string' } },
  notes: { type: 'array', items: { type: 'string' } },
  emails: { type: 'array', items: { type: 'string' } },
  topics: { type: 'array', items: { type: 'string' } },
  watcherIds: { type: 'array', items: { type: 'string' } },
  format: { enum: ['png', 'gif', 'jpg', 'jpeg'] },
  kind: { enum: ['memo', 'letter', 'report'] },
  status: { enum: ['memo', 'letter', 'report'] },
  type: { anyOf: [{ const: 'plain' }, { enum: ['signed'] }] },
  amount: { type: 'string' },
  labels: { type: 'object', additionalProperties: { type: 'string' } },
  extras: { type: 'object', additionalProperties: true },
  remarks: { type: 'string', maxLength: 400 },
  teaser: { type: 'string', maxLength: 400 },
  title: { type: 'string' },
  layout: {
    type: 'object',
    properties: {
      margin: {
        type: 'object',
        properties: { left: { type: 'integer' }, unit: { enum: ['mm', 'em', 'px'] } },
      },
    },
  },
  lines: {
    type: 'array',
    items: { type: 'object', properties: { price: { type: 'string' }, count: { type: 'integer' } } },
  },
};

const context = makeContext({
  contract: {
    ...contract,
    operations: contract.operations.map((operation: Operation) =>
      ['createCase', 'updateCase'].includes(operation.id) && operation.body !== undefined
        ? { ...operation, body: { ...operation.body, schema: { type: 'object', properties } } }
        : operation,
    ),
  },
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

type Made = { readonly sent: JsonObject; readonly is?: JsonObject; readonly command?: Partial<Line> };

/** A record that is made, and read. */
const making = ({ command, is = {}, sent }: Made, index: number): readonly Line[] => {
  const shown = { id: 'case_7', status: 'open', subject: `${index}`, ...sent, ...is };
  return [
    {
      ...{ id: 'a', status: 201, sent: JSON.stringify({ subject: `${index}`, ...sent }), result: 'case_7' },
      body: shown,
      ...command,
    },
    {
      ...{ id: 'read', status: 200, operation: 'getCase', observes: 'made', on: 'a', role: 'readback' },
      body: shown,
    },
  ];
};

function rulings(...all: readonly Made[]): readonly string[] {
  const fold = valueAltered();
  return all.flatMap((made, index) =>
    [...fold.see(context, trace(making(made, index), { id: `t${index}` }))].map((ruling) =>
      `t${index} ${ruling.verdict} ${(ruling as Violated).within?.id ?? ''}`.trim(),
    ),
  );
}

/** One value that is stored as another, behind two that are stored as they are. */
const altered = (name: string, [one, two]: readonly [Json, Json], sent: Json, is: Json) =>
  rulings(
    { sent: { [name]: one } },
    { sent: { [name]: two } },
    { sent: { [name]: sent }, is: { [name]: is } },
  );

const line = (price: string, count: number): JsonObject => ({ price, count });
const lists: readonly [Json, Json] = [[line('3', 3)], [line('4', 4)]];

test.each<[string, string, readonly [Json, Json], Json, Json]>([
  ['a number is cut to 8 bits', 'pages', [1, 2], 300, 44],
  ['a number is cut to 16 bits with a sign', 'pages', [1, 2], 40_000, -25_536],
  ['a number becomes the largest of 32 bits', 'pages', [1, 2], 3_000_000_000, 2_147_483_647],
  ['a number is held in 32 bits of floating point', 'price', [1.5, 2.5], 19.99, Math.fround(19.99)],
  ['a list loses its end', 'tags', [['a'], ['a', 'b']], ['a', 'b', 'c', 'd'], ['a', 'b', 'c']],
  ['a kind is stored as another', 'kind', ['memo', 'letter'], 'report', 'memo'],
  ['a list of objects loses its end', 'lines', lists, [line('1', 1), line('2', 2)], [line('1', 1)]],
  [
    'a list of objects with IDs loses its end',
    'lines',
    lists,
    [line('1', 1), line('2', 2)],
    [{ id: 'l', ...line('1', 1) }],
  ],
  ['an integer is held in 32 bits of floating point', 'pages', [1, 2], 12_345_678_901, 12_345_678_848],
  ['a list loses its beginning', 'tags', [['a'], ['a', 'b']], ['a', 'b', 'c'], ['b', 'c']],
  ['one item takes the place of all', 'tags', [['a'], ['a', 'b']], ['a', 'b', 'c'], ['c', 'c', 'c']],
  ['a text loses its end', 'remarks', ['one', 'two'], 'x'.repeat(300), 'x'.repeat(255)],
])('%s, while other values are stored as they were sent', (_, name, others, sent, is) => {
  expect(altered(name, others, sent, is)).toEqual(['t2 violated']);
  expect(altered(name, others, sent, sent)).toEqual([]);
});

test.each<[string, string, readonly [Json, Json], Json, Json]>([
  ['a number is bounded', 'pages', [1, 2], 5000, 1000],
  ['a text is longer than the contract allows', 'remarks', ['one', 'two'], 'x'.repeat(500), 'x'.repeat(255)],
  ['the contract has no bound for a text', 'title', ['one', 'two'], 'x'.repeat(300), 'x'.repeat(255)],
  ['a text is meant to be short', 'teaser', ['one', 'two'], 'x'.repeat(300), 'x'.repeat(255)],
  ['a text has no blanks at its end', 'remarks', ['one', 'two'], `${'x'.repeat(99)}      `, 'x'.repeat(99)],
  ['a text shows its first word', 'remarks', ['one', 'two'], 'internal matters of somebody', 'internal'],
  [
    'an address has no query',
    'remarks',
    ['one', 'two'],
    'https://a.example/one?source=letter',
    'https://a.example/one',
  ],
  ['a text has one line', 'remarks', ['one', 'two'], `${'x'.repeat(99)}\nA second line`, 'x'.repeat(99)],
  ['a text ends with dots', 'remarks', ['one', 'two'], 'x'.repeat(300), `${'x'.repeat(255)}…`],
  ['a number is bounded by the largest of 8 bits', 'pages', [1, 2], 300, 255],
  ['a number is bounded by the largest of 16 bits', 'pages', [1, 2], 70_000, 65_535],
  ['a number is set to zero', 'pages', [1, 2], 512, 0],
  ['a large number is rounded', 'pages', [1, 2], 10_000_000_019, 10_000_000_000],
  ['a price is rounded', 'price', [1.5, 2.5], 19.999, 20],
  ['a list is sorted', 'tags', [['a'], ['b']], ['c', 'b'], ['b', 'c']],
  ['equal items are one', 'tags', [['a'], ['b']], ['c', 'c'], ['c']],
  ['a number is declared to have 32 bits', 'weight', [1.5, 2.5], 19.99, Math.fround(19.99)],
  ['items in another case are one', 'tags', [['a'], ['b']], ['c', 'C'], ['c']],
  ['an item that says nothing is left out', 'tags', [['a'], ['b']], ['c', ' '], ['c']],
  ['objects with one member alike are one', 'lines', lists, [line('1', 1), line('1', 2)], [line('1', 1)]],
  ['the objects left are others', 'lines', lists, [line('1', 1), line('2', 2)], [line('1', 3)]],
  ['an object that says nothing is left out', 'lines', lists, [line('1', 1), {}], [line('1', 1)]],
  ['an ID is left out', 'watcherIds', [['a'], ['b']], ['c', 'd'], ['c']],
  ['a kind has another spelling', 'format', ['png', 'gif'], 'jpg', 'jpeg'],
  ['a list is emptied', 'tags', [['a'], ['b']], ['c'], []],
  ['a state is another one', 'status', ['memo', 'letter'], 'report', 'memo'],
  ['a kind is shown as something else', 'kind', ['memo', 'letter'], 'report', 'Report (old)'],
])('%s: nothing is violated', (_, name, others, sent, is) => {
  expect(altered(name, others, sent, is)).toEqual([]);
});

test('two numbers that a smaller column cuts show it by themselves, and two bounded ones do not', () => {
  const pages = (sent: number, is: number): Made => ({ sent: { pages: sent }, is: { pages: is } });
  expect(rulings(pages(1_000_000_000, -13_824), pages(674_144_761, -24_071))).toEqual(['t1 violated']);
  expect(rulings(pages(300, 44), pages(300, 44))).toEqual([]);
  expect(rulings(pages(3_000_000_000, 2_147_483_647), pages(4_000_000_000, 2_147_483_647))).toEqual([]);
  expect(rulings(pages(300, 255), pages(400, 255))).toEqual([]);
});

test('of two lists one item each shows that the rest is lost, and of longer parts nothing', () => {
  const part = (name: string, sent: Json, is: Json): Made => ({ sent: { [name]: sent }, is: { [name]: is } });
  const last = [part('tags', ['a', 'b', 'c'], ['c']), part('tags', ['d', 'e'], ['e'])];
  expect(rulings(...last)).toEqual(['t1 violated']);
  const first = [part('tags', ['a', 'b', 'c'], ['a']), part('tags', ['d', 'e'], ['d'])];
  expect(rulings(...first)).toEqual(['t1 violated']);
  expect(rulings(...last.slice(1), ...last.slice(1))).toEqual([]);
  expect(
    rulings(part('tags', ['a', 'b', 'c'], ['a', 'b']), part('tags', ['d', 'e', 'f'], ['d', 'e'])),
  ).toEqual([]);
  expect(rulings(part('emails', ['a', 'b'], ['b']), part('emails', ['d', 'e'], ['e']))).toEqual([]);
  expect(rulings(part('watcherIds', ['a', 'b'], ['b']), part('watcherIds', ['d', 'e'], ['e']))).toEqual([]);
});

test('each list loses one item, and no list is stored as it was sent', () => {
  const count = (least: number, most: number): readonly JsonObject[] =>
    Array.from({ length: most - least + 1 }, (_, index) => line(`${least + index}.00`, least + index));
  const lost = (least: number, most: number, more: JsonObject = {}): Made => ({
    sent: { lines: [...count(least, most)] },
    is: { lines: [...count(least, most - 1)], ...more },
  });
  expect(rulings(lost(1, 3), lost(4, 6), lost(7, 8))).toEqual(['t2 violated']);
  expect(rulings(lost(1, 3), lost(4, 6), lost(7, 9))).toEqual([]);
  expect(rulings(lost(1, 3), lost(4, 5))).toEqual([]);
  expect(rulings(lost(1, 3), lost(1, 3), lost(7, 8))).toEqual([]);
  // The other ends of lists, or more items than one.
  const first: Made = { sent: { lines: [...count(7, 8)] }, is: { lines: [...count(8, 8)] } };
  expect(rulings(lost(1, 3), lost(4, 6), first)).toEqual([]);
  const two: Made = { sent: { lines: [...count(7, 10)] }, is: { lines: [...count(7, 8)] } };
  expect(rulings(lost(1, 3), lost(4, 6), two)).toEqual([]);
  // A list that is stored, and an item that the record shows elsewhere.
  expect(rulings({ sent: { lines: [...count(9, 9)] } }, lost(1, 3), lost(4, 6), lost(7, 8))).toEqual([]);
  const total = (most: number): JsonObject => ({ total: line(`${most}.00`, most) });
  expect(rulings(lost(1, 3, total(3)), lost(4, 6, total(6)), lost(7, 8, total(8)))).toEqual([]);
});

test('an item that is shown with more than was sent of it is the same item', () => {
  const [one, two, three] = [1, 2, 3].map((count): JsonObject => ({ price: `${count}.00`, count }));
  const shown = (...items: readonly (JsonObject | undefined)[]): Json =>
    items.map((item, id): JsonObject => ({ ...item, id }));
  const part = (sent: Json, is: Json): Made => ({ sent: { lines: sent }, is: { lines: is } });
  const all: Json = [one ?? null, two ?? null, three ?? null];
  const whole = [part([one ?? null], shown(one)), part([two ?? null, one ?? null], shown(two, one))];
  expect(rulings(...whole, part(all, shown(two, three)))).toEqual(['t2 violated']);
  expect(rulings(...whole, part(all, shown(two, two, two)))).toEqual([]);
  expect(rulings(...whole, part(all, [two ?? null, two ?? null, two ?? null]))).toEqual(['t2 violated']);
  expect(rulings(...whole, part(all, shown(three, two, one)))).toEqual([]);
  expect(rulings(...whole, part(all, shown(one, two, three)))).toEqual([]);
});

/** A record that is changed, and read before and after it. */
const changing = (
  was: JsonObject,
  sent: JsonObject,
  is: JsonObject,
  type: string,
  set: JsonObject = was,
): readonly Line[] => {
  const look = (id: 'before' | 'after', more: JsonObject): Line => ({
    ...{ id, status: 200, operation: 'getCase', on: 'a', role: 'readback', observes: id },
    body: { id: 'case_7', status: 'open', ...more },
  });
  return [
    {
      id: 'a',
      role: 'setup',
      status: 201,
      result: 'case_7',
      sent: JSON.stringify({ subject: 'old', ...set }),
    },
    look('before', { subject: 'old', ...was }),
    {
      ...{ id: 'change', role: 'test', status: 200, operation: 'updateCase', on: 'a' },
      sent: JSON.stringify({ subject: 'new', ...sent }),
      media: type,
      body: { id: 'case_7', status: 'open', subject: 'new', ...is },
    },
    look('after', { subject: 'new', ...is }),
  ];
};

test.each<[string, JsonObject, JsonObject, JsonObject, boolean]>([
  ['a list is added to the earlier one', { tags: ['a'] }, { tags: ['b'] }, { tags: ['a', 'b'] }, true],
  [
    'what is there already is not added',
    { tags: ['a', 'b'] },
    { tags: ['b', 'c'] },
    { tags: ['a', 'b', 'c'] },
    true,
  ],
  ['the earlier list follows', { tags: ['a'] }, { tags: ['b'] }, { tags: ['b', 'a'] }, true],
  [
    'what is left of a longer list follows',
    { tags: ['a', 'b', 'c'] },
    { tags: ['d'] },
    { tags: ['d', 'b', 'c'] },
    true,
  ],
  ['a list takes the place of the earlier one', { tags: ['a'] }, { tags: ['b'] }, { tags: ['b'] }, false],
  ['a service adds an item of its own', { tags: ['a'] }, { tags: ['b'] }, { tags: ['b', 'new'] }, false],
  ['there was no item', { tags: [] }, { tags: ['b'] }, { tags: ['b', 'c'] }, false],
])('in a merge patch, %s', (_, was, sent, is, isFound) => {
  const said = (type: string): readonly string[] => {
    const fold = valueAltered();
    return [...fold.see(context, trace(changing(was, sent, is, type)))].map(({ verdict }) => verdict);
  };
  expect(said('application/merge-patch+json')).toEqual(isFound ? ['violated'] : []);
  expect(said('application/json')).toEqual([]);
});

test.each<[string, string, JsonObject, JsonObject, JsonObject | undefined, boolean]>([
  ['PUT', 'shows the members of the earlier map as well', { b: '2' }, { a: '1', b: '2' }, undefined, true],
  [
    'PUT',
    'shows those that it names as it has them',
    { a: '3', b: '2' },
    { a: '3', b: '2', c: '4' },
    undefined,
    false,
  ],
  ['PUT', 'takes the place of the map', { b: '2' }, { b: '2' }, undefined, false],
  ['PUT', 'shows what no caller has set', { b: '2' }, { a: '1', b: '2' }, {}, false],
  ['PATCH', 'goes into the map', { b: '2' }, { a: '1', b: '2' }, undefined, false],
])('a %s %s', (method, _, sent, is, set, isFound) => {
  const own = makeContext({
    contract: {
      ...context.contract,
      operations: context.contract.operations.map((operation: Operation) =>
        operation.id === 'updateCase' ? { ...operation, method } : operation,
      ),
    },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const was = { labels: { a: '1' } };
  const type = method === 'PUT' ? 'application/json' : 'application/merge-patch+json';
  const lines = changing(was, { labels: sent }, { labels: is }, type, set ?? was);
  expect([...valueAltered().see(own, trace(lines))].map(({ verdict }) => verdict)).toEqual(
    isFound ? ['violated'] : [],
  );
});

test('all lists may be added to the earlier ones, as long as the record shows something as it was sent', () => {
  const said = (subject: string): readonly string[] => {
    const fold = valueAltered();
    const lines = changing(
      { tags: ['a'], topics: ['x'] },
      { tags: ['b'], topics: ['y'] },
      { tags: ['a', 'b'], topics: ['x', 'y'], subject },
      'application/merge-patch+json',
    );
    return [...fold.see(context, trace(lines))].map(({ verdict }) => verdict);
  };
  expect(said('new')).toEqual(['violated', 'violated']);
  expect(said('Another one')).toEqual([]);
});

test('items that no caller has set may be those of the service, which it keeps', () => {
  const fold = valueAltered();
  const lines = changing(
    { tags: ['a'] },
    { tags: ['b'] },
    { tags: ['a', 'b'] },
    'application/merge-patch+json',
    {},
  );
  expect([...fold.see(context, trace(lines))]).toEqual([]);
});

test('what only grows keeps its earlier items', () => {
  const fold = valueAltered();
  const lines = changing(
    { notes: ['a'] },
    { notes: ['b'] },
    { notes: ['a', 'b'] },
    'application/merge-patch+json',
  );
  expect([...fold.see(context, trace(lines))]).toEqual([]);
});

test('of two kinds of bodies, one other value shows that callers set the kind', () => {
  const last: Made = { sent: { type: 'signed' }, is: { type: 'plain' } };
  expect(rulings({ sent: { type: 'plain' } }, last)).toEqual(['t1 violated']);
  expect(rulings(last, last)).toEqual([]);
});

test('a discriminator names the kinds of bodies as well', () => {
  const chosen = makeContext({
    ...context,
    contract: {
      ...context.contract,
      operations: context.contract.operations.map((operation: Operation) =>
        operation.id === 'createCase' && operation.body !== undefined
          ? {
              ...operation,
              body: {
                ...operation.body,
                schema: { type: 'object', properties: { ...properties, type: { type: 'string' } } },
                chosenSchema: { type: 'object', properties },
              },
            }
          : operation,
      ),
    },
  });
  const fold = valueAltered();
  const said = [{ sent: { type: 'plain' } }, { sent: { type: 'signed' }, is: { type: 'plain' } }].flatMap(
    (made, index) => [...fold.see(chosen, trace(making(made, index), { id: `t${index}` }))],
  );
  expect(said.map(({ verdict }) => verdict)).toEqual(['violated']);
});

const margin = (left: number, unit = 'mm'): JsonObject => ({ margin: { left, unit } });
const lines = (...prices: readonly string[]): Json => prices.map((price, count) => ({ price, count }));

test.each<[string, string, readonly [Json, Json], Json, Json]>([
  ['an amount loses its cents', 'amount', ['1.00', '2.00'], '12.50', '12.00'],
  ['a member within an object is altered', 'layout', [margin(1), margin(2)], margin(300), margin(44)],
  ['a kind within an object is', 'layout', [margin(1), margin(2, 'em')], margin(1, 'px'), margin(1)],
  [
    'a member of an item is',
    'lines',
    [lines('1.00'), lines('2.00', '3.00')],
    lines('4.00', '5.25'),
    lines('4.00', '5.00'),
  ],
])('%s, while other values are stored as they were sent', (_, name, others, sent, is) => {
  expect(altered(name, others, sent, is)).toEqual(['t2 violated']);
  expect(altered(name, others, sent, sent)).toEqual([]);
});

test.each<[string, string, readonly [Json, Json], Json, Json]>([
  ['an amount is rounded', 'amount', ['1.00', '2.00'], '12.50', '13.00'],
  ['an amount is written with fewer decimals', 'amount', ['1.00', '2.00'], '12.500', '12.50'],
  ['an amount is written without decimals', 'amount', ['1.00', '2.00'], '12.50', '12'],
  ['an item is added', 'lines', [lines('1.00'), lines('2.00')], lines('4.25'), lines('4.00', '0.25')],
  ['two members are altered', 'layout', [margin(1), margin(2, 'em')], margin(300, 'px'), margin(44)],
  [
    'items change their places',
    'lines',
    [lines('1.00'), lines('2.00')],
    [{ price: '4.25' }, { price: '4.00' }],
    [{ price: '4.00' }, { price: '4.25' }],
  ],
])('%s: nothing is violated', (_, name, others, sent, is) => {
  expect(altered(name, others, sent, is)).toEqual([]);
});

test('the names in a map are those of its caller', () => {
  const labelled = (...maps: readonly (readonly [sent: JsonObject, is: JsonObject])[]) =>
    rulings(...maps.map(([sent, is]) => ({ sent: { labels: sent }, is: { labels: is } })));
  const sent = (value: string): JsonObject => ({ alpha: value, 'key-1': value, snake_case: value });
  const is = (value: string): JsonObject => ({ alpha: value, key1: value, snakeCase: value });
  expect(labelled([sent('a'), is('a')], [sent('b'), is('b')])).toEqual(['t1 violated']);
  expect(labelled([sent('a'), is('a')])).toEqual([]);
  // A service may fold case, write one sign between words, leave out what it does not know, or add some.
  for (const other of [
    (value: string): JsonObject => ({ alpha: value, 'key-1': value, 'snake-case': value }),
    (value: string): JsonObject => ({ alpha: value, 'key-1': value, snakecase: value }),
    (value: string): JsonObject => ({ alpha: value }),
    (value: string): JsonObject => ({ ...sent(value), snakeCase: value }),
    (value: string): JsonObject => ({ ...is(value), snakeCase: 'other' }),
    (value: string): JsonObject => ({ alpha: value, key1: value, snake_case: value }),
  ])
    expect(labelled([sent('a'), other('a')], [sent('b'), other('b')])).toEqual([]);
  const upper = (name: string): JsonObject => ({ [name]: 'a' });
  expect(labelled([upper('Key'), upper('key')], [upper('Name'), upper('name')])).toEqual([]);
  // What it does with names says nothing of other members.
  const cut = { sent: { pages: 300, labels: { Key: 'a' } }, is: { pages: 44, labels: { key: 'a' } } };
  expect(rulings({ sent: { pages: 1 } }, { sent: { pages: 2 } }, cut)).toEqual(['t2 violated']);
});

test('a map that may have any values keeps those that are no texts', () => {
  const extra = (...maps: readonly (readonly [sent: JsonObject, is: JsonObject])[]) =>
    rulings(...maps.map(([sent, is]) => ({ sent: { extras: sent }, is: { extras: is } })));
  const one: JsonObject = { colour: 'green', weight: 17, fragile: true, origin: { year: 1987 } };
  const other: JsonObject = { colour: 'blue', weight: 42, sealed: true, origin: { year: 2004 } };
  const texts = (all: JsonObject, spaced = false): JsonObject =>
    Object.fromEntries(
      Object.entries(all).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value, null, spaced ? 1 : 0),
      ]),
    );
  const only = ({ colour = '' }: JsonObject, more: JsonObject = {}): JsonObject => ({ colour, ...more });
  expect(extra([one, texts(one)], [other, texts(other)])).toEqual(['t1 violated']);
  expect(extra([one, texts(one, true)], [other, texts(other, true)])).toEqual(['t1 violated']);
  expect(extra([one, only(one)], [other, only(other)])).toEqual(['t1 violated']);
  expect(extra([one, one], [other, other])).toEqual([]);
  // One map may be a special one, a service may know some names, or have a form of its own for all values.
  expect(extra([one, texts(one)])).toEqual([]);
  expect(extra([one, only(one)], [other, other])).toEqual([]);
  expect(extra([one, only(one, { weight: 17 })], [other, only(other, { weight: 42 })])).toEqual([]);
  const upper = (all: JsonObject): JsonObject => ({ ...texts(all), colour: 'GREEN' });
  expect(extra([one, upper(one)], [other, upper(other)])).toEqual([]);
  const known = ({ weight = 0 }: JsonObject): JsonObject => ({ weight });
  expect(extra([one, known(one)], [other, known(other)])).toEqual([]);
});

test('a read that declares texts as the values of a map announces that it shows texts', () => {
  const [making, reading] = ['createCase', 'getCase'].map((id) =>
    context.contract.operations.find((operation) => operation.id === id),
  );
  if (making === undefined || reading === undefined) throw new Error('no such operation');
  const how = (additionalProperties: Json) =>
    alterationOf({
      operation: making,
      read: {
        ...reading,
        success: {
          ...reading.success,
          schema: { type: 'object', properties: { extras: { type: 'object', additionalProperties } } },
        },
      },
      ...{ at: '/extras', sent: { colour: 'green', weight: 17 }, shown: { colour: 'green', weight: '17' } },
    })?.how;
  expect(how(true)).toBe('each value of the map as a text');
  expect(how({ type: 'string' })).toBeUndefined();
});

test('it takes two other values to know that callers set the member', () => {
  const last: Made = { sent: { pages: 300 }, is: { pages: 44 } };
  expect(rulings({ sent: { pages: 1 } }, last)).toEqual([]);
  expect(rulings({ sent: { pages: 1 } }, last, { sent: { pages: 2 } })).toEqual(['t2 violated t1']);
});

test.each<[string, Made]>([
  ['another member is not as it was sent', { sent: { pages: 300, price: 1.5 }, is: { pages: 44, price: 2 } }],
  ['the command is queued', { sent: { pages: 300 }, is: { pages: 44 }, command: { status: 202 } }],
  [
    'the result says more',
    {
      sent: { pages: 300 },
      is: { pages: 44 },
      command: { body: { id: 'case_7', warnings: ['too many pages'] } },
    },
  ],
])('nothing is said where %s', (_, last) => {
  expect(rulings({ sent: { pages: 1 } }, { sent: { pages: 2 } }, last)).toEqual([]);
});

test('a read that declares a shorter text announces that it cuts', () => {
  const [making, reading] = ['createCase', 'getCase'].map((id) =>
    context.contract.operations.find((operation) => operation.id === id),
  );
  if (making === undefined || reading === undefined) throw new Error('no such operation');
  const reads = (maxLength: number): Operation => ({
    ...reading,
    success: {
      ...reading.success,
      schema: { type: 'object', properties: { remarks: { type: 'string', maxLength } } },
    },
  });
  const how = (read: Operation) =>
    alterationOf({
      ...{ operation: making, read, at: '/remarks' },
      ...{ sent: 'x'.repeat(300), shown: 'x'.repeat(255) },
    })?.how;
  expect(how(reads(400))).toBe('only the beginning of the text');
  expect(how(reads(255))).toBeUndefined();
});
