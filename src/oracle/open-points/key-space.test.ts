import { expect, test } from 'vitest';
import { contextOf } from '../../clauses/cases/judged.ts';
import { again, first } from '../../clauses/cases/repeats.ts';
import { type SightCase, sighted } from '../../clauses/cases/sight.ts';
import { type Line, missing, negative, type Part, reuse, trace } from '../../clauses/cases/trace.ts';
import type { Json } from '../../model/json.ts';
import { hasKeyForm } from './keys.ts';
import { openPoints, sightsOf } from './register.ts';

const keyless = (status: number, more: Partial<Line> = {}): readonly Part[] =>
  negative({ kind: 'key', how: 'absent' }, status, { key: 'none', ...more });
const odd = (id: string, key: string, status: number, more: Partial<Line> = {}): Line => ({
  id,
  role: 'test',
  key: { use: 'literal', value: key },
  status,
  deviations: [{ kind: 'key', how: 'odd' }],
  ...more,
});
const borrowed = (
  difference: 'caller' | 'scope' | 'operation',
  as: string,
  more: Partial<Line> = {},
): readonly Part[] => [first, again(201, { as, deviations: [reuse('first', difference)], ...more })];
const spaces = ['caller', 'caller-operation', 'tenant', 'tenant-operation', 'global'];
const but = (...not: readonly string[]): readonly string[] => spaces.filter((space) => !not.includes(space));
const equal = (status: number, more: Partial<Line> = {}): readonly Part[] => [
  first,
  { id: 'second', role: 'test', status, result: 'case_2', ...more },
];

