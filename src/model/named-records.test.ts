import { describe, expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import type { NamedRecord, Operation } from './contract.ts';
import { drawnOf, referencesOf } from './named-records.ts';

const named = (name: string, more: Partial<NamedRecord> = {}): NamedRecord => ({
  at: `/${name}`,
  read: 'getCase',
  field: { name, schema: {}, source: { operation: 'createCase', at: '/id' } },
  ...more,
});
const [plain] = contract.operations;
const found = (...records: readonly NamedRecord[]): readonly string[] =>
  referencesOf(contract, { ...(plain as Operation), named: records }).map(({ at }) => at);

describe('a member of a body refers to a record of the scope of its caller', () => {
  test.each([
    'customerId',
    'case',
    'topicId',
    'order_id',
    'parentId',
    'tonerId',
    'boyId',
    'lines/0/partId',
    'data/relationships/topic/data/id',
  ])('such as %s', (name) => {
    expect(found(named(name))).toEqual([`/${name}`]);
  });

  test.each([
    'toAccount',
    'from',
    'payeeId',
    'user_id',
    'accountId',
    'billTo',
    'sent_by',
    'recipientId',
    'shopId',
    'reviewerUserId',
    'lines/0/supplierId',
    'couponId',
    'linkedCaseId',
    'listingId',
    'mentorEmployeeId',
    'carrierId',
    'data/relationships/payee/data/id',
    'data/relationships/guests/data/0/id',
    'users/0',
  ])('but %s may be one of another scope', (name) => {
    expect(found(named(name))).toEqual([]);
  });

  test.each([
    ['topic', ['/data/id']],
    ['payee', []],
    ['guests', []],
  ])('in the linkage of JSON:API as its path says: %s', (relationship, expected) => {
    const linked = {
      ...(plain as Operation),
      path: `/cases/{caseId}/relationships/${relationship}`,
      named: [named('data/id')],
    };
    expect(referencesOf(contract, linked).map(({ at }) => at)).toEqual(expected);
  });

  test('but not where the command acts on it, nobody makes it, or two of a kind may be two sides', () => {
    expect(found(named('caseId', { acts: true }))).toEqual([]);
    expect(found(named('caseId', { field: { name: 'caseId', schema: {}, source: undefined } }))).toEqual([]);
    expect(found(named('first'), named('second'))).toEqual([]);
    expect(found(named('caseId'), named('reviewCaseId'))).toEqual(['/caseId', '/reviewCaseId']);
    expect(found(named('ids/0'), named('ids/1', { second: true }))).toEqual(['/ids/0']);
    expect(found(named('caseId'), named('orderId', { read: 'getOrder' }))).toEqual(['/caseId', '/orderId']);
  });

  test('but not where every scope sees it', () => {
    const shared = {
      ...contract,
      operations: contract.operations.map((one) =>
        one.id === 'getCase' ? { ...one, shared: true as const } : one,
      ),
    };
    expect(referencesOf(shared, { ...(plain as Operation), named: [named('caseId')] })).toEqual([]);
  });
});

describe('of two records of a kind, one is taken from', () => {
  const drawn = (...names: readonly string[]): unknown => {
    const records = names.map((name) => named(name));
    const one = drawnOf(contract, { ...(plain as Operation), named: records });
    return one && [one.from.at, one.to.at];
  };

  test.each([
    ['fromAccountId', 'toAccountId'],
    ['source_account', 'destination_account'],
    ['debitAccountId', 'creditAccountId'],
    ['from', 'to'],
    ['originWarehouseId', 'warehouseId'],
    ['moves/0/senderWallet', 'moves/0/recipientWallet'],
  ])('%s and %s', (from, to) => {
    expect(drawn(from, to)).toEqual([`/${from}`, `/${to}`]);
    expect(drawn(to, from)).toEqual([`/${from}`, `/${to}`]);
  });

  test.each([
    [['fromAccountId']],
    [['accountId', 'toAccountId']],
    [['fromCase', 'toCase', 'feeCase']],
    [['fromCase', 'sourceCase']],
  ])('but not with %j', (names) => {
    expect(drawn(...names)).toBeUndefined();
  });

  test('but not where they are of two kinds, or of every scope', () => {
    const pair = [named('fromCase'), named('toCase', { read: 'getOrder' })];
    expect(drawnOf(contract, { ...(plain as Operation), named: pair })).toBeUndefined();
    const shared = {
      ...contract,
      operations: contract.operations.map((one) => ({ ...one, shared: true as const })),
    };
    const both = { ...(plain as Operation), named: [named('fromCase'), named('toCase')] };
    expect(drawnOf(shared, both)).toBeUndefined();
  });
});
