import { expect, test } from 'vitest';
import type { NamedRecord, Operation } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { otherReference } from './other-reference.ts';

const referring = (member: string) =>
  makeContext({
    contract: {
      ...contract,
      operations: contract.operations.map(
        (operation): Operation =>
          operation.id === 'createCase'
            ? {
                ...operation,
                named: [
                  {
                    at: `/${member}`,
                    field: {
                      name: member,
                      schema: { type: 'string' },
                      source: { operation: 'createCase', at: '/id' },
                    },
                  },
                ],
              }
            : operation,
      ),
    },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });

type Made = {
  readonly asked: string;
  readonly is: string | undefined;
  readonly more?: JsonObject;
  /** What the second of the two others refers to itself. */
  readonly second?: JsonObject;
  readonly status?: number;
};

/** A case that names one of two others, and what a read shows of it. */
function traceOf(
  { asked, is, more = {}, second = {}, status = 201 }: Made,
  member: string,
  id: string,
): Trace {
  const others = ['case_first01', 'case_second2'].map(
    (id): Line => ({
      ...{ id, role: 'setup', status: 201, result: id },
      sent: JSON.stringify(id === 'case_second2' ? second : {}),
    }),
  );
  const shown = {
    id: 'case_7',
    status: 'open',
    subject: 's',
    ...more,
    ...(is === undefined ? {} : { [member]: is }),
  };
  const lines: readonly Line[] = [
    ...others,
    {
      id: 'a',
      result: 'case_7',
      status,
      sent: JSON.stringify({ subject: 's', ...more, [member]: asked }),
      body: shown,
    },
    {
      ...{ id: 'read', status: 200, operation: 'getCase', observes: 'made', on: 'a', role: 'readback' },
      body: shown,
    },
  ];
  return trace(lines, { id });
}

function rulings(made: Made, member = 'parentCaseId'): readonly string[] {
  return [...otherReference().see(referring(member), traceOf(made, member, 't'))].map(
    ({ verdict }) => verdict,
  );
}

test('a record refers to what its command named', () => {
  expect(rulings({ asked: 'case_first01', is: 'case_first01' })).toEqual([]);
  expect(rulings({ asked: 'case_second2', is: 'case_first01' })).toEqual(['violated']);
});

test.each<[string, Made, string?]>([
  ['nothing', { asked: 'case_second2', is: undefined }],
  ['another form of the ID', { asked: 'case_second2', is: 'notes/case_second2' }],
  ['what the run did not make', { asked: 'case_second2', is: 'case_of_others' }],
  [
    'what the command names as well',
    { asked: 'case_second2', is: 'case_first01', more: { other: 'case_first01' } },
  ],
  [
    'what that refers to itself',
    { asked: 'case_second2', is: 'case_first01', second: { parentCaseId: 'case_first01' } },
  ],
  ['another one later', { asked: 'case_second2', is: 'case_first01', status: 202 }],
  ['what the service may choose', { asked: 'case_second2', is: 'case_first01' }, 'warehouseId'],
])('it may show %s', (_, made, member) => expect(rulings(made, member)).toEqual([]));

test('two records refer to one, and their commands named two', () => {
  const fold = otherReference();
  const made = (trace: string, asked: string, is: string): readonly string[] =>
    [...fold.see(referring('parentCaseId'), traceOf({ asked, is }, 'parentCaseId', trace))].map(
      ({ verdict }) => verdict,
    );
  expect(made('t1', 'case_first01', 'case_of_others')).toEqual([]);
  expect(made('t2', 'case_first01', 'case_of_others')).toEqual([]);
  expect(made('t3', 'case_second2', 'case_of_others')).toEqual(['violated']);
  expect(made('t4', 'case_second2', 'internal-9')).toEqual([]);
});

/** Cases that name a team and an owner, each of which the run made. */
const ofKinds = (source: 'createCase' | 'mention') =>
  makeContext({
    contract: {
      ...contract,
      operations: contract.operations.map((operation): Operation => {
        if (operation.id !== 'createCase') return operation;
        const named = (at: string, from: Operation['id']): NamedRecord => ({
          at,
          field: {
            name: at.slice(1),
            schema: { type: 'string' },
            source: { operation: from, at: '/id' },
          },
        });
        return { ...operation, named: [named('/teamId', 'createCase'), named('/ownerId', source)] };
      }),
    },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });

function ofBoth(
  shown: JsonObject,
  source: 'createCase' | 'mention' = 'mention',
  more: readonly Line[] = [],
): readonly string[] {
  const is = { id: 'case_7', status: 'open', subject: 's', ...shown };
  const lines: readonly Line[] = [
    { id: 'team', role: 'setup', status: 201, result: 'case_team01', sent: '{}' },
    { id: 'owner', operation: source, role: 'setup', status: 201, result: 'case_owner1', sent: '{}' },
    ...more,
    {
      id: 'a',
      status: 201,
      result: 'case_7',
      sent: JSON.stringify({ subject: 's', teamId: 'case_team01', ownerId: 'case_owner1' }),
      body: is,
    },
    {
      ...{ id: 'read', status: 200, operation: 'getCase', observes: 'made', on: 'a', role: 'readback' },
      body: is,
    },
  ];
  return [...otherReference().see(ofKinds(source), trace(lines))].flatMap((one) =>
    one.verdict === 'violated' ? [one.expected] : [],
  );
}

test('a record that refers to one of another kind, which its command named for another member', () => {
  expect(ofBoth({ teamId: 'case_team01', ownerId: 'case_owner1' })).toEqual([]);
  expect(ofBoth({ teamId: 'case_team01', ownerId: 'case_team01' })).toEqual([
    'case_owner1 at /ownerId, as it was sent',
  ]);
  expect(ofBoth({ teamId: 'case_owner1', ownerId: 'case_team01' })).toHaveLength(2);
  // Of one kind, a service may take one for the other.
  expect(ofBoth({ teamId: 'case_team01', ownerId: 'case_team01' }, 'createCase')).toEqual([]);
  expect(ofBoth({ teamId: 'case_owner1', ownerId: 'case_team01' }, 'createCase')).toEqual([]);
  // Records of both kinds have one ID.
  const same: Line = { id: 'same', role: 'setup', status: 201, result: 'case_owner1', sent: '{}' };
  expect(ofBoth({ teamId: 'case_owner1', ownerId: 'case_owner1' }, 'mention', [same])).toEqual([]);
});
