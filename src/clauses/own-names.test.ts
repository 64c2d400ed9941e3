import { expect, test } from 'vitest';
import type { Operation } from '../model/contract.ts';
import { makeContext } from '../oracle/context.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import { contract, principals } from './cases/contract.ts';
import { type Line, trace } from './cases/trace.ts';
import { clauseOf } from './catalogue.ts';

/** The literal contract; its wipeCase deletes what this operation has made. */
const contextOf = (maker: string) => {
  const operations = contract.operations.map(
    (one): Operation =>
      one.id === 'wipeCase'
        ? {
            ...one,
            pathFields: one.pathFields.map((field) => ({
              ...field,
              source: { operation: maker, at: '/id' },
            })),
          }
        : one,
  );
  return makeContext({
    ...{
      contract: { ...contract, operations },
      declared: parsedDeclaration({}),
      principals,
      proven: new Set(['full']),
    },
  });
};

const read = (id: 'before' | 'after', status: number): Line => ({
  ...{ id, operation: 'getCase', role: 'readback', observes: id, status, on: 'made' },
  body: status === 200 ? { id: 'case_7', status: 'open' } : { code: 'gone' },
});
const verdicts = (code: string, maker: string, probe: number, after: number): readonly string[] => {
  const lines: readonly Line[] = [
    { id: 'made', status: 201, result: 'case_7' },
    read('before', 200),
    {
      ...{ id: 'probe', operation: 'wipeCase', role: 'test', status: probe, on: 'made', as: 'abroad' },
      deviations: [{ kind: 'scope' }],
    },
    read('after', after),
    { id: 'control', operation: 'wipeCase', status: 204, on: 'made', controls: 'probe' },
  ];
  return (clauseOf(code)?.judges ?? []).flatMap((judge) =>
    judge.over === 'trace'
      ? [...judge.rule(contextOf(maker), trace(lines))].map(({ verdict }) => verdict)
      : [],
  );
};

// Where each scope has names of its own, another scope deletes what is not there.
test.each([
  ['keepCase', 204, 200, ['holds']],
  ['keepCase', 204, 404, ['violated']],
  ['keepCase', 404, 200, ['holds']],
  ['createCase', 204, 200, ['violated']],
])(
  'PRM-5: a record of %s, deleted from another scope with %i, is read as %i',
  (maker, probe, after, expected) => {
    expect(verdicts('PRM-5', maker, probe, after)).toEqual(expected);
  },
);

test('ERR-1: nor is that a fault of the client', () => {
  expect(verdicts('ERR-1', 'keepCase', 204, 200)).not.toContain('violated');
  expect(verdicts('ERR-1', 'createCase', 204, 200)).toContain('violated');
});

// A PUT that reached the record would have replaced its text, whatever else moves by itself.
test.each([
  ['its own text, and another time', { subject: 'asy-000000000000000a', took: 2 }, ['violated unwritten']],
  ['the text of the other scope', { subject: 'asy-000000000000000b', took: 1 }, ['violated']],
  ['no text', { took: 2 }, ['violated']],
  ['what it was', { subject: 'asy-000000000000000a', took: 1 }, ['holds']],
])('PRM-5: a record that a PUT of another scope may have replaced shows %s', (_, after, expected) => {
  const target = { caseId: { literal: 'mine' } };
  const put = { operation: 'keepCase', target, status: 200 } as const;
  const look = { operation: 'getCase', role: 'readback', target, status: 200 } as const;
  const lines = trace([
    { ...put, id: 'made', name: 'own' },
    { ...look, id: 'before', observes: 'before', body: { subject: 'asy-000000000000000a', took: 1 } },
    {
      ...{ ...put, id: 'probe', name: 'other', role: 'test', as: 'abroad' },
      ...{ deviations: [{ kind: 'scope' }], sent: '{"subject":"asy-000000000000000b"}' },
    },
    { ...look, id: 'after', observes: 'after', body: after },
  ]);
  const markers = { own: 'asy-000000000000000a', other: 'asy-000000000000000b' };
  const rulings = (clauseOf('PRM-5')?.judges ?? []).flatMap((judge) =>
    judge.over === 'trace'
      ? [...judge.rule(contextOf('keepCase'), { ...lines, bound: { keys: {}, markers } })]
      : [],
  );
  expect(rulings.map((one) => ('unwritten' in one ? `${one.verdict} unwritten` : one.verdict))).toEqual(
    expected,
  );
});
