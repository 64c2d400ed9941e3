import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { bulkPlaces } from './bulk-places.ts';

const context = makeContext({
  contract,
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

const parts: readonly JsonObject[] = [
  { size: 3, note: 'A passing remark', tags: ['a'], primary: true, position: 4 },
  { size: 8, note: 'A lasting remark', tags: ['b'], primary: true, position: 7 },
];

/** Two commands with the same parts, the second with the last one first; `made` is what becomes of a part in its place. */
function said(
  made: (part: JsonObject, nth: number, all: readonly JsonObject[]) => JsonObject,
  more: { readonly again?: Partial<Line>; readonly results?: (all: readonly Json[]) => readonly Json[] } = {},
): readonly string[] {
  const command = (id: string, nths: readonly number[]): Line => {
    const sent = nths.map(
      (nth): JsonObject => ({
        ...parts[nth],
        text: `Conformance ${nth + 1} asy-t-${id}`,
      }),
    );
    const all = sent.map((part, nth): Json => ({ id: `${id}_${nth}`, ...made(part, nth, sent) }));
    return {
      ...{ id, name: id, operation: 'addParts', on: 'a', role: 'test', status: 201 },
      ...{ sent: JSON.stringify({ parts: sent }), body: { parts: [...(more.results?.(all) ?? all)] } },
    };
  };
  const all = trace([
    { id: 'a', role: 'setup', status: 201, result: 'case_7', name: 'other' },
    command('one', [0, 1]),
    { ...command('two', [1, 0]), ...more.again },
  ]);
  return [...bulkPlaces(context, all)].map(({ because }) => because);
}
const lost = (name: string): readonly string[] => [
  `Two commands sent the same items in another order. Whichever comes first shows ${name} as it was sent, and whichever comes later does not.`,
];

test.each<[string, (part: JsonObject, nth: number, all: readonly JsonObject[]) => JsonObject, string]>([
  ['is lost', (part, nth) => (nth === 0 ? part : { ...part, note: null }), 'note'],
  ['has a fixed value', (part, nth) => (nth === 0 ? part : { ...part, size: 1 }), 'size'],
  ['has that of the first one', (part, _, [first]) => ({ ...part, size: first?.['size'] ?? null }), 'size'],
  [
    'has the items of the ones before it',
    (part, nth, all) => ({ ...part, tags: all.slice(0, nth + 1).flatMap(({ tags = [] }) => tags) }),
    'tags',
  ],
])('a member of later items that %s is found', (_, made, name) => {
  expect(said(made)).toEqual(lost(name));
  expect(said(made, { results: (all) => all.toReversed() })).toEqual(lost(name));
});

test.each<[string, (part: JsonObject, nth: number) => JsonObject]>([
  ['all is as it was sent', (part) => part],
  ['one of the items loses it in any place', (part) => (part['size'] === 3 ? { ...part, note: null } : part)],
  [
    'one of the items loses it in one place',
    (part, nth) => (part['size'] === 3 && nth === 1 ? { ...part, note: null } : part),
  ],
  ['no item keeps it', (part) => ({ ...part, note: null })],
  ['one alone is the primary one', (part, nth) => ({ ...part, primary: nth === 0 })],
  ['the service counts them', (part, nth) => (nth === 0 ? part : { ...part, position: nth })],
])('nothing is said where %s', (_, made) => {
  expect(said(made)).toEqual([]);
});

test('nothing is said where the second command was not accepted, or something is missing', () => {
  const made = (part: JsonObject, nth: number): JsonObject => (nth === 0 ? part : { ...part, note: null });
  expect(said(made, { again: { status: 409, body: {} } })).toEqual([]);
  expect(said(made, { again: { status: 202 } })).toEqual([]);
  expect(said(made, { results: (all) => all.slice(0, 1) })).toEqual([]);
});
