import { expect, test } from 'vitest';
import type { Operation } from '../../model/contract.ts';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { lostByChange } from './lost-by-change.ts';

const text = { type: 'string' };
const members: JsonObject = {
  subject: text,
  reference: text,
  kind: { enum: ['asset', 'income'], default: 'asset' },
  seats: { type: 'integer', default: 1 },
  tone: { enum: ['low', 'high'] },
  stage: text,
};
const changed: JsonObject = { subject: text, tone: { enum: ['low', 'high'] } };

const contextOf = (change: JsonObject) =>
  makeContext({
    contract: {
      ...contract,
      operations: contract.operations.map((one): Operation => {
        const properties = one.id === 'createCase' ? members : one.id === 'updateCase' ? change : undefined;
        if (one.id === 'getCase')
          return { ...one, success: { ...one.success, schema: { type: 'object', properties: members } } };
        return properties === undefined || one.body === undefined
          ? one
          : { ...one, body: { ...one.body, schema: { type: 'object', properties } } };
      }),
    },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });

const made = {
  subject: 'old',
  reference: 'A first one',
  kind: 'income',
  seats: 7,
  tone: 'low',
  stage: 'first',
};

/** A record that is made, and changed: what shows it behind that has these members in place of its own. */
const rulings = (
  is: JsonObject,
  {
    change = changed,
    result = {},
    sent = { subject: 'new' },
    was = {},
  }: { change?: JsonObject; result?: JsonObject; sent?: JsonObject; was?: JsonObject } = {},
): readonly string[] => {
  const own = { id: 'case_7', status: 'open' };
  const shows = (id: string, observes: 'before' | 'after', record: JsonObject): Line => ({
    ...{ id, status: 200, operation: 'getCase', on: 'a', role: 'readback', observes },
    body: { ...own, ...record },
  });
  const after = { ...made, ...was, ...sent, ...is };
  const lines: readonly Line[] = [
    {
      id: 'a',
      role: 'setup',
      status: 201,
      sent: JSON.stringify(made),
      result: 'case_7',
      body: { ...own, ...made },
    },
    shows('before', 'before', { ...made, ...was }),
    {
      ...{ id: 'put', status: 200, operation: 'updateCase', on: 'a', role: 'test' },
      ...{ sent: JSON.stringify(sent), body: { ...own, ...after, ...result } },
    },
    shows('after', 'after', after),
  ];
  return [...lostByChange(contextOf(change), trace(lines))].map((ruling) =>
    'actual' in ruling ? `${ruling.verdict} ${ruling.actual}` : ruling.verdict,
  );
};

test('what a change cannot send, and loses, is found', () => {
  expect(rulings({ reference: null })).toEqual(['violated null at /reference']);
  expect(rulings({ reference: '' })).toEqual(['violated "" at /reference']);
  expect(rulings({ kind: 'asset' })).toEqual(['violated "asset" at /kind']);
  expect(rulings({ seats: 1 })).toEqual(['violated 1 at /seats']);
});

test.each<[string, JsonObject, Parameters<typeof rulings>[1]]>([
  ['all is as it was', {}, {}],
  ['it goes on to another value', { seats: 8, kind: 'other' }, {}],
  ['the record had lost it before', { reference: null }, { was: { reference: null } }],
  ['the change can send it', { reference: null }, { change: { ...changed, reference: text } }],
  ['the change lists no members', { reference: null }, { change: {} }],
  ['the change sets a choice as well', { reference: null }, { sent: { subject: 'new', tone: 'high' } }],
  ['the record does not show the change', { reference: null, subject: 'old' }, {}],
  ['the result says why', { reference: null }, { result: { why: 'it was for the old one' } }],
  ['it may end with a change', { stage: null }, {}],
])('nothing is said where %s', (_, is, more) => {
  expect(rulings(is, more)).toEqual([]);
});
