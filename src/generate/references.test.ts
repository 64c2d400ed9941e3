import { describe, expect, test } from 'vitest';
import type { Json, JsonSchema } from './json.ts';
import { placeOf, type SchemaIndex, type SchemaNode, schemaIndex } from './references.ts';

/** The subschema at these tokens, which must be there. */
function at(index: SchemaIndex, ...tokens: readonly (string | number)[]): SchemaNode {
  const found = index.child(index.root, ...tokens);
  if (found === undefined) throw new Error(`nothing at ${tokens.join('/')}`);
  return found;
}

/** What the `$ref` of `/properties/a` leads to. */
function referred(schema: JsonSchema, remotes: Readonly<Record<string, JsonSchema>> = {}): unknown {
  const index = schemaIndex(schema, remotes);
  return index.target(at(index, 'properties', 'a'), '$ref')?.schema;
}

const to = ($ref: string, more: Readonly<Record<string, Json>> = {}): JsonSchema => ({
  properties: { a: { $ref } },
  ...more,
});

describe('what a reference leads to', () => {
  test.each<[string, JsonSchema, unknown]>([
    ['the whole', to('#', { const: 1 }), to('#', { const: 1 })],
    ['a pointer', to('#/$defs/x', { $defs: { x: { const: 1 } } }), { const: 1 }],
    ['a boolean', to('#/$defs/x', { $defs: { x: false } }), false],
    ['an item of a list', to('#/allOf/1', { allOf: [true, { const: 1 }] }), { const: 1 }],
    ['a pointer with escapes', to('#/$defs/a~1b~0c', { $defs: { 'a/b~c': { const: 1 } } }), { const: 1 }],
    ['a pointer in percent signs', to('#/$defs/a%20b', { $defs: { 'a b': { const: 1 } } }), { const: 1 }],
    ['a broken percent sign', to('#/$defs/100%', { $defs: { '100%': { const: 1 } } }), { const: 1 }],
    ['a place that is not there', to('#/$defs/x', { $defs: {} }), undefined],
    ['what every object has', to('#/$defs/toString', { $defs: {} }), undefined],
    ['no schema', to('#/$defs/x/const', { $defs: { x: { const: 1 } } }), undefined],
    ['below a number', to('#/$defs/x/const/y', { $defs: { x: { const: 1 } } }), undefined],
    [
      'an anchor',
      to('#here', { $defs: { x: { $anchor: 'here', const: 1 } } }),
      { $anchor: 'here', const: 1 },
    ],
    ['an anchor in a list', to('#here', { anyOf: [true, { $anchor: 'here' }] }), { $anchor: 'here' }],
    [
      'an anchor in a member',
      to('#here', { items: { properties: { b: { $anchor: 'here' } } } }),
      { $anchor: 'here' },
    ],
    [
      'a dynamic anchor',
      to('#here', { $defs: { x: { $dynamicAnchor: 'here' } } }),
      { $dynamicAnchor: 'here' },
    ],
    ['no anchor', to('#there', { $defs: { x: { $anchor: 'here' } } }), undefined],
    ['an anchor that is a number', to('#7', { $defs: { x: { $anchor: 7 } } }), undefined],
    [
      'an anchor of another resource',
      to('#here', { $defs: { x: { $id: 'https://x.example/b', $anchor: 'here' } } }),
      undefined,
    ],
    [
      'an identifier by a relative one',
      to('b', { $id: 'https://x.example/a', $defs: { x: { $id: 'b', const: 1 } } }),
      { $id: 'b', const: 1 },
    ],
    [
      'an identifier by an absolute one',
      to('https://x.example/b', { $id: 'https://x.example/a', $defs: { x: { $id: 'b', const: 1 } } }),
      { $id: 'b', const: 1 },
    ],
    [
      'an anchor of an identifier',
      to('b#here', { $id: 'https://x.example/a', $defs: { x: { $id: 'b', items: { $anchor: 'here' } } } }),
      { $anchor: 'here' },
    ],
    [
      'a pointer into an identifier',
      to('b#/items', { $id: 'https://x.example/a', $defs: { x: { $id: 'b', items: { const: 1 } } } }),
      { const: 1 },
    ],
    ['no document', to('https://x.example/none'), undefined],
    ['no URI', to('http://['), undefined],
  ])('%s', (_, schema, expected) => {
    expect(referred(schema)).toEqual(expected);
  });

  test.each<[string, string, JsonSchema, unknown]>([
    ['https://x.example/r', 'https://x.example/r', { const: 1 }, { const: 1 }],
    ['https://x.example/r', 'https://x.example/r#', { const: 1 }, { const: 1 }],
    ['https://x.example/r#/items', 'https://x.example/r', { items: { const: 1 } }, { const: 1 }],
    [
      'https://x.example/r',
      'https://x.example/r',
      { $id: 'https://y.example/s', const: 1 },
      { $id: 'https://y.example/s', const: 1 },
    ],
    [
      'https://y.example/s',
      'https://x.example/r',
      { $id: 'https://y.example/s', const: 1 },
      { $id: 'https://y.example/s', const: 1 },
    ],
    ['https://x.example/r#a', 'https://x.example/r', { $defs: { b: { $anchor: 'a' } } }, { $anchor: 'a' }],
    ['https://x.example/r', 'https://x.example/r', false, false],
  ])('%s, of what was given as %s: %j', (reference, uri, remote, expected) => {
    expect(referred(to(reference), { [uri]: remote })).toEqual(expected);
  });

  test('the first schema with an identifier keeps it', () => {
    const schema = to('b', {
      $id: 'https://x.example/a',
      $defs: { x: { $id: 'b', const: 1 }, y: { $id: 'b', const: 2 } },
    });
    expect(referred(schema)).toEqual({ $id: 'b', const: 1 });
  });

  test('a reference within a schema that has an identifier is read by that', () => {
    const index = schemaIndex({
      $id: 'https://x.example/a/',
      $defs: {
        x: { $id: 'inner/', items: { $ref: '#/$defs/y' }, $defs: { y: { const: 1 } } },
        y: { const: 2 },
      },
    });
    expect(index.target(at(index, '$defs', 'x', 'items'), '$ref')?.schema).toEqual({ const: 1 });
    expect(at(index, '$defs', 'x', 'items').base).toBe('https://x.example/a/inner/');
    expect(at(index, '$defs', 'y').base).toBe('https://x.example/a/');
  });

  test('what is found nowhere is looked up, once', () => {
    const asked: string[] = [];
    const index = schemaIndex(to('https://x.example/meta#/items'), {}, (uri) => {
      asked.push(uri);
      return { items: { $ref: '#/$defs/x' }, $defs: { x: { const: 1 } } };
    });
    const found = index.target(at(index, 'properties', 'a'), '$ref');
    expect(found?.schema).toEqual({ $ref: '#/$defs/x' });
    expect(found && index.target(found, '$ref')?.schema).toEqual({ const: 1 });
    expect(asked).toEqual(['https://x.example/meta']);
  });

  test('a schema without the keyword refers to nothing', () => {
    const index = schemaIndex({ properties: { a: { $ref: 7 }, b: true } });
    expect(index.target(at(index, 'properties', 'a'), '$ref')).toBeUndefined();
    expect(index.target(at(index, 'properties', 'b'), '$ref')).toBeUndefined();
    expect(index.target(index.root, '$dynamicRef')).toBeUndefined();
  });
});

