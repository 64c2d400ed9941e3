import { expect, test } from 'vitest';
import type { Operation } from '../../model/contract.ts';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { keptByPut } from './kept-by-put.ts';

const properties: JsonObject = {
  subject: { type: 'string' },
  days: { type: 'integer', default: 20 },
  colour: { type: 'string' },
  level: { enum: ['one', 'two'], default: 'one', readOnly: true },
};
const body = { type: 'object', properties };

const contextOf = (others: readonly Operation[]) =>
  makeContext({
    contract: {
      ...contract,
      operations: [
        ...contract.operations.map((operation) =>
          operation.id === 'updateCase' && operation.body !== undefined
            ? { ...operation, method: 'PUT', body: { ...operation.body, schema: body } }
            : operation,
        ),
        ...others,
      ],
    },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });

type Put = {
  readonly first?: JsonObject;
  readonly was?: JsonObject;
  readonly sent?: JsonObject;
  readonly is: JsonObject;
  readonly status?: number;
  readonly others?: readonly Operation[];
};

/** Two PUTs of one record; the second leaves out what the first one set. */
const rulings = ({ first, is, others = [], sent, status = 200, was }: Put): readonly string[] => {
  const set = first ?? { subject: 'old', days: 45, colour: 'red' };
  const shows = (id: string, observes: 'before' | 'later', record: JsonObject): Line => ({
    ...{ id, status: 200, operation: 'getCase', on: 'a', role: 'readback', observes },
    body: { id: 'case_7', status: 'open', ...record },
  });
  const put = (id: string, value: JsonObject, answered: number): Line => ({
    ...{ id, status: answered, operation: 'updateCase', on: 'a', role: 'test' },
    sent: JSON.stringify(value),
    body: { id: 'case_7' },
  });
  const lines: readonly Line[] = [
    { id: 'a', role: 'setup', status: 201, result: 'case_7' },
    put('first', set, 200),
    shows('before', 'before', was ?? set),
    put('less', sent ?? { subject: 'new' }, status),
    shows('later', 'later', is),
  ];
  return [...keptByPut(contextOf(others), trace(lines))].map(
    (ruling) => `${ruling.verdict}${'advisory' in ruling ? ` with a note: ${ruling.advisory}` : ''}`,
  );
};

const kept = 'a PUT that leaves out';

test('a PUT keeps what it leaves out, and the contract declares a default', () => {
  expect(rulings({ is: { subject: 'new', days: 45, colour: 'red' } })).toEqual(['violated']);
  expect(rulings({ is: { subject: 'new', days: 45 } })).toEqual(['violated']);
});

test('what a PUT leaves out takes its default, or is gone', () => {
  expect(rulings({ is: { subject: 'new', days: 20, colour: null } })).toEqual(['holds']);
  expect(rulings({ is: { subject: 'new' } })).toEqual(['holds']);
});

test('where no default is declared, keeping it is worth a note', () => {
  expect(rulings({ is: { subject: 'new', days: 20, colour: 'red' } })).toEqual([
    `holds with a note: ${kept} colour keeps what was there`,
  ]);
});

test('a default of a schema that other commands have may be meant for those', () => {
  const create = contract.operations.find(({ id }) => id === 'createCase');
  if (create?.body === undefined) throw new Error('createCase has a body');
  const others = [{ ...create, id: 'makeCase', body: { ...create.body, schema: body } }];
  expect(rulings({ others, is: { subject: 'new', days: 45 } })).toEqual([
    `holds with a note: ${kept} days keeps what was there`,
  ]);
});

test.each<[string, Put]>([
  [
    'a record that does not show the PUT: the read may be stale',
    { is: { subject: 'old', days: 45, colour: 'red' } },
  ],
  [
    'a value that the first PUT did not set',
    { was: { subject: 'old', days: 30 }, is: { subject: 'new', days: 30 } },
  ],
  ['a PUT that was refused', { status: 409, is: { subject: 'old', days: 45, colour: 'red' } }],
  [
    'what it sends again',
    { sent: { subject: 'new', days: 45, colour: 'red' }, is: { subject: 'new', days: 45, colour: 'red' } },
  ],
  [
    'a default that was set before',
    { first: { subject: 'old', days: 20 }, is: { subject: 'new', days: 20 } },
  ],
  ['what nobody can set', { first: { subject: 'old', level: 'two' }, is: { subject: 'new', level: 'two' } }],
])('nothing is said of %s', (_, put) => {
  expect(rulings(put)).toEqual([]);
});
