import { describe, expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import type { Clause } from '../model/clause.ts';
import { clauseOf, clauses } from './catalogue.ts';
import { clauseCodes } from './codes.ts';

const onCases = ['createCase', 'updateCase', 'assignCase', 'closeCase', 'approveCase'];
/** DELETE alone has no body. */
const withBody = [...onCases, 'createContact'];
const commands = [...withBody, 'deleteContact'];
const creating = ['createCase', 'createContact'];
const lists = ['listCases', 'listContacts'];
const reads = ['getCase', 'getContact', ...lists];
const all = [...commands, ...reads];
const onTargets = all.filter((id) => ![...creating, ...lists].includes(id));
const withSeveralFields = ['updateCase', 'assignCase', 'createContact'];
const versioned = ['updateCase', 'assignCase'];
const ofAnyFault = all.filter((id) => !['getCase', 'getContact'].includes(id));

/** Every clause: its level, and the operations of the extended catalogue that it binds. */
const table: Readonly<Record<string, readonly [Clause['level'], readonly string[]]>> = {
  'RID-1': ['stated', commands],
  'RID-2': ['stated', all],
  'RID-3': ['derived', all],
  'RID-4': ['derived', all],
  'RID-5': ['derived', all],
  'RID-6': ['derived', all],
  'RID-7': ['derived', all],
  'RID-8': ['advisory', all],
  'RID-9': ['derived', reads],
  'AUT-1': ['stated', commands],
  'AUT-2': ['stated', all],
  'AUT-3': ['stated', all],
  'AUT-4': ['derived', all],
  'AUT-5': ['derived', all],
  'AUT-6': ['derived', all],
  'AUT-7': ['derived', all],
  'AUT-8': ['derived', all],
  'AUT-9': ['stated', reads],
  'AUT-10': ['derived', commands],
  'AUT-11': ['derived', all],
  'AUT-12': ['advisory', all],
  'AUT-13': ['advisory', all],
  'PRM-1': ['stated', all],
  'PRM-2': ['stated', all],
  'PRM-3': ['derived', all],
  'PRM-4': ['derived', all],
  'PRM-5': ['stated', onTargets],
  'PRM-6': ['derived', commands],
  'PRM-7': ['derived', all],
  'PRM-8': ['derived', commands],
  'PRM-9': ['derived', all],
  'PRM-10': ['derived', all],
  'CMD-1': ['stated', commands],
  'CMD-2': ['stated', commands],
  'CMD-3': ['stated', commands],
  'CMD-4': ['derived', commands],
  'CMD-5': ['derived', creating],
  'CMD-6': ['derived', commands],
  'VAL-1': ['stated', withBody],
  'VAL-2': ['stated', withBody],
  'VAL-3': ['stated', withBody],
  'VAL-4': ['advisory', withSeveralFields],
  'VAL-5': ['derived', withSeveralFields],
  'VAL-6': ['derived', withBody],
  'VAL-7': ['derived', withBody],
  'VAL-8': ['derived', withBody],
  'VAL-9': ['derived', withBody],
  'VAL-10': ['derived', withBody],
  'VAL-11': ['derived', ['createContact']],
  'VAL-12': ['derived', lists],
  'VAL-13': ['derived', withBody],
  'VAL-14': ['derived', withBody],
  'VAL-15': ['derived', withBody],
  'IDM-1': ['stated', commands],
  'IDM-2': ['derived', commands],
  'IDM-3': ['derived', commands],
  'IDM-4': ['stated', commands],
  'IDM-5': ['derived', commands],
  'IDM-6': ['stated', commands],
  'IDM-7': ['derived', commands],
  'IDM-8': ['stated', commands],
  'IDM-9': ['derived', withBody],
  'IDM-10': ['derived', creating],
  'IDM-11': ['derived', commands],
  'IDM-12': ['derived', commands],
  'IDM-13': ['derived', commands],
  'IDM-14': ['derived', commands],
  'IDM-15': ['derived', commands],
  'IDM-16': ['derived', commands],
  'IDM-17': ['derived', withBody],
  'IDM-18': ['derived', commands],
  'IDM-19': ['derived', commands],
  // PATCH and DELETE: every other command is a POST.
  'IDM-20': ['derived', ['updateCase', 'deleteContact']],
  'IDM-21': ['derived', reads],
  'IDM-22': ['derived', commands],
  'IDM-23': ['advisory', commands],
  'IDM-24': ['derived', commands],
  'IDM-25': ['derived', commands],
  'CNF-1': ['stated', ['updateCase', 'assignCase', 'closeCase', 'approveCase']],
  'CNF-2': ['derived', commands],
  'VER-1': ['stated', versioned],
  'VER-2': ['stated', versioned],
  'VER-3': ['derived', versioned],
  'VER-4': ['derived', versioned],
  'VER-5': ['derived', versioned],
  'VER-6': ['derived', versioned],
  'VER-7': ['derived', versioned],
  'STV-1': ['stated', ['approveCase']],
  'STV-2': ['derived', ['approveCase']],
  'STV-3': ['derived', ['approveCase']],
  'STV-4': ['derived', ['approveCase']],
  'THR-1': ['stated', commands],
  'THR-2': ['stated', all],
  'THR-3': ['derived', all],
  'THR-4': ['derived', all],
  'THR-5': ['derived', commands],
  'THR-6': ['derived', all],
  'THR-7': ['advisory', commands],
  'THR-8': ['advisory', all],
  'RDS-1': ['stated', reads],
  'RDS-2': ['stated', reads],
  'RDS-3': ['derived', lists],
  'RDS-4': ['derived', lists],
  'RDS-5': ['derived', lists],
  'RDS-6': ['derived', lists],
  'RDS-7': ['derived', reads],
  'RDS-8': ['derived', reads],
  'ERR-1': ['derived', all],
  'ERR-2': ['derived', commands],
  'ERR-3': ['advisory', all],
  'ERR-4': ['derived', commands],
  'PRE-1': ['derived', all],
  // A read by ID has no fault of its own but the permission.
  'PRE-2': ['derived', ofAnyFault],
  'PRE-3': ['derived', withBody],
  'PRE-4': ['derived', all],
};

const extended = await loadContract('fixtures/contracts/extended-catalogue.yaml');

test('there are 115 clauses, in this order', () => {
  expect(clauses.map((clause) => clause.code)).toEqual(Object.keys(table));
  expect(clauses).toHaveLength(115);
});

test('a clause is found by its code', () => {
  expect(clauseOf('IDM-13')?.code).toBe('IDM-13');
  expect(clauseOf('IDM-99')).toBeUndefined();
});

describe.each(clauses)('$code', (clause) => {
  const [level, operations] = table[clause.code] ?? [];

  test('its level', () => expect(clause.level).toBe(level));

  test('the operations that it binds', () => {
    const bound = extended.operations.filter((operation) => clause.applies(extended, operation));
    expect(bound.map((operation) => operation.id).sort()).toEqual([...(operations ?? [])].sort());
  });

  test('its texts', () => {
    const { text, source, violation, fix } = clause;
    for (const words of [text, source.where, source.quote, clause.test, violation, fix])
      expect(words.trim()).not.toBe('');
  });

  test('something judges it', () => expect(clause.judges.length).toBeGreaterThan(0));
});

test('the codes are those of the clauses, in their order', () => {
  expect(clauseCodes).toEqual(clauses.map(({ code }) => code));
});