describe('a dynamic reference', () => {
  const list: JsonSchema = {
    $id: 'https://x.example/list',
    items: { $dynamicRef: '#item' },
    $defs: { any: { $dynamicAnchor: 'item', const: 'any' } },
  };
  const text: JsonSchema = {
    $id: 'https://x.example/text',
    $ref: 'list',
    $defs: { one: { $dynamicAnchor: 'item', const: 'text' } },
  };
  const itemOf = (index: SchemaIndex, node: SchemaNode | undefined): unknown => {
    const items = node === undefined ? undefined : index.child(node, 'items');
    return items === undefined ? undefined : index.target(items, '$dynamicRef')?.schema;
  };

  test('leads to the anchor of the outermost resource that was entered', () => {
    const index = schemaIndex(text, { 'https://x.example/list': list });
    expect(itemOf(index, index.target(index.root, '$ref'))).toEqual({
      $dynamicAnchor: 'item',
      const: 'text',
    });
  });

  test('leads to its own where no other was entered', () => {
    const index = schemaIndex(list, { 'https://x.example/text': text });
    expect(itemOf(index, index.root)).toEqual({ $dynamicAnchor: 'item', const: 'any' });
  });

  test('is a plain one where its anchor is not dynamic', () => {
    const index = schemaIndex(
      { ...text, $defs: { one: { $anchor: 'item', const: 'text' } } },
      { 'https://x.example/list': list },
    );
    expect(itemOf(index, index.target(index.root, '$ref'))).toEqual({ $dynamicAnchor: 'item', const: 'any' });
    const plain = schemaIndex({
      $id: 'https://x.example/list',
      items: { $dynamicRef: '#item' },
      $defs: { any: { $anchor: 'item' } },
    });
    expect(itemOf(plain, plain.root)).toEqual({ $anchor: 'item' });
  });

  test('by a plain $ref the dynamic scope does not matter', () => {
    const index = schemaIndex(text, { 'https://x.example/list': { ...list, items: { $ref: '#item' } } });
    const found = index.target(index.root, '$ref');
    const items = found === undefined ? undefined : index.child(found, 'items');
    expect(items && index.target(items, '$ref')?.schema).toEqual({ $dynamicAnchor: 'item', const: 'any' });
  });

  test('the scope is part of what a node is, and lists each resource once', () => {
    const index = schemaIndex(text, { 'https://x.example/list': list });
    const entered = index.target(index.root, '$ref');
    expect(index.root.scope).toEqual(['https://x.example/text']);
    expect(entered?.scope).toEqual(['https://x.example/text', 'https://x.example/list']);
    expect(entered && index.child(entered, 'items')?.scope).toEqual(entered?.scope);
    expect(schemaIndex(to('#')).root.scope).toEqual([]);
  });
});

