import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explain, smallestUnexplained } from './history.ts';
import { type Choices, type Command, choicesOf, type KeySpace, type Outcome } from './key-service.ts';

const open: Choices = { duplicates: undefined, keySpace: undefined, equalBodies: false };
const ok = (result: string): Outcome => ({ kind: 'accepted', result });
const conflict: Outcome = { kind: 'conflict' };
const unknown: Outcome = { kind: 'unknown' };
const refused: Outcome = { kind: 'other', status: 422 };
/** Accepted, but the result has no id. */
const blind: Outcome = { kind: 'accepted', result: undefined };

function history(
  ...lines: readonly (Partial<Command> & { readonly outcome: Outcome })[]
): readonly Command[] {
  return lines.map((line, index) => ({
    id: `c${index}`,
    wave: index,
    key: 'k',
    caller: 'a',
    scope: 's',
    operation: 'op',
    body: 'b',
    ...line,
  }));
}

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
    'an accepted command whose result has no id, and its replay',
    history({ outcome: blind }, { outcome: ok('1') }),
  ],
  ['a replay without an id', history({ outcome: ok('1') }, { outcome: blind })],
  ['two commands whose results have no id', history({ outcome: blind }, { key: 'l', outcome: blind })],
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
  [
    "a lost answer that came to another's command",
    history({ outcome: unknown }, { caller: 'b', outcome: ok('2') }, { outcome: ok('2') }),
  ],
] as const)('%s is explained', (_, commands) => {
  expect(explain(commands, open)).toEqual({ explained: true });
});

