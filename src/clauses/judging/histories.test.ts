import { describe, expect, test } from 'vitest';
import type { Command, Outcome } from '../../oracle/history.ts';
import { historyCases } from '../cases/histories.ts';
import { judged, stated } from '../cases/trace.ts';
import { clauseFor } from './histories.ts';

const ok = (result: string): Outcome => ({ kind: 'accepted', result });
const conflict: Outcome = { kind: 'conflict' };

function history(...commands: readonly Partial<Command>[]): readonly Command[] {
  return commands.map((command, index) => ({
    id: `c${index}`,
    wave: index,
    key: 'k',
    caller: 'a',
    scope: 's',
    operation: 'POST /cases',
    body: 'b',
    outcome: conflict,
    ...command,
  }));
}
const other = { caller: 'z', scope: 't' };
const contacts = { operation: 'POST /contacts' };

test.each(historyCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});

describe('which obligation an unexplained command broke', () => {
  test.each<readonly [string, string, readonly Command[], number]>([
    ['another result', 'IDM-5', history({ outcome: ok('1') }, { outcome: ok('2') }), 1],
    ['another body carried out', 'IDM-6', history({ outcome: ok('1') }, { body: 'c', outcome: ok('2') }), 1],
    ['two winners', 'IDM-8', history({ wave: 0, outcome: ok('1') }, { wave: 0, outcome: ok('2') }), 1],
    ["another caller's result", 'IDM-12', history({ outcome: ok('1') }, { ...other, outcome: ok('1') }), 1],
    [
      'refused for the sake of another caller, whose result comes next',
      'IDM-12',
      history({ outcome: ok('1') }, { ...other, body: 'c' }, { ...other, outcome: ok('1') }),
      2,
    ],
    [
      "another operation's result",
      'IDM-13',
      history({ outcome: ok('1') }, { operation: 'POST /contacts', outcome: ok('1') }),
      1,
    ],
    [
      'refused for the sake of another operation, whose result comes next',
      'IDM-13',
      history({ outcome: ok('1') }, { ...contacts, body: 'c' }, { ...contacts, outcome: ok('1') }),
      2,
    ],
    [
      "another operation's result, to another body",
      'IDM-13',
      history({ outcome: ok('1') }, { ...contacts, body: 'c', outcome: ok('1') }),
      1,
    ],
    [
      "another caller's result, to another body",
      'IDM-12',
      history({ outcome: ok('1') }, { ...other, body: 'c', outcome: ok('1') }),
      1,
    ],
    ["another key's result", 'IDM-10', history({ outcome: ok('1') }, { key: 'l', outcome: ok('1') }), 1],
    [
      'two bodies at once, both carried out',
      'IDM-6',
      history({ wave: 0, outcome: ok('1') }, { wave: 0, body: 'c', outcome: ok('2') }),
      1,
    ],
    [
      'two at once that are no first ones',
      'IDM-8',
      history({ outcome: ok('1') }, { wave: 1, outcome: ok('2') }, { wave: 1, outcome: ok('3') }),
      1,
    ],
    [
      'two at once refused for the sake of another caller, whose result comes next',
      'IDM-12',
      history(
        { outcome: ok('1') },
        { ...other, wave: 1, body: 'c' },
        { ...other, wave: 1, body: 'd' },
        { ...other, outcome: ok('1') },
      ),
      1,
    ],
    [
      'two at once refused for the sake of another operation, whose result comes next',
      'IDM-13',
      history(
        { outcome: ok('1') },
        { ...contacts, wave: 1, body: 'c' },
        { ...contacts, wave: 1, body: 'd' },
        { ...contacts, outcome: ok('1') },
      ),
      1,
    ],
    ['a conflict under an unused key', 'IDM-11', history({}, { key: 'l', outcome: ok('1') }), 0],
  ])('%s: %s', (_, clause, commands, culprit) => {
    const at = commands[culprit];
    expect(
      at && clauseFor(at, commands, { duplicates: undefined, keySpace: undefined, equalBodies: false }),
    ).toBe(clause);
  });
});
