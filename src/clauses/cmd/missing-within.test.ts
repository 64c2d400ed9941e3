import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { missingWithin } from './missing-within.ts';

const pagination = {
  limit: 'limit',
  cursor: 'cursor',
  style: 'cursor',
  items: '/items',
  next: '/next',
} as const;

const context = makeContext({
  contract: {
    ...contract,
    operations: contract.operations.map((operation) =>
      operation.id === 'listParts' ? { ...operation, pagination } : operation,
    ),
  },
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full', 'peer']),
});

type Made = {
  readonly items?: readonly JsonObject[];
  readonly add?: Partial<Line>;
  readonly look?: Partial<Line>;
  readonly between?: readonly Line[];
};

/** A part that is made within a record, and the list of that record. */
function making({ add = {}, between = [], items = [], look = {} }: Made, index: number) {
  return trace(
    [
      { id: 'a', role: 'setup', status: 201, result: 'case_7' },
      { id: 'add', operation: 'addPart', on: 'a', status: 201, body: { id: 'part_1' }, ...add },
      ...between,
      {
        ...{ id: 'made', operation: 'listParts', observes: 'made', on: 'a', role: 'readback', status: 200 },
        body: { items },
        ...look,
      },
    ],
    { id: `t${index}` },
  );
}

function rulings(...all: readonly Made[]): readonly string[] {
  const fold = missingWithin();
  return all.flatMap((made, index) =>
    [...fold.see(context, making(made, index))].map(
      (one) =>
        `t${index} ${one.verdict}${'within' in one && one.within !== undefined ? ` of ${one.within.id}` : ''}`,
    ),
  );
}

const listed: Made = { items: [{ id: 'part_1' }] };

test('what is made within a record is in its list, if another one of that operation is', () => {
  expect(rulings(listed, {})).toEqual(['t1 violated']);
  expect(rulings({}, listed)).toEqual(['t1 violated of t0']);
  expect(rulings(listed, listed)).toEqual([]);
});

const unlisted: Json = { items: [], next: 'c2' };

test.each<[string, readonly Made[]]>([
  ['the list never shows one by its ID', [{}, {}]],
  ['it was queued', [listed, { add: { status: 202 } }]],
  ['it was refused', [listed, { add: { status: 409 } }]],
  ['an item may be what became of it', [listed, { items: [{ id: 'part_0' }] }]],
  ['another caller reads', [listed, { look: { as: 'peer' } }]],
  ['there is a further page', [listed, { look: { body: unlisted } }]],
  ['the list could not be read', [listed, { look: { status: 503 } }]],
  [
    'another command came in between',
    [listed, { between: [{ id: 'close', operation: 'closeCase', on: 'a', status: 200 }] }],
  ],
  [
    'a part of another record is read',
    [
      listed,
      {
        between: [{ id: 'b', status: 201, result: 'case_8' }],
        look: { on: 'b' },
      },
    ],
  ],
])('nothing is held against a list where %s', (_, all) => expect(rulings(...all)).toEqual([]));
