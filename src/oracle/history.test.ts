import { describe, expect, test } from 'vitest';
import { blind, conflict, history, ok, open, refused, unknown } from '../testing/histories.ts';
import { explain, smallestUnexplained } from './history.ts';
import { type Choices, type Command, choicesOf, type KeySpace } from './key-service.ts';
import { parsedDeclaration } from './open-points/declared.ts';

test.each([
  ['a duplicate that replays', history({ outcome: ok('1') }, { outcome: ok('1') })],
  ['a duplicate that conflicts', history({ outcome: ok('1') }, { outcome: conflict })],
  [
    'another body that conflicts',
    history({ outcome: ok('1') }, { body: 'c', outcome: conflict }, { outcome: ok('1') }),
  ],
  ['two keys', history({ outcome: ok('1') }, { key: 'l', outcome: ok('2') })],
  [
    'a race with one winner',
    history(
      { wave: 0, outcome: conflict },
      { wave: 0, outcome: ok('1') },
      { wave: 0, body: 'c', outcome: conflict },
    ),
  ],
  [
    'a lost answer that took effect',
    history({ outcome: unknown }, { outcome: ok('1') }, { outcome: ok('1') }),
  ],
  ['a lost answer that did not', history({ outcome: unknown }, { body: 'c', outcome: ok('1') })],
  ['another caller with a key of its own', history({ outcome: ok('1') }, { caller: 'b', outcome: ok('2') })],
  [
    'another caller of the tenant, who replays',
    history({ outcome: ok('1') }, { caller: 'b', outcome: ok('1') }),
  ],
  [
    'another scope that conflicts',
    history({ outcome: ok('1') }, { caller: 'b', scope: 't', outcome: conflict }),
  ],
  [
    'a body that the service refuses on its own account',
    history({ outcome: { kind: 'other', status: 422 } }, { body: 'c', outcome: ok('1') }),
  ],
  ['a throttled command', history({ outcome: { kind: 'throttled' } }, { body: 'c', outcome: ok('1') })],
  ['a throttled duplicate', history({ outcome: ok('1') }, { outcome: { kind: 'throttled' } })],
  ['nothing', history()],
  [
    'an accepted command whose result has no ID, and its replay',
    history({ outcome: blind }, { outcome: ok('1') }),
  ],
  ['a replay without an ID', history({ outcome: ok('1') }, { outcome: blind })],
  ['two commands whose results have no ID', history({ outcome: blind }, { key: 'l', outcome: blind })],
  ['a refusal of another request', history({ outcome: ok('1') }, { body: 'c', outcome: refused })],
  ['a refusal of another caller', history({ outcome: ok('1') }, { caller: 'b', outcome: refused })],
  ['a refusal of another operation', history({ outcome: ok('1') }, { operation: 'other', outcome: refused })],
  ['a refusal where the first answer was lost', history({ outcome: unknown }, { outcome: refused })],
  ['a lost duplicate', history({ outcome: ok('1') }, { outcome: unknown }, { outcome: ok('1') })],
  ['a lost answer whose key is bound', history({ outcome: unknown }, { body: 'c', outcome: conflict })],
  [
    'a lost answer whose key is still free',
    history({ outcome: unknown }, { body: 'c', outcome: ok('1') }, { outcome: conflict }),
  ],
  [
    'another operation with a result of its own',
    history({ outcome: ok('1') }, { operation: 'other', outcome: ok('2') }),
  ],
  [
    'another operation that conflicts',
    history({ outcome: ok('1') }, { operation: 'other', outcome: conflict }),
  ],
  [
    'another scope with a result of its own',
    history({ outcome: ok('1') }, { caller: 'b', scope: 't', outcome: ok('2') }),
  ],
  [
    'callers without a scope are of one tenant',
    history({ scope: undefined, outcome: ok('1') }, { scope: undefined, caller: 'b', outcome: ok('1') }),
  ],
  [
    'a race of three, the last of which won',
    history(
      { wave: 0, outcome: ok('1') },
      { wave: 0, outcome: ok('1') },
      { wave: 0, body: 'c', outcome: conflict },
    ),
  ],
  // The key is bound in the first wave, though its command stands last.
  [
    'waves that are not listed in turn',
    history({ wave: 1, body: 'c', outcome: conflict }, { wave: 0, outcome: ok('1') }),
  ],
  [
    'waves with two digits',
    history({ wave: 10, body: 'c', outcome: conflict }, { wave: 9, outcome: ok('1') }),
  ],
  [
    'a refusal of what is bound, its result unseen',
    history({ outcome: unknown }, { body: 'c', outcome: conflict }, { outcome: refused }),
  ],
  ...[refused, unknown].map(
    (outcome) =>
      [
        `a key that is free again after a command under it ended in ${outcome.kind}`,
        history(
          { wave: 0, operation: 'other', outcome },
          { wave: 0, outcome: conflict },
          { wave: 1, outcome: ok('1') },
        ),
      ] as const,
  ),
  [
    "a lost answer that came to another's command",
    history({ outcome: unknown }, { caller: 'b', outcome: ok('2') }, { outcome: ok('2') }),
  ],
] as const)('%s is explained', (_, commands) => {
  expect(explain(commands, open)).toEqual({ explained: true });
});

