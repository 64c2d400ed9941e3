import { expect, test } from 'vitest';
import type { Json } from '../model/json.ts';
import { namesField, type ResponseText } from './field-naming.ts';

const request = { path: '/cases', body: '{"target":{"qty":"x","unit":"y"},"title":5}' };
const answer = (body: Json): ResponseText => ({ body: JSON.stringify(body), headers: [] });
const bad = ['wrong type'];
const among = ['/resourceType', '/title', '/code'];

/** Names that error bodies have for members of their own. */
const common = [
  'parameter',
  'location',
  'links',
  'details',
  'codes',
  'attribute',
  'fields',
  'source',
  'value',
  'path',
  'property',
  'target',
];

test.each<[string, (name: string) => Json, (name: string) => string]>([
  [
    'a map of lists',
    (name) => ({ message: 'x', errors: { resourceType: bad, [name]: bad } }),
    (name) => `/${name}`,
  ],
  ['an item of Zod', (name) => ({ errors: { [name]: { 0: { _errors: bad } } } }), (name) => `/${name}/0`],
  ['an item of Django', (name) => ({ [name]: { 1: ['Not a valid text.'] } }), (name) => `/${name}/1`],
  ['within an item', (name) => ({ errors: { [name]: [{}, { qty: bad }] } }), (name) => `/${name}/1/qty`],
  ['a member', (name) => ({ errors: { [name]: { qty: bad } } }), (name) => `/${name}/qty`],
  ['within a member', (name) => ({ errors: { sender: { [name]: bad } } }), (name) => `/sender/${name}`],
  [
    'a map of texts',
    (name) => ({ errors: { resourceType: 'absent', [name]: 'wrong type' } }),
    (name) => `/${name}`,
  ],
  ['a map of one code', (name) => ({ errors: { [name]: 'required' } }), (name) => `/${name}`],
  ['a list of maps of codes', (name) => ({ errors: [{ [name]: 'required' }] }), (name) => `/${name}`],
  ['details of one code', (name) => ({ error: { details: { [name]: 'blank' } } }), (name) => `/${name}`],
])('a response is not said to pass over a member with a usual name: %s', (_, body, at) => {
  for (const name of common) {
    const pointer = at(name);
    const options = { exact: false, known: [pointer, ...among] };
    const { evidence, named, unclear } = namesField(answer(body(name)), request, pointer, options);
    expect(named || unclear === true, `${pointer}: ${evidence}`).toBe(true);
  }
});

test.each<[string, Json, string]>([
  ['an error of its own', { error: { code: 'bad', message: 'The request is wrong' } }, '/code'],
  ['a member of the envelope', { code: 'bad', title: 'Wrong', errors: { resourceType: bad } }, '/title'],
  ['what was sent', { error: { request: { target: { qty: 'x', unit: 'y' }, title: 5 } } }, '/target/qty'],
  ['a member with nothing', { errors: { links: [], resourceType: bad } }, '/links'],
  ['a locator of another member', { errors: [{ location: '/title' }] }, '/location'],
  ['another member', { errors: { resourceType: bad } }, '/links'],
])('%s does not name the member', (_, body, pointer) => {
  const found = namesField(answer(body), request, pointer, { exact: false, known: [pointer, ...among] });
  expect([found.named, found.unclear ?? false, found.evidence]).toEqual([false, false, found.evidence]);
});

test('what a response to another fault says as well proves nothing', () => {
  const both = answer({ errors: { links: { 0: { _errors: bad } } } });
  const options = { exact: false, known: ['/links/0', ...among], controlPointer: '/title' };
  expect(namesField(both, request, '/links/0', { ...options, control: both }).unclear).toBeUndefined();
  const other = answer({ errors: { title: { _errors: bad } } });
  const found = namesField(both, request, '/links/0', { ...options, control: other });
  expect(found.named || found.unclear).toBe(true);
});
