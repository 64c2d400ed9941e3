import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { datesKept } from './dates-kept.ts';

const properties: JsonObject = { subject: { type: 'string' }, due: { type: 'string', format: 'date' } };

function contextOf(required: readonly string[]) {
  const body: JsonObject = { type: 'object', required, properties };
  return makeContext({
    contract: {
      ...contract,
      operations: contract.operations.map((operation) =>
        operation.id === 'getCase'
          ? { ...operation, success: { ...operation.success, schema: { type: 'object', properties } } }
          : ['createCase', 'updateCase'].includes(operation.id) && operation.body !== undefined
            ? {
                ...operation,
                ...(operation.id === 'updateCase' ? { method: 'PUT' } : {}),
                body: { ...operation.body, schema: body },
              }
            : operation,
      ),
    },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
}

const json = (value: Json): string => JSON.stringify(value);
const record = (more: JsonObject): JsonObject => ({ id: 'case_7', status: 'open', ...more });

const made: readonly Line[] = [
  {
    ...{ id: 'a', status: 201, result: 'case_7' },
    sent: json({ subject: 'a', due: '2026-01-01' }),
    body: record({ subject: 'a', due: '2026-01-01' }),
  },
  {
    ...{ id: 'read', status: 200, operation: 'getCase', observes: 'made', on: 'a', role: 'readback' },
    body: record({ subject: 'a', due: '2026-01-01' }),
  },
];

/** A PUT of a record that is read before it and after it. */
function put(sent: JsonObject, is: JsonObject, was: JsonObject = { due: '2026-01-01' }): readonly Line[] {
  const shows = (id: 'before' | 'after', body: JsonObject): Line => ({
    ...{ id, status: 200, operation: 'getCase', on: 'a', role: 'readback', observes: id },
    body: record(body),
  });
  return [
    { id: 'a', role: 'setup', status: 201, result: 'case_7' },
    shows('before', { subject: 'old', ...was }),
    {
      ...{ id: 'put', role: 'test', status: 200, operation: 'updateCase', on: 'a', sent: json(sent) },
      body: record(is),
    },
    shows('after', is),
  ];
}

const kept = (due: string, was = '2026-01-01'): readonly Line[] =>
  put({ subject: `due ${due}`, due }, { subject: `due ${due}`, due: was }, { due: was });

function rulings(traces: readonly (readonly Line[])[], required = ['subject', 'due']): readonly string[] {
  const fold = datesKept();
  return traces.flatMap((lines, index) =>
    [...fold.see(contextOf(required), trace(lines, { id: `t${index}` }))].map(
      ({ verdict }) => `t${index} ${verdict}`,
    ),
  );
}

test('a PUT never stores the date that it must send', () => {
  expect(rulings([made, kept('2027-05-05'), kept('2025-05-05')])).toEqual(['t2 violated']);
  expect(rulings([made, kept('2027-05-05'), kept('2027-06-05', '2026-02-02')])).toEqual(['t2 violated']);
  const counted = ['2027-05-05', '2025-05-05'].map((due, letters) =>
    put(
      { subject: `of ${due}`, due },
      { subject: `of ${due}`, due: '2026-01-01', letters },
      { due: '2026-01-01', letters: 9 },
    ),
  );
  expect(rulings([made, ...counted])).toEqual(['t2 violated']);
});

test.each<[string, readonly (readonly Line[])[], string[]?]>([
  ['no record shows one as it was sent', [kept('2027-05-05'), kept('2025-05-05')]],
  ['only later ones are sent', [made, kept('2027-05-05'), kept('2028-05-05')]],
  [
    'another one is stored',
    [
      made,
      put({ subject: 'b', due: '2026-03-03' }, { subject: 'b', due: '2026-03-03' }),
      kept('2027-05-05'),
      kept('2025-05-05'),
    ],
  ],
  [
    'the record takes a date of its own',
    [
      made,
      ...['2027-05-05', '2025-05-05'].map((due) =>
        put({ subject: `of ${due}`, due }, { subject: `of ${due}`, due: '2026-01-05' }),
      ),
    ],
  ],
  [
    'the record takes nothing',
    [
      made,
      ...['2027-05-05', '2025-05-05'].map((due) =>
        put({ subject: `of ${due}`, due }, { subject: 'old', due: '2026-01-01' }),
      ),
    ],
  ],
  [
    'the record goes on',
    [
      made,
      ...['2027-05-05', '2025-05-05'].map((due) =>
        put({ subject: `of ${due}`, due }, { subject: `of ${due}`, due: '2026-01-01', phase: 'closed' }),
      ),
    ],
  ],
  ['the body may leave it out', [made, kept('2027-05-05'), kept('2025-05-05')], ['subject']],
])('nothing is said where %s', (_, traces, required) => {
  expect(rulings(traces, required)).toEqual([]);
});