test.each([
  ['a duplicate with another id', history({ outcome: ok('1') }, { outcome: ok('2') }), 'c0 c1', 'duplicate'],
  [
    'another body that is carried out',
    history({ outcome: ok('1') }, { body: 'c', outcome: ok('2') }),
    'c0 c1',
    'other-request',
  ],
  [
    'another body that replays',
    history({ outcome: ok('1') }, { body: 'c', outcome: ok('1') }),
    'c0 c1',
    'other-request',
  ],
  [
    'a conflict under an unused key',
    history({ outcome: ok('1') }, { key: 'l', outcome: conflict }),
    'c1',
    'other-key unused-key',
  ],
  [
    'two winners of a race',
    history({ wave: 0, outcome: ok('1') }, { wave: 0, outcome: ok('2') }),
    'c0 c1',
    'race',
  ],
  [
    'a race without a winner',
    history({ wave: 0, outcome: conflict }, { wave: 0, outcome: conflict }),
    'c0 c1',
    'race unused-key',
  ],
  [
    "another scope's result",
    history({ outcome: ok('1') }, { caller: 'b', scope: 't', outcome: ok('1') }),
    'c0 c1',
    'other-caller',
  ],
  [
    "another operation's result",
    history({ outcome: ok('1') }, { operation: 'other', outcome: ok('1') }),
    'c0 c1',
    'other-operation',
  ],
  [
    'a duplicate that fails validation',
    history({ outcome: ok('1') }, { outcome: { kind: 'other', status: 422 } }),
    'c0 c1',
    'duplicate',
  ],
  // One reading for the whole history: the first pair shows keys of the caller, the second keys of all.
  [
    'two readings of the key space',
    history(
      { outcome: ok('1') },
      { caller: 'b', outcome: ok('2') },
      { key: 'l', outcome: ok('3') },
      { key: 'l', caller: 'b', outcome: conflict },
    ),
    'c0 c1 c3',
    'other-key',
  ],
  [
    'a result that another command has',
    history({ outcome: ok('1') }, { key: 'l', outcome: ok('1') }),
    'c0 c1',
    'other-key',
  ],
  [
    "another caller's key with another request",
    history({ outcome: ok('1') }, { caller: 'b', body: 'c', outcome: ok('1') }),
    'c0 c1',
    'other-request other-caller',
  ],
  [
    'another id after a lost answer',
    history({ outcome: unknown }, { outcome: ok('1') }, { outcome: ok('2') }),
    'c1 c2',
    'duplicate',
  ],
  [
    'a conflict before its key was used',
    history({ wave: 1, outcome: ok('1') }, { wave: 0, outcome: conflict }),
    'c1',
    'unused-key',
  ],
  [
    'a conflict before, with two digits',
    history({ wave: 10, outcome: ok('1') }, { wave: 9, outcome: conflict }),
    'c1',
    'unused-key',
  ],
  [
    'a conflict for an equal body',
    history({ outcome: ok('1') }, { key: 'l', outcome: conflict }),
    'c1',
    'other-key unused-key',
  ],
  // Keys are shared by all, and one operation takes no notice of them: nobody's result was opened, no unused key refused.
  [
    'a key whose first use by another operation left no trace',
    history(
      { operation: 'put', body: 'p', outcome: ok('9') },
      { key: 'l', body: 'c', outcome: ok('1') },
      { key: 'l', body: 'd', caller: 'b', scope: 't', outcome: conflict },
      { outcome: ok('2') },
    ),
    'c0 c2 c3',
    'other-request unused-key',
  ],
  // Each of the two could have been left out; the one whose key was used before shows most.
  [
    'one result for two keys at once',
    history({ outcome: ok('1') }, { wave: 1, key: 'l', outcome: ok('2') }, { wave: 1, outcome: ok('2') }),
    'c0 c2',
    'duplicate',
  ],
  // Leaving out one does not do.
  [
    'two that are wrong at once',
    history({ outcome: ok('1') }, { wave: 1, outcome: ok('2') }, { wave: 1, outcome: ok('3') }),
    'c0 c1',
    'duplicate',
  ],
  [
    'two that are wrong at once, found by what was fine',
    history({ outcome: ok('1') }, { wave: 1, key: 'l', outcome: ok('4') }, { wave: 1, outcome: ok('2') }),
    'c0 c2',
    'duplicate',
  ],
  // What comes later is not needed.
  [
    'a wrong one before others',
    history(
      { outcome: ok('1') },
      { outcome: ok('2') },
      { outcome: ok('3') },
      { key: 'l', outcome: conflict },
    ),
    'c0 c1',
    'duplicate',
  ],
  [
    'a refusal of what was replayed',
    history({ outcome: ok('1') }, { outcome: ok('1') }, { outcome: refused }),
    'c0 c2',
    'duplicate',
  ],
  [
    "another command's result after a lost answer",
    history({ outcome: unknown }, { key: 'l', outcome: ok('2') }, { outcome: ok('2') }),
    'c1 c2',
    'other-key',
  ],
  // Either could have been left out; the one whose key was used before shows most.
  [
    'one result for two commands at once, one of them sent before',
    history({ outcome: unknown }, { wave: 1, key: 'l', outcome: ok('2') }, { wave: 1, outcome: ok('2') }),
    'c1 c2',
    'other-key',
  ],
  // No caller's key counts for another: what the first caller gets wrong does not accuse the space of keys.
  [
    'two lapses of one caller after another caller had used the key',
    history(
      { caller: 'b', outcome: ok('9') },
      { outcome: ok('1') },
      { body: 'c', outcome: ok('2') },
      { outcome: ok('3') },
    ),
    'c1 c2',
    'other-request',
  ],
  // A service that carries out every other request under a key, and is right in all else: neither a first use nor a
  // replay of it is at fault.
  [
    'another request twice, and the first again',
    history(
      { outcome: ok('1') },
      { body: 'c', outcome: ok('2') },
      { body: 'c', outcome: ok('3') },
      { outcome: ok('1') },
    ),
    'c0 c1',
    'other-request',
  ],
  [
    'another request twice at once with the first',
    history(
      { wave: 0, outcome: ok('1') },
      { wave: 0, body: 'c', outcome: ok('2') },
      { wave: 0, body: 'c', outcome: ok('3') },
    ),
    'c0 c1',
    'other-request',
  ],
  [
    'the first result for two other requests at once, next to another key',
    history(
      { wave: 0, key: 'l', outcome: ok('9') },
      { wave: 0, outcome: ok('1') },
      { wave: 1, body: 'c', outcome: ok('1') },
      { wave: 1, body: 'c', outcome: ok('1') },
      { wave: 1, key: 'l', outcome: ok('9') },
    ),
    'c1 c2',
    'other-request',
  ],
  [
    'a conflict after a throttled command',
    history({ outcome: { kind: 'throttled' } }, { outcome: conflict }),
    'c0 c1',
    'throttled unused-key',
  ],
] as const)('%s is not', (_, commands, unexplained, defects) => {
  const explanation = explain(commands, open);
  expect(
    smallestUnexplained(commands, open)
      .map(({ id }) => id)
      .join(' '),
  ).toBe(unexplained);
  expect(explanation.explained ? undefined : explanation.defects.join(' ')).toBe(defects);
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
  expect(choicesOf({})).toEqual(open);
  expect(choicesOf({ G1: 'replay', G18: 'tenant', G19: 'conflict' })).toEqual({
    duplicates: 'replay',
    keySpace: 'tenant',
    equalBodies: true,
  });
  expect(choicesOf({ G1: 'conflict', G18: 'caller-operation', G19: 'none' })).toEqual({
    duplicates: 'conflict',
    keySpace: 'caller-operation',
    equalBodies: false,
  });
  expect(choicesOf({ G1: 'either', G18: 'world' })).toEqual(open);
});

