import { describe, expect, test } from 'vitest';
import type { PointCode } from '../../model/declaration.ts';
import { isArray, isObject, type Json } from '../../model/json.ts';
import type { OpenPoint } from '../../model/open-point.ts';
import { makeObserving } from '../../oracle/observe.ts';
import { openPointOf } from '../../oracle/open-points/register.ts';
import { contextOf, judged } from '../cases/judged.ts';
import { again, first } from '../cases/repeats.ts';
import { type Line, lacking, missing, negative, type Part, reuse, trace } from '../cases/trace.ts';
import { clauses } from '../catalogue.ts';

/** A service that follows one reading of an open point, and what its vendor would declare. */
type Row = {
  readonly point: PointCode;
  readonly declares: Json;
  readonly trace: readonly Part[];
  /** Declarations that allow this response too. */
  readonly alsoAllowedBy?: readonly Json[];
};

const failed: Line = { ...first, status: 500, deviations: [{ kind: 'fault', how: 'before-commit' }] };
const refused: Line = {
  ...first,
  status: 422,
  role: 'test',
  deviations: [missing],
  body: { errors: [{ field: 'subject' }] },
};
const fresh: Line = { id: 'fresh', controls: 'again', status: 201, name: 'other' };
const borrowed = (difference: 'caller' | 'scope', as: string, more: Partial<Line>): readonly Part[] => [
  first,
  again(201, { deviations: [reuse('first', difference)], as, ...more }),
  { id: 'control', controls: 'again', status: 201, as, name: 'third' },
];
const abroad = (status: number): readonly Part[] => [
  { id: 'made', status: 201 },
  ...negative({ kind: 'scope' }, status, { operation: 'closeCase', on: 'made', as: 'abroad' }),
];
const keyless = (status: number): readonly Part[] =>
  negative({ kind: 'key', how: 'absent' }, status, { key: 'none' });
const blank = (status: number): readonly Part[] =>
  negative({ kind: 'key', how: 'blank' }, status, { key: { use: 'literal', value: ' ' } });
const unverified = (status: number): readonly Part[] =>
  negative({ kind: 'verification', how: 'absent' }, status, { operation: 'approveCase' });
const named = { errors: [{ field: 'subject' }] };

/** Every reading of every point that, undeclared, may be read in any of the listed ways. */
const rows: readonly Row[] = [
  { point: 'G1', declares: 'replay', trace: [first, again(201)] },
  { point: 'G1', declares: 'conflict', trace: [first, again(409)] },
  ...[422, 400, 409].map((status) => ({ point: 'G2', declares: status, trace: keyless(status) }) as const),
  {
    point: 'G3',
    declares: 'stored',
    trace: [{ ...first, requestId: 'req_1' }, again(201, { requestId: 'req_1' })],
  },
  { point: 'G3', declares: 'new', trace: [first, again(201, { requestId: 'req_other' })] },
  ...[401, 403, 409, 422].map(
    (status) => ({ point: 'G4', declares: status, trace: unverified(status) }) as const,
  ),
  {
    point: 'G5',
    declares: 'accept',
    trace: [refused, again(201, { deviations: [reuse('first', 'correction')] }), fresh],
  },
  {
    point: 'G5',
    declares: 'conflict',
    trace: [refused, again(409, { deviations: [reuse('first', 'correction')] }), fresh],
  },
  { point: 'G7', declares: 'ignore', trace: negative({ kind: 'unknown-member', at: '/strange' }, 201) },
  {
    point: 'G7',
    declares: 'refuse',
    trace: negative({ kind: 'unknown-member', at: '/strange' }, 422, {
      body: { errors: [{ field: 'strange' }] },
    }),
  },
  ...[403, 404].map((status) => ({ point: 'G9', declares: status, trace: abroad(status) }) as const),
  {
    point: 'G11',
    declares: 403,
    trace: negative([lacking, missing], 403, { as: 'nobody' }),
    alsoAllowedBy: ['lenient'],
  },
  {
    point: 'G11',
    declares: 422,
    trace: negative([lacking, missing], 422, { as: 'nobody', body: named }),
    alsoAllowedBy: ['lenient'],
  },
  { point: 'G12', declares: 'stored', trace: [failed, again(500), fresh] },
  { point: 'G12', declares: 'released', trace: [failed, again(201), fresh] },
  ...[400, 415, 422].map(
    (status) =>
      ({ point: 'G14', declares: status, trace: negative({ kind: 'body-syntax' }, status) }) as const,
  ),
  {
    point: 'G18',
    declares: 'caller',
    trace: borrowed('caller', 'peer', { result: 'case_2', name: 'other' }),
    alsoAllowedBy: ['caller-operation'],
  },
  {
    point: 'G18',
    declares: 'tenant',
    trace: borrowed('caller', 'peer', { status: 409 }),
    alsoAllowedBy: ['tenant-operation', 'global'],
  },
  {
    point: 'G18',
    declares: 'global',
    trace: borrowed('scope', 'abroad', { status: 409 }),
  },
];