const rows: readonly SightCase[] = [
  {
    point: 'G2',
    when: 'a missing key is refused',
    trace: keyless(422),
    shows: '422',
    reading: '422',
    agrees: [422],
    contradicts: [400, 409],
  },
  { point: 'G2', when: 'a missing key is accepted', trace: keyless(201), shows: 'accepted' },
  { point: 'G2', when: 'the service fails', trace: keyless(500) },
  { point: 'G2', when: 'a class below', trace: keyless(499), shows: '499', reading: '499' },
  { point: 'G2', when: 'a blank key', trace: negative({ kind: 'key', how: 'blank' }, 422) },
  {
    point: 'G2',
    when: 'another fault as well',
    trace: negative([{ kind: 'key', how: 'absent' }, missing], 422, { key: 'none' }),
  },
  {
    point: 'G17',
    when: 'a short key is accepted',
    trace: [odd('a', 'k', 201)],
    shows: 'accepted: 1 character',
    agrees: [{ maxLength: 1 }, { pattern: '^[a-z]+$' }],
    contradicts: ['uuid', { pattern: '^[A-Z]+$' }, { pattern: 'k', maxLength: 0 }],
  },
  {
    point: 'G17',
    when: 'a UUID without hyphens is accepted',
    trace: [odd('a', '0a1b2c3d4e5f46789abc0123456789ab', 201)],
    shows: 'accepted: 32 characters',
    agrees: ['uuid', { maxLength: 32 }],
    contradicts: [{ maxLength: 31 }],
  },
  {
    point: 'G17',
    when: 'a UUID without one of its hyphens is accepted',
    trace: [odd('a', '0a1b2c3d-4e5f46789abc-0123456789ab', 201)],
    shows: 'accepted: 34 characters',
    contradicts: ['uuid'],
  },
  {
    point: 'G17',
    when: 'a text as long as a UUID without hyphens is accepted',
    trace: [odd('a', 'ga1b2c3d4e5f46789abc0123456789ab', 201)],
    shows: 'accepted: 32 characters',
    contradicts: ['uuid'],
  },
  {
    point: 'G17',
    when: 'a UUID without hyphens is refused',
    trace: [odd('a', '0a1b2c3d4e5f46789abc0123456789ab', 422), { id: 'b', status: 201, key: 'none' }],
    shows: 'refused with 422: 32 characters',
    agrees: ['uuid'],
  },
  {
    point: 'G17',
    when: 'a key is refused, another one accepted',
    trace: [odd('a', 'kk', 422), odd('b', 'k', 201)],
    shows: ['refused with 422: 2 characters', 'accepted: 1 character'],
  },
  {
    point: 'G17',
    when: 'a key is refused, a plain one accepted',
    trace: [odd('a', 'kkk', 422), { id: 'b', status: 201, key: 'none' }],
    shows: 'refused with 422: 3 characters',
    agrees: ['uuid', { maxLength: 2 }],
    contradicts: [{ maxLength: 3 }, { pattern: 'k' }],
  },
  {
    point: 'G17',
    when: 'a key counts as one in use, a plain one accepted',
    trace: [odd('a', 'kkk', 409), { id: 'b', status: 201, key: 'none' }],
    shows: 'refused with 409: 3 characters',
    agrees: ['uuid', { maxLength: 3 }],
  },
  {
    point: 'G17',
    when: 'a key is refused, another operation accepted',
    trace: [odd('a', 'kkk', 422), { id: 'b', operation: 'listCases', status: 200 }],
    shows: 'refused with 422: 3 characters',
    agrees: ['uuid', { maxLength: 3 }],
  },
  {
    point: 'G17',
    when: 'a plain command is accepted',
    trace: [{ id: 'a', status: 201 }],
    shows: 'accepted: UUID',
    agrees: ['uuid', { maxLength: 36 }],
  },
  { point: 'G17', when: 'a plain command is refused', trace: [{ id: 'a', status: 422 }] },
  { point: 'G17', when: 'a read', trace: [{ id: 'a', operation: 'listCases', status: 200, key: 'key' }] },
  { point: 'G17', when: 'an odd command', trace: [first, again(201)], shows: 'accepted: UUID' },
  {
    point: 'G18',
    when: 'a colleague has a result of his own',
    trace: borrowed('caller', 'peer', { result: 'case_2' }),
    shows: 'another caller: a result of its own',
    agrees: but('tenant', 'tenant-operation', 'global'),
    contradicts: ['tenant', 'tenant-operation', 'global'],
  },
  {
    point: 'G18',
    when: 'a colleague has the stored result',
    trace: borrowed('caller', 'peer'),
    shows: 'another caller: the stored result',
    agrees: but('caller', 'caller-operation'),
    contradicts: ['caller', 'caller-operation'],
  },
  {
    point: 'G18',
    when: 'results have no ID to distinguish them',
    trace: [{ ...first, body: [] }, ...borrowed('caller', 'peer', { body: [] }).slice(1)],
    shows: 'another caller: 201',
  },
  {
    point: 'G18',
    when: 'a colleague has a conflict',
    trace: borrowed('caller', 'peer', { status: 409 }),
    shows: 'another caller: 409',
    agrees: but('caller', 'caller-operation'),
    contradicts: ['caller', 'caller-operation'],
  },
  {
    point: 'G18',
    when: 'another scope has a result of its own',
    trace: borrowed('scope', 'abroad', { result: 'case_2' }),
    shows: 'another scope: a result of its own',
    agrees: but('global'),
    contradicts: ['global'],
  },
  {
    point: 'G18',
    when: 'another scope has a conflict',
    trace: borrowed('scope', 'abroad', { status: 409 }),
    shows: 'another scope: 409',
    agrees: ['global'],
    contradicts: but('global'),
  },
  {
    point: 'G18',
    when: 'another caller who is of another scope',
    trace: borrowed('caller', 'abroad', { status: 409 }),
    shows: 'another scope: 409',
    agrees: ['global'],
    contradicts: but('global'),
  },
  {
    point: 'G18',
    when: 'another operation has a result of its own',
    trace: borrowed('operation', 'full', { operation: 'closeCase', status: 200, body: { id: 'case_9' } }),
    shows: 'another operation: a result of its own',
    agrees: ['caller-operation', 'tenant-operation'],
    contradicts: ['caller', 'tenant', 'global'],
  },
  {
    point: 'G18',
    when: 'another operation has a conflict',
    trace: borrowed('operation', 'full', { operation: 'closeCase', status: 409 }),
    shows: 'another operation: 409',
    agrees: ['caller', 'tenant', 'global'],
    contradicts: ['caller-operation', 'tenant-operation'],
  },
  {
    point: 'G18',
    when: 'one who was never declared has a conflict',
    trace: borrowed('caller', 'stranger', { status: 409 }),
    shows: 'another scope: 409',
  },
  {
    point: 'G18',
    when: 'a colleague is refused otherwise',
    trace: borrowed('caller', 'peer', { status: 403 }),
    shows: 'another caller: 403',
  },
  { point: 'G18', when: 'the same caller', trace: [first, again(201)] },
  {
    point: 'G18',
    when: 'the first was refused',
    trace: [{ ...first, status: 422 }, ...borrowed('caller', 'peer').slice(1)],
  },
  {
    point: 'G19',
    when: 'an equal body has a result of its own',
    trace: equal(201),
    shows: 'a result of its own',
    reading: 'none',
    agrees: ['none', 'conflict'],
  },
  {
    point: 'G19',
    when: 'an equal body is a conflict',
    trace: equal(409),
    shows: '409',
    reading: 'conflict',
    agrees: ['conflict'],
    contradicts: ['none'],
  },
  {
    point: 'G19',
    when: 'an equal body has the first result',
    trace: equal(201, { result: 'case_1' }),
    shows: 'the first result',
  },
  { point: 'G19', when: 'an equal body is refused', trace: equal(422), shows: '422' },
  { point: 'G19', when: 'another body', trace: equal(409, { name: 'other' }) },
  {
    point: 'G19',
    when: 'another operation',
    trace: [{ ...first, operation: 'updateCase', status: 200 }, ...equal(409).slice(1)],
  },
  { point: 'G19', when: 'the same key', trace: equal(409, { key: 'key' }) },
  { point: 'G19', when: 'no key', trace: equal(409, { key: 'none' }) },
  { point: 'G19', when: 'a control', trace: equal(409, { role: 'control' }) },
  { point: 'G19', when: 'another fault as well', trace: equal(409, { deviations: [missing] }) },
  {
    point: 'G19',
    when: 'the first was faulty',
    trace: [{ ...first, deviations: [missing] }, ...equal(409).slice(1)],
  },
  { point: 'G19', when: 'the first had no key', trace: [{ ...first, key: 'none' }, ...equal(409).slice(1)] },
  { point: 'G19', when: 'the first was refused', trace: [{ ...first, status: 422 }, ...equal(409).slice(1)] },
  { point: 'G19', when: 'the first had not ended', trace: [{ ...first, took: 11 }, ...equal(409).slice(1)] },
  {
    point: 'G19',
    when: 'the first ended in the same instant',
    trace: [{ ...first, took: 10 }, ...equal(409).slice(1)],
    shows: '409',
    reading: 'conflict',
  },
  {
    point: 'G19',
    when: 'commands on one target',
    trace: [
      { id: 'one', operation: 'closeCase', status: 200 },
      { id: 'two', operation: 'closeCase', status: 409, role: 'test' },
    ],
  },
];

