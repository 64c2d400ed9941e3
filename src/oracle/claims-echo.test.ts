import { describe, expect, test } from 'vitest';
import type { Json } from '../model/json.ts';
import { echoOf, isRequestPath, repeats, repeatsMember } from './claims-echo.ts';

const said = (value: Json) => echoOf({ path: '/cases', body: JSON.stringify(value) });
const nested = (depth: number, leaf: Json = 1): Json => (depth === 0 ? leaf : [nested(depth - 1, leaf)]);

test.each([
  ['/liegepl%C3%A4tze', '/v1/liegeplätze', true],
  ['/liegepl%C3%A4tze', '/liegepl%c3%a4tze', true],
  ['/a%zz', '/a%zz', true],
  ['/cases', '/subject', false],
  ['/cases', 'cases', false],
  ['/', '/', false],
])('to a request of %s, %s is its path: %s', (path, text, expected) => {
  expect(isRequestPath(echoOf({ path, body: undefined }), text)).toBe(expected);
});

describe('what a request said', () => {
  test('its path, without query and fragment', () => {
    const pathOf = (path: string) => echoOf({ path, body: undefined }).path;
    expect(pathOf('/cases')).toBe('/cases');
    expect(pathOf('/cases?limit=1\n2')).toBe('/cases');
    expect(pathOf('/cases#a?b')).toBe('/cases');
  });

  test('nothing, where it had no body', () => {
    expect(echoOf({ path: '/', body: undefined })).toEqual({
      path: '/',
      body: undefined,
      parts: [],
      texts: [],
    });
  });

  test('what is not JSON stands as it is', () => {
    expect(echoOf({ path: '/', body: '{"subject":' })).toEqual({
      path: '/',
      body: undefined,
      parts: [],
      texts: ['{"subject":'],
    });
  });

  test('a body of two characters is no text to look for', () => {
    expect(echoOf({ path: '/', body: '{}' })).toEqual({ path: '/', body: {}, parts: [], texts: [] });
    expect(echoOf({ path: '/', body: '{ }' }).texts).toEqual(['{ }']);
  });

  test('its objects and lists that are not empty, and its texts, longest first', () => {
    const { parts, texts } = said({ subject: 'a fine one', tags: ['x y'], contact: {}, list: [], n: 5 });
    expect(parts).toEqual([{ subject: 'a fine one', tags: ['x y'], contact: {}, list: [], n: 5 }, ['x y']]);
    expect(texts).toEqual([
      '{"subject":"a fine one","tags":["x y"],"contact":{},"list":[],"n":5}',
      'a fine one',
      '["x y"]',
      'x y',
    ]);
  });

  test('a plain word could be the name of a field, and stays', () => {
    const textsOf = (text: string) => said([text]).texts.filter((each) => each === text);
    for (const word of ['subject', 'due_date', 'a.b', '$ref', 'x-1', 'größe9'])
      expect(textsOf(word), word).toEqual([]);
    // Two characters say too little to be looked for.
    for (const text of ['a ', '!!']) expect(textsOf(text), text).toEqual([]);
    for (const text of ['a b', 'subject!', '(subject)', ' subject'])
      expect(textsOf(text), text).toEqual([text]);
  });

  test('as it wrote it, and in short', () => {
    expect(echoOf({ path: '/', body: '{ "a": [ 5 ] }' }).texts).toEqual([
      '{ "a": [ 5 ] }',
      '{"a":[5]}',
      '[5]',
    ]);
  });

  test('the longest text first, whatever came first', () => {
    expect(said(['x y', 'a much longer text']).texts).toEqual([
      '["x y","a much longer text"]',
      'a much longer text',
      'x y',
    ]);
  });

  test('the texts of its parts down to the eighth', () => {
    const { texts } = said(nested(12));
    expect(texts.filter((text) => text.startsWith('['))).toEqual(
      [12, 11, 10, 9, 8, 7, 6, 5, 4].map((depth) => JSON.stringify(nested(depth))),
    );
    expect(texts).not.toContain('');
  });

  test('of two hundred parts and no more', () => {
    expect(said(Array.from({ length: 500 }, () => [1])).parts).toHaveLength(200);
    expect(said(Array.from({ length: 500 }, (_, at) => [at])).parts).toHaveLength(200);
    expect(said(Array.from({ length: 500 }, (_, at) => `text ${at}`)).texts).toHaveLength(200);
  });

  test('no deeper than forty', () => {
    expect(said(nested(41)).parts).toHaveLength(41);
    expect(said(nested(60)).parts).toHaveLength(41);
    expect(said(nested(40)).texts).toContain(JSON.stringify(nested(40)));
  });
});

describe('an answer repeats it', () => {
  const echo = said({ contact: { name: 'a', tags: ['x', 'y'] }, n: null });
  test.each<readonly [string, Json, boolean]>([
    ['the whole', { contact: { name: 'a', tags: ['x', 'y'] }, n: null }, true],
    ['in another order', { n: null, contact: { tags: ['x', 'y'], name: 'a' } }, true],
    ['a part', { name: 'a', tags: ['x', 'y'] }, true],
    ['a list', ['x', 'y'], true],
    ['a list in another order', ['y', 'x'], false],
    ['a list of which one differs', ['x', 'z'], false],
    ['a longer list', ['x', 'y', 'z'], false],
    ['a shorter list', ['x'], false],
    ['more members', { name: 'a', tags: ['x', 'y'], more: 1 }, false],
    ['fewer members', { name: 'a' }, false],
    ['other members', { name: 'a', other: ['x', 'y'] }, false],
    ['another value', { name: 'b', tags: ['x', 'y'] }, false],
    ['a list for an object', [{ name: 'a', tags: ['x', 'y'] }], false],
    ['an object for a list', { 0: 'x', 1: 'y' }, false],
    ['a text', 'a', false],
    ['null', null, false],
  ])('%s', (_, value, expected) => {
    expect(repeats(echo, value)).toBe(expected);
  });

  test('a list for an object of as many members, all undefined', () => {
    expect(repeats(said({ a: null }), [null])).toBe(false);
    expect(repeats(said([null]), { 0: null })).toBe(false);
  });

  test('by a member of its root', () => {
    expect(repeatsMember(echo, 'n', null)).toBe(true);
    expect(repeatsMember(echo, 'contact', { name: 'a', tags: ['x', 'y'] })).toBe(true);
    expect(repeatsMember(echo, 'contact', null)).toBe(false);
    expect(repeatsMember(echo, 'name', 'a')).toBe(false);
    expect(repeatsMember(echo, 'toString', null)).toBe(false);
    expect(repeatsMember(said(['x']), '0', 'x')).toBe(false);
    expect(repeatsMember(echoOf({ path: '/', body: undefined }), 'n', null)).toBe(false);
  });

  test('no deeper than forty', () => {
    expect(repeats(said(nested(40)), nested(40))).toBe(true);
    expect(repeats(said(nested(60)), nested(60))).toBe(false);
    const members = (depth: number): Json => (depth === 0 ? 1 : { a: members(depth - 1) });
    expect(repeats(said(members(40)), members(40))).toBe(true);
    expect(repeats(said(members(60)), members(60))).toBe(false);
  });
});