test('what is declared binds', () => {
  const replayed = history({ outcome: ok('1') }, { outcome: ok('1') });
  const conflicting = history({ outcome: ok('1') }, { outcome: conflict });
  expect(explain(replayed, { ...open, duplicates: 'conflict' }).explained).toBe(false);
  expect(explain(conflicting, { ...open, duplicates: 'replay' }).explained).toBe(false);
  const racing = history({ wave: 0, outcome: ok('1') }, { wave: 0, outcome: conflict });
  expect(explain(racing, { ...open, duplicates: 'replay' }).explained).toBe(true);
  const byOther = history({ outcome: ok('1') }, { caller: 'b', outcome: conflict });
  expect(explain(byOther, { ...open, keySpace: 'caller' }).explained).toBe(false);
  expect(explain(byOther, { ...open, keySpace: 'tenant' }).explained).toBe(true);
});

test('what is declared of duplicates is about finished ones of one caller, of one request', () => {
  const replay: Choices = { ...open, duplicates: 'replay' };
  const only: Choices = { ...open, duplicates: 'conflict' };
  const conflicting = (more: Partial<Command>) =>
    history({ outcome: ok('1') }, { ...more, outcome: conflict });
  const replayed = (more: Partial<Command>) => history({ outcome: ok('1') }, { ...more, outcome: ok('1') });
  expect(explain(conflicting({ body: 'c' }), replay).explained).toBe(true);
  expect(explain(conflicting({ caller: 'b' }), replay).explained).toBe(true);
  expect(explain(replayed({}), replay).explained).toBe(true);
  expect(explain(conflicting({}), only).explained).toBe(true);
  expect(explain(replayed({ caller: 'b' }), only).explained).toBe(true);
  // The key was in flight in the wave of the first use, however often it is used again.
  const later = history({ outcome: unknown }, { wave: 1, outcome: ok('1') }, { wave: 1, outcome: conflict });
  expect(explain(later, replay).explained).toBe(true);
  const finished = history(
    { outcome: ok('1') },
    { wave: 1, outcome: ok('1') },
    { wave: 1, outcome: conflict },
  );
  expect(explain(finished, replay)).toEqual({ explained: false, defects: ['duplicate'] });
  expect(smallestUnexplained(finished, replay)).toMatchObject([{ id: 'c0' }, { id: 'c2' }]);
});

test('the same request of another caller that gets the first result is no other request', () => {
  const shared = history(
    { outcome: ok('1') },
    { wave: 1, caller: 'b', outcome: ok('1') },
    { wave: 1, body: 'c', outcome: { kind: 'throttled' } },
  );
  const explanation = explain(shared, { ...open, keySpace: 'caller' });
  expect(explanation.explained ? [] : explanation.defects[0]).toBe('other-caller');
});