test.each(rows)('$point: $when', (row) => {
  const { actual, expected } = sighted(row);
  expect(actual).toEqual(expected);
});

test.each([
  ['caller', 'peer', 'another caller: 409'],
  ['scope', 'abroad', 'another scope: 409'],
] as const)('a conflict of another %s says nothing of keys where a value may exist once', (of, as, text) => {
  const declared = contextOf({ G18: 'caller', G19: 'conflict' });
  const points = openPoints.filter(({ point }) => point === 'G18');
  const sights = [...sightsOf(declared, trace(borrowed(of, as, { status: 409 })), points)];
  expect(sights.map(({ contradicts, sight }) => [sight.text, contradicts])).toEqual([[text, undefined]]);
});

const id = '0a1B2c3d-4e5f-6789-abcd-ef0123456789';
test.each<readonly [string, Json, boolean]>([
  [id, 'uuid', true],
  [` ${id}`, 'uuid', false],
  [`${id}0`, 'uuid', false],
  [id.slice(1), 'uuid', false],
  [id.replace('4e5f', '4e5'), 'uuid', false],
  [id.replace('6789', '678'), 'uuid', false],
  [id.replace('abcd', 'abc'), 'uuid', false],
  [id.slice(0, -1), 'uuid', false],
  [id.replace('0a', 'xa'), 'uuid', false],
  [id.replaceAll('-', ''), 'uuid', false],
  ['key', { pattern: '^k' }, true],
  ['akey', { pattern: '^k' }, false],
  ['\u{1f511}', { pattern: '^.$' }, true],
  ['\u{1f511}', { maxLength: 1 }, true],
  ['ab', { maxLength: 1 }, false],
  ['key', { pattern: '^k', maxLength: 2 }, false],
  ['key', { pattern: '^k', maxLength: 3 }, true],
  ['key', 'any', true],
])('the key %s has the form %j: %s', (key, declared, expected) => {
  expect(hasKeyForm(key, declared)).toBe(expected);
});