/** A conflict is described, as it has to be (CNF-2). */
function described(part: Part): Part {
  return 'status' in part && part.status === 409 ? { ...said, ...part } : part;
}
const said = { body: { detail: 'The command conflicts with another one.' } };

function accusers(parts: readonly Part[], point: PointCode, declared?: Json): readonly string[] {
  return clauses
    .filter(({ level }) => level !== 'advisory')
    .map(({ code }) => code)
    .filter(
      (clause) =>
        judged({
          clause,
          kind: 'violates',
          when: '',
          trace: parts.map(described),
          ...(declared === undefined ? {} : { declares: { [point]: declared } }),
        }).outcome.kind === 'violates',
    );
}

function seen(parts: readonly Part[], point: PointCode, declared?: Json): OpenPoint | undefined {
  const observing = makeObserving(contextOf(declared === undefined ? {} : { [point]: declared }));
  observing.see(trace(parts));
  return observing.finish().find((one) => one.point === point);
}

function declarable(point: PointCode): readonly Json[] {
  const schema = openPointOf(point)?.declares ?? {};
  const values =
    schema['enum'] ??
    (isArray(schema['anyOf']) && isObject(schema['anyOf'][0]) ? schema['anyOf'][0]['enum'] : undefined);
  return isArray(values) ? values : [];
}

describe.each(rows)('$point: a service of the reading $declares', (row) => {
  const { point, declares, trace: parts, alsoAllowedBy = [] } = row;

  test('undeclared it is not accused, and a note says that it is not the default', () => {
    expect(accusers(parts, point)).toEqual([]);
    const notes = seen(parts, point)?.notes ?? [];
    expect(notes.some((note) => note.includes(`${point}: `))).toBe(declares !== declarable(point)[0]);
  });

  test('declared it is not accused', () => {
    expect(accusers(parts, point, declares)).toEqual([]);
    const { notes, state } = seen(parts, point, declares) ?? { notes: [] };
    expect(state).toBe('as declared');
    expect(notes.filter((note) => note.includes(`${point}: `))).toEqual([]);
  });

  const others = declarable(point).filter((value) => value !== declares && !alsoAllowedBy.includes(value));
  test.each(others)('it violates the declaration %s', (other) => {
    expect(seen(parts, point, other)?.state).toBe('contradicts the declaration');
    const found = accusers(parts, point, other);
    expect(openPointOf(point)?.clauses.some((code) => found.includes(code))).toBe(true);
  });
});

test('each listed reading has its row', () => {
  for (const point of ['G1', 'G2', 'G3', 'G4', 'G5', 'G7', 'G9', 'G12', 'G14'] as const)
    expect(rows.filter((row) => row.point === point).map(({ declares }) => declares)).toEqual(
      declarable(point),
    );
});