describe('a node', () => {
  const index = schemaIndex({ properties: { 'a/b': { prefixItems: [{ const: 1 }] }, c: true }, minItems: 3 });

  test('is found by its tokens, and is the same each time', () => {
    const found = index.child(index.root, 'properties', 'a/b', 'prefixItems', 0);
    expect(found).toMatchObject({ schema: { const: 1 }, at: '/properties/a~1b/prefixItems/0' });
    expect(index.child(at(index, 'properties', 'a/b'), 'prefixItems', 0)).toBe(found);
    expect(index.child(index.root, 'properties', 'd')).toBeUndefined();
    expect(index.child(index.root, 'properties', 'a/b', 'prefixItems', 1)).toBeUndefined();
    expect(index.child(index.root, 'minItems')).toBeUndefined();
    expect(index.child(at(index, 'properties', 'c'), 'items')).toBeUndefined();
  });

  test('may have another schema in its place, with a label of its own', () => {
    const node = at(index, 'properties', 'c');
    const other = index.standIn(node, 'other', { const: 2 });
    expect(other).toMatchObject({ schema: { const: 2 }, at: '/properties/c/~other', base: node.base });
    expect(index.standIn(node, 'other', { const: 2 })).toBe(other);
    expect(index.standIn(node, 'third', { const: 2 }).key).not.toBe(other.key);
    expect([placeOf(other), placeOf(node), placeOf(index.root)]).toEqual([
      '/properties/c',
      '/properties/c',
      '',
    ]);
  });

  test('with keywords left out still has the subschemas of the others', () => {
    const less = index.reduced(index.root, 'less', (keyword) => keyword !== 'minItems');
    expect(less.schema).toEqual({ properties: { 'a/b': { prefixItems: [{ const: 1 }] }, c: true } });
    expect(index.child(less, 'properties', 'c')).toBe(at(index, 'properties', 'c'));
    const none = index.reduced(index.root, 'none', () => false);
    expect(none.schema).toEqual({});
    expect(index.child(none, 'properties', 'c')).toBeUndefined();
    expect(index.reduced(at(index, 'properties', 'c'), 'less', () => false)).toBe(
      at(index, 'properties', 'c'),
    );
  });
});
