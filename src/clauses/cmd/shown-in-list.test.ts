import { expect, test } from 'vitest';
import type { Context } from '../../model/clause.ts';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { contradicted } from './contradicted.ts';

const body = {
  required: true,
  mediaType: 'application/json',
  schema: { properties: { kind: { enum: ['memo', 'letter'] } } },
};
const context = makeContext({
  contract: {
    ...contract,
    operations: contract.operations.map((operation) =>
      operation.id === 'addPart' ? { ...operation, body } : operation,
    ),
  },
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full', 'peer']),
});

const sent = { subject: 'asy-00000000000000a1 part', kind: 'memo', days: '7.50', tags: ['x', 'y'] };

type Made = {
  readonly sent?: JsonObject;
  /** What the list shows otherwise than it was sent. */
  readonly is?: JsonObject;
  readonly result?: JsonObject;
  readonly look?: Partial<Line>;
  readonly others?: readonly JsonObject[];
};

/** A part that is made within a record, and the list there, which alone shows it. */
function making({ is = {}, look = {}, others = [], result = {}, sent: more = {} }: Made, index: number) {
  const part = { ...sent, ...more };
  const made = trace(
    [
      { id: 'a', role: 'setup', status: 201, result: 'case_7' },
      {
        ...{ id: 'add', operation: 'addPart', on: 'a', status: 201 },
        body: { id: 'part_1', ...part, ...result },
      },
      {
        ...{ id: 'made', operation: 'listParts', observes: 'made', on: 'a', role: 'readback', status: 200 },
        body: { items: [{ id: 'part_0' }, { id: 'part_1', ...part, ...is }, ...others] },
        ...look,
      },
    ],
    { id: `t${index}` },
  );
  // The shared contract declares no body for it.
  const exchanges = made.exchanges.map((exchange) =>
    exchange.operation === 'addPart'
      ? { ...exchange, request: { ...exchange.request, body: JSON.stringify(part) } }
      : exchange,
  );
  return { ...made, exchanges };
}

function rulingsIn(context: Context, ...all: readonly Made[]): readonly string[] {
  const fold = contradicted();
  return all.flatMap((made, index) =>
    [...fold.see(context, making(made, index))].map(({ verdict }) => `t${index} ${verdict}`),
  );
}

const rulings = (...all: readonly Made[]): readonly string[] => rulingsIn(context, ...all);

test.each<[string, JsonObject]>([
  ['another of the declared values', { kind: 'letter' }],
  ['no tags', { tags: [] }],
  ['the amount without its fraction', { days: '7.00' }],
  ['the text of another part', { subject: 'asy-00000000000000b2 part' }],
  ['nothing', { subject: '' }],
])('a list must not show %s, where its result shows what was sent', (_, is) =>
  expect(rulings({}, { is })).toEqual(['t1 violated']),
);

test.each<[string, Made]>([
  ['it shows what was sent', {}],
  ['it has a form of its own', { is: { days: '7.5', kind: 'MEMO' } }],
  ['the result shows it so as well', { is: { kind: 'letter' }, result: { kind: 'letter' } }],
  ['another caller reads', { is: { kind: 'letter' }, look: { as: 'peer' } }],
  ['the list was asked for some', { is: { kind: 'letter' }, look: { query: 'kind=letter' } }],
  ['two items have its ID', { is: { kind: 'letter' }, others: [{ id: 'part_1' }] }],
  ['the list lacks it', { look: { body: { items: [{ id: 'part_0' }] } } }],
])('nothing is held against a list where %s', (_, made) => expect(rulings({}, made)).toEqual([]));

test('what a list shows of no part as it was sent, it may have in a form of its own', () => {
  expect(rulings({ is: { kind: 'letter' } }, { is: { kind: 'letter' } })).toEqual([]);
  expect(rulings({ is: { subject: '' } }, { is: { subject: '' } })).toEqual([]);
});

/** A contract in which the items of the list have a schema by its name, as documents write them. */
function namedIn(items: JsonObject): Context {
  const part: JsonObject = { type: 'object', properties: { id: {}, kind: {} } };
  const $defs: JsonObject = { Part: part, Brief: { type: 'object', properties: { id: {} } } };
  const schemas: { readonly [id: string]: JsonObject } = {
    addPart: { ...part, $defs },
    listParts: { type: 'array', items, $defs },
  };
  const operations = context.contract.operations.map((operation) => {
    const schema = schemas[operation.id];
    return schema === undefined ? operation : { ...operation, success: { ...operation.success, schema } };
  });
  return makeContext({
    contract: { ...context.contract, operations },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full', 'peer']),
  });
}

test('a list whose items have the schema of the result by its name is compared', () => {
  const listed: Made = { look: { body: [{ id: 'part_1', ...sent }] } };
  const other: Made = { look: { body: [{ id: 'part_1', ...sent, kind: 'letter' }] } };
  const part = { $ref: '#/$defs/Part' };
  expect(rulingsIn(namedIn(part), listed, other)).toEqual(['t1 violated']);
  expect(rulingsIn(namedIn({ ...part, description: 'A part.' }), listed, other)).toEqual(['t1 violated']);
  expect(rulingsIn(namedIn({ $ref: '#/$defs/Brief' }), listed, other)).toEqual([]);
  expect(rulingsIn(namedIn({ ...part, maxProperties: 9 }), listed, other)).toEqual([]);
});
