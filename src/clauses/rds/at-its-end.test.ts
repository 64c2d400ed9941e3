import { expect, test } from 'vitest';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, type Part, trace } from '../cases/trace.ts';
import { atItsEnd } from './at-its-end.ts';

const context = makeContext({
  contract,
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

type Page = Partial<Line> & { readonly next?: string };

const page = (id: string, ids: readonly string[], { next, ...more }: Page = {}): Line => ({
  ...{ id, operation: 'listCases', role: 'test', status: 200, observes: 'end-page' },
  body: { items: ids.map((one) => ({ id: one })), nextCursor: next ?? null },
  ...more,
});

const made = (number: number, more: Partial<Line> = {}): Line => ({
  ...{ id: `made-${number}`, role: 'setup', status: 201, result: `case_${number}` },
  ...more,
});

/** Three records, and the list read to its end twice. */
const rulings = (walks: readonly Part[], makers: readonly Part[] = [made(1), made(2), made(3)]) =>
  [...atItsEnd(context, trace([...makers, ...walks]))].map(({ verdict }) => verdict);

const twice = (ids: readonly string[], more: Partial<Line> = {}): readonly Part[] => [
  page('end-0', ids, more),
  page('end-again-0', ids, more),
];
const [one, two, three] = ['case_1', 'case_2', 'case_3'];

test('the newest record is missing', () => {
  expect(rulings(twice([one, two]))).toEqual(['violated']);
  expect(rulings(twice(['case_0', two, one]))).toEqual(['violated']);
});

test('a record is listed twice', () => {
  expect(rulings(twice([one, two, three, three]))).toEqual(['violated']);
  expect(rulings(twice([one, one, three, two]))).toEqual(['violated']);
});

test('pages are read to the end', () => {
  const walk = (name: string, last: readonly string[]): readonly Part[] => [
    page(`${name}-0`, [one], { next: 'n' }),
    page(`${name}-1`, last, { query: 'cursor=n' }),
  ];
  expect(rulings([...walk('end', [two]), ...walk('end-again', [two])])).toEqual(['violated']);
  expect(rulings([...walk('end', [two, three]), ...walk('end-again', [two, three])])).toEqual([]);
});

test.each<[string, readonly Part[], (readonly Part[])?]>([
  ['each record is there once', twice([one, two, three])],
  ['an older one is missing: the list may show the newest alone', twice([two, three])],
  ['all are missing', twice(['case_0'])],
  ['every record is there twice, as in a log', twice([one, one, two, two, three, three])],
  ['the list was changed between the two walks', [page('end-0', [one, two]), page('end-again-0', [one])]],
  ['the end was not reached', twice([one, two], { body: { items: [{ id: one }], nextCursor: 'n' } })],
  ['the list is read once', [page('end-0', [one, two])]],
  ['a page was throttled', [page('end-0', [one, two]), page('end-again-0', [one, two], { status: 429 })]],
  ['a page got no response', [...twice([one, two]), page('end-again-1', [], { status: undefined })]],
  ['an item has no ID', twice([one, two], { body: { items: [{ id: one }, {}], nextCursor: null } })],
  ['the newest was made by another caller', twice([one, two]), [made(1), made(2), made(3, { as: 'peer' })]],
  ['the newest is queued', twice([one, two]), [made(1), made(2), made(3, { status: 202 })]],
  ['a command was refused', twice([one, two]), [made(1), made(2), made(3, { status: 409, body: {} })]],
  ['two commands gave one ID', twice([one]), [made(1), made(2, { result: one })]],
  ['they were sent at once', twice([one, two]), [[made(1), made(2), made(3)]]],
  ['one record alone was made', twice(['case_0', 'case_0']), [made(1)]],
])('nothing is said where %s', (_, walks, makers) => {
  expect(rulings(walks, makers)).toEqual([]);
});
