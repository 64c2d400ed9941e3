import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conflict, history, ok, open, unknown } from '../testing/histories.ts';
import { explain } from './history.ts';
import type { Command, CommandResult, KeySpace } from './key-service.ts';

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
      const outcome: CommandResult = lost
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