/** A correct service: commands of a wave run one after the other, in the order of the list. */
function correct(
  plan: readonly (readonly {
    readonly key: string;
    readonly body: string;
    readonly caller: string;
    readonly lost: boolean;
  }[])[],
  space: KeySpace,
  duplicates: 'replay' | 'conflict',
  defect?: 'other-request' | 'duplicate' | 'race',
): readonly Command[] {
  const bound = new Map<
    string,
    {
      readonly body: string;
      readonly scope: string;
      readonly caller: string;
      readonly result: string;
      readonly wave: number;
    }
  >();
  let serial = 0;
  return plan.flatMap((commands, wave) =>
    commands.map(({ key, body, caller, lost }): Command => {
      const scope = caller === 'c' ? 't' : 's';
      const name = JSON.stringify(
        space === 'caller' ? [caller, key] : space === 'global' ? [key] : [scope, key],
      );
      const found = bound.get(name);
      const result = `r${++serial}`;
      if (found === undefined) bound.set(name, { body, scope, caller, result, wave });
      const lapse =
        found?.scope === scope &&
        (defect === 'other-request'
          ? found.body !== body
          : found.caller === caller &&
            found.body === body &&
            (defect === 'race') === (found.wave === wave) &&
            defect !== undefined);
      const outcome: Outcome = lost
        ? unknown
        : found === undefined || lapse
          ? ok(result)
          : found.body === body && found.scope === scope && duplicates === 'replay'
            ? ok(found.result)
            : conflict;
      return { id: `c${serial}`, wave, key, caller, scope, operation: 'op', body, outcome };
    }),
  );
}

const plans = fc.array(
  fc.array(
    fc.record({
      key: fc.constantFrom('k', 'l'),
      body: fc.constantFrom('x', 'y'),
      caller: fc.constantFrom('a', 'b', 'c'),
      lost: fc.constantFrom(false, false, false, true),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  { minLength: 1, maxLength: 4 },
);

test('whatever a correct service answers is explained', () => {
  fc.assert(
    fc.property(
      plans,
      fc.constantFrom<KeySpace>('caller', 'tenant', 'global'),
      fc.constantFrom('replay' as const, 'conflict' as const),
      (plan, space, duplicates) => explain(correct(plan, space, duplicates), open).explained,
    ),
  );
});

test.each(['other-request', 'duplicate', 'race'] as const)(
  'a service whose only defect is %s is accused of nothing else',
  (defect) => {
    fc.assert(
      fc.property(plans, fc.constantFrom<KeySpace>('caller', 'tenant', 'global'), (plan, space) => {
        const explanation = explain(correct(plan, space, 'replay', defect), open);
        fc.pre(!explanation.explained);
        if (!explanation.explained) expect(explanation.defects).toContain(defect);
      }),
      { numRuns: 40 },
    );
  },
);

test('a result that nobody ever issued, under a key that was used, is never explained', () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const commands = correct(plan, 'caller', 'replay').filter(({ outcome }) => outcome.kind === 'accepted');
      const first = commands[0];
      fc.pre(first !== undefined);
      if (first === undefined) return;
      const strange: Command = { ...first, id: 'strange', wave: 99, outcome: ok('never issued') };
      expect(explain([...commands, strange], open).explained).toBe(false);
    }),
  );
});

test('a result that another scope gets is no duplicate, whatever else the service does wrong', () => {
  const explanation = explain(
    history(
      { outcome: ok('1') },
      { body: 'c', outcome: { kind: 'other', status: 417 } },
      { caller: 'z', scope: 't', outcome: ok('1') },
    ),
    open,
  );
  expect(explanation.explained).toBe(false);
  expect(['duplicate', 'race']).not.toContain(explanation.explained ? '' : explanation.defects[0]);
});