test('a refusal of another caller says nothing, though they share the key', () => {
  const refusedTo = (caller: string) => history({ outcome: ok('1') }, { caller, outcome: refused });
  expect(explain(refusedTo('b'), { ...open, keySpace: 'tenant' }).explained).toBe(true);
  expect(explain(refusedTo('a'), { ...open, keySpace: 'tenant' }).explained).toBe(false);
});

test('an equal body may be refused where that is declared', () => {
  const equal: Choices = { ...open, equalBodies: true };
  const second = (more: Partial<Command>) =>
    history({ outcome: ok('1') }, { key: 'l', ...more, outcome: conflict });
  expect(explain(second({}), equal).explained).toBe(true);
  expect(explain(second({ body: 'c' }), equal).explained).toBe(false);
  expect(explain(second({ operation: 'other' }), equal).explained).toBe(false);
  expect(explain(history({ outcome: conflict }), equal).explained).toBe(false);
});

test('a command that is refused for its body has its key in flight meanwhile, and may leave it free', () => {
  const equal: Choices = { ...open, equalBodies: true };
  const meanwhile = (wave: number) =>
    history(
      { wave: 0, outcome: ok('1') },
      { wave: 1, key: 'l', outcome: conflict },
      { wave, key: 'l', body: 'c', outcome: conflict },
      { wave: 3, key: 'l', body: 'd', outcome: ok('2') },
    );
  expect(explain(meanwhile(1), equal).explained).toBe(true);
  expect(explain(meanwhile(2), equal).explained).toBe(false);
  expect(explain(meanwhile(1), open).explained).toBe(false);
});

describe('the declared key space', () => {
  const own = (more: Partial<Command>) => history({ outcome: ok('1') }, { ...more, outcome: ok('2') });
  const taken = (more: Partial<Command>) => history({ outcome: ok('1') }, { ...more, outcome: conflict });
  const caller = { caller: 'b' };
  const scope = { caller: 'b', scope: 't' };
  const operation = { operation: 'other' };
  test.each<readonly [KeySpace, readonly (readonly Command[])[], readonly (readonly Command[])[]]>([
    ['caller', [own(caller), own(scope), taken(operation)], [taken(caller), taken(scope), own(operation)]],
    [
      'caller-operation',
      [own(caller), own(scope), own(operation)],
      [taken(caller), taken(scope), taken(operation)],
    ],
    ['tenant', [taken(caller), own(scope), taken(operation)], [own(caller), taken(scope), own(operation)]],
    [
      'tenant-operation',
      [taken(caller), own(scope), own(operation)],
      [own(caller), taken(scope), taken(operation)],
    ],
    ['global', [taken(caller), taken(scope), taken(operation)], [own(caller), own(scope), own(operation)]],
  ])('%s', (keySpace, kept, broken) => {
    const explained = (all: readonly (readonly Command[])[]) =>
      all.map((commands) => explain(commands, { ...open, keySpace }).explained);
    expect(explained(kept)).toEqual([true, true, true]);
    expect(explained(broken)).toEqual([false, false, false]);
  });
});

test('the choices that are declared', () => {
  expect(choicesOf(parsedDeclaration({}))).toEqual(open);
  expect(choicesOf(parsedDeclaration({ G1: 'replay', G18: 'tenant', G19: 'conflict' }))).toEqual({
    duplicates: 'replay',
    keySpace: 'tenant',
    equalBodies: true,
  });
  expect(choicesOf(parsedDeclaration({ G1: 'conflict', G18: 'caller-operation', G19: 'none' }))).toEqual({
    duplicates: 'conflict',
    keySpace: 'caller-operation',
    equalBodies: false,
  });
  expect(choicesOf(parsedDeclaration({ G1: 'either', G18: 'world' }))).toEqual(open);
});
