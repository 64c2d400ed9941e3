import { expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import { makeContext } from '../oracle/context.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import { contract, principals } from './cases/contract.ts';
import { judged, stated } from './cases/judged.ts';
import { says } from './cases/says.ts';
import { type Case, trace } from './cases/trace.ts';
import { inOtherShape, versionCases } from './cases/version.ts';
import { clauseOf } from './catalogue.ts';

/** The refusals have no control of their own: that of the plain body shows that the record can be changed. */
const shapeCases: readonly Case[] = (
  [
    [409, ['holds b', 'inconclusive shape', 'holds b (ids only)', 'holds shape (ids only)']],
    [200, ['holds b', 'violated shape (conclusive)', 'holds b (ids only)']],
    // Its own members may be what is refused.
    [422, ['holds b', 'inconclusive shape', 'holds b (ids only)']],
  ] as const
).map(([status, rulings]) =>
  says('VER-1', `an old version with a body of another shape: ${status}`, inOtherShape(status), ...rulings),
);

test.each([...versionCases, ...shapeCases])('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});

test.each(['VER-5', 'VER-6'])('%s binds commands that move the version on, and no others', (code) => {
  const { version, ...plain } = operationOf(contract, 'updateCase');
  const binds = (neutral: boolean): boolean | undefined =>
    version && clauseOf(code)?.applies(contract, { ...plain, version: { ...version, neutral } });
  expect([binds(false), binds(true)]).toEqual([true, false]);
  expect(clauseOf(code)?.applies(contract, { ...plain, version: undefined })).toBe(false);
});

test('VER-6 does not bind deletions: what is deleted has no version any more', () => {
  const update = operationOf(contract, 'updateCase');
  const clause = clauseOf('VER-6');
  expect(clause?.applies(contract, update)).toBe(true);
  expect(clause?.applies(contract, { ...update, method: 'DELETE' })).toBe(false);
});

test('a removed record may be called gone, whatever a read still shows of it', () => {
  const { version } = operationOf(contract, 'updateCase');
  const operations = contract.operations.map((one) => (one.id === 'wipeCase' ? { ...one, version } : one));
  const context = makeContext({
    contract: { ...contract, operations },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const verdicts = (left: number, status: number): readonly string[] => {
    const wipe = { operation: 'wipeCase', on: 'made', role: 'test' } as const;
    const judged = trace([
      { id: 'made', role: 'setup', status: 201 },
      { ...wipe, id: 'first', role: 'control', controls: 'again', status: 204 },
      { id: 'left', operation: 'getCase', on: 'made', role: 'readback', status: left },
      { ...wipe, id: 'again', status, deviations: [{ kind: 'version', how: 'stale' }] },
    ]);
    return (clauseOf('VER-1')?.judges ?? [])
      .slice(0, 2)
      .flatMap((judge) => (judge.over === 'trace' ? [...judge.rule(context, judged)] : []))
      .map(({ verdict }) => verdict);
  };
  expect(verdicts(200, 404)).toEqual(['holds']);
  expect(verdicts(200, 410)).toEqual(['holds']);
  expect(verdicts(404, 404)).toEqual(['holds']);
  expect(verdicts(200, 422)).toEqual(['violated']);
  // It may mean that the ID is unknown.
  expect(verdicts(404, 422)).toEqual(['inconclusive']);
  expect(verdicts(404, 412)).toEqual(['violated']);
  expect(verdicts(200, 204)).toEqual(['violated']);
});

test('who loses the race of two deletions may find no record', () => {
  const { version } = operationOf(contract, 'updateCase');
  const operations = contract.operations.map((one) => (one.id === 'wipeCase' ? { ...one, version } : one));
  const context = makeContext({
    contract: { ...contract, operations },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const verdicts = (operation: string, loser: number): readonly string[] => {
    const sent = {
      operation,
      on: 'made',
      version: { use: 'of', ref: { step: 'seen', at: '/version' } },
    } as const;
    const judged = trace([
      { id: 'made', role: 'setup', status: 201 },
      { id: 'seen', operation: 'getCase', on: 'made', role: 'readback', status: 200 },
      [
        { ...sent, id: 'one', status: 200 },
        { ...sent, id: 'two', status: loser },
      ],
    ]);
    return [clauseOf('VER-5')?.judges ?? []]
      .flat()
      .flatMap((judge) => (judge.over === 'trace' ? [...judge.rule(context, judged)] : []))
      .map(({ verdict }) => verdict);
  };
  expect(verdicts('wipeCase', 404)).toEqual(['holds']);
  expect(verdicts('wipeCase', 403)).toEqual(['holds']);
  expect(verdicts('wipeCase', 422)).toEqual(['inconclusive']);
  expect(verdicts('wipeCase', 412)).toEqual(['violated']);
  expect(verdicts('updateCase', 422)).toEqual(['violated']);
});
