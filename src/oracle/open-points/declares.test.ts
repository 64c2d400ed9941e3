import { expect, test } from 'vitest';
import { clauses as catalogue } from '../../clauses/catalogue.ts';
import { validator } from '../../generate/index.ts';
import type { Json } from '../../model/json.ts';
import { openPoints } from './register.ts';

type Row = readonly [clauses: readonly string[], can: readonly Json[], cannot: readonly Json[]];

/** Every open point: the clauses that judge it, what can be declared at it, and what cannot. */
const table: Readonly<Record<string, Row>> = {
  G1: [
    ['IDM-5', 'IDM-4'],
    ['replay', 'conflict'],
    ['', 'either', 409, null],
  ],
  G2: [
    ['IDM-2', 'IDM-1'],
    [422, 400, 409],
    ['422', 401, null],
  ],
  G3: [
    ['IDM-25', 'RID-4'],
    ['stored', 'new'],
    ['', 'any', null],
  ],
  G4: [
    ['STV-1', 'STV-2'],
    [401, 403, 409, 422],
    [400, '401', null],
  ],
  G5: [['VAL-9'], ['accept', 'conflict'], ['', 422, null]],
  G6: [['VER-1'], ['contract'], ['', 'If-Match', null]],
  G7: [
    ['ERR-1', 'VAL-12'],
    ['ignore', 'refuse'],
    ['', 422, null],
  ],
  G8: [
    ['THR-1', 'THR-6'],
    [
      'unthrottled',
      { unthrottled: true },
      { maxBodyBytes: 1 },
      { maxStringLength: 1 },
      { unthrottled: false, maxBodyBytes: 9, maxStringLength: 9 },
      { guidance: { name: 'X-Pause' } },
      { guidance: { name: 'pause', unit: 'milliseconds' } },
    ],
    [
      '',
      'often',
      null,
      {},
      { unthrottled: 'yes' },
      { guidance: 'X-Pause' },
      { guidance: { name: 'X-Pause', unit: 'fortnights' } },
      { maxBodyBytes: 0 },
      { maxBodyBytes: 1.5 },
      { maxStringLength: 0 },
      { maxStringLength: '1' },
      { requests: 5 },
    ],
  ],
  G9: [
    ['PRM-5', 'RDS-7'],
    [403, 404],
    [410, '403', null],
  ],
  G10: [['PRM-10'], [403, 'replay'], ['403', 409, '']],
  G11: [['PRE-2'], [403, 422, 'lenient'], ['403', 404, '']],
  G12: [['IDM-15'], ['stored', 'released'], ['', 500]],
  G13: [
    ['IDM-19'],
    [{ seconds: 1 }, { seconds: 0.5 }],
    [{}, 5, 'for ever', { seconds: 0 }, { seconds: '5' }, { seconds: 5, days: 1 }],
  ],
  G14: [
    ['VAL-13', 'VAL-14', 'VAL-6'],
    [
      400,
      415,
      422,
      { malformed: 400 },
      { malformed: 415, mediaType: 422 },
      { mediaType: 400 },
      { malformed: 422 },
      { mediaType: 415 },
    ],
    [{}, 404, '400', { malformed: 404 }, { mediaType: 404 }, { malformed: 400, other: 400 }],
  ],
  G15: [
    ['CMD-6'],
    [{ seconds: 0 }, { seconds: 300 }, { seconds: 2.5 }],
    [{}, 5, 'soon', { seconds: -1 }, { seconds: 301 }, { seconds: '5' }, { seconds: 5, days: 1 }],
  ],
  G16: [
    ['VAL-3', 'VAL-11'],
    [
      'problem+json',
      { naming: 'exact' },
      { naming: 'leaf' },
      { shape: 'problem+json' },
      { naming: 'leaf', shape: 'x' },
    ],
    ['', 5, {}, { naming: '' }, { naming: 'full' }, { shape: '' }, { shape: 5 }, { form: 'x' }],
  ],
  G17: [
    ['IDM-11', 'IDM-23'],
    ['uuid', { pattern: '^k' }, { maxLength: 36 }, { pattern: '^k', maxLength: 64 }],
    [
      '',
      'any',
      5,
      {},
      { pattern: '(' },
      { pattern: 5 },
      { maxLength: 35 },
      { maxLength: 36.5 },
      { minLength: 1 },
    ],
  ],
  G18: [
    ['IDM-12', 'IDM-13'],
    ['caller', 'caller-operation', 'tenant', 'tenant-operation', 'global'],
    ['', 'world', null],
  ],
  G19: [['IDM-10'], ['none', 'conflict'], ['', 409, null]],
};

test('there are nineteen points, in this order', () => {
  expect(openPoints.map(({ point }) => point)).toEqual(Object.keys(table));
});

test.each(openPoints)('$point: the clauses that judge it, and what can be declared', (entry) => {
  const [judged = [], can = [], cannot = []] = table[entry.point] ?? [];
  expect(entry.clauses).toEqual(judged);
  const known = new Set(catalogue.map(({ code }) => code));
  expect(judged.filter((code) => !known.has(code))).toEqual([]);
  const check = validator(entry.declares, { formats: 'assert' });
  expect(can.filter((value) => check(value).length > 0)).toEqual([]);
  expect(cannot.filter((value) => check(value).length === 0)).toEqual([]);
});

test.each(openPoints)('$point has its texts', ({ title, quote, readings, always, byDefault, declares }) => {
  for (const words of [title, quote, ...readings, always, byDefault, declares['description']])
    expect(words).toMatch(/\S/);
  expect(readings.length).toBeGreaterThan(0);
});
