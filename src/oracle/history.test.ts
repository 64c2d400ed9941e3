import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Choices, type Command, explain, type KeySpace, type Outcome } from './history.ts';

const open: Choices = { duplicates: undefined, keySpace: undefined, equalBodies: false };
const ok = (result: string): Outcome => ({ kind: 'accepted', result });
const conflict: Outcome = { kind: 'conflict' };
const unknown: Outcome = { kind: 'unknown' };

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
] as const)('%s is explained', (_, commands) => {
  expect(explain(commands, open)).toEqual({ explained: true });
});

test.each([
  ['a duplicate with another id', history({ outcome: ok('1') }, { outcome: ok('2') }), 'c1'],
  ['another body that is carried out', history({ outcome: ok('1') }, { body: 'c', outcome: ok('2') }), 'c1'],
  ['another body that replays', history({ outcome: ok('1') }, { body: 'c', outcome: ok('1') }), 'c1'],
  ['a conflict under an unused key', history({ outcome: ok('1') }, { key: 'l', outcome: conflict }), 'c1'],
  ['two winners of a race', history({ wave: 0, outcome: ok('1') }, { wave: 0, outcome: ok('2') }), 'c0'],
  ['a race without a winner', history({ wave: 0, outcome: conflict }, { wave: 0, outcome: conflict }), 'c0'],
  [
    "another scope's result",
    history({ outcome: ok('1') }, { caller: 'b', scope: 't', outcome: ok('1') }),
    'c1',
  ],
  [
    "another operation's result",
    history({ outcome: ok('1') }, { operation: 'other', outcome: ok('1') }),
    'c1',
  ],
  [
    'a duplicate that fails validation',
    history({ outcome: ok('1') }, { outcome: { kind: 'other', status: 422 } }),
    'c1',
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
    'c3',
  ],
] as const)('%s is not', (_, commands, culprit) => {
  expect(explain(commands, open)).toMatchObject({ explained: false, culprit: { id: culprit } });
});

test('what is declared binds', () => {
  const replayed = history({ outcome: ok('1') }, { outcome: ok('1') });
  const refused = history({ outcome: ok('1') }, { outcome: conflict });
  expect(explain(replayed, { ...open, duplicates: 'conflict' }).explained).toBe(false);
  expect(explain(refused, { ...open, duplicates: 'replay' }).explained).toBe(false);
  const racing = history({ wave: 0, outcome: ok('1') }, { wave: 0, outcome: conflict });
  expect(explain(racing, { ...open, duplicates: 'replay' }).explained).toBe(true);
  const byOther = history({ outcome: ok('1') }, { caller: 'b', outcome: conflict });
  expect(explain(byOther, { ...open, keySpace: 'caller' }).explained).toBe(false);
  expect(explain(byOther, { ...open, keySpace: 'tenant' }).explained).toBe(true);
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
): readonly Command[] {
  const bound = new Map<string, { readonly body: string; readonly scope: string; readonly result: string }>();
  let serial = 0;
  return plan.flatMap((commands, wave) =>
    commands.map(({ key, body, caller, lost }): Command => {
      const scope = caller === 'c' ? 't' : 's';
      const name = JSON.stringify(
        space === 'caller' ? [caller, key] : space === 'global' ? [key] : [scope, key],
      );
      const found = bound.get(name);
      const result = `r${++serial}`;
      if (found === undefined) bound.set(name, { body, scope, result });
      const outcome: Outcome = lost
        ? unknown
        : found === undefined
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
