import { expect, test } from 'vitest';
import type { Operation } from '../../model/contract.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { Deviation } from '../../model/scenario.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { ownedTaken } from './owned-taken.ts';

const properties: JsonObject = {
  id: { type: 'string', readOnly: true },
  subject: { type: 'string' },
  state: { enum: ['open', 'shut', 'kept'], readOnly: true },
  paid: { type: 'boolean', readOnly: true },
  author: { type: 'string', readOnly: true },
  made: { type: 'string', format: 'date-time', readOnly: true },
  rank: { type: 'integer', readOnly: true },
  version: { type: 'string', readOnly: true },
  label: { type: 'string' },
};

const context = makeContext({
  contract: {
    ...contract,
    operations: contract.operations.map((operation: Operation) =>
      operation.id === 'createCase' && operation.body !== undefined
        ? {
            ...operation,
            body: {
              ...operation.body,
              schema: { type: 'object', properties: { subject: { type: 'string' } } },
            },
            success: { ...operation.success, schema: { type: 'object', properties } },
          }
        : operation,
    ),
  },
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

/** A command that sends more than the schema of its body names, and its result. */
type Made = { readonly sent?: JsonObject; readonly is: JsonObject; readonly line?: Partial<Line> };

function command({ is, line = {}, sent = {} }: Made): readonly Line[] {
  const deviations = Object.keys(sent).map(
    (name): Deviation => ({ kind: 'unknown-member', at: `/${name}`, free: true }),
  );
  const body: Json = { id: 'case_7', subject: 'one', ...is };
  return [
    {
      ...{ id: 'a', status: 201, role: 'test', deviations, body },
      sent: JSON.stringify({ subject: 'one', ...sent }),
      ...line,
    },
  ];
}

function rulings(...all: readonly Made[]): readonly string[] {
  const fold = ownedTaken();
  return all.flatMap((made, index) =>
    [...fold.see(context, trace(command(made), { id: `t${index}` }))].map(
      (ruling) => `t${index} ${ruling.verdict}`,
    ),
  );
}

const taking = (...all: readonly JsonObject[]): readonly Made[] => all.map((sent) => ({ sent, is: sent }));
/** As many results of commands that ask for nothing. */
const plain = (is: JsonObject, count = 10): readonly Made[] => Array.from({ length: count }, () => ({ is }));

test('a member that is readOnly and takes both values that commands send is found', () => {
  expect(rulings(...taking({ author: 'claimed by one' }, { author: 'claimed by another' }))).toEqual([
    't1 violated',
  ]);
  expect(rulings(...taking({ rank: 70_123 }, { rank: 30_456 }))).toEqual(['t1 violated']);
  const made = ['2001-02-03T04:05:06Z', '2002-03-04T05:06:07Z'] as const;
  expect(
    rulings(
      { sent: { made: made[0] }, is: { made: '2001-02-03T04:05:06.000Z' } },
      { sent: { made: made[1] }, is: { made: '2002-03-04T06:06:07+01:00' } },
    ),
  ).toEqual(['t1 violated']);
});

test('so is one of a few values, where all other commands got another one', () => {
  expect(rulings(...plain({ state: 'open' }), ...taking({ state: 'shut' }))).toEqual(['t10 violated']);
  expect(rulings(...plain({ paid: false }), ...taking({ paid: true }))).toEqual(['t10 violated']);
});

test.each<[string, readonly Made[]]>([
  ['a value of the service', [{ sent: { author: 'claimed by one' }, is: { author: 'somebody' } }]],
  ['one value alone', taking({ author: 'claimed by one' }, { author: 'claimed by one' })],
  ['no value', [{ sent: { author: 'claimed by one' }, is: {} }]],
  [
    'the values of others',
    [
      { sent: { author: 'claimed by one' }, is: { author: 'claimed by another' } },
      { sent: { author: 'claimed by another' }, is: { author: 'claimed by one' } },
    ],
  ],
  ['a number that counts up', taking({ rank: 3 }, { rank: 4 })],
  ['what all get', [...plain({ state: 'open' }), ...taking({ state: 'open' })]],
  [
    'one of a few, which others get as well',
    [...plain({ paid: false }), ...plain({ paid: true }), ...taking({ paid: true }, { paid: false })],
  ],
  ['one of a few, with too few others', [...plain({ paid: false }, 9), ...taking({ paid: true })]],
  [
    'a refusal',
    taking({ author: 'claimed by one' }, { author: 'another claim' }).map((made) => ({
      ...made,
      line: { status: 422 },
    })),
  ],
  [
    'a version, which a service compares',
    taking({ version: 'claimed by one' }, { version: 'another claim' }),
  ],
  ['its ID', taking({ id: 'claimed by one' }, { id: 'claimed by another' })],
  ['what is not readOnly', taking({ label: 'claimed by one' }, { label: 'claimed by another' })],
])('nothing is said where the result shows %s', (_, all) => {
  expect(rulings(...all)).toEqual([]);
});
