import { expect, test } from 'vitest';
import { followsFault } from './follows-fault.ts';

const known = ['/detail', '/status', '/hint', '/author', '/author/name', '/items', '/items/0/name'];
const asked = (body: unknown, control: unknown, pointer = '/detail', other = '/status') => {
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return followsFault(text(body), pointer, text(control), other, known);
};

// What validators write for a member that is called as those of error bodies are.
test.each<readonly [string, unknown, unknown]>([
  ['a map of texts', { errors: { detail: 'too long' } }, { errors: { status: 'not one of a, b' } }],
  ['at the root', { detail: ['Longer than 40.'] }, { status: ['Must be one of: a, b.'] }],
  ['with codes', { detail: [{ message: 'x', code: 'max' }] }, { status: [{ message: 'y', code: 'in' }] }],
  ['of another case', { errors: { Detail: 'max' } }, { errors: { Status: 'oneof' } }],
  ['by paths', { errors: { 'case.detail': 'x' } }, { errors: { 'case.status': 'x' } }],
  ['under an unknown name', { fehler: [{ feld: 'detail' }] }, { fehler: [{ feld: 'status' }] }],
  ['as a map of Python', { error: "{'detail': ['too long']}" }, { error: "{'status': ['Required']}" }],
  ['as a map of Java', { error: '{detail=zu lang}' }, { error: '{status=darf nicht null sein}' }],
  [
    'as the first word, in any language',
    { message: 'detail null は許可されていません' },
    { message: 'status ne doit pas être nul' },
  ],
  ['as the last word', 'Il manque detail', 'Non valido: status'],
  ['as a text', "{'detail': ['too long']}", "{'status': ['Required']}"],
])('a member is named that moves with the fault: %s', (_, body, control) => {
  expect(asked(body, control)).toBeDefined();
});

test.each<readonly [string, unknown, unknown]>([
  ['the same', { detail: 'Validation failed' }, { detail: 'Validation failed' }],
  [
    'all members, in both',
    { errors: { detail: 'x', status: 'x' } },
    { errors: { detail: 'x', status: 'x' } },
  ],
  ['what was sent', { input: { status: 'a' } }, { input: { detail: 'b' } }],
  ['the other one instead', { errors: { status: 'x' } }, { errors: { status: 'x' } }],
  ['another one instead', { errors: { hint: 'x' } }, { errors: { status: 'x' } }],
  ['sentences that are built apart', { message: 'see detail below' }, { message: 'the new status is wrong' }],
  ['both in each', { message: 'detail or status wrong' }, { message: 'status or detail wrong' }],
])('nothing is named: %s', (_, body, control) => {
  expect(asked(body, control)).toBeUndefined();
});

test('a member further in is named by its path, by its own name, or with the numbers of items', () => {
  const [inner, other] = ['/author/name', '/status'];
  const status = { errors: { status: 'x' } };
  expect(asked({ errors: { author: { name: 'x' } } }, status, inner, other)).toBe('/errors/author/name');
  expect(asked({ errors: { name: 'x' } }, status, inner, other)).toBe('/errors/name');
  expect(asked({ errors: { items: { 1: { name: 'x' } } } }, status, '/items/0/name', other)).toBeDefined();
  expect(asked({ errors: { items: [{ name: 'x' }] } }, status, '/items/0/name', other)).toBeDefined();
  // That is the name of the author.
  expect(asked({ errors: { author: { name: 'x' } } }, status, '/items/0/name', other)).toBeUndefined();
  expect(asked({ errors: { name: 'x' } }, { errors: { name: 'x' } }, inner, '/items/0/name')).toBeUndefined();
});
