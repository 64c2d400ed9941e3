import { expect, test } from 'vitest';
import type { HttpResponse } from '../../model/exchange.ts';
import type { Deviation } from '../../model/scenario.ts';
import { contextOf } from '../cases/judged.ts';
import { type Line, trace } from '../cases/trace.ts';
import {
  answered,
  bodyName,
  discloses,
  faultsOf,
  find,
  headerValues,
  isAccepted,
  keyName,
  markerOf,
  only,
  seen,
  summary,
} from './reading.ts';

function read(...lines: readonly Line[]) {
  const one = trace(lines);
  const [first] = seen(contextOf(), one);
  if (first === undefined) throw new Error('a trace without exchanges');
  return { ...first, trace: one };
}
const line = (more: Partial<Line> = {}): Line => ({ id: 'a', status: 201, ...more });
const summarised = (more: Partial<Line>): string => summary(read(line(more)).exchange);

test('an answer in one line, cut at 160 characters', () => {
  expect(summarised({ body: { id: 'case_1' } })).toBe('201 {"id":"case_1"}');
  expect(summarised({ body: '  two\n\n lines ' })).toBe('201 two lines');
  expect(summarised({ body: ' \n' })).toBe('201 (empty body)');
  expect(summarised({ body: 'x'.repeat(160) })).toBe(`201 ${'x'.repeat(160)}`);
  expect(summarised({ body: 'x'.repeat(161) })).toBe(`201 ${'x'.repeat(160)}...`);
});

test('no response in one line', () => {
  const { exchange } = read(line({ status: undefined }));
  expect(
    summary({ ...exchange, noAnswer: { reason: 'timeout', detail: 'after 5 s', partial: undefined } }),
  ).toBe('no response (timeout: after 5 s)');
  expect(summary({ ...exchange, noAnswer: undefined })).toBe('no response');
});

test('what counts as accepted', () => {
  const answer = (status: number): HttpResponse => ({
    status,
    headers: [],
    body: '',
    bodyBytes: 0,
    truncated: false,
  });
  expect([199, 200, 299, 300, 422].filter((status) => isAccepted(answer(status)))).toEqual([200, 299]);
  expect(isAccepted(undefined)).toBe(false);
});

test('exchanges in their order, and those with a response apart', () => {
  const one = trace([line(), line({ id: 'b', status: undefined }), line({ id: 'c', status: 500 })]);
  expect(seen(contextOf(), one).map(({ step }) => step.id)).toEqual(['a', 'b', 'c']);
  expect(answered(contextOf(), one).map(({ step }) => step.id)).toEqual(['a', 'c']);
});

const missing: Deviation = { kind: 'body', at: '/subject', keyword: 'required' };
const harmless: readonly Deviation[] = [
  { kind: 'header-noise', header: 'X' },
  { kind: 'text-noise', at: '/subject' },
  { kind: 'lost-response' },
  { kind: 'pace' },
  { kind: 'scheme-case' },
  { kind: 'fault', how: 'slow' },
];

test('deviations of a valid request are no faults', () => {
  const { step } = read(line({ deviations: [...harmless, missing] }));
  expect(faultsOf(step)).toEqual([missing]);
  expect(find(step, 'pace')).toEqual({ kind: 'pace' });
  expect(find(step, 'scope')).toBeUndefined();
});

test('the only fault of a step', () => {
  const onlyBody = (deviations: readonly Deviation[]) => only(read(line({ deviations })).step, 'body');
  expect(onlyBody([missing])).toEqual(missing);
  expect(onlyBody([...harmless, missing])).toEqual(missing);
  expect(onlyBody([missing, { kind: 'scope' }])).toBeUndefined();
  expect(onlyBody([{ kind: 'scope' }])).toBeUndefined();
  expect(onlyBody([])).toBeUndefined();
});

test('header names are compared without regard to case', () => {
  const headers = [
    ['Retry-After', '1'],
    ['retry-after', '2'],
    ['Retry', '3'],
  ] as const;
  expect(headerValues(headers, 'Retry-AFTER')).toEqual(['1', '2']);
});

test('names of keys and bodies, and the marker of each sending', () => {
  const plain = read(line({ key: 'k', name: 'n' }));
  expect([keyName(plain.step), bodyName(plain.step), markerOf(plain.trace, plain)]).toEqual([
    'k',
    'n',
    'asy-t-n',
  ]);
  const bare = read(line({ operation: 'listCases', status: 200 }));
  expect([keyName(bare.step), bodyName(bare.step), markerOf(bare.trace, bare)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  const near = { use: 'near', name: 'k', edit: { kind: 'upper-case' } } as const;
  expect(keyName(read(line({ key: near })).step)).toBeUndefined();
  const again = read(line({ ordinal: 2, name: 'n' }));
  expect(markerOf(again.trace, again)).toBe('asy-t-n#2');
});

test.each([
  ['/cases/ab%3D%3D', 'ab==', '{"path":"/cases/ab=="}', false],
  ['/cases/ab%3D%3D', 'ab==', '{"path":"/cases/ab%3D%3D"}', false],
  ['/cases/a%20b?of=c%2Fd', 'c/d.', '{"of":"c/d."}', true],
  ['/cases/a%20b?of=c%2Fd', 'of=c', '{"query":"of=c/d"}', false],
  ['/cases/7%', '/cases/8', '{"path":"/cases/8"}', true],
])('what %s asks for is not disclosed: %s', (path, id, body, expected) => {
  const { exchange } = read(line({ status: 403, body: JSON.parse(body) }));
  expect(discloses({ ...exchange, request: { ...exchange.request, path } }, id)).toBe(expected);
});
