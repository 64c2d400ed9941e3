import { expect, test } from 'vitest';
import type { Operation } from '../../model/contract.ts';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { defaultMissed } from './default-missed.ts';

const members: JsonObject = {
  subject: { type: 'string' },
  kind: { enum: ['asset', 'liability', 'income'], default: 'asset' },
  days: { type: 'integer', default: 14 },
  status: { enum: ['draft', 'open'], default: 'draft' },
  currency: { type: 'string', default: 'EUR' },
  weight: { type: 'integer', default: 0 },
  size: { type: 'integer' },
};
const withMembers = (operation: Operation): Operation => {
  if (operation.id === 'createCase' && operation.body !== undefined)
    return { ...operation, body: { ...operation.body, schema: { type: 'object', properties: members } } };
  return operation.id === 'getCase'
    ? { ...operation, success: { ...operation.success, schema: { type: 'object', properties: members } } }
    : operation;
};
const context = makeContext({
  contract: { ...contract, operations: contract.operations.map(withMembers) },
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

/** A record that is made with this, and what its read shows. */
const made = (sent: JsonObject, is: JsonObject = {}, result: JsonObject = {}): readonly Line[] => {
  const body = { id: 'case_9', status: 'open', subject: 'The first of them', ...sent, ...is };
  const asked = JSON.stringify({ subject: 'The first of them', ...sent });
  return [
    { id: 'a', status: 201, sent: asked, result: 'case_9', role: 'test', body: { ...body, ...result } },
    { id: 'read', status: 200, operation: 'getCase', observes: 'made', on: 'a', role: 'readback', body },
  ];
};

function rulings(...traces: readonly (readonly Line[])[]): readonly string[] {
  const fold = defaultMissed();
  return traces.flatMap((lines, index) =>
    [...fold.see(context, trace(lines, { id: `t${index}` }))].map(
      (ruling) => `t${index} ${ruling.verdict} ${'actual' in ruling ? ruling.actual : ''}`,
    ),
  );
}

test.each<[string, JsonObject, JsonObject]>([
  ['a choice', { kind: 'liability' }, { kind: 'income' }],
  ['a number', { days: 7 }, { days: 30 }],
])('a declared default of %s that no record without it shows is found', (_, other, sent) => {
  const [name = ''] = Object.keys(other);
  const shown = `${JSON.stringify(other[name])} at /${name}`;
  expect(rulings(made(sent), made({}, other), made({}, other))).toEqual([`t2 violated ${shown}`]);
  // Whichever comes first.
  expect(rulings(made({}, other), made({}, other), made(sent))).toEqual([`t2 violated ${shown}`]);
});

const seven = made({}, { days: 7 });
test.each<[string, readonly (readonly Line[])[]]>([
  ['records show the default', [made({ days: 30 }), made({}, { days: 14 }), made({}, { days: 14 })]],
  ['one of them shows the default', [made({ days: 30 }), made({}, { days: 14 }), seven, seven]],
  ['nothing that is sent is stored', [made({ days: 30 }, { days: 7 }), seven, seven]],
  ['one record alone shows another value', [made({ days: 30 }), seven]],
  ['they show several values', [made({ days: 30 }), seven, made({}, { days: 8 })]],
  ['they show nothing', [made({ days: 30 }), made({}), made({})]],
  [
    'the result says more',
    [made({ days: 30 }), ...[1, 2].map(() => made({}, { days: 7 }, { why: 'a plan' }))],
  ],
  ['the member is a state', [made({ status: 'open' }), made({}), made({})]],
  ['it may be a setting', [made({ currency: 'USD' }), ...[1, 2].map(() => made({}, { currency: 'SEK' }))]],
  [
    'the default may be that of the type',
    [made({ weight: 3 }), ...[1, 2].map(() => made({}, { weight: 4 }))],
  ],
  ['there is no default', [made({ size: 3 }), ...[1, 2].map(() => made({}, { size: 4 }))]],
])('nothing is said where %s', (_, traces) => {
  expect(rulings(...traces)).toEqual([]);
});
