import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { contractWith, make } from '../testing/described.ts';

const page = `
    Page:
      $id: https://example.test/page
      type: object
      required: [items]
      properties: { items: { type: array, items: { $dynamicRef: '#item' } } }
      $defs: { item: { $dynamicAnchor: item } }`;
const of = (name: string, type: string): string => `
    ${name}:
      $id: https://example.test/${name}
      $ref: https://example.test/page
      $defs: { item: { $dynamicAnchor: item, type: ${type} } }`;
const tree = `
    Tree:
      $id: https://example.test/tree
      $dynamicAnchor: node
      type: object
      properties: { children: { type: array, items: { $dynamicRef: '#node' } } }
    Strict:
      $id: https://example.test/strict
      $dynamicAnchor: node
      $ref: https://example.test/tree
      unevaluatedProperties: false`;

const read = async (name: string, ...schemas: readonly string[]) => {
  const body = `{ $ref: '#/components/schemas/${name}' }`;
  const { body: made } = await make({ body, more: [`  schemas:${schemas.join('')}`] });
  const validate = new Ajv2020({ strict: false }).compile(made?.schema ?? false);
  return (value: unknown): boolean => validate(value);
};

test('each use of a generic schema has the type that it gives', async () => {
  for (const [name, good, bad] of [
    ['Texts', 'a', 1],
    ['Numbers', 1, 'a'],
    ['Page', 1, undefined],
  ] as const) {
    const isValid = await read(name, page, of('Texts', 'string'), of('Numbers', 'number'));
    expect(isValid({ items: [good] })).toBe(true);
    if (bad !== undefined) expect(isValid({ items: [good, bad] })).toBe(false);
  }
});

test('both types in one body', async () => {
  const both = `
    Both:
      type: object
      properties: { texts: { $ref: '#/components/schemas/Texts' }, numbers: { $ref: '#/components/schemas/Numbers' } }`;
  const isValid = await read('Both', page, of('Texts', 'string'), of('Numbers', 'number'), both);
  expect(isValid({ texts: { items: ['a'] }, numbers: { items: [1] } })).toBe(true);
  expect(isValid({ texts: { items: [1] } })).toBe(false);
  expect(isValid({ numbers: { items: ['a'] } })).toBe(false);
});

test('an extension of a recursive schema holds at each depth', async () => {
  const [loose, strict] = [await read('Tree', tree), await read('Strict', tree)];
  const deep = { children: [{ children: [{ more: 1 }] }] };
  expect(loose(deep)).toBe(true);
  expect(strict(deep)).toBe(false);
  expect(strict({ children: [{ children: [{}] }] })).toBe(true);
});

test('one anchor of the name, and a plain anchor: a reference like any other', async () => {
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const one = `
    List:
      type: array
      items: { $dynamicRef: '#entry' }
      $defs: { entry: { ${keyword}: entry, type: string } }`;
    const isValid = await read('List', one);
    expect([isValid(['a']), isValid([1])]).toEqual([true, false]);
  }
});

test.each([
  [
    'a name that one resource has twice',
    "{ type: array, items: { $dynamicRef: '#item' }, $defs: { a: { $dynamicAnchor: item }, b: { $dynamicAnchor: item } } }",
    /c\.yaml:\d+:\d+: this '\$dynamicRef' leads to a '\$dynamicAnchor' that its resource has twice/,
  ],
  [
    'both references in one schema',
    "{ $ref: '#/$defs/a', $dynamicRef: '#item', $defs: { a: { $dynamicAnchor: item } } }",
    /c\.yaml:\d+:\d+: a '\$dynamicRef' next to a '\$ref' is not supported/,
  ],
])('an operation is left out where nothing says what is meant: %s', async (_, body, reason) => {
  const contract = await contractWith({
    body: body.replace("'#/$defs/a'", "'#/components/schemas/A'"),
    more: ['  schemas: { A: { type: object } }'],
    others:
      '  /state: { get: { operationId: state, security: [{ token: [a.read] }], responses: { "200": { description: shown } } } }',
  });
  expect(contract.operations.map(({ id }) => id)).toEqual(['state']);
  expect(contract.leftOut?.[0]?.reasons).toEqual([expect.stringMatching(reason)]);
});