test.each<readonly [string, readonly Part[]]>([
  ['a blank key is refused with 400', blank(400)],
  ['a blank key is refused with 409', blank(409)],
  ['text/plain is refused with 415', negative({ kind: 'media-type' }, 415, { media: 'text/plain' })],
  [
    'an unknown query field is refused',
    negative({ kind: 'query', field: 'strange', keyword: 'unknown' }, 422, { operation: 'listCases' }),
  ],
  [
    'without permission an unknown member is refused first',
    negative([lacking, { kind: 'unknown-member', at: '/strange' }], 422, { as: 'nobody' }),
  ],
  [
    'without permission a missing key is refused first',
    negative([lacking, { kind: 'key', how: 'absent' }], 422, { as: 'nobody', key: 'none' }),
  ],
])('undeclared, %s: nobody is accused', (_, parts) => {
  expect(accusers(parts, 'G2')).toEqual([]);
});

test.each<readonly [string, readonly Part[]]>([
  ['a used key', negative([lacking, reuse('first', 'request')], 422, { as: 'nobody' })],
])('422 to a caller without the permission stays a violation where the other fault is %s', (_, parts) => {
  expect(accusers(parts, 'G2')).toContain('PRE-2');
});

test.each<readonly [PointCode, Json, Json, readonly Part[], string]>([
  [
    'G10',
    'undeclared',
    'replay',
    [first, again(201, { deviations: [{ kind: 'permission', how: 'withdrawn' }, reuse('first')] })],
    'PRM-10',
  ],
  ['G19', 'undeclared', 'conflict', [first, { id: 'second', role: 'test', status: 409 }], 'IDM-10'],
])('%s keeps its default unless it is declared', (point, _, declares, parts, clause) => {
  expect(accusers(parts, point)).toContain(clause);
  expect(accusers(parts, point, declares)).not.toContain(clause);
});

/** Points whose declaration is a limit: one trace inside it, one beyond. */
const burst = (count: number, apart: number): readonly Part[] =>
  [
    Array.from(
      { length: count },
      (_, ordinal): Line => ({
        id: 'burst',
        role: 'test',
        status: 201,
        ordinal,
        at: 1000 + ordinal * apart,
        deviations: [{ kind: 'pace' }],
      }),
    ),
  ].flat();
const odd = (value: string, status: number): readonly Part[] => [
  { id: 'fine', status: 201 },
  {
    id: 'odd',
    role: 'test',
    key: { use: 'literal', value },
    name: 'odd',
    status,
    deviations: [{ kind: 'key', how: 'odd' }],
  },
];
const late = (seconds: number): readonly Part[] => [
  first,
  again(201, { deviations: [reuse('first', 'late')], at: seconds * 1000 + 15, result: 'case_2' }),
];
const unseen = (ms: number): readonly Part[] => [
  { id: 'made', status: 201 },
  {
    id: 'poll-made',
    observes: 'arrival',
    operation: 'getCase',
    role: 'readback',
    on: 'made',
    status: 404,
    at: 15 + ms,
  },
];

test.each<readonly [PointCode, Json, readonly Part[], readonly Part[], string]>([
  ['G8', { requests: 5, perSeconds: 1 }, burst(5, 10), burst(8, 10), 'THR-1'],
  ['G13', { seconds: 30 }, late(31), late(29), 'IDM-19'],
  ['G17', { maxLength: 40 }, odd('k'.repeat(41), 422), odd('k'.repeat(40), 422), 'IDM-11'],
])(
  '%s: a service within %j is not accused, and one beyond it is',
  (point, declared, within, beyond, clause) => {
    expect(accusers(within, point, declared)).toEqual([]);
    expect(accusers(beyond, point, declared)).toContain(clause);
  },
);

test('G15: a record that is seen later than declared contradicts the declaration', () => {
  expect(seen(unseen(900), 'G15', { seconds: 1 })?.state).not.toBe('contradicts the declaration');
  expect(seen(unseen(1100), 'G15', { seconds: 1 })?.state).toBe('contradicts the declaration');
});
