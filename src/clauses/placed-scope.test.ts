import { expect, test } from 'vitest';
import type { Operation } from '../model/contract.ts';
import type { Deviation } from '../model/scenario.ts';
import { allowed } from '../oracle/allowed.ts';
import { makeContext } from '../oracle/context.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import { contract, principals } from './cases/contract.ts';
import { type Line, trace } from './cases/trace.ts';
import { clauseOf } from './catalogue.ts';

/** The literal contract, whose paths begin with the tenant of the caller. */
const placed = {
  ...contract,
  operations: contract.operations.map(
    (one): Operation => ({ ...one, path: `/tenants/{tenantId}${one.path}`, ownParameters: ['tenantId'] }),
  ),
};
const context = makeContext({
  contract: placed,
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});
const scope: Deviation = { kind: 'scope' };

const verdicts = (lines: readonly Line[]): readonly string[] =>
  (clauseOf('PRM-5')?.judges ?? []).flatMap((judge) =>
    judge.over === 'trace' ? [...judge.rule(context, trace(lines))].map(({ verdict }) => verdict) : [],
  );
const abroad = (status: number, more: Partial<Line> = {}): Line => ({
  ...{ id: 'probe', role: 'test', status, as: 'abroad', deviations: [scope] },
  ...more,
});
const control = (more: Partial<Line> = {}): Line => ({
  id: 'control',
  controls: 'probe',
  status: 201,
  ...more,
});

test('PRM-5 binds what a path with a tenant reaches, be it no record', () => {
  const bound = placed.operations
    .filter((one) => clauseOf('PRM-5')?.applies(placed, one))
    .map(({ id }) => id);
  expect(bound).toEqual(expect.arrayContaining(['createCase', 'listCases']));
  expect(contract.operations.filter((one) => clauseOf('PRM-5')?.applies(contract, one))).not.toContainEqual(
    expect.objectContaining({ id: 'createCase' }),
  );
});

test.each([
  [403, ['holds']],
  [404, ['holds']],
  [201, ['violated']],
  [422, ['violated']],
])('a command under the path of another scope gets %i', (status, expected) => {
  expect(verdicts([abroad(status), control()])).toEqual(expected);
});

const list = { operation: 'listCases' } as const;
const items = (...ids: readonly string[]): Partial<Line> => ({
  ...list,
  body: { items: ids.map((id) => ({ id })), nextCursor: null },
});

test('a list under the path of another scope may hold what the caller may see', () => {
  const near = control({ ...items('case_1'), status: 200 });
  expect(verdicts([abroad(200, items()), near])).toEqual(['holds']);
  expect(verdicts([abroad(403, list), near])).toEqual(['holds']);
});

/** A page of records that other traces made, each under this ID. */
const page = (...ids: readonly string[]): Partial<Line> => ({
  ...list,
  body: {
    items: ids.map((id, index) => ({ id, subject: `A ladder asy-00000000000000a${index}` })),
    nextCursor: null,
  },
});

test.each<[string, readonly string[], string]>([
  ['several records of other traces', ['case_1', 'case_2'], 'violated'],
  // The same body may have been sent in both scopes.
  ['one record', ['case_1'], 'inconclusive'],
  ['records that each scope may count', ['1', '2'], 'inconclusive'],
])('a page under the path of another scope that shows %s there as well is judged', (_, ids, expected) => {
  const near = control({ ...page(...ids), status: 200 });
  expect(verdicts([abroad(200, page(...ids)), near])).toEqual([expected]);
});

test('a record under a chosen ID is none of the caller where the path is that of another scope', () => {
  const chosen = placed.operations.map((one) => ({
    ...one,
    pathFields: one.pathFields.map((field) => ({ ...field, chosen: true as const })),
  }));
  const around = makeContext({
    ...{
      contract: { ...placed, operations: chosen },
      declared: parsedDeclaration({}),
      principals,
      proven: new Set<string>(),
    },
  });
  const step = (within?: string) => ({
    ...({ id: 'probe', operation: 'closeCase', as: 'abroad', role: 'test', deviations: [scope] } as const),
    ...({ key: { use: 'none' }, body: { use: 'none' } } as const),
    ...(within === undefined ? {} : { within }),
  });
  expect(allowed(around, step()).success).toBe(true);
  expect(allowed(around, step('full')).success).toBe(false);
});

/** A step of a case under a name that callers choose, and what reads it there. */
const steps = placed.operations.flatMap((one): readonly Operation[] => {
  const [above, last] = one.pathFields;
  if (one.id !== 'getStep' || above === undefined || last === undefined) return [one];
  return [
    { ...one, pathFields: [above, { ...last, source: { operation: 'putStep', at: '/id' } }] },
    {
      ...one,
      id: 'putStep',
      kind: 'command',
      pathFields: [above, { ...last, source: undefined, chosen: true }],
    },
  ];
});
const naming = makeContext({
  ...{ declared: parsedDeclaration({}), principals, proven: new Set(['full']) },
  contract: { ...placed, operations: steps },
});

test.each([
  ['case_7', ['violated']],
  // Where each scope counts its cases, each may have one of this number.
  ['7', []],
])('what is in case %s of another scope is read under a path of the own scope', (id, expected) => {
  const lines: readonly Line[] = [
    { id: 'a', role: 'setup', status: 201, result: id },
    { ...abroad(200), operation: 'getStep', on: 'a' },
    { ...control(), status: 200, operation: 'getStep', on: 'a' },
  ];
  const [judge] = clauseOf('PRM-5')?.judges ?? [];
  const rulings = judge?.over === 'trace' ? [...judge.rule(naming, trace(lines))] : [];
  expect(rulings.map(({ verdict }) => verdict)).toEqual(expected);
});
