import { describe, expect, test } from 'vitest';
import { untouched } from './clauses/cases/scripted.ts';
import type { StopSuspect } from './model/stop.ts';
import type { Cell } from './model/verdict.ts';
import { runVerdict } from './run-verdict.ts';

describe('the run', () => {
  const cell = (verdict: Cell['verdict'], level: Cell['level'] = 'stated'): Cell => ({
    ...untouched,
    level,
    verdict,
    because: '',
  });
  const stop = (again: number, stopped: number): StopSuspect => ({
    exchange: 'x1',
    operation: 'createCase',
    request: 'POST /cases',
    scenario: 'long texts',
    suite: 'valid-commands',
    probe: 'long',
    stops: 1,
    there: 1,
    again,
    stopped,
  });
  const facts = {
    partial: false,
    ended: 'complete',
    budget: 'standard',
    waivers: 0,
    declaredAway: [],
  } as const;
  test.each<readonly [string, readonly Cell[], Partial<Parameters<typeof runVerdict>[1]>, number, boolean]>([
    ['all pass', [cell('pass')], {}, 0, true],
    ['a violation', [cell('pass'), cell('fail')], {}, 1, false],
    ['unstable', [cell('pass'), cell('unstable', 'derived')], {}, 1, false],
    ['a violation before what was not tested', [cell('fail'), cell('not-tested')], {}, 1, false],
    ['stated and not tested', [cell('pass'), cell('not-tested')], {}, 3, false],
    ['derived and not tested', [cell('pass'), cell('not-tested', 'derived')], {}, 0, false],
    ['advisory and violated', [cell('pass'), cell('fail', 'advisory')], {}, 0, true],
    ['nothing tested', [], {}, 3, false],
    ['interrupted', [cell('pass')], { ended: 'interrupted' }, 3, false],
    ['budget ended', [cell('pass')], { ended: 'budget' }, 3, false],
    ['quick', [cell('pass')], { budget: 'quick' }, 0, false],
    ['waived', [cell('pass')], { waivers: 1 }, 0, false],
    ['nothing was sent to a selected operation', [cell('pass')], { untouched: ['a'] }, 3, false],
    ['nothing was sent at all', [cell('pass')], { partial: true, idle: true }, 3, false],
    ['the target stops after a request', [cell('pass')], { stops: [stop(3, 1)] }, 3, false],
    ['it stopped, and nothing could be sent again', [cell('pass')], { stops: [stop(0, 0)] }, 3, false],
    ['it stopped once, and not when sent again', [cell('pass')], { stops: [stop(3, 0)] }, 0, true],
    ['a violation, and it stops', [cell('fail')], { stops: [stop(3, 3)] }, 1, false],
    ['a clause failed', [cell('pass')], { failures: ['why'] }, 2, false],
    ['a clause failed, and others are violated', [cell('fail')], { failures: ['why'] }, 1, false],
    ['an operation left out', [cell('pass')], { leftOut: ['upload'] }, 3, false],
    [
      'one left out and excluded by name',
      [cell('pass')],
      { leftOut: ['upload'], excluded: ['upload'] },
      0,
      false,
    ],
    ['narrowed: the rest is no shortfall', [cell('pass'), cell('not-tested')], { partial: true }, 0, false],
  ])('%s', (_, all, more, exitCode, certifiable) => {
    expect(runVerdict(all, { ...facts, ...more })).toMatchObject({ exitCode, certifiable });
  });

  test('the exit code without its violations', () => {
    const otherwise = (all: readonly Cell[], more: Partial<Parameters<typeof runVerdict>[1]> = {}): number =>
      runVerdict(all, { ...facts, ...more }).exitCodeOtherwise;
    expect(otherwise([cell('pass'), cell('fail')])).toBe(0);
    expect(otherwise([cell('pass'), cell('fail'), cell('not-tested')])).toBe(3);
    expect(otherwise([cell('pass'), cell('fail')], { failures: ['why'] })).toBe(2);
  });

  const narrowed = { ...facts, partial: true };
  const throttling = ['THR-1', 'THR-2', 'THR-3', 'THR-4', 'THR-5', 'THR-6', 'IDM-14'].map((clause) => ({
    ...cell('not-tested'),
    clause,
  }));
  test.each<readonly [string, readonly Cell[], Parameters<typeof runVerdict>[1], string, readonly string[]]>([
    ['all pass', [cell('pass'), cell('not-applicable')], facts, 'conformant', []],
    [
      'violations are counted, those of advisory clauses are not',
      [cell('fail'), cell('unstable', 'derived'), cell('fail', 'advisory'), cell('pass')],
      facts,
      'violations',
      ['2 cells are violated'],
    ],
    ['one violation', [cell('fail'), cell('pass')], facts, 'violations', ['1 cell is violated']],
    [
      'what is open is counted',
      [cell('pass'), cell('not-tested'), cell('inconclusive', 'derived'), cell('not-tested', 'advisory')],
      facts,
      'not fully verified',
      ['2 applicable cells were not tested or inconclusive'],
    ],
    [
      'derived and inconclusive',
      [cell('pass'), cell('inconclusive', 'derived')],
      facts,
      'conformant',
      ['1 applicable cell was not tested or inconclusive'],
    ],
    [
      'stated and inconclusive',
      [cell('pass'), cell('inconclusive')],
      facts,
      'not fully verified',
      ['1 applicable cell was not tested or inconclusive'],
    ],
    [
      'advisory clauses alone test nothing',
      [cell('pass', 'advisory')],
      facts,
      'not fully verified',
      ['nothing was tested'],
    ],
    [
      'nothing that is applicable',
      [cell('not-applicable')],
      facts,
      'not fully verified',
      ['nothing was tested'],
    ],
    [
      'narrowed, and only a violation was found',
      [cell('fail')],
      narrowed,
      'violations',
      ['the run was narrowed with --suite or --operation', '1 cell is violated'],
    ],
    [
      'narrowed, and nothing passes',
      [cell('not-tested')],
      narrowed,
      'not fully verified',
      [
        'nothing was tested',
        'the run was narrowed with --suite or --operation',
        '1 applicable cell was not tested or inconclusive',
      ],
    ],
    [
      'narrowed, and in doubt',
      [cell('pass'), cell('not-tested'), cell('inconclusive')],
      narrowed,
      'not fully verified',
      [
        'the run was narrowed with --suite or --operation',
        '2 applicable cells were not tested or inconclusive',
      ],
    ],
    [
      'narrowed, and a derived clause is in doubt',
      [cell('pass'), cell('inconclusive', 'derived')],
      narrowed,
      'conformant',
      [
        'the run was narrowed with --suite or --operation',
        '1 applicable cell was not tested or inconclusive',
      ],
    ],
    [
      'interrupted with a quick budget and waivers',
      [cell('pass')],
      { ...facts, budget: 'quick', ended: 'interrupted', waivers: 2 },
      'not fully verified',
      ['the budget was quick', 'the run was interrupted', 'there are waivers'],
    ],
    [
      'a thorough one that ended too soon',
      [cell('pass')],
      { ...facts, budget: 'thorough', ended: 'budget' },
      'not fully verified',
      ['the budget ended before the run'],
    ],
    [
      'many operations to which nothing was sent',
      [cell('pass')],
      { ...facts, untouched: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
      'not fully verified',
      ['nothing was sent beyond preflight to a, b, c, d, e and 2 more'],
    ],
    [
      'throttling is declared away',
      [cell('pass'), ...throttling],
      { ...facts, declaredAway: ['G8'] },
      'conformant',
      ['the declaration at G8 lifts a duty'],
    ],
    [
      'throttling is not declared away',
      [cell('pass'), ...throttling],
      { ...facts, declaredAway: ['G9'] },
      'not fully verified',
      ['7 applicable cells were not tested or inconclusive', 'the declaration at G9 lifts a duty'],
    ],
    [
      'with throttling nothing else is declared away',
      [cell('pass'), cell('not-tested')],
      { ...facts, declaredAway: ['G8'] },
      'not fully verified',
      ['1 applicable cell was not tested or inconclusive', 'the declaration at G8 lifts a duty'],
    ],
    [
      'what is declared away and violated all the same',
      [cell('pass'), { ...cell('fail'), clause: 'THR-6' }],
      { ...facts, declaredAway: ['G8'] },
      'violations',
      ['1 cell is violated', 'the declaration at G8 lifts a duty'],
    ],
  ])('%s: why it cannot be certified', (_, all, facts, outcome, shortfalls) => {
    expect(runVerdict(all, facts)).toMatchObject({
      outcome,
      shortfalls,
      partial: facts.partial,
      certifiable: shortfalls.length === 0,
    });
  });
});
